//! `[verification]`: how one call is worked through.

use std::time::Duration;

use super::{
    settings::{ConfigError, Settings},
    types::seconds,
};

/// How one call is worked through.
#[derive(Clone, Debug)]
pub struct VerificationConfig {
    /// A call is answered within this time, with what is known then.
    pub deadline: Duration,
    /// What a call asked goes on for so long after its answer.
    pub afterwards: Duration,
    /// How long a registry or member state that does not answer is left alone.
    pub pause: Duration,
}

impl VerificationConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            deadline: seconds(settings, "verification.deadline_seconds")?,
            afterwards: seconds(settings, "verification.afterwards_seconds")?,
            pause: seconds(settings, "verification.pause_seconds")?,
        })
    }
}
