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
        let names_something =
            |scheme| url.strip_prefix(scheme).is_some_and(|rest| !rest.trim_start_matches('/').is_empty());
        let known = ["sqlite:", "postgres:", "postgresql:"].into_iter().any(names_something);
        if known && url::Url::parse(url).is_ok() {
            Ok(Self { url: url.into() })
        } else {
            let expected =
                "an address such as sqlite://crossvat.db or postgres://crossvat@localhost/crossvat";
            Err(settings.unexpected(KEY, expected, "another address"))
        }
    }
}
