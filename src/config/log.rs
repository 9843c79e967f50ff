//! `[log]`: what is written to standard error.

use std::str::FromStr;

use super::settings::{ConfigError, Settings};

/// What is written to standard error.
#[derive(Clone, Debug)]
pub struct LogConfig {
    /// For people or for machines.
    pub format: LogFormat,
    /// A directive list of `tracing`'s `EnvFilter`.
    pub filter: String,
}

/// How a log line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl FromStr for LogFormat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err(()),
        }
    }
}

impl LogConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let filter: tracing_subscriber::EnvFilter =
            settings.parse("log.filter", "a list of filters such as info,crossvat=debug")?;
        Ok(Self { format: settings.parse("log.format", "text or json")?, filter: filter.to_string() })
    }
}
