//! The JSON API: parsing and rendering around the use case. What a call means is in `verify_vat`; what an error is
//! called, in [`error_code`].

pub mod error_code;
mod extract;
mod finish;
mod json;
mod openapi;
mod problem;
mod v1;

use std::sync::Arc;

use axum::{
    Router,
    extract::OriginalUri,
    routing::{any, get},
};
use tokio::sync::Semaphore;
use tower::ServiceBuilder;
use utoipa_axum::{router::OpenApiRouter, routes};

use self::{error_code::ErrorCode, finish::Finish, problem::ApiError};
pub use self::{openapi::document, v1::verify_vat::answer_text};
use crate::{
    api_keys::ApiKeys,
    middleware::{AroundLayer, catch_panics},
    registry_status::RegistryStatus,
    usage::Usage,
    verify_vat::VerifyVat,
};

/// What the handlers need.
pub struct ApiParts {
    /// Tells who calls.
    pub api_keys: ApiKeys,
    /// The use case.
    pub verify_vat: VerifyVat,
    /// What accounts have used.
    pub usage: Usage,
    /// How the registries are.
    pub registry_status: RegistryStatus,
    /// The address under which callers reach the service, for links in error bodies.
    pub public_url: Arc<str>,
    /// A place for each call that may be worked on at once.
    pub places: Arc<Semaphore>,
}

/// [`ApiParts`], shared: every layer clones it for every call.
type ApiState = Arc<ApiParts>;

/// Everything under `/v1`.
pub fn router(parts: ApiParts) -> Router {
    let state = Arc::new(parts);
    let (calls, _) = described().split_for_parts();
    let calls = calls.with_state(Arc::clone(&state));
    let api = Router::new()
        .merge(calls)
        .route("/openapi.json", get(openapi::serve))
        .fallback(nothing_here)
        .method_not_allowed_fallback(another_method);
    // `nest` leaves the bare `/v1/` to whoever else is there. Without `/v1` is the commonest slip, and wants an answer that
    // programs read.
    let routes = Router::new()
        .nest("/v1", api)
        .route("/v1/", any(nothing_here))
        .route("/verify-vat", any(nothing_here));
    explained(
        routes,
        Finish { public_url: Arc::clone(&state.public_url), verify_vat: Some(state.verify_vat.clone()) },
    )
}

/// Every error leaves as a problem body, that of a panicking handler too.
fn explained(routes: Router, finish: Finish) -> Router {
    routes.layer(ServiceBuilder::new().layer(AroundLayer(finish)).layer(catch_panics()))
}

async fn nothing_here() -> ApiError {
    ApiError::new(
        ErrorCode::NotFound,
        "There is nothing at this path. Numbers are verified by `POST /v1/verify-vat`, without a slash at its end.",
    )
}

async fn another_method(path: OriginalUri) -> ApiError {
    let taken = if path.path().ends_with("/verify-vat") { "POST" } else { "GET" };
    ApiError::new(ErrorCode::MethodNotAllowed, format!("This path takes {taken}. Send it with that method."))
}

/// The calls with their description.
fn described() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(v1::verify_vat::verify_vat))
        .routes(routes!(v1::account::account))
        .routes(routes!(v1::status::status))
}
