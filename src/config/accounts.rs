//! `[accounts]`: how accounts come about.

use std::str::FromStr;

use super::settings::{ConfigError, Settings};

/// How accounts come about.
#[derive(Clone, Copy, Debug)]
pub struct AccountsConfig {
    /// What somebody who signs up may do.
    pub sign_ups: SignUps,
}

/// What somebody who signs up may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignUps {
    /// Ask for keys, which support gives or declines.
    EarlyAccess,
    /// Make keys at once.
    SelfService,
}

impl FromStr for SignUps {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "early_access" => Ok(Self::EarlyAccess),
            "self_service" => Ok(Self::SelfService),
            _ => Err(()),
        }
    }
}

impl AccountsConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self { sign_ups: settings.parse("accounts.signup", "`early_access` or `self_service`")? })
    }
}
