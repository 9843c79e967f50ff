//! The outermost layer of the API: what every answer carries, and the bodies of errors.

use std::sync::{Arc, OnceLock};

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};

use super::{
    error_code::ErrorCode,
    problem::{ApiError, Problem},
};
use crate::{
    limits::RateStatus,
    middleware::{Around, RequestId},
    verify_vat::{Asker, VerifyVat},
};

/// A body without faults or results is no longer than this, in bytes.
const USUAL_PROBLEM: usize = 512;

/// What the layer needs.
#[derive(Clone)]
pub(super) struct Finish {
    /// The address under which callers reach the service.
    pub(super) public_url: Arc<str>,
    /// Counts calls that are refused; `None` where nobody can be told apart.
    pub(super) verify_vat: Option<VerifyVat>,
}

/// Filled when a call is counted against its rate limit, so that its answer tells the rate, errors too, and a refusal
/// stands in the account's statistics.
#[derive(Clone, Debug, Default)]
pub(super) struct CountedCall(Arc<OnceLock<(RateStatus, Asker)>>);

impl CountedCall {
    pub(super) fn tell(&self, rate: RateStatus, asker: Asker) {
        // A call is counted once; a second time would be a defect, and the first stands.
        let _ = self.0.set((rate, asker));
    }
}

impl Around for Finish {
    type Noted = (Option<RequestId>, CountedCall);

    fn before(&self, request: &mut Request) -> Self::Noted {
        let counted = CountedCall::default();
        let extensions = request.extensions_mut();
        extensions.insert(counted.clone());
        (extensions.get::<RequestId>().cloned(), counted)
    }

    fn after(&self, (request_id, counted): Self::Noted, response: &mut Response) {
        // A bare 500 is what the panic catcher leaves.
        let panicked = response.status() == StatusCode::INTERNAL_SERVER_ERROR;
        let error = response.extensions_mut().remove::<ApiError>().or_else(|| {
            panicked
                .then(|| ApiError::new(ErrorCode::InternalError, "The fault is ours. It has been logged."))
        });
        let counted = counted.0.get();
        if let Some(error) = error {
            if let (Some((_, asker)), Some(verify_vat)) = (counted, &self.verify_vat)
                && error.code.is_refusal()
            {
                verify_vat.count_refusal(asker, error.code.as_str());
            }
            let request_id = request_id.map(|id| id.as_str().to_owned()).unwrap_or_default();
            explain(&error.into_problem(&self.public_url, request_id), response);
        }
        let headers = response.headers_mut();
        // What everybody is answered alike may be kept for a while, and says so.
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        if let Some((rate, asker)) = counted {
            headers.extend(rate_limit_headers(rate, &asker.terms().plan));
        }
    }
}

/// Gives an error its body; status and headers stay. Written in place: a flood of refusals must cost little.
fn explain(problem: &Problem, response: &mut Response) {
    let mut body = Vec::with_capacity(USUAL_PROBLEM);
    if let Err(error) = serde_json::to_writer(&mut body, problem) {
        tracing::error!(%error, "a problem body cannot be written");
        return;
    }
    *response.body_mut() = Body::from(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.remove(header::CONTENT_LENGTH);
}

/// IETF draft-ietf-httpapi-ratelimit-headers.
fn rate_limit_headers(rate: &RateStatus, plan: &str) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let policy = format!("\"{plan}\";q={};w=60", rate.limit);
    let resets = if rate.resets_in.is_zero() { 0 } else { rate.seconds_to_wait() };
    let left = format!("\"{plan}\";r={};t={resets}", rate.remaining);
    [("ratelimit-policy", policy), ("ratelimit", left)]
        .into_iter()
        .filter_map(|(name, value)| Some((HeaderName::from_static(name), HeaderValue::try_from(value).ok()?)))
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Body, http::Request, routing::get};
    use tower::ServiceExt;

    use super::Finish;
    use crate::api::explained;

    async fn boom() {
        panic!("secret inner matter");
    }

    #[tokio::test]
    async fn a_panic_leaves_as_a_problem_body_without_what_it_said() {
        let router = explained(
            Router::new().route("/boom", get(boom)),
            Finish { public_url: "https://example.org".into(), verify_vat: None },
        );
        let request = Request::get("/boom").body(Body::empty()).expect("a request");
        let response = router.oneshot(request).await.expect("an answer");
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        let body = axum::body::to_bytes(response.into_body(), 10_000).await.expect("a body");
        let body = String::from_utf8(body.to_vec()).expect("text");
        assert!(body.contains(r#""type":"https://example.org/docs/errors#internal_error""#), "{body}");
        assert!(!body.contains("secret"), "{body}");
    }
}
