//! `[accounts]`: how accounts come about, and how people prove who they are.

use std::{fmt, str::FromStr};

use data_encoding::HEXLOWER_PERMISSIVE;

use super::settings::{ConfigError, Settings};

/// How accounts come about.
#[derive(Clone, Debug)]
pub struct AccountsConfig {
    /// What somebody who signs up may do.
    pub sign_ups: SignUps,
    /// Under which secrets of second factors are kept. `None`: nobody can set one up.
    pub second_factor_key: Option<KeyBytes>,
    /// Under which they were kept before, and can still be read.
    pub former_second_factor_keys: Vec<KeyBytes>,
}

/// A key of 256 bits, which is not shown.
#[derive(Clone)]
pub struct KeyBytes([u8; 32]);

impl KeyBytes {
    /// The key.
    #[must_use]
    pub const fn expose(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for KeyBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyBytes")
    }
}

impl FromStr for KeyBytes {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(drop)?;
        let key: [u8; 32] = bytes.try_into().map_err(drop)?;
        // One that somebody has left as a filler would be everybody's.
        let is_filler = key.iter().all(|byte| *byte == key[0]);
        if is_filler { Err(()) } else { Ok(Self(key)) }
    }
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
        Ok(Self {
            sign_ups: settings.parse("accounts.signup", "`early_access` or `self_service`")?,
            second_factor_key: second_factor_key(settings)?,
            former_second_factor_keys: former_second_factor_keys(settings)?,
        })
    }
}

const KEY: &str = "accounts.second_factor_key";

fn second_factor_key(settings: &Settings) -> Result<Option<KeyBytes>, ConfigError> {
    let text = settings.text(KEY);
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|()| {
        let expected = "64 random hexadecimal digits, as `openssl rand -hex 32` prints them";
        settings.unexpected(KEY, expected, &format!("something else of {} characters", text.chars().count()))
    })
}

fn former_second_factor_keys(settings: &Settings) -> Result<Vec<KeyBytes>, ConfigError> {
    const FORMER: &str = "accounts.former_second_factor_keys";
    let text = settings.text(FORMER);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    if settings.text(KEY).is_empty() {
        let expected = "64 random hexadecimal digits, since accounts.former_second_factor_keys is set";
        return Err(settings.unexpected(KEY, expected, "nothing"));
    }
    text.split(',').map(|key| key.trim().parse()).collect::<Result<_, _>>().map_err(|()| {
        let expected = "keys of 64 random hexadecimal digits, with commas between";
        settings.unexpected(
            FORMER,
            expected,
            &format!("something else of {} characters", text.chars().count()),
        )
    })
}
