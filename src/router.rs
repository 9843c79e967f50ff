//! Joins the API, the portal and the probes, and says which layer stands where.

use axum::Router;
use tower::ServiceBuilder;

use crate::{
    clock::SharedClock,
    middleware::{AccessLog, AroundLayer, RequestIds, SecurityHeaders, catch_panics},
};

/// The whole service. From the outside in: request id, access log, headers for browsers, panic catcher, routes.
pub fn build(api: Router, portal: Router, probes: Router, clock: SharedClock) -> Router {
    let layers = ServiceBuilder::new()
        .layer(AroundLayer(RequestIds(clock)))
        .layer(AroundLayer(AccessLog))
        .layer(AroundLayer(SecurityHeaders))
        .layer(catch_panics());
    portal.merge(probes).merge(api).layer(layers)
}
