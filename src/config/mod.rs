//! What an operator can set: one file per section, built from `defaults.toml`, an optional TOML file and the
//! environment, in this order. A bad value is refused with the file or variable it stands in and what was
//! expected there. Nothing here opens a socket or a file other than the configuration.

mod accounts;
mod database;
mod email;
mod hmrc;
mod http;
mod limits;
mod log;
mod metrics;
mod retention;
mod settings;
mod site;
mod types;
mod verification;
mod vies;

use std::path::Path;

pub use self::{
    accounts::{AccountsConfig, KeyBytes, SignUps},
    database::DatabaseConfig,
    email::{EmailConfig, EmailTransport, SmtpConfig, SmtpCredentials, SmtpSecurity},
    hmrc::{HmrcConfig, HmrcCredentials},
    http::HttpConfig,
    limits::LimitsConfig,
    log::{LogConfig, LogFormat},
    metrics::MetricsConfig,
    retention::RetentionConfig,
    settings::{ConfigError, Settings},
    site::SiteConfig,
    types::{BaseUrl, PageAddress, PublicUrl, SecurityContact},
    verification::VerificationConfig,
    vies::ViesConfig,
};

/// The whole configuration of one server, checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// The listener of the API and the portal.
    pub http: HttpConfig,
    /// What the pages say of whoever runs this server.
    pub site: SiteConfig,
    /// How accounts come about.
    pub accounts: AccountsConfig,
    /// Where state is kept.
    pub database: DatabaseConfig,
    /// The UK tax authority.
    pub hmrc: HmrcConfig,
    /// The EU exchange.
    pub vies: ViesConfig,
    /// How one call is worked through.
    pub verification: VerificationConfig,
    /// What an account may use.
    pub limits: LimitsConfig,
    /// How long data is kept.
    pub retention: RetentionConfig,
    /// How mail leaves this server; `None`: not at all.
    pub email: Option<EmailConfig>,
    /// The listener of the metrics.
    pub metrics: MetricsConfig,
    /// What is written to standard error.
    pub log: LogConfig,
}

impl Config {
    /// Reads defaults, then `file`, then the `CROSSVAT_…` variables among `environment`.
    ///
    /// # Errors
    /// The first value that cannot be read, does not exist as a setting or is out of its range.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        Self::from_settings(&Settings::gather(file, environment)?)
    }

    /// Checks gathered settings, section by section.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let http = HttpConfig::from_settings(settings)?;
        Ok(Self {
            email: EmailConfig::from_settings(settings, &http)?,
            http,
            site: SiteConfig::from_settings(settings)?,
            accounts: AccountsConfig::from_settings(settings)?,
            database: DatabaseConfig::from_settings(settings)?,
            hmrc: HmrcConfig::from_settings(settings)?,
            vies: ViesConfig::from_settings(settings)?,
            verification: VerificationConfig::from_settings(settings)?,
            limits: LimitsConfig::from_settings(settings)?,
            retention: RetentionConfig::from_settings(settings)?,
            metrics: MetricsConfig::from_settings(settings)?,
            log: LogConfig::from_settings(settings)?,
        })
    }
}

#[cfg(test)]
mod tests;
