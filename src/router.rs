//! Joins the API, the portal and the probes, and says which layer stands where.

use axum::Router;
use tower::ServiceBuilder;

use crate::{
    clock::SharedClock,
    middleware::{AccessLog, AroundLayer, RequestIds, SecurityHeaders, catch_panics},
};

/// The whole service. From the outside in: request id, access log, headers for browsers, panic catcher, routes.
/// `public_url` is the address under which callers reach it.
pub fn build(
    (api, portal, probes): (Router, Router, Router),
    clock: SharedClock,
    public_url: &str,
) -> Router {
    let behind_tls = public_url.starts_with("https://");
    let layers = ServiceBuilder::new()
        .layer(AroundLayer(RequestIds(clock)))
        .layer(AroundLayer(AccessLog))
        .layer(AroundLayer(SecurityHeaders { behind_tls }))
        .layer(catch_panics());
    portal.merge(probes).merge(api).layer(layers)
}
