//! What an operator's tools ask: is it alive, is it ready, and the metrics on a listener of their own.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use axum::{Router, extract::State, http::StatusCode, routing::get};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::{
    db::Database,
    usage::Recorder,
    verification::gateway::{RegistryGateway, RegistryPart},
};

/// `/healthz` and `/readyz`, beside the API. Neither needs a key.
pub fn probes(db: Database, recorder: Recorder, registries: Arc<RegistryGateway>) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .with_state(Probed { db, recorder, registries })
}

/// What is asked whether it works.
#[derive(Clone)]
struct Probed {
    db: Database,
    recorder: Recorder,
    registries: Arc<RegistryGateway>,
}

/// Ready when the database answers, without which no key can be checked, and takes what is to be recorded: one that is
/// locked or full can still be read. A registry that is out is named but does not make us unready, since calls are then
/// still answered as well as they can be.
async fn ready(State(probed): State<Probed>) -> (StatusCode, String) {
    if !probed.db.is_reachable().await {
        return (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n".to_owned());
    }
    if !probed.recorder.can_write() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the database takes no records\n".to_owned());
    }
    let mut text = "ready\n".to_owned();
    for out in probed.registries.left_alone() {
        let _infallible = match out {
            RegistryPart::Whole(_) => writeln!(text, "{} is left alone", out.name()),
            RegistryPart::Behind(_) => writeln!(text, "{} ({}) is left alone", out.code(), out.name()),
        };
    }
    (StatusCode::OK, text)
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
