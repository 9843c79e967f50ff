//! What an operator's tools ask: is it alive, is it ready, and the metrics on a listener of their own.

use std::time::Duration;

use axum::{Router, extract::State, http::StatusCode, routing::get};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::{db::Database, usage::Recorder};

/// `/healthz` and `/readyz`, beside the API. Neither needs a key.
pub fn probes(db: Database, recorder: Recorder) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .with_state((db, recorder))
}

/// Ready when the database answers, without which no key can be checked, and takes what is to be recorded: one that is
/// locked or full can still be read. A registry that is out does not make us unready, since calls are then still answered
/// as well as they can be.
async fn ready(State((db, recorder)): State<(Database, Recorder)>) -> (StatusCode, &'static str) {
    if !db.is_reachable().await {
        (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
    } else if !recorder.can_write() {
        (StatusCode::SERVICE_UNAVAILABLE, "the database takes no records\n")
    } else {
        (StatusCode::OK, "ready\n")
    }
}

/// How often samples are folded into their histograms, whether anybody scrapes or not.
const UPKEEP: Duration = Duration::from_secs(5);

/// `/metrics` in Prometheus' text format.
pub fn metrics(handle: PrometheusHandle) -> Router {
    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    Router::new().route("/metrics", get(move || async move { handle.render() }))
}
