//! `/sign-in` and `/sign-out`.

use axum::{
    Form,
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{Fault as FormFault, SignIn as Page};
use rand::rngs::SysRng;
use secrecy::SecretString;
use serde::Deserialize;

use super::{fault::Fault, state::Portal, theme::own_path, unsent::leads_to_kept, visit::Visit};
use crate::{
    limits::{LimitedAction, RateStatus},
    members::SignIn,
    people::Person,
};

/// Where one goes who was on the way to nowhere in particular.
const HOME: &str = "/portal";

/// Whither one was on the way.
#[derive(Deserialize)]
pub(super) struct OnTheWay {
    #[serde(default)]
    return_to: String,
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
    if visit.is_signed_in() {
        return Redirect::to(home_or(&way.return_to)).into_response();
    }
    let notice = match &*way.return_to {
        "" => None,
        form if leads_to_kept(form) => Some(
            "You had been signed out. Sign in: what you typed is kept for an hour, and nothing was sent.",
        ),
        _ => Some("Sign in to see this page."),
    };
    let page = Page { notice, return_to: way.return_to, ..Page::default() };
    visit.page(StatusCode::OK, page).await
}

/// `POST /sign-in`
pub(super) async fn sign_in(
    State(portal): State<Portal>,
    visit: Visit,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    let again = |fault: FormFault| Page {
        email: sent.email.clone(),
        faults: vec![fault],
        notice: None,
        return_to: sent.return_to.clone(),
    };
    if let Err(refused) = may_try(&portal, &visit, &sent.email).await {
        return Ok(visit.page(StatusCode::TOO_MANY_REQUESTS, again(too_many(refused))).await);
    }
    let found = portal.members.sign_in(&sent.email, &sent.password, &mut SysRng).await?;
    let SignIn::Accepted(member, password) = found else {
        let words = "This address and this password do not belong together, or there is no such account";
        return Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, again(FormFault::new("email", words))).await);
    };
    if member.confirmed_at.is_none() {
        // Whoever knows the password may know this.
        let words = "Confirm your address first: follow the link that was mailed to you. Sign up again to get another";
        return Ok(visit.page(StatusCode::UNPROCESSABLE_ENTITY, again(FormFault::new("email", words))).await);
    }
    visit.sign_in(Person::Member(member.id), password).await?;
    Ok(Redirect::to(home_or(&sent.return_to)).into_response())
}

/// `POST /sign-out`
pub(super) async fn sign_out(visit: Visit) -> Result<Response, Fault> {
    visit.session.flush().await?;
    Ok(Redirect::to("/sign-in").into_response())
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
    let seconds = refused.resets_in.as_secs().max(1);
    let wait = if seconds < 120 {
        format!("{seconds} seconds")
    } else {
        format!("{} minutes", seconds.div_ceil(60))
    };
    FormFault::new("email", format!("Too many tries. Wait {wait}, then try again"))
}

fn home_or(return_to: &str) -> &str {
    match own_path(return_to) {
        "/" => HOME,
        own => own,
    }
}
