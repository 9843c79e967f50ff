//! `/portal/settings/second-factor`: where a member sets up a second factor, because they want to or because the account demands
//! it and nothing else is open to them.

use axum::{
    Form,
    extract::Query,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::SecondFactorNotKept;
use secrecy::SecretString;
use serde::Deserialize;

use super::{
    door::Door,
    fault::Fault,
    own_second_factor::{self, Place, SetUp},
    sign_in::OnTheWay,
    visit::NewMemberVisit,
};
use crate::people::Person;

const PATH: &str = "/portal/settings/second-factor";
const SETTINGS: &str = "/portal/settings";

/// What the form sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    code: String,
    password: SecretString,
}

/// `GET /portal/settings/second-factor`
pub(super) async fn form(reader: NewMemberVisit, Query(way): Query<OnTheWay>) -> Result<Response, Fault> {
    let action = own_second_factor::address(PATH, &way);
    let place = place(&reader, &action);
    if reader.visit.portal.second_factors.has_one(place.person).await? {
        return Ok(Redirect::to(SETTINGS).into_response());
    }
    match own_second_factor::page(&reader.visit, place).await? {
        Some(page) => Ok(reader.visit.page(StatusCode::OK, page).await),
        None if reader.visit.lacks_second_factor() => {
            Ok(reader.visit.page(StatusCode::SERVICE_UNAVAILABLE, SecondFactorNotKept).await)
        }
        // The settings say why.
        None => Ok(Redirect::to(SETTINGS).into_response()),
    }
}

/// `POST /portal/settings/second-factor`
pub(super) async fn set_up(
    reader: NewMemberVisit,
    Query(way): Query<OnTheWay>,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    let done = if way.return_to.is_empty() && !reader.visit.lacks_second_factor() {
        (SETTINGS, "Back to the settings")
    } else {
        (Door::Members.home_or(&way.return_to), "Go on")
    };
    let action = own_second_factor::address(PATH, &way);
    let typed = (&*sent.code, &sent.password);
    match own_second_factor::set_up(&reader.visit, place(&reader, &action), typed, done).await? {
        SetUp::Done(codes) => {
            reader.visit.note_proof().await?;
            Ok(reader.visit.page(StatusCode::OK, codes).await)
        }
        SetUp::Again(status, page) => Ok(reader.visit.page(status, page).await),
        SetUp::Elsewhere => Ok(Redirect::to(&action).into_response()),
    }
}

fn place<'a>(reader: &'a NewMemberVisit, action: &'a str) -> Place<'a> {
    let is_required = reader.visit.lacks_second_factor();
    Place {
        person: Person::Member(reader.member.id),
        email: &reader.member.email,
        action,
        is_required,
        replaces: false,
        asks_password: true,
        back: (!is_required).then_some((SETTINGS, "Settings")),
    }
}
