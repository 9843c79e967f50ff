//! `/portal/check`: batch checks in the browser. A form starts a run, which lives on the server; the page of a run shows how
//! far it is. Another account's runs are not found.

mod form;
mod run;
mod upload;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use crossvat_app::portal::{NotAllowed, RunPhase};

pub(super) use self::{form::typed_fields, upload::MAX_DRAINED};
use super::{
    access::{Access, access_of},
    fault::Fault,
    state::Portal,
    visit::MemberVisit,
};
use crate::batch_checks::{Run, RunState};

/// Its pages but the one that takes files.
pub(super) fn pages() -> Router<Portal> {
    Router::new()
        .route("/portal/check/{run}", get(run::show).post(run::change))
        .route("/portal/check/{run}/results.csv", get(run::csv))
}

/// The page that takes files: larger forms, which take longer to arrive.
pub(super) fn form_page() -> Router<Portal> {
    Router::new()
        .route("/portal/check", get(form::show).post(form::start).layer(DefaultBodyLimit::max(MAX_DRAINED)))
}

/// Why the reader may have nothing asked; `None` to one who may.
async fn waits_for(portal: &Portal, reader: &MemberVisit) -> Result<Option<&'static str>, Fault> {
    if !reader.may_change() {
        return Ok(Some(
            "Numbers are checked by members and owners. Their runs are listed here for you to read.",
        ));
    }
    Ok(match access_of(portal, reader).await? {
        Access::Open => None,
        Access::Waiting(_) => Some(
            "Support has not answered your request yet. As soon as it is approved you check numbers here.",
        ),
        Access::Declined(_) => Some(
            "Support has declined your request, so nothing can be asked. The reason is on the first page of the portal.",
        ),
        Access::Withdrawn(_) => Some(
            "Your request is withdrawn, so nothing can be asked. Ask for keys on the first page of the portal.",
        ),
        Access::Suspended => {
            Some("The account is suspended: nothing can be asked. What was answered stays readable.")
        }
    })
}

/// The answer to somebody who may have nothing asked; `None` to one who may.
async fn may_ask(portal: &Portal, reader: &MemberVisit) -> Result<Option<Response>, Fault> {
    if !reader.may_change() {
        return Ok(Some(not_allowed(reader).await));
    }
    let waits_for = waits_for(portal, reader).await?;
    // The page says why.
    Ok(waits_for.map(|_| Redirect::to("/portal/check").into_response()))
}

async fn not_allowed(reader: &MemberVisit) -> Response {
    let words =
        "Numbers are checked by members and owners. An owner of the account can give you another role.";
    reader.visit.page(StatusCode::FORBIDDEN, NotAllowed { words }).await
}

const fn phase_of(state: RunState) -> RunPhase {
    match state {
        RunState::Running => RunPhase::Running,
        RunState::Stopped => RunPhase::Stopped,
        RunState::Done => RunPhase::Done,
    }
}

/// By what a run is known again.
pub(super) fn name_of(run: &Run) -> String {
    if let Some(name) = &run.file_name {
        return name.clone();
    }
    match run.counts.rows {
        0 | 1 => format!("Pasted: {}", run.first_text),
        rows => {
            format!(
                "Pasted: {} and {} more",
                run.first_text,
                crossvat_app::portal::grouped(u64::from(rows - 1))
            )
        }
    }
}

/// Who started a run, as the reader says it.
fn starter_of(run: &Run, reader: &MemberVisit) -> String {
    match &run.started_by {
        starter if starter.id == reader.member.id => "you".to_owned(),
        starter if starter.name.is_empty() => "a former member".to_owned(),
        starter => starter.name.clone(),
    }
}
