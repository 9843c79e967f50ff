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
    let started = Instant::now();
    let method = known_method(request.method().as_str());
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "(none)".to_owned(), |path| path.as_str().to_owned());
    let id = request.extensions().get::<RequestId>().map(|id| id.as_str().to_owned()).unwrap_or_default();
    let response = next.run(request).await;
    let took = started.elapsed();
    let status = response.status().as_u16();
    counter!("crossvat_requests_total", "route" => route.clone(), "method" => method, "status" => status.to_string())
        .increment(1);
    histogram!("crossvat_request_seconds", "route" => route.clone()).record(took);
    tracing::info!(request_id = %id, method, %route, status, took_ms = took.as_secs_f64() * 1000.0, "answered");
    response
}

/// A method is free text too; only the usual ones become labels.
fn known_method(method: &str) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("other")
}
