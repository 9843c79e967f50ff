//! `/docs` and what is below it: the documentation. What it is made from comes in with [`DocsParts`]; what it says is
//! `app`'s.

mod description;
mod start;
mod try_call;

use std::{collections::HashSet, sync::Arc};

use axum::{
    Router,
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
    routing::get,
};
use crossvat_app::docs::{
    ErrorCodes, ErrorEntry, Guide, Index, Language, Quickstart, Reference, ReferencePage, Sandbox,
    SandboxEntry,
};
use serde::Deserialize;

pub use self::description::UnreadableDescription;
use super::{state::Portal, visit::Visit};
use crate::verify_vat::Verified;

/// What the documentation is made from: neither front end knows the other, and no page knows the sandbox.
pub struct DocsParts {
    /// The API's error codes.
    pub errors: Arc<[ErrorEntry]>,
    /// The numbers that test keys know.
    pub sandbox: Arc<[SandboxEntry]>,
    /// What the sandbox gives as proof: HMRC's and VIES's.
    pub proofs: (&'static str, &'static str),
    /// What the API says of itself.
    pub reference: Arc<Reference>,
    /// What the API answers when it found this, as indented JSON.
    pub answer: fn(Verified) -> String,
}

/// Reads the API's description, which is OpenAPI.
///
/// # Errors
/// It is none.
pub fn reference_of(description: &str) -> Result<Reference, UnreadableDescription> {
    description::read(description)
}

/// The pages, and the first page of all.
pub(super) fn pages() -> Router<Portal> {
    Router::new()
        .route("/", get(start::page))
        .route("/docs", get(index))
        .route("/docs/quickstart", get(quickstart))
        .route("/docs/reference", get(reference))
        .route("/docs/sandbox", get(sandbox))
        .route("/docs/try", get(try_call::form).post(try_call::send))
        .route("/docs/errors", get(errors))
        .route("/docs/{page}", get(guide))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Choice {
    language: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Search {
    find: String,
}

async fn index(visit: Visit) -> Response {
    visit.page(StatusCode::OK, Index).await
}

async fn quickstart(State(portal): State<Portal>, visit: Visit, Query(choice): Query<Choice>) -> Response {
    let named = |language: &Language| language.word() == choice.language;
    let language = Language::ALL.into_iter().find(named).unwrap_or_default();
    visit.page(StatusCode::OK, Quickstart { language, api: portal.public_url.to_string() }).await
}

async fn reference(State(portal): State<Portal>, visit: Visit, Query(search): Query<Search>) -> Response {
    let page = ReferencePage {
        reference: Arc::clone(&portal.docs.reference),
        error_codes: portal.docs.errors.iter().map(|entry| entry.code).collect::<HashSet<_>>(),
        find: search.find.trim().to_owned(),
    };
    visit.page(StatusCode::OK, page).await
}

async fn sandbox(State(portal): State<Portal>, visit: Visit) -> Response {
    let (hmrc_proof, vies_proof) = portal.docs.proofs;
    let page = Sandbox { entries: Arc::clone(&portal.docs.sandbox), hmrc_proof, vies_proof };
    visit.page(StatusCode::OK, page).await
}

async fn errors(State(portal): State<Portal>, visit: Visit) -> Response {
    visit.page(StatusCode::OK, ErrorCodes { entries: Arc::clone(&portal.docs.errors) }).await
}

async fn guide(visit: Visit, Path(page): Path<String>) -> Response {
    match Guide::named(&page) {
        Some(guide) => visit.page(StatusCode::OK, guide).await,
        None => visit.not_found().await,
    }
}
