//! `/staff/security`: what support staff settle for themselves: the second factor, the password and the sessions. One address
//! for all its forms, so that whoever has to sign in first comes back to it.

use axum::{
    Form,
    extract::Query,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{Fault as FormFault, StaffSecurity as Page};
use secrecy::SecretString;
use serde::Deserialize;

use crate::{
    people::Person,
    portal::{
        fault::Fault,
        own_second_factor::{renew_codes, state},
        own_security::{change_password, end_sessions, open_sessions},
        visit::StaffVisit,
    },
};

const PATH: &str = "/staff/security";

/// What one of the forms sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    part: String,
    code: String,
    present: SecretString,
    new: SecretString,
    session: String,
}

/// What was just done.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Done {
    done: String,
}

/// `GET /staff/security`
pub(super) async fn show(reader: StaffVisit, Query(Done { done }): Query<Done>) -> Result<Response, Fault> {
    let done = match done.as_str() {
        "password" => Some("Your password is changed. You are signed out everywhere else."),
        "ended" => Some("Ended. Nobody is signed in there any more."),
        _ => None,
    };
    let page = Page { done, ..page(&reader, Vec::new()).await? };
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/security`
pub(super) async fn change(reader: StaffVisit, Form(sent): Form<Sent>) -> Result<Response, Fault> {
    let (visit, me) = (&reader.visit, Person::Support(reader.person.id));
    let to = |address: &str| Ok(Redirect::to(address).into_response());
    match sent.part.as_str() {
        "password" => {
            let passwords = (&sent.present, &sent.new);
            match change_password(visit, (me, &reader.person.email), passwords).await? {
                None => to("/staff/security?done=password"),
                Some(refusal) => again(&reader, refusal).await,
            }
        }
        "end" => {
            let ended = end_sessions(visit, me, &sent.session).await?;
            to(if ended { "/staff/security?done=ended" } else { PATH })
        }
        "codes" | "replace" => {
            if let Some(fault) = reader.prove(&sent.code).await? {
                return again(&reader, (StatusCode::UNPROCESSABLE_ENTITY, fault)).await;
            }
            if sent.part == "replace" {
                return to("/staff/second-factor?return_to=/staff/security");
            }
            match renew_codes(visit, me, (PATH, "Back to your sign-in")).await? {
                Ok(codes) => Ok(visit.page(StatusCode::OK, codes).await),
                Err(refusal) => again(&reader, refusal).await,
            }
        }
        _ => to(PATH),
    }
}

async fn again(reader: &StaffVisit, (status, fault): (StatusCode, FormFault)) -> Result<Response, Fault> {
    Ok(reader.visit.page(status, page(reader, vec![fault]).await?).await)
}

async fn page(reader: &StaffVisit, faults: Vec<FormFault>) -> Result<Page, Fault> {
    let (visit, me) = (&reader.visit, Person::Support(reader.person.id));
    Ok(Page {
        name: reader.person.name.clone(),
        email: reader.person.email.clone(),
        second_factor: state(visit, me).await?,
        asks_for_code: reader.asks_for_code(),
        sessions: open_sessions(visit, me).await?,
        done: None,
        faults,
    })
}
