//! `[retention]`: how long data is kept. `crossvat purge` deletes what is older.

use super::{
    settings::{ConfigError, Settings},
    types::at_least_one,
};

/// How long data is kept, in days.
#[derive(Clone, Copy, Debug)]
pub struct RetentionConfig {
    /// Evidence of lookups.
    pub evidence_days: u32,
    /// Counts of calls and numbers.
    pub usage_days: u32,
    /// The audit log.
    pub audit_days: u32,
    /// Runs of batch checks with their rows, from when they were started.
    pub batch_check_days: u32,
    /// One-time links, from when they were used, withdrawn or over.
    pub link_days: u32,
}

impl RetentionConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            evidence_days: at_least_one(settings, "retention.evidence_days")?,
            // The present month is read from it.
            usage_days: settings.parse_if(
                "retention.usage_days",
                "a whole number of 31 or more",
                |days: &u32| *days >= 31,
            )?,
            audit_days: at_least_one(settings, "retention.audit_days")?,
            batch_check_days: at_least_one(settings, "retention.batch_check_days")?,
            link_days: at_least_one(settings, "retention.link_days")?,
        })
    }
}
