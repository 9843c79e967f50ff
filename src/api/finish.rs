//! The outermost layer of the API: what every answer carries, and the bodies of errors.

use std::sync::{Arc, OnceLock};

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{
    error_code::ErrorCode,
    problem::{ApiError, whole_seconds},
};
use crate::{
    limits::RateStatus,
    middleware::RequestId,
    verify_vat::{Asker, VerifyVat},
};

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

pub(super) async fn finish(State(finish): State<Finish>, mut request: Request, next: Next) -> Response {
    let request_id =
        request.extensions().get::<RequestId>().map(|id| id.as_str().to_owned()).unwrap_or_default();
    let counted = CountedCall::default();
    request.extensions_mut().insert(counted.clone());
    let mut response = next.run(request).await;
    // A bare 500 is what the panic catcher leaves.
    let panicked = response.status() == StatusCode::INTERNAL_SERVER_ERROR;
    let error = response.extensions_mut().remove::<ApiError>().or_else(|| {
        panicked.then(|| ApiError::new(ErrorCode::InternalError, "The fault is ours. It has been logged."))
    });
    if let Some(error) = error {
        if let (Some((_, asker)), Some(verify_vat)) = (counted.0.get(), &finish.verify_vat)
            && error.code.is_refusal()
        {
            verify_vat.count_refusal(asker, error.code.as_str());
        }
        let body = axum::Json(error.into_problem(&finish.public_url, request_id));
        let mut explained = (response.status(), body).into_response();
        explained.headers_mut().extend(std::mem::take(response.headers_mut()));
        explained
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        explained.headers_mut().remove(header::CONTENT_LENGTH);
        response = explained;
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some((rate, asker)) = counted.0.get() {
        for (name, value) in rate_limit_headers(rate, &asker.terms().plan) {
            headers.insert(name, value);
        }
    }
    response
}

/// IETF draft-ietf-httpapi-ratelimit-headers.
fn rate_limit_headers(rate: &RateStatus, plan: &str) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let policy = format!("\"{plan}\";q={};w=60", rate.limit);
    let resets = if rate.resets_in.is_zero() { 0 } else { whole_seconds(rate.resets_in) };
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
