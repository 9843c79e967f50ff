//! What is used and what may be: counts of calls and numbers, the month's allowance, and the recorder that writes both,
//! with the evidence of a call, before its answer leaves. Reading evidence again is in `evidence`.

mod allowance;
mod counts;
mod month;
mod recorder;
mod store;

use chrono::{DateTime, Utc};
use sea_orm::DbErr;
use uuid::Uuid;

pub use self::{
    allowance::{Allowances, Reservation, ReserveError},
    counts::{ANSWERED, CallCount, NumberCount, REGISTRY_UNAVAILABLE},
    month::Month,
    recorder::{Record, RecordError, Recorder, Settlement},
};
use crate::{
    audit::{self, Actor},
    clock::SharedClock,
    db::{Database, within_limit, write},
};

/// What accounts have used, to be read.
#[derive(Clone)]
pub struct Usage {
    db: Database,
    recorder: Recorder,
    clock: SharedClock,
}

/// What an account has used in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthUsage {
    /// Which month.
    pub month: Month,
    /// Live calls that were answered, with a 503 that carries results too.
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
    /// The database failed.
    pub async fn this_month(&self, account: Uuid) -> Result<MonthUsage, DbErr> {
        let month = Month::of(self.clock.now());
        // Counts that still wait to be written would be missed; if they cannot be written, neither can we read.
        let _told_by_the_reading = self.recorder.flush().await;
        let (requests, numbers) = within_limit(store::month(&self.db.main, account, month)).await?;
        Ok(MonthUsage { month, requests, numbers })
    }

    /// Deletes the counts of hours before a moment, with allowances of months and writers of that time, and says so in
    /// the audit log. How many rows that were.
    ///
    /// # Errors
    /// The database failed.
    pub async fn purge(&self, before: DateTime<Utc>, actor: &Actor) -> Result<u64, DbErr> {
        write(&self.db.main, async |transaction| {
            let rows = store::delete_before(transaction, before).await?;
            audit::append_purge(transaction, self.clock.as_ref(), actor, ("usage", rows)).await?;
            Ok(rows)
        })
        .await
    }
}
