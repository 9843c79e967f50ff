//! Joins the API, the portal and the probes, and says which layer stands where.

use axum::{
    Router,
    middleware::{from_fn, from_fn_with_state},
};

use crate::{
    clock::SharedClock,
    middleware::{catch_panics, log_access, set_request_id, set_security_headers},
};

/// The whole service. From the outside in: request id, access log, headers for browsers, panic catcher, routes.
pub fn build(api: Router, portal: Router, probes: Router, clock: SharedClock) -> Router {
    portal
        .merge(probes)
        .merge(api)
        .layer(catch_panics())
        .layer(from_fn(set_security_headers))
        .layer(from_fn(log_access))
        .layer(from_fn_with_state(clock, set_request_id))
}
