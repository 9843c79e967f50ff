//! `[limits]`: what an account may use.

use redis::IntoConnectionInfo;
use secrecy::SecretString;

use super::{
    settings::{ConfigError, Settings},
    types::at_least_one,
};

/// What an account may use.
#[derive(Clone, Debug)]
pub struct LimitsConfig {
    /// Requests served in any 60 seconds, over all keys of an account.
    pub requests_per_minute: u32,
    /// The Redis through which instances share limits; secret, since it may hold a password.
    pub redis_url: Option<SecretString>,
}

impl LimitsConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            requests_per_minute: at_least_one(settings, "limits.requests_per_minute")?,
            redis_url: redis_url(settings)?,
        })
    }
}

fn redis_url(settings: &Settings) -> Result<Option<SecretString>, ConfigError> {
    const KEY: &str = "limits.redis_url";
    let url = settings.text(KEY);
    if url.is_empty() {
        return Ok(None);
    }
    // Also refuses what this build cannot do, such as TLS.
    match url.into_connection_info() {
        Ok(_) => Ok(Some(url.into())),
        Err(_) => Err(settings.unexpected(
            KEY,
            "a Redis address such as redis://127.0.0.1:6379/0",
            "another address",
        )),
    }
}
