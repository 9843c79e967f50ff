//! `[hmrc]`: the UK tax authority.

use std::time::Duration;

use secrecy::SecretString;

use super::{
    settings::{ConfigError, Settings},
    types::{BaseUrl, seconds},
};

/// The UK tax authority.
#[derive(Clone, Debug)]
pub struct HmrcConfig {
    /// Production: `https://api.service.hmrc.gov.uk`; sandbox: `https://test-api.service.hmrc.gov.uk`.
    pub base_url: BaseUrl,
    /// `None`: GB numbers are unresolved.
    pub credentials: Option<HmrcCredentials>,
    /// Lookups started in any second, over all accounts.
    pub requests_per_second: f64,
    /// Time limit of one try.
    pub timeout: Duration,
}

/// What HMRC's Developer Hub gives an application.
#[derive(Clone, Debug)]
pub struct HmrcCredentials {
    /// Public half.
    pub client_id: String,
    /// Secret half.
    pub client_secret: SecretString,
}

impl HmrcConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let client_id = settings.text("hmrc.client_id");
        let client_secret = settings.text("hmrc.client_secret");
        let credentials = match (client_id.is_empty(), client_secret.is_empty()) {
            (true, true) => None,
            (false, false) => Some(HmrcCredentials {
                client_id: client_id.to_owned(),
                client_secret: client_secret.to_owned().into(),
            }),
            (true, false) => {
                return Err(settings.unexpected(
                    "hmrc.client_id",
                    "a value, since hmrc.client_secret has one",
                    "nothing",
                ));
            }
            (false, true) => {
                return Err(settings.unexpected(
                    "hmrc.client_secret",
                    "a value, since hmrc.client_id has one",
                    "nothing",
                ));
            }
        };
        Ok(Self {
            base_url: settings.parse("hmrc.base_url", BaseUrl::EXPECTED)?,
            credentials,
            requests_per_second: settings.parse_if(
                "hmrc.requests_per_second",
                "a number from 0.01 to 1000",
                |rate: &f64| (0.01..=1000.0).contains(rate),
            )?,
            timeout: seconds(settings, "hmrc.timeout_seconds")?,
        })
    }
}
