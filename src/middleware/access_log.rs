//! One log line and one count a request. Never its query, headers or body: a key could stand in each of them.

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request},
    middleware::Next,
    response::Response,
};
use metrics::{counter, histogram};

use super::RequestId;

/// Logs and counts the request. A path that no route matches is not logged as such: it is the caller's text.
pub async fn log_access(request: Request, next: Next) -> Response {
    let extensions = request.extensions();
    let mut line = Line {
        started: Instant::now(),
        request_id: extensions.get::<RequestId>().map(|id| id.as_str().to_owned()).unwrap_or_default(),
        method: known_method(request.method().as_str()),
        route: extensions
            .get::<MatchedPath>()
            .map_or_else(|| "(none)".to_owned(), |path| path.as_str().to_owned()),
        status: None,
    };
    let response = next.run(request).await;
    line.status = Some(response.status().as_u16());
    response
}

/// Written when it is dropped, so that a request whose caller left before the answer has its line too.
struct Line {
    started: Instant,
    request_id: String,
    method: &'static str,
    route: String,
    status: Option<u16>,
}

impl Drop for Line {
    fn drop(&mut self) {
        let Self { started, request_id, method, route, status } = self;
        let took = started.elapsed();
        let took_ms = took.as_secs_f64() * 1000.0;
        let counted_as = status.map_or_else(|| "left".to_owned(), |status| status.to_string());
        let labels = [("route", route.clone()), ("method", (*method).to_owned()), ("status", counted_as)];
        counter!("crossvat_requests_total", &labels).increment(1);
        histogram!("crossvat_request_seconds", "route" => route.clone()).record(took);
        if let Some(status) = status {
            tracing::info!(%request_id, method, %route, status, took_ms, "answered");
        } else {
            tracing::info!(%request_id, method, %route, took_ms, "the caller left before the answer");
        }
    }
}

/// A method is free text too; only the usual ones become labels.
fn known_method(method: &str) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("other")
}
