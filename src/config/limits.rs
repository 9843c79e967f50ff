//! `[limits]`: where limits are counted. What an account may use is its plan's, in the database.

use secrecy::SecretString;

use super::settings::{ConfigError, Settings};

/// Where limits are counted.
#[derive(Clone, Debug)]
pub struct LimitsConfig {
    /// The Redis through which instances share limits; secret, since it may hold a password.
    pub redis_url: Option<SecretString>,
}

impl LimitsConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        const KEY: &str = "limits.redis_url";
        let url = settings.text(KEY);
        if url.is_empty() {
            return Ok(Self { redis_url: None });
        }
        if url.strip_prefix("redis://").is_some_and(|rest| !rest.is_empty()) {
            return Ok(Self { redis_url: Some(url.into()) });
        }
        let expected = "a Redis address such as redis://127.0.0.1:6379/0";
        Err(settings.unexpected(KEY, expected, "another address"))
    }
}
