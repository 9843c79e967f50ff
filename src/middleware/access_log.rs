//! One log line and one count a request. Never its query, headers or body: a key could stand in each of them.

use std::{cell::RefCell, collections::HashMap, time::Instant};

use axum::{
    extract::{MatchedPath, Request},
    http::StatusCode,
    response::Response,
};
use metrics::{Counter, Histogram, counter, histogram};

use super::{Around, RequestId};

/// Logs and counts the request. A path that no route matches is not logged as such: it is the caller's text.
#[derive(Clone, Copy, Debug)]
pub struct AccessLog;

impl Around for AccessLog {
    type Noted = Line;

    fn before(&self, request: &mut Request) -> Line {
        let extensions = request.extensions();
        Line {
            started: Instant::now(),
            request_id: extensions.get::<RequestId>().cloned(),
            method: known_method(request.method().as_str()),
            path: extensions.get::<MatchedPath>().cloned(),
            status: None,
        }
    }

    fn after(&self, mut line: Line, response: &mut Response) {
        line.status = Some(response.status());
    }
}

/// Written when it is dropped, so that a request whose caller left before the answer has its line too.
pub struct Line {
    started: Instant,
    request_id: Option<RequestId>,
    method: &'static str,
    path: Option<MatchedPath>,
    status: Option<StatusCode>,
}

impl Drop for Line {
    fn drop(&mut self) {
        let took = self.started.elapsed();
        let route = self.path.as_ref().map_or("(none)", MatchedPath::as_str);
        with_meters(route, self.method, self.status, |meters| {
            meters.requests.increment(1);
            meters.seconds.record(took);
        });
        let method = self.method;
        let request_id = self.request_id.as_ref().map_or("", RequestId::as_str);
        // In whole microseconds: what is finer is noise, and long to read.
        let took_ms = f64::from(u32::try_from(took.as_micros()).unwrap_or(u32::MAX)) / 1000.0;
        match self.status.map(|status| status.as_u16()) {
            // A flood of refusals must cost little; they are counted.
            Some(status @ (401 | 429)) => {
                tracing::debug!(request_id, method, route, status, took_ms, "refused");
            }
            Some(status) => tracing::info!(request_id, method, route, status, took_ms, "answered"),
            None => tracing::info!(request_id, method, route, took_ms, "the caller left before the answer"),
        }
    }
}

/// What is counted of requests with the same route, method and status.
struct Meters {
    requests: Counter,
    seconds: Histogram,
}

type MetersOfRoute = HashMap<(&'static str, Option<StatusCode>), Meters>;

thread_local! {
    /// Finding a meter by its labels costs more than all the rest of a log line, and there are few of them.
    static METERS: RefCell<HashMap<String, MetersOfRoute>> = RefCell::default();
}

fn with_meters(route: &str, method: &'static str, status: Option<StatusCode>, count: impl FnOnce(&Meters)) {
    METERS.with_borrow_mut(|known| {
        if !known.contains_key(route) {
            known.insert(route.to_owned(), HashMap::new());
        }
        if let Some(of_route) = known.get_mut(route) {
            count(of_route.entry((method, status)).or_insert_with(|| meters(route, method, status)));
        }
    });
}

fn meters(route: &str, method: &'static str, status: Option<StatusCode>) -> Meters {
    let status = status.map_or_else(|| "left".to_owned(), |status| status.as_str().to_owned());
    let labels = [("route", route.to_owned()), ("method", method.to_owned()), ("status", status)];
    Meters {
        requests: counter!("crossvat_requests_total", &labels),
        seconds: histogram!("crossvat_request_seconds", "route" => route.to_owned()),
    }
}

/// A method is free text too; only the usual ones become labels.
fn known_method(method: &str) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("other")
}
