//! The accept loop and the paths. What is answered is the registries' matter.

use std::sync::Arc;

use axum::{
    Router,
    routing::{get, post},
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    connection::{Connection, Connections},
    control, hmrc, vies,
    world::World,
};

/// Where VIES's REST service lives below its host.
pub(crate) const VIES_PATH: &str = "/taxation_customs/vies/rest-api";

const HMRC_LOOKUP_PATH: &str = "/organisations/vat/check-vat-number/lookup";

/// Serves until the task is aborted; connections end when `shutdown` is cancelled.
pub(crate) async fn serve(listener: TcpListener, world: Arc<World>, shutdown: CancellationToken) {
    let service = router(world).into_make_service_with_connect_info::<Connection>();
    if let Err(error) = axum::serve(Connections { listener, shutdown }, service).await {
        tracing::error!(%error, "the simulator stopped");
    }
}

fn router(world: Arc<World>) -> Router {
    let vies = Router::new()
        .route("/check-vat-number", post(vies::check::post))
        .route("/check-vat-test-service", post(vies::test_service::post))
        .route("/check-status", get(vies::status::check))
        .route("/ms/{country}/vat/{number}", get(vies::check::web))
        .method_not_allowed_fallback(vies::status::unknown)
        .fallback(vies::status::unknown);
    let simple = format!("{HMRC_LOOKUP_PATH}/{{target}}");
    let verified = format!("{HMRC_LOOKUP_PATH}/{{target}}/{{requester}}");
    Router::new()
        .route("/oauth/token", post(hmrc::token::issue))
        .route(&simple, axum::routing::any(hmrc::lookup::simple))
        .route(&verified, axum::routing::any(hmrc::lookup::verified))
        .method_not_allowed_fallback(hmrc::lookup::unknown)
        .fallback(hmrc::lookup::unknown)
        .nest(VIES_PATH, vies)
        .nest("/control", control::router())
        .with_state(world)
}
