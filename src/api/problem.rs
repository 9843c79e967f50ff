//! Errors as RFC 9457 problem bodies. A handler returns an [`ApiError`]; the outermost layer, which knows the request
//! id, writes the body.

use std::time::Duration;

use axum::{
    http::{HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    error_code::ErrorCode,
    v1::response::{UnresolvedNumber, VerificationResult},
};
use crate::limits::whole_seconds;

/// No error has more headers by the time it leaves, so that their table is made once.
const HEADERS: usize = 16;

/// An error on its way out.
#[derive(Clone, Debug)]
pub(super) struct ApiError {
    pub(super) code: ErrorCode,
    pub(super) detail: String,
    pub(super) faults: Vec<Fault>,
    pub(super) answered: Option<Answered>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// What a 503 still carries of a call.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) results: Vec<VerificationResult>,
    pub(super) unresolved: Vec<UnresolvedNumber>,
}

/// The body of every error (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Problem {
    /// The address of the page that explains the code.
    #[schema(format = "uri")]
    pub(super) r#type: String,
    /// What went wrong; the same for every case of the code.
    pub(super) title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub(super) status: u16,
    /// What went wrong in this case.
    pub(super) detail: String,
    /// What went wrong, for programs. Stable.
    #[schema(schema_with = super::openapi::error_code_schema)]
    pub(super) code: &'static str,
    /// Quote it when asking for help; the same as in the header `X-Request-Id`.
    pub(super) request_id: String,
    /// Every fault of the request (`validation_failed`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(super) errors: Vec<Fault>,
    /// Every number that was answered, as in a 200 (`registry_unavailable`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) results: Option<Vec<VerificationResult>>,
    /// Every number that nobody answered (`registry_unavailable`). Says nothing about the numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) unresolved: Option<Vec<UnresolvedNumber>>,
}

/// One fault of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct Fault {
    /// Where (RFC 6901); empty for the whole body.
    pub(super) pointer: String,
    /// What, for programs.
    #[schema(schema_with = super::openapi::fault_code_schema)]
    pub(super) code: &'static str,
    /// What, for people.
    pub(super) detail: String,
}

impl ApiError {
    pub(super) fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), faults: Vec::new(), answered: None, headers: Vec::new() }
    }

    /// The request was read but is not right.
    pub(super) fn invalid(faults: Vec<Fault>) -> Self {
        let detail = match faults.as_slice() {
            [only] => only.detail.clone(),
            several => format!("There are {} faults; `errors` names each.", several.len()),
        };
        Self { faults, ..Self::new(ErrorCode::ValidationFailed, detail) }
    }

    /// Some numbers were not answered; what was answered goes along.
    pub(super) fn registry_unavailable(detail: String, answered: Answered) -> Self {
        Self { answered: Some(answered), ..Self::new(ErrorCode::RegistryUnavailable, detail) }
    }

    /// The key does not open the service. `challenge` is RFC 6750's.
    pub(super) fn unauthorized(code: ErrorCode, detail: &str, challenge: &'static str) -> Self {
        Self::new(code, detail).with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
    }

    /// With `Retry-After` in [`whole_seconds`].
    pub(super) fn retry_after(self, wait: Duration) -> Self {
        self.with_header(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)))
    }

    fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    pub(super) fn into_problem(self, public_url: &str, request_id: String) -> Problem {
        let (results, unresolved) = self
            .answered
            .map_or((None, None), |answered| (Some(answered.results), Some(answered.unresolved)));
        Problem {
            r#type: format!("{public_url}/docs/errors#{}", self.code.as_str()),
            title: self.code.title(),
            status: self.code.status().as_u16(),
            detail: self.detail,
            code: self.code.as_str(),
            request_id,
            errors: self.faults,
            results,
            unresolved,
        }
    }
}

impl IntoResponse for ApiError {
    /// Without a body: `finish` writes it.
    fn into_response(mut self) -> Response {
        let mut response = self.code.status().into_response();
        let headers = response.headers_mut();
        headers.reserve(HEADERS);
        headers.extend(std::mem::take(&mut self.headers));
        response.extensions_mut().insert(self);
        response
    }
}
