//! Batch checks: a *run* puts up to 10,000 numbers to their registries, in parts of 100, each through the same use case as
//! a call of the API. It lives on the server: it goes on whatever the browser does, after a restart too, and may be stopped
//! and sent on. Equal numbers are asked once; what is no number is answered without asking.
//!
//! Everything is bound to an account: what belongs to another is unknown, exactly as if it did not exist. Who may start or
//! change a run (not a viewer) is for the front end to see to.

mod input;
mod part;
mod reading;
mod rows;
mod run;
mod store;
mod work;

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};
use thiserror::Error;
use tokio::sync::Notify;
use uuid::Uuid;
use vat::{SupplierCountry, pasted::MAX_PASTED};

pub use self::{
    input::{GivenNumber, InputError, numbers_of_file, numbers_of_text},
    rows::{CountryCount, FirstRow, Row, RowOrder, RowPage, RowQuery},
    run::{Counts, Pause, Run, RunPage, Starter},
};
pub use crate::db::entities::{
    batch_row::RowOutcome,
    batch_run::{PauseReason, RunState, StopReason},
};
use crate::{
    audit::{self, Actor},
    clock::{Clock, SharedClock},
    db::{new_id, within_limit, write},
    people::checked_line,
    verification::requesters::Requesters,
    verify_vat::VerifyVat,
};

/// Most rows of a run.
pub const MAX_ROWS: usize = MAX_PASTED;
/// Runs of one account that are worked on at once; others wait for them.
pub const RUNS_AT_ONCE: u32 = 2;
/// Longest name of a file that is kept, in characters.
const MAX_FILE_NAME: usize = 200;

/// The batch checks of all accounts.
#[derive(Clone)]
pub struct BatchChecks {
    db: DatabaseConnection,
    verify_vat: VerifyVat,
    clock: SharedClock,
    /// Nobody works on a part of a run for longer.
    lease: Duration,
    /// A run may have a turn.
    news: Arc<Notify>,
}

/// What is to be checked, and how. What is `None` is as the account has set it now.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// For this account.
    pub account_id: Uuid,
    /// By this member of it, on whose behalf the registries are asked.
    pub member_id: Uuid,
    /// Made with the form: the same token again starts nothing more. See [`BatchChecks::new_token`].
    pub token: Uuid,
    /// The file that the numbers came from.
    pub file_name: Option<String>,
    /// The numbers, in order.
    pub numbers: Vec<GivenNumber>,
    /// In whose name the registries are asked.
    pub requesters: Option<Requesters>,
    /// How old an answer may be, to the second; zero: not older than the run.
    pub max_age: Option<Duration>,
    /// Where the account sells from.
    pub supplier_country: Option<SupplierCountry>,
}

/// A run was not started, found or changed.
#[derive(Debug, Error)]
pub enum BatchError {
    /// No numbers were given.
    #[error("there are no numbers to check")]
    NoNumbers,
    /// Too many were.
    #[error("there are {0} numbers; a run takes up to {MAX_ROWS}")]
    TooMany(usize),
    /// The account has no such member.
    #[error("there is no such member")]
    UnknownMember,
    /// The account has no such run.
    #[error("there is no such run")]
    Unknown,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl BatchChecks {
    /// The runs kept in `db`, asked through `verify_vat`. Another instance takes a part up again that took longer than
    /// `lease`.
    #[must_use]
    pub fn new(db: DatabaseConnection, verify_vat: VerifyVat, clock: SharedClock, lease: Duration) -> Self {
        Self { db, verify_vat, clock, lease, news: Arc::default() }
    }

    /// A token for a form that starts a run.
    #[must_use]
    pub fn new_token(&self) -> Uuid {
        new_id(self.clock.as_ref())
    }

    /// Starts a run, or finds the one that was started with the same token. Its identifier.
    ///
    /// # Errors
    /// There are no numbers or too many, the account has no such member, or the database failed.
    pub async fn start(&self, new: NewRun) -> Result<Uuid, BatchError> {
        match new.numbers.len() {
            0 => return Err(BatchError::NoNumbers),
            count if count > MAX_ROWS => return Err(BatchError::TooMany(count)),
            _ => {}
        }
        let (account_id, token, now) = (new.account_id, new.token, self.clock.now());
        if let Some(run) = within_limit(store::run_of_token(&self.db, account_id, token)).await? {
            return Ok(run);
        }
        let asker = within_limit(store::asker(&self.db, account_id, new.member_id)).await?;
        let asker = asker.ok_or(BatchError::UnknownMember)?.asker;
        let file_name = new.file_name.as_deref().and_then(|name| checked_line(name, MAX_FILE_NAME));
        let row = store::NewRunRow {
            id: new_id(self.clock.as_ref()),
            account_id,
            member_id: new.member_id,
            token,
            file_name: file_name.map(str::to_owned),
            requesters: new.requesters.unwrap_or_else(|| asker.requesters()),
            supplier_country: new.supplier_country.or(asker.terms().supplier_country),
            max_age: new.max_age.unwrap_or(asker.terms().max_age),
            now,
        };
        let rows = reading::read(new.numbers);
        let unread =
            [RowOutcome::Malformed, RowOutcome::Unsupported].map(|outcome| reading::count(&rows, outcome));
        let id = row.id;
        let is_new = write(&self.db, async |transaction| store::insert(transaction, row, rows).await).await?;
        if is_new {
            // They are answered, and no part has them.
            let [malformed, unsupported] = unread;
            self.verify_vat.count_unread(&asker, malformed, unsupported);
            self.news.notify_one();
            return Ok(id);
        }
        // The same form was quicker.
        let first = within_limit(store::run_of_token(&self.db, account_id, token)).await?;
        first.ok_or(BatchError::Unknown)
    }

    /// Asks no more of a run. The part that is on its way is still taken in. A run that does not run stays as it is.
    ///
    /// # Errors
    /// The account has no such run, or the database failed.
    pub async fn stop(&self, account_id: Uuid, run: Uuid) -> Result<(), BatchError> {
        let now = self.clock.now();
        self.change(account_id, run, async |transaction, run| {
            if run.state == RunState::Running {
                store::stop(transaction, run, StopReason::Asked, now).await?;
            }
            Ok(())
        })
        .await
    }

    /// Sends a run on that was stopped, behind the others of the account and on behalf of `member_id`. Any other run stays
    /// as it is.
    ///
    /// # Errors
    /// The account has no such run or member, or the database failed.
    pub async fn resume(&self, account_id: Uuid, run: Uuid, member_id: Uuid) -> Result<(), BatchError> {
        self.check_member(account_id, member_id).await?;
        let now = self.clock.now();
        self.change(account_id, run, async |transaction, run| {
            if run.state == RunState::Stopped {
                store::send_on(transaction, run, member_id, now).await?;
            }
            Ok(())
        })
        .await
    }

    /// Asks again about the rows of a run that nobody answered, and only about those, on behalf of `member_id`. A run that
    /// was stopped goes on with it. How many rows these are; with none, the run stays as it is.
    ///
    /// # Errors
    /// The account has no such run or member, or the database failed.
    pub async fn retry_unavailable(
        &self,
        account_id: Uuid,
        run: Uuid,
        member_id: Uuid,
    ) -> Result<u64, BatchError> {
        self.check_member(account_id, member_id).await?;
        let now = self.clock.now();
        self.change(account_id, run, async |transaction, run| {
            let rows = store::put_back_unavailable(transaction, run.id).await?;
            if rows > 0 {
                store::recount(transaction, run.id).await?;
                store::send_on(transaction, run, member_id, now).await?;
            }
            Ok(rows)
        })
        .await
    }

    /// One run, as it stands.
    ///
    /// # Errors
    /// The account has no such run, or the database failed.
    pub async fn find(&self, account_id: Uuid, run: Uuid) -> Result<Run, BatchError> {
        within_limit(async {
            let row = store::find(&self.db, account_id, run).await?.ok_or(BatchError::Unknown)?;
            let queued = store::queued_behind_others(&self.db, account_id).await?;
            Ok(Run::of(row, &queued, self.clock.now()))
        })
        .await
    }

    /// Whether anything of a run is left unasked when it is stopped now: not when its last part is on its way, or about to
    /// be.
    ///
    /// # Errors
    /// The database failed.
    pub async fn stops_anything(&self, run: &Run) -> Result<bool, BatchError> {
        Ok(match run.state {
            RunState::Stopped | RunState::Done => false,
            RunState::Running if run.pause.is_some() => true,
            RunState::Running if u64::from(run.counts.waiting) <= part::NUMBERS => false,
            // Equal numbers are asked once.
            RunState::Running => {
                let numbers: Result<_, DbErr> = within_limit(store::waiting_numbers(&self.db, run.id)).await;
                numbers? > part::NUMBERS
            }
        })
    }

    /// The runs of an account, newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn list(&self, account_id: Uuid, offset: u64, limit: u64) -> Result<RunPage, BatchError> {
        within_limit(async {
            let (rows, total) = store::list(&self.db, account_id, offset, limit).await?;
            let queued = store::queued_behind_others(&self.db, account_id).await?;
            let now = self.clock.now();
            Ok(RunPage { runs: rows.into_iter().map(|row| Run::of(row, &queued, now)).collect(), total })
        })
        .await
    }

    async fn check_member(&self, account_id: Uuid, member_id: Uuid) -> Result<(), BatchError> {
        let asker = within_limit(store::asker(&self.db, account_id, member_id)).await?;
        asker.map(drop).ok_or(BatchError::UnknownMember)
    }

    /// A change of a run that nobody else changes meanwhile.
    async fn change<T>(
        &self,
        account_id: Uuid,
        run: Uuid,
        change: impl AsyncFnOnce(&DatabaseTransaction, store::RunRow) -> Result<T, DbErr>,
    ) -> Result<T, BatchError> {
        let done = write(&self.db, async |transaction| {
            let row = store::find_to_change(transaction, run).await?;
            let row = row.filter(|row| row.account_id == account_id).ok_or(BatchError::Unknown)?;
            Ok::<_, BatchError>(change(transaction, row).await?)
        })
        .await?;
        self.news.notify_one();
        Ok(done)
    }
}

/// Deletes the runs that were started before a moment, with all they say, and says so in the audit log. How many runs and
/// rows these were.
///
/// # Errors
/// The database failed.
pub async fn purge(
    db: &DatabaseConnection,
    clock: &dyn Clock,
    before: DateTime<Utc>,
    actor: &Actor,
) -> Result<u64, DbErr> {
    let delete = async |transaction: &DatabaseTransaction, most| {
        store::delete_some_before(transaction, before, most).await
    };
    audit::purge(db, clock, actor, "batch checks", delete).await
}
