//! `[limits]`: what an account may use.

use super::{
    settings::{ConfigError, Settings},
    types::at_least_one,
};

/// What an account may use.
#[derive(Clone, Debug)]
pub struct LimitsConfig {
    /// Requests served in any 60 seconds, over all keys of an account.
    pub requests_per_minute: u32,
}

impl LimitsConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self { requests_per_minute: at_least_one(settings, "limits.requests_per_minute")? })
    }
}
