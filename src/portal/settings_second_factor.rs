//! `/portal/settings/second-factor`: where a member sets up a second factor.

use axum::{
    Form,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;

use super::{
    fault::Fault,
    own_second_factor::{self, Place, SetUp},
    visit::MemberVisit,
};
use crate::people::Person;

const PATH: &str = "/portal/settings/second-factor";
const SETTINGS: &str = "/portal/settings";

/// What the form sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    code: String,
}

/// `GET /portal/settings/second-factor`
pub(super) async fn form(reader: MemberVisit) -> Result<Response, Fault> {
    let place = place(&reader);
    if reader.visit.portal.second_factors.of(place.person).await?.is_some() {
        return Ok(Redirect::to(SETTINGS).into_response());
    }
    match own_second_factor::page(&reader.visit, place).await? {
        Some(page) => Ok(reader.visit.page(StatusCode::OK, page).await),
        // The settings say why.
        None => Ok(Redirect::to(SETTINGS).into_response()),
    }
}

/// `POST /portal/settings/second-factor`
pub(super) async fn set_up(reader: MemberVisit, Form(sent): Form<Sent>) -> Result<Response, Fault> {
    let done = ("/portal/settings", "Back to the settings");
    match own_second_factor::set_up(&reader.visit, place(&reader), &sent.code, done).await? {
        SetUp::Done(codes) => {
            reader.visit.note_proof().await?;
            Ok(reader.visit.page(StatusCode::OK, codes).await)
        }
        SetUp::Again(status, page) => Ok(reader.visit.page(status, page).await),
        SetUp::Elsewhere => Ok(Redirect::to(PATH).into_response()),
    }
}

fn place(reader: &MemberVisit) -> Place<'_> {
    Place {
        person: Person::Member(reader.member.id),
        email: &reader.member.email,
        action: PATH,
        replaces: false,
        back: Some((SETTINGS, "Settings")),
    }
}
