//! A defect of ours costs one answer and not the process.

use std::any::Any;

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use tower_http::catch_panic::CatchPanicLayer;

type AfterPanic = fn(Box<dyn Any + Send>) -> Response;

/// Turns a panic into a bare 500, to be dressed by what stands around it.
#[must_use]
pub fn catch_panics() -> CatchPanicLayer<AfterPanic> {
    CatchPanicLayer::custom(after_panic)
}

/// What the panic said is logged, never sent.
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
