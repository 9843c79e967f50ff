//! `[metrics]`: the listener of the metrics.

use std::net::SocketAddr;

use super::settings::{ConfigError, Settings};

/// The listener of the metrics.
#[derive(Clone, Debug)]
pub struct MetricsConfig {
    /// `None`: no metrics are served.
    pub bind: Option<SocketAddr>,
}

impl MetricsConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            bind: settings.parse_optional("metrics.bind", "an address and port such as 127.0.0.1:9100")?,
        })
    }
}
