//! `[limits]`: where limits are counted. What an account may use is its plan's, in the database.

use std::time::Duration;

use secrecy::SecretString;

use super::settings::{ConfigError, Settings};

/// Where limits are counted.
#[derive(Clone, Debug)]
pub struct LimitsConfig {
    /// The Redis through which instances share limits; secret, since it may hold a password.
    pub redis_url: Option<SecretString>,
    /// How long a call waits for Redis's decision.
    pub redis_timeout: Duration,
}

impl LimitsConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let expected = "a whole number of milliseconds from 1 to 10000";
        let milliseconds =
            settings.parse_if("limits.redis_timeout_ms", expected, |number| (1..=10_000).contains(number))?;
        Ok(Self { redis_url: redis_url(settings)?, redis_timeout: Duration::from_millis(milliseconds) })
    }
}

/// Where Redis is. What is no address is not repeated: it may hold a password.
fn redis_url(settings: &Settings) -> Result<Option<SecretString>, ConfigError> {
    const KEY: &str = "limits.redis_url";
    let url = settings.text(KEY);
    if url.is_empty() {
        return Ok(None);
    }
    if url.strip_prefix("redis://").is_some_and(|rest| !rest.is_empty()) {
        return Ok(Some(url.into()));
    }
    let expected = "a Redis address such as redis://127.0.0.1:6379/0";
    Err(settings.unexpected(KEY, expected, "another address"))
}
