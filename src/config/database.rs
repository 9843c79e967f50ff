//! `[database]`: where state is kept.

use secrecy::SecretString;

use super::settings::{ConfigError, Settings};

/// Where state is kept.
#[derive(Clone, Debug)]
pub struct DatabaseConfig {
    /// A connection address; secret, since it may hold a password.
    pub url: SecretString,
}

impl DatabaseConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        const KEY: &str = "database.url";
        let url = settings.text(KEY);
        if url.strip_prefix("sqlite:").is_some_and(|path| !path.trim_start_matches('/').is_empty()) {
            Ok(Self { url: url.into() })
        } else {
            Err(settings.unexpected(KEY, "a SQLite address such as sqlite://crossvat.db", "another address"))
        }
    }
}
