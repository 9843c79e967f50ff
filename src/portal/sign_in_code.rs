//! `/sign-in/code` and `/staff/sign-in/code`: the second factor, after the password. Until it is seen nobody is signed in: the
//! session says only whose password it was.

use std::time::Duration;

use axum::{
    Form,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, Utc};
use crossvat_app::portal::SignInCode as Page;
use serde::{Deserialize, Serialize};

use super::{codes::check_code, door::Door, fault::Fault, visit::Visit};
use crate::{audit::Actor, passwords::PasswordFingerprint, people::Person};

/// Where a session holds [`AfterPassword`].
const AFTER_PASSWORD: &str = "after_password";
/// How long the code may take.
const TIME_FOR_CODE: Duration = Duration::from_mins(10);
/// No address of ours is so long.
const MAX_RETURN_TO: usize = 2000;

/// Somebody whose password was right, and whose second factor is still to be seen.
#[derive(Serialize, Deserialize)]
struct AfterPassword {
    person: Person,
    password: PasswordFingerprint,
    at: DateTime<Utc>,
    return_to: String,
}

/// What the form sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    code: String,
}

/// Signs somebody in whose password was right, or asks for the second factor.
pub(super) async fn go_on(
    visit: &Visit,
    (person, password): (Person, PasswordFingerprint),
    return_to: &str,
) -> Result<Response, Fault> {
    let door = Door::of(person);
    let return_to = door.home_or(if return_to.len() <= MAX_RETURN_TO { return_to } else { "/" });
    if visit.portal.second_factors.of(person).await?.is_none() {
        note_sign_in(visit, person, false).await?;
        visit.sign_in((person, password), false).await?;
        return Ok(Redirect::to(return_to).into_response());
    }
    visit.begin_anew(visit.in_time(TIME_FOR_CODE)).await?;
    let at = visit.portal.clock.now();
    let after = AfterPassword { person, password, at, return_to: return_to.to_owned() };
    visit.session.insert(AFTER_PASSWORD, after).await?;
    Ok(Redirect::to(door.code()).into_response())
}

/// `GET /sign-in/code`
pub(super) async fn form(visit: Visit) -> Result<Response, Fault> {
    show(&visit, Door::Members).await
}

/// `POST /sign-in/code`
pub(super) async fn sign_in(visit: Visit, Form(sent): Form<Sent>) -> Result<Response, Fault> {
    enter(&visit, Door::Members, &sent.code).await
}

/// `GET /staff/sign-in/code`
pub(super) async fn staff_form(visit: Visit) -> Result<Response, Fault> {
    show(&visit, Door::Staff).await
}

/// `POST /staff/sign-in/code`
pub(super) async fn staff_sign_in(visit: Visit, Form(sent): Form<Sent>) -> Result<Response, Fault> {
    enter(&visit, Door::Staff, &sent.code).await
}

async fn show(visit: &Visit, door: Door) -> Result<Response, Fault> {
    match after_password(visit, door).await? {
        Some(_) => Ok(visit.page(StatusCode::OK, page(door)).await),
        None => Ok(from_the_beginning(door)),
    }
}

async fn enter(visit: &Visit, door: Door, code: &str) -> Result<Response, Fault> {
    let Some(after) = after_password(visit, door).await? else { return Ok(from_the_beginning(door)) };
    if let Some((status, fault)) = check_code(visit, after.person, code).await? {
        return Ok(visit.page(status, Page { faults: vec![fault], ..page(door) }).await);
    }
    note_sign_in(visit, after.person, true).await?;
    visit.sign_in((after.person, after.password), true).await?;
    Ok(Redirect::to(&after.return_to).into_response())
}

/// Puts it into the audit log that somebody comes in. Of the staff only once the second factor was seen: without one they have
/// yet to set it up, and that is there as well.
async fn note_sign_in(visit: &Visit, person: Person, second_factor_seen: bool) -> Result<(), Fault> {
    match person {
        Person::Member(id) => visit.portal.members.note_sign_in(id, second_factor_seen, visit.client).await?,
        Person::Support(id) if second_factor_seen => {
            visit.portal.staff.note_sign_in(id, &Actor::support(id, visit.client)).await?;
        }
        Person::Support(_) => {}
    }
    Ok(())
}

/// Whose password was seen at this door, not too long ago.
async fn after_password(visit: &Visit, door: Door) -> Result<Option<AfterPassword>, Fault> {
    let after: Option<AfterPassword> = visit.session.get(AFTER_PASSWORD).await?;
    let now = visit.portal.clock.now();
    Ok(after.filter(|after| Door::of(after.person) == door && now - TIME_FOR_CODE < after.at))
}

fn from_the_beginning(door: Door) -> Response {
    Redirect::to(door.sign_in()).into_response()
}

fn page(door: Door) -> Page {
    Page { action: door.code(), sign_in: door.sign_in(), faults: Vec::new() }
}
