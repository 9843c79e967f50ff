//! Where log lines and metrics go.

use std::io::IsTerminal;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use thiserror::Error;
use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::config::{LogConfig, LogFormat};

/// Metrics cannot be gathered.
#[derive(Debug, Error)]
#[error("metrics cannot be gathered: {0}")]
pub struct MetricsError(String);

/// Sends log lines to standard error from now on, in this whole process. A second call changes nothing.
pub fn start_logging(config: &LogConfig) {
    let filter = EnvFilter::new(&config.filter);
    let registry = tracing_subscriber::registry().with(filter);
    let output = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let started = match config.format {
        LogFormat::Text => registry.with(output).try_init(),
        LogFormat::Json => registry.with(output.json().flatten_event(true)).try_init(),
    };
    // Already started: the process has a subscriber, which is all that is wanted.
    drop(started);
}

/// Gathers metrics from now on, in this whole process.
///
/// # Errors
/// They are gathered already, by another server in this process.
pub fn start_metrics() -> Result<PrometheusHandle, MetricsError> {
    let recorder = PrometheusBuilder::new()
        .set_buckets(&[0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0])
        .map_err(|error| MetricsError(error.to_string()))?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(|error| MetricsError(error.to_string()))?;
    Ok(handle)
}
