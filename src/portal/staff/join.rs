//! `/staff/join/…`: what the mail to a new support person leads to. A password is chosen; the second factor comes with the
//! first sign-in.

use axum::{Form, extract::Path, http::StatusCode, response::Response};
use crossvat_app::portal::{Fault as FormFault, NewPassword, SignIn};
use rand::rngs::SysRng;
use secrecy::SecretString;
use serde::Deserialize;

use crate::{
    one_time_links::{LinkError, Purpose},
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
};

/// A password that was chosen.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Chosen {
    password: SecretString,
}

/// `GET /staff/join/…`
pub(super) async fn form(visit: Visit, Path(secret): Path<String>) -> Result<Response, Fault> {
    match look(&visit, &secret).await? {
        Ok(person) => Ok(visit.page(StatusCode::OK, choose(&visit, person, Vec::new())).await),
        Err(ended) => Ok(ended),
    }
}

/// `POST /staff/join/…`
pub(super) async fn join(
    visit: Visit,
    Path(secret): Path<String>,
    Form(Chosen { password }): Form<Chosen>,
) -> Result<Response, Fault> {
    let person = match look(&visit, &secret).await? {
        Ok(person) => person,
        Err(ended) => return Ok(ended),
    };
    let portal = &visit.portal;
    // Before the link is used up.
    match portal.staff.accepts_password(person.id, &password).await {
        Ok(()) => {}
        Err(StaffError::Unfit(unfit)) => {
            let page = choose(&visit, person, vec![FormFault::new("password", worded(&unfit))]);
            return Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
        }
        Err(error) => return Err(error.into()),
    }
    match portal.links.consume(Purpose::JoinStaff, &secret, visit.client).await {
        Ok(_) => {}
        Err(LinkError::Ended(state)) => return Ok(ended(&visit, Purpose::JoinStaff, Some(state)).await),
        Err(error) => return Err(error.into()),
    }
    portal.staff.set_password(person.id, &password, visit.client, &mut SysRng, &portal.outbox).await?;
    let notice = Some("Your password is kept. Sign in with it.");
    let page = SignIn { email: person.email, notice, ..sign_in_page(Door::Staff) };
    Ok(visit.page(StatusCode::OK, page).await)
}

/// For whom the link is, if it can be used.
async fn look(visit: &Visit, secret: &str) -> Result<Result<SupportPerson, Response>, Fault> {
    let link = match usable(visit, &[Purpose::JoinStaff], secret).await? {
        Ok(link) => link,
        Err(ended) => return Ok(Err(visit.page(StatusCode::NOT_FOUND, ended).await)),
    };
    let person = match link.person {
        Person::Support(id) => visit.portal.staff.find(id).await?,
        Person::Member(_) => None,
    };
    match person.filter(|person| person.disabled_at.is_none()) {
        Some(person) => Ok(Ok(person)),
        None => Ok(Err(ended(visit, Purpose::JoinStaff, None).await)),
    }
}

fn choose(visit: &Visit, person: SupportPerson, faults: Vec<FormFault>) -> NewPassword {
    let heading = "Choose a password";
    NewPassword { action: visit.address.clone(), heading, email: person.email, faults }
}
