//! One part of a run: up to 100 numbers that wait, put to the registries by the use case that the API calls too, and what
//! came of them stored in one transaction. A part that is lost in the middle is begun anew; what was answered by then is
//! on record, so nobody is asked twice.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sea_orm::DbErr;
use uuid::Uuid;
use vat::{SupplierCountry, UnresolvedReason};

use super::{
    BatchChecks, PauseReason, RUNS_AT_ONCE, StopReason,
    run::{max_age_of, requesters_of},
    store::{self, Ending, RowResult, RunRow, WaitingRow},
};
use crate::{
    db::{within_limit, write},
    verification::{checked_number::CheckedNumber, requesters::Requesters},
    verify_vat::{Asker, Question, Refusal, Verified},
};

/// Numbers in a part: as many as a call of the API may have.
pub(super) const NUMBERS: u64 = 100;
/// How long a run waits when answers cannot be recorded.
const WAIT_FOR_RECORDING: Duration = Duration::from_secs(15);
/// How long a run waits at most when no registry had time for any of a part.
const LONGEST_WAIT_FOR_REGISTRIES: Duration = Duration::from_mins(1);
/// How often a number is asked for which a registry has no time, while it has time for others.
const MOST_TRIES: i16 = 12;
/// The same when it has time for none.
const MOST_TRIES_IN_VAIN: i16 = 3;

/// What became of a part.
enum Outcome {
    /// These numbers were checked, in order.
    Checked(Vec<CheckedNumber>),
    /// It is to be tried again after a while.
    Paused(PauseReason, Duration),
    /// The run cannot go on without somebody's doing.
    Stopped(StopReason),
}

impl BatchChecks {
    /// A run that has a turn, which nobody else works on until it is given back or the lease ends.
    pub(super) async fn claim(&self) -> Result<Option<RunRow>, DbErr> {
        let now = self.clock.now();
        within_limit(store::claim(&self.db, RUNS_AT_ONCE, now, now + self.lease)).await
    }

    /// Works on one part of a run that was claimed.
    pub(super) async fn work_on(&self, run: RunRow) {
        let id = run.id;
        match self.one_part(run).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!(run = %id, "a part of a batch check was given up for another's"),
            Err(error) => tracing::warn!(run = %id, %error, "a part of a batch check is begun anew later"),
        }
    }

    /// Whether what came of it was still wanted.
    async fn one_part(&self, run: RunRow) -> Result<bool, DbErr> {
        let rows = within_limit(store::waiting_rows(&self.db, run.id, NUMBERS)).await?;
        let ending = match self.check(&run, &rows).await? {
            Outcome::Checked(checked) => {
                let results = results(&run, &rows, &checked);
                let now = self.clock.now();
                return write(&self.db, async |transaction| {
                    store::take_in(transaction, &run, &results.rows, results.ending(now)).await
                })
                .await;
            }
            Outcome::Paused(reason, wait) => {
                let moment = after(self.clock.now(), wait);
                Ending { now: self.clock.now(), turn_at: moment, pause: Some(reason), stop: None }
            }
            Outcome::Stopped(reason) => {
                let now = self.clock.now();
                Ending { now, turn_at: now, pause: None, stop: Some(reason) }
            }
        };
        write(&self.db, async |transaction| store::take_in(transaction, &run, &[], ending).await).await
    }

    async fn check(&self, run: &RunRow, rows: &[WaitingRow]) -> Result<Outcome, DbErr> {
        // As it is now: whoever was suspended, removed or given other limits since the last part.
        let asker = within_limit(store::asker(&self.db, run.account_id, run.asked_by)).await?;
        let Some(found) = asker.filter(|found| found.may_ask) else {
            return Ok(Outcome::Stopped(StopReason::MemberLeft));
        };
        if found.asker.terms().suspended {
            return Ok(Outcome::Stopped(StopReason::AccountSuspended));
        }
        Ok(self.ask(run, rows, &found.asker).await)
    }

    /// Asks about as many of the first rows as the allowance lets.
    async fn ask(&self, run: &RunRow, mut rows: &[WaitingRow], asker: &Asker) -> Outcome {
        while !rows.is_empty() {
            let admission = match self.verify_vat.admit(asker.clone()).await {
                Ok(admission) => admission,
                Err(rate) => return Outcome::Paused(PauseReason::RateLimit, rate.resets_in),
            };
            match self.verify_vat.verify(admission, self.question(run, rows)).await {
                Ok(Verified { numbers, .. }) => return Outcome::Checked(numbers),
                Err(Refusal::NotRecorded) => {
                    return Outcome::Paused(PauseReason::NotRecorded, WAIT_FOR_RECORDING);
                }
                Err(Refusal::OverAllowance { left, .. }) => {
                    // Fewer than were needed, which are no more than there are rows.
                    let fitting = usize::try_from(left).unwrap_or(0).min(rows.len() - 1);
                    if fitting == 0 {
                        return Outcome::Stopped(StopReason::AllowanceUsedUp);
                    }
                    rows = &rows[..fitting];
                }
            }
        }
        Outcome::Checked(Vec::new())
    }

    fn question(&self, run: &RunRow, rows: &[WaitingRow]) -> Question {
        let max_age = max_age_of(run);
        // A part that is begun anew finds what was answered before, even when every answer is to be a new one.
        let since_queued = (self.clock.now() - run.queued_at).to_std().unwrap_or_default();
        Question {
            numbers: rows.iter().map(|row| row.vat_number.clone()).collect(),
            requesters: Some(requesters_of(run)),
            supplier_country: run.supplier_country.as_deref().and_then(SupplierCountry::parse),
            max_age: Some(if max_age.is_zero() { since_queued } else { max_age }),
            partial: true,
            request_id: request_id(run.id, run.parts),
        }
    }
}

/// Names the run and its part in the evidence.
fn request_id(run: Uuid, part: i32) -> String {
    format!("{}.{part}", run.simple())
}

fn after(now: DateTime<Utc>, wait: Duration) -> DateTime<Utc> {
    now.checked_add_signed(chrono::TimeDelta::from_std(wait).unwrap_or_default()).unwrap_or(now)
}

/// What came of the rows of a part.
struct Results {
    rows: Vec<RowResult>,
    /// No registry had time for any of them: so long it should be left alone.
    wait: Option<Duration>,
}

impl Results {
    fn ending(&self, now: DateTime<Utc>) -> Ending {
        match self.wait {
            None => Ending { now, turn_at: now, pause: None, stop: None },
            Some(wait) => Ending {
                now,
                turn_at: after(now, wait),
                pause: Some(PauseReason::RegistriesBusy),
                stop: None,
            },
        }
    }
}

/// A number for which the registry had no time just now is put off: behind all that were asked less often.
fn results(run: &RunRow, rows: &[WaitingRow], checked: &[CheckedNumber]) -> Results {
    let requesters = requesters_of(run);
    let answered = checked.iter().any(|number| number.unresolved().is_none());
    let most_tries = if answered { MOST_TRIES } else { MOST_TRIES_IN_VAIN };
    let mut wait: Option<Duration> = None;
    let rows = rows
        .iter()
        .zip(checked)
        .map(|(row, number)| match number.unresolved() {
            Some(unresolved) if passes_soon(unresolved.reason) && row.tries + 1 < most_tries => {
                let longest = unresolved.retry_after.min(LONGEST_WAIT_FOR_REGISTRIES);
                wait = Some(wait.map_or(longest, |wait| wait.min(longest)));
                RowResult::put_off(row.place, row.tries + 1)
            }
            _ => RowResult::decided(row.place, number, requester(&requesters, number)),
        })
        .collect();
    Results { rows, wait: wait.filter(|_| !answered) }
}

fn requester(requesters: &Requesters, number: &CheckedNumber) -> Option<String> {
    requesters.known_to(number.asked()?).map(|requester| requester.to_string())
}

/// Whether it is for want of time that nobody answered, as a long list itself makes it scarce.
const fn passes_soon(reason: UnresolvedReason) -> bool {
    match reason {
        UnresolvedReason::Deadline | UnresolvedReason::Throttled | UnresolvedReason::Timeout => true,
        UnresolvedReason::RegistryUnavailable
        | UnresolvedReason::MemberStateUnavailable
        | UnresolvedReason::Blocked
        | UnresolvedReason::RegistryUnreadable
        | UnresolvedReason::NotConfigured => false,
    }
}
