//! `/sign-in`, `/staff/sign-in` and `/sign-out`: the password. Who has a second factor is asked for it next, in
//! `sign_in_code`.

use axum::{
    Form,
    extract::Query,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{Fault as FormFault, SignIn as Page};
use rand::rngs::SysRng;
use secrecy::SecretString;
use serde::Deserialize;
use uuid::Uuid;

use super::{door::Door, fault::Fault, sign_in_code, state::Portal, unsent::leads_to_kept, visit::Visit};
use crate::{
    audit::{Actor, Deed, Event, Trail},
    limits::{LimitedAction, RateStatus},
    members::{Member, SignIn},
    one_time_links::{LinkError, Purpose},
    passwords::PasswordFingerprint,
    people::Person,
    staff::StaffSignIn,
};

/// Whither one was on the way.
#[derive(Deserialize)]
pub(super) struct OnTheWay {
    #[serde(default)]
    pub(super) return_to: String,
}

/// What the form sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    email: String,
    password: SecretString,
    return_to: String,
}

/// `GET /sign-in`
pub(super) async fn form(visit: Visit, Query(way): Query<OnTheWay>) -> Response {
    show(&visit, Door::Members, way).await
}

/// `POST /sign-in`
pub(super) async fn sign_in(visit: Visit, Form(sent): Form<Sent>) -> Result<Response, Fault> {
    enter(&visit, Door::Members, &sent).await
}

/// `GET /staff/sign-in`
pub(super) async fn staff_form(visit: Visit, Query(way): Query<OnTheWay>) -> Response {
    show(&visit, Door::Staff, way).await
}

/// `POST /staff/sign-in`
pub(super) async fn staff_sign_in(visit: Visit, Form(sent): Form<Sent>) -> Result<Response, Fault> {
    enter(&visit, Door::Staff, &sent).await
}

/// `POST /sign-out`
pub(super) async fn sign_out(visit: Visit) -> Result<Response, Fault> {
    let door = visit.came_through().unwrap_or(Door::Members);
    visit.session.flush().await?;
    Ok(Redirect::to(door.sign_in()).into_response())
}

async fn show(visit: &Visit, door: Door, way: OnTheWay) -> Response {
    if visit.came_through() == Some(door) {
        return Redirect::to(door.home_or(&way.return_to)).into_response();
    }
    let notice = match &*way.return_to {
        "" => None,
        form if leads_to_kept(form) => Some(
            "You had been signed out. Sign in: what you typed is kept for an hour, and nothing was sent.",
        ),
        _ => Some("Sign in to see this page."),
    };
    let page = Page { notice, return_to: way.return_to, ..page(&visit.portal, door) };
    visit.page(StatusCode::OK, page).await
}

async fn enter(visit: &Visit, door: Door, sent: &Sent) -> Result<Response, Fault> {
    let again = |fault: FormFault| Page {
        email: sent.email.clone(),
        faults: vec![fault],
        return_to: sent.return_to.clone(),
        ..page(&visit.portal, door)
    };
    if let Err(refused) = may_try(&visit.portal, visit, &sent.email).await {
        return Ok(visit.page(StatusCode::TOO_MANY_REQUESTS, again(too_many(refused))).await);
    }
    match who(visit, door, sent).await? {
        Ok((person, password)) => sign_in_code::go_on(visit, (person, password), &sent.return_to).await,
        Err(words) => {
            let page = again(FormFault::new("email", words));
            Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
        }
    }
}

/// Whose address and password these are, or what to say.
async fn who(
    visit: &Visit,
    door: Door,
    sent: &Sent,
) -> Result<Result<(Person, PasswordFingerprint), &'static str>, Fault> {
    let portal = &visit.portal;
    let found = match door {
        Door::Members => match portal.members.sign_in(&sent.email, &sent.password, &mut SysRng).await? {
            SignIn::Accepted(member, password) if member.confirmed_at.is_none() => {
                // Whoever brings a link to a key has read the mail to the address, and knows the password.
                if is_sent_to(portal, &member, &sent.return_to).await? {
                    portal.members.confirm_address(member.id, visit.client).await?;
                    return Ok(Ok((Person::Member(member.id), password)));
                }
                // Whoever knows the password may know this.
                return Ok(Err(
                    "Confirm your address first: follow the link that was mailed to you. Sign up again to get another",
                ));
            }
            SignIn::Accepted(member, password) => Some((Person::Member(member.id), password)),
            SignIn::Refused(member) => {
                if let Some(member) = member {
                    note_refusal(visit, Person::Member(member.id), (Some(member.account_id), &member.email));
                }
                None
            }
        },
        Door::Staff => match portal.staff.sign_in(&sent.email, &sent.password, &mut SysRng).await? {
            StaffSignIn::Accepted(person, password) => Some((Person::Support(person.id), password)),
            StaffSignIn::Refused(person) => {
                if let Some(person) = person {
                    note_refusal(visit, Person::Support(person.id), (None, &person.email));
                }
                None
            }
        },
    };
    let words = "This address and this password do not belong together, or there is no such account";
    Ok(found.ok_or(words))
}

/// Puts into the audit log that a wrong password was typed for somebody, whom it helps to see who guesses. That happens as
/// often as passwords may be tried for a person; for an address that is nobody's there is nobody to tell.
pub(super) fn note_refusal(visit: &Visit, person: Person, (account_id, email): (Option<Uuid>, &str)) {
    let mut trail = Trail::default();
    let (deed, subject_id) = (Deed::PasswordRefused, Some(person.id()));
    trail.note(&Actor::visitor(visit.client), &Event { deed, account_id, subject_id, detail: email });
    visit.portal.noted_later.write(trail);
}

/// Whether an address is that of a link to a key, which was mailed to this member and can be used.
async fn is_sent_to(portal: &Portal, member: &Member, address: &str) -> Result<bool, Fault> {
    let Some(secret) = address.strip_prefix("/claim/") else { return Ok(false) };
    match portal.links.look(Purpose::ClaimKey, secret).await {
        Ok(link) => Ok(link.person == Person::Member(member.id)),
        Err(LinkError::Unknown | LinkError::Ended(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The form as it is when nothing was typed.
pub(super) fn page(portal: &Portal, door: Door) -> Page {
    Page { of_staff: door == Door::Staff, asks_first: portal.keys_on_request, ..Page::default() }
}

/// All three limits, so that no password is guessed from one place, by many machines or on many people.
pub(super) async fn may_try(portal: &Portal, visit: &Visit, email: &str) -> Result<(), RateStatus> {
    for action in [
        LimitedAction::SignInFrom(visit.client),
        LimitedAction::SignIn { email, address: visit.client },
        LimitedAction::SignInAs { email },
    ] {
        portal.limiter.admit(&action).await?;
    }
    Ok(())
}

/// What is said to somebody who tries too often.
pub(super) fn too_many(refused: RateStatus) -> FormFault {
    let seconds = refused.seconds_to_wait();
    let wait = if seconds < 120 {
        format!("{seconds} seconds")
    } else {
        format!("{} minutes", seconds.div_ceil(60))
    };
    FormFault::new("email", format!("Too many tries. Wait {wait}, then try again"))
}
