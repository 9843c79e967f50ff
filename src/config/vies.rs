//! `[vies]`: the EU exchange.

use std::time::Duration;

use super::{
    settings::{ConfigError, Settings},
    types::{BaseUrl, at_least_one, seconds},
};

/// The EU exchange.
#[derive(Clone, Debug)]
pub struct ViesConfig {
    /// The REST interface.
    pub base_url: BaseUrl,
    /// Lookups in flight, over all member states.
    pub max_in_flight: u32,
    /// Lookups in flight towards one member state.
    pub max_in_flight_per_member_state: u32,
    /// Time limit of one try.
    pub timeout: Duration,
}

impl ViesConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            base_url: settings.parse("vies.base_url", BaseUrl::EXPECTED)?,
            max_in_flight: at_least_one(settings, "vies.max_in_flight")?,
            max_in_flight_per_member_state: at_least_one(settings, "vies.max_in_flight_per_member_state")?,
            timeout: seconds(settings, "vies.timeout_seconds")?,
        })
    }
}
