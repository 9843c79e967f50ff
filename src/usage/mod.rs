//! What is used and what may be: counts of calls and numbers, the month's allowance, and the recorder that writes both,
//! with the evidence of a call, before its answer leaves; and the reports that are read from the counts. Whoever reads has
//! the recorder write first what waits, so that everything answered here is in it. Reading evidence again is in `evidence`.

mod allowance;
mod counts;
mod days;
mod month;
mod period;
mod recorder;
mod report;
mod store;

use chrono::{DateTime, Utc};
use sea_orm::{DatabaseTransaction, DbErr};
use thiserror::Error;
use uuid::Uuid;

pub use self::{
    allowance::{Allowances, Reservation, ReserveError},
    counts::{ANSWERED, CallCount, NumberCount, REGISTRY_UNAVAILABLE},
    month::Month,
    period::{BadPeriod, MOST_DAYS, Period, TwentyFourHours},
    recorder::{Record, RecordError, Recorder, Settlement},
    report::{
        AllowanceLeft, CallerFigures, Figures, HourlyRefusals, Outcomes, Point, Refusals, Registries, Report,
        Sources, UsageFilter,
    },
};
pub use crate::db::CallerName;
use crate::{
    audit::{self, Actor},
    clock::SharedClock,
    db::{Database, within_limit},
};

/// What accounts have used, to be read.
#[derive(Clone)]
pub struct Usage {
    db: Database,
    recorder: Recorder,
    clock: SharedClock,
}

/// What was used cannot be told at present.
#[derive(Debug, Error)]
pub enum UsageError {
    /// What was counted is not written yet.
    #[error(transparent)]
    NotRecorded(#[from] RecordError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

/// What an account has used in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthUsage {
    /// Which month.
    pub month: Month,
    /// Live calls whose answer was found, with a 503 that carries results too; also the rare one whose answer could not be
    /// recorded in time, once it is.
    pub requests: u64,
    /// Numbers that count against the allowance.
    pub numbers: u64,
}

impl Usage {
    /// Usage as `recorder` writes it to `db`.
    #[must_use]
    pub const fn new(db: Database, recorder: Recorder, clock: SharedClock) -> Self {
        Self { db, recorder, clock }
    }

    /// What `account` has used in the present month, up to the last answer that was given here.
    ///
    /// # Errors
    /// The database failed, or does not take what was counted.
    pub async fn this_month(&self, account: Uuid) -> Result<MonthUsage, UsageError> {
        let month = Month::of(self.clock.now());
        // Counts that still wait to be written would be missed.
        self.recorder.flush().await?;
        let (requests, numbers) = within_limit(store::month(&self.db.main, account, month)).await?;
        Ok(MonthUsage { month, requests, numbers })
    }

    /// Deletes the counts of hours and days before a moment, with allowances of months and writers of that time, and says so in
    /// the audit log. How many rows that were.
    ///
    /// # Errors
    /// The database failed.
    pub async fn purge(&self, before: DateTime<Utc>, actor: &Actor) -> Result<u64, DbErr> {
        let delete =
            async |transaction: &DatabaseTransaction, _| store::delete_before(transaction, before).await;
        audit::purge(&self.db.main, self.clock.as_ref(), actor, "usage", delete).await
    }
}
