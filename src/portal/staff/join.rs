//! `/staff/join/…`: what the mail leads to that a new support person gets, or one who forgot the password. A password is
//! chosen; the second factor comes with the sign-in.

use axum::{Form, extract::Path, http::StatusCode, response::Response};
use crossvat_app::portal::{Fault as FormFault, LinkEnded, NewPassword, SignIn};
use rand::rngs::SysRng;
use secrecy::SecretString;
use serde::Deserialize;

use crate::{
    one_time_links::{LinkError, LinkState, OneTimeLink, Purpose},
    people::Person,
    portal::{
        door::Door,
        fault::Fault,
        links::{ended, usable},
        sign_in::page as sign_in_page,
        typed::worded,
        visit::Visit,
    },
    staff::{StaffError, SupportPerson},
    ways_in::WayInError,
};

/// What a link to `/staff/join/…` may be for.
const JOINS: [Purpose; 2] = [Purpose::JoinStaff, Purpose::ResetPassword];

/// A password that was chosen.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Chosen {
    password: SecretString,
}

/// `GET /staff/join/…`
pub(super) async fn form(visit: Visit, Path(secret): Path<String>) -> Result<Response, Fault> {
    match look(&visit, &secret).await? {
        Ok((_, person)) => Ok(visit.page(StatusCode::OK, choose(&visit, person, Vec::new())).await),
        Err(ended) => Ok(ended),
    }
}

/// `POST /staff/join/…`
pub(super) async fn join(
    visit: Visit,
    Path(secret): Path<String>,
    Form(Chosen { password }): Form<Chosen>,
) -> Result<Response, Fault> {
    let (link, person) = match look(&visit, &secret).await? {
        Ok(found) => found,
        Err(ended) => return Ok(ended),
    };
    let chosen = (&link, &*secret);
    match visit.portal.ways_in.choose_password(chosen, &password, visit.client, &mut SysRng).await {
        Ok(()) => {
            let notice = Some("Your password is kept. Sign in with it.");
            let page = SignIn { email: person.email, notice, ..sign_in_page(&visit.portal, Door::Staff) };
            Ok(visit.page(StatusCode::OK, page).await)
        }
        Err(WayInError::Staff(StaffError::Unfit(unfit))) => {
            let page = choose(&visit, person, vec![FormFault::new("password", worded(&unfit))]);
            Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
        }
        Err(WayInError::Link(LinkError::Ended(state))) => {
            Ok(ended(&visit, Purpose::JoinStaff, Some(state)).await)
        }
        // Their access was ended meanwhile, and the link with it.
        Err(WayInError::Staff(StaffError::Unknown)) => {
            Ok(ended(&visit, Purpose::JoinStaff, Some(LinkState::Withdrawn)).await)
        }
        Err(error) => Err(error.into()),
    }
}

/// For whom the link is, if it can be used.
async fn look(visit: &Visit, secret: &str) -> Result<Result<(OneTimeLink, SupportPerson), Response>, Fault> {
    let link = match usable(visit, &JOINS, secret).await? {
        Ok(link) => link,
        // Staff ask a colleague for another, nobody here.
        Err(ended) => {
            let ended = LinkEnded { remedy: (Door::Staff.sign_in(), "Sign in"), ..ended };
            return Ok(Err(visit.page(StatusCode::NOT_FOUND, ended).await));
        }
    };
    let person = match link.person {
        Person::Support(id) => visit.portal.staff.find(id).await?,
        Person::Member(_) => None,
    };
    match person.filter(|person| person.disabled_at.is_none()) {
        Some(person) => Ok(Ok((link, person))),
        None => Ok(Err(ended(visit, Purpose::JoinStaff, None).await)),
    }
}

fn choose(visit: &Visit, person: SupportPerson, faults: Vec<FormFault>) -> NewPassword {
    let heading = "Choose a password";
    NewPassword { action: visit.address.clone(), heading, email: person.email, faults }
}
