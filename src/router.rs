//! Joins the API, the portal and the probes, and says which layer stands where.

use std::any::Any;

use axum::{
    Router,
    http::StatusCode,
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    clock::SharedClock,
    middleware::{log_access, set_request_id, set_security_headers},
};

/// The whole service. From the outside in: request id, access log, headers for browsers, panic catcher, routes.
pub fn build(api: Router, portal: Router, probes: Router, clock: SharedClock) -> Router {
    portal
        .merge(probes)
        .merge(api)
        .layer(CatchPanicLayer::custom(after_panic))
        .layer(from_fn(set_security_headers))
        .layer(from_fn(log_access))
        .layer(from_fn_with_state(clock, set_request_id))
}

/// A defect of ours costs one answer and not the process. What it said is logged, never sent.
#[expect(clippy::needless_pass_by_value, reason = "the signature is the panic layer's")]
fn after_panic(panic: Box<dyn Any + Send>) -> Response {
    let said = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    tracing::error!(panic = said, "a handler panicked");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}
