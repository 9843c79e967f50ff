//! `/staff/second-factor`: where support staff set up their second factor, without which nothing else is open to them, or
//! another in its place.

use axum::{
    Form,
    extract::Query,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::StaffClosed;
use secrecy::SecretString;
use serde::Deserialize;

use crate::{
    people::Person,
    portal::{
        door::Door,
        fault::Fault,
        own_second_factor::{self, Place, SetUp},
        sign_in::OnTheWay,
        visit::{NewStaffVisit, Visit},
    },
};

const PATH: &str = "/staff/second-factor";
const SECURITY: &str = "/staff/security";

/// What the form sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sent {
    code: String,
}

/// `GET /staff/second-factor`
pub(super) async fn form(reader: NewStaffVisit, Query(way): Query<OnTheWay>) -> Result<Response, Fault> {
    let action = own_second_factor::address(PATH, &way);
    let place = match may_set_up(&reader, &action).await? {
        Ok(place) => place,
        Err(elsewhere) => return Ok(elsewhere),
    };
    match own_second_factor::page(&reader.visit, place).await? {
        Some(page) => Ok(reader.visit.page(StatusCode::OK, page).await),
        None => Ok(closed(&reader.visit).await),
    }
}

/// `POST /staff/second-factor`
pub(super) async fn set_up(
    reader: NewStaffVisit,
    Query(way): Query<OnTheWay>,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    let action = own_second_factor::address(PATH, &way);
    let place = match may_set_up(&reader, &action).await? {
        Ok(place) => place,
        Err(elsewhere) => return Ok(elsewhere),
    };
    let done = (Door::Staff.home_or(&way.return_to), "Go on");
    match own_second_factor::set_up(&reader.visit, place, (&sent.code, &SecretString::default()), done)
        .await?
    {
        SetUp::Done(codes) => {
            reader.visit.sign_in_with_proof().await?;
            Ok(reader.visit.page(StatusCode::OK, codes).await)
        }
        SetUp::Again(status, page) => Ok(reader.visit.page(status, page).await),
        SetUp::Elsewhere => Ok(Redirect::to(&action).into_response()),
    }
}

/// Whoever has none may, and who has one only after it was seen lately.
async fn may_set_up<'a>(
    reader: &'a NewStaffVisit,
    action: &'a str,
) -> Result<Result<Place<'a>, Response>, Fault> {
    let (factors, person) = (&reader.visit.portal.second_factors, Person::Support(reader.person.id));
    if !factors.has_key() {
        return Ok(Err(closed(&reader.visit).await));
    }
    let replaces = factors.of(person).await?.is_some();
    if replaces && reader.proved_at.is_none() {
        // Set up elsewhere meanwhile: it has to be seen here.
        reader.visit.session.flush().await?;
        return Ok(Err(Redirect::to(Door::Staff.sign_in()).into_response()));
    }
    if replaces && !reader.is_proved_lately() {
        return Ok(Err(Redirect::to(SECURITY).into_response()));
    }
    let back = replaces.then_some((SECURITY, "Your sign-in"));
    Ok(Ok(Place {
        person,
        email: &reader.person.email,
        action,
        is_required: true,
        replaces,
        asks_password: false,
        back,
    }))
}

async fn closed(visit: &Visit) -> Response {
    visit.page(StatusCode::SERVICE_UNAVAILABLE, StaffClosed).await
}
