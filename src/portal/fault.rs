//! What is answered when something that a page needs fails: it is told in the log, not to the reader.

use std::error::Error;

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};

/// Something that a page needs has failed.
#[derive(Debug)]
pub(super) struct Fault(Box<dyn Error + Send + Sync>);

impl<E: Error + Send + Sync + 'static> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        tracing::error!(error = %self.0, "a page cannot be answered");
        let words = "Something that this page needs does not answer at present. Try again in a minute.";
        (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "60")], words).into_response()
    }
}
