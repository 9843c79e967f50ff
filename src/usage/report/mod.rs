//! What an account used, over days or hours: figures for every one of them, by caller, and refusals by code. Days that are
//! over are read as they were added up, the rest hour by hour, all of it as it is in one moment.

mod figures;
mod store;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use sea_orm::{DatabaseTransaction, DbErr};
use uuid::Uuid;
use vat::Registry;

pub use self::figures::{CallerFigures, Figures, Outcomes, Point, Refusals, Registries, Report, Sources};
use self::{
    figures::{Building, Moment},
    store::{Grain, Scope},
};
use super::{
    Month, Usage, UsageError, days,
    period::{Period, TwentyFourHours},
};
use crate::db::{AccountTerms, CallerName, CallerNames, entities::api_key::KeyMode, read, within_limit};

/// How far back the latest refusals are looked for.
const REFUSALS_SINCE: TimeDelta = TimeDelta::days(7);

/// Of what a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsageFilter {
    /// Calls of live keys and members, or of test keys.
    pub mode: KeyMode,
    /// One key or member alone.
    pub caller: Option<Uuid>,
    /// Numbers of one registry alone; calls have none, and are counted all the same.
    pub registry: Option<Registry>,
}

impl Default for UsageFilter {
    fn default() -> Self {
        Self { mode: KeyMode::Live, caller: None, registry: None }
    }
}

/// Calls of one caller in one hour that were refused with one code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HourlyRefusals {
    /// The start of the hour; the moment itself is not kept.
    pub hour: DateTime<Utc>,
    /// Whose calls.
    pub caller: CallerName,
    /// As the API tells it.
    pub code: String,
    /// How many.
    pub calls: u64,
}

/// Where an account stands in the present month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowanceLeft {
    /// The month.
    pub month: Month,
    /// The code of the account's plan.
    pub plan: String,
    /// Numbers that may be asked in the month.
    pub allowed: u64,
    /// Numbers that registries have answered.
    pub used: u64,
    /// Numbers of calls that are still open.
    pub set_aside: u64,
}

impl AllowanceLeft {
    /// Numbers that may still be asked.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.allowed.saturating_sub(self.used).saturating_sub(self.set_aside)
    }
}

impl Usage {
    /// What an account used day by day, up to the last answer that was given here.
    ///
    /// # Errors
    /// The database failed, or does not take what was counted.
    pub async fn by_day(
        &self,
        account: Uuid,
        period: Period,
        filter: &UsageFilter,
    ) -> Result<Report<NaiveDate>, UsageError> {
        self.recorder.flush().await?;
        let report = read(&self.db.main, async |moment| {
            let scope = Scope { account, filter };
            let mut report = Building::over(period.days());
            let end = start(period.last()) + TimeDelta::days(1);
            let mut hours_from = start(period.first());
            if let Some(last) = days::added_up_to(moment, account).await? {
                let days_end = (start(last) + TimeDelta::days(1)).clamp(hours_from, end);
                add(&mut report, moment, scope, Grain::Days, (hours_from, days_end)).await?;
                hours_from = days_end;
            }
            add(&mut report, moment, scope, Grain::Hours, (hours_from, end)).await?;
            finish(report, moment, account).await
        });
        Ok(report.await?)
    }

    /// What an account used hour by hour, up to the last answer that was given here.
    ///
    /// # Errors
    /// The database failed, or does not take what was counted.
    pub async fn by_hour(
        &self,
        account: Uuid,
        hours: TwentyFourHours,
        filter: &UsageFilter,
    ) -> Result<Report<DateTime<Utc>>, UsageError> {
        self.recorder.flush().await?;
        let report = read(&self.db.main, async |moment| {
            let mut report = Building::over(hours.hours());
            let range = (hours.first(), hours.first() + TimeDelta::hours(24));
            add(&mut report, moment, Scope { account, filter }, Grain::Hours, range).await?;
            finish(report, moment, account).await
        });
        Ok(report.await?)
    }

    /// What an account used today, UTC, with live keys and by its members, up to the last answer that was given here.
    ///
    /// # Errors
    /// The database failed, or does not take what was counted.
    pub async fn today(&self, account: Uuid) -> Result<Figures, UsageError> {
        self.recorder.flush().await?;
        let today = start(self.clock.now().date_naive());
        let range = (today, today + TimeDelta::days(1));
        let figures = read(&self.db.main, async |moment| {
            let scope = Scope { account, filter: &UsageFilter::default() };
            let mut figures = Figures::default();
            for (_, sum) in store::numbers(moment, scope, Grain::Hours, range).await? {
                figures.add_numbers(&sum);
            }
            for (_, sum) in store::calls(moment, scope, Grain::Hours, range).await? {
                figures.add_calls(&sum);
            }
            Ok(figures)
        });
        Ok(figures.await?)
    }

    /// The latest refusals of an account's live calls, newest first, `most` rows, none older than a week.
    ///
    /// # Errors
    /// The database failed, or does not take what was counted.
    pub async fn latest_refusals(&self, account: Uuid, most: u64) -> Result<Vec<HourlyRefusals>, UsageError> {
        self.recorder.flush().await?;
        let since = self.clock.now() - REFUSALS_SINCE;
        let found = within_limit(async {
            let rows = store::latest_refusals(&self.db.main, account, since, most).await?;
            let names =
                CallerNames::read(&self.db.main, account, rows.iter().map(|row| row.caller_id)).await?;
            let refusals = |row: store::RefusalRow| HourlyRefusals {
                hour: row.hour,
                caller: names.of(row.caller_id),
                code: row.answer,
                calls: store::natural(row.count),
            };
            Ok::<_, DbErr>(rows.into_iter().map(refusals).collect())
        });
        Ok(found.await?)
    }

    /// What an account may still ask in the present month, up to the last answer that was given here. `None` when there is
    /// no such account.
    ///
    /// # Errors
    /// The database failed, or does not take what was counted.
    pub async fn allowance_left(&self, account: Uuid) -> Result<Option<AllowanceLeft>, UsageError> {
        self.recorder.flush().await?;
        let now = self.clock.now();
        let month = Month::of(now);
        let left = read(&self.db.main, async |moment| {
            let Some((account_row, plan)) = store::account_and_plan(moment, account).await? else {
                return Ok(None);
            };
            let terms = AccountTerms::of(&account_row, &plan);
            let (used, set_aside) = store::used_and_set_aside(moment, account, month, now).await?;
            Ok(Some(AllowanceLeft {
                month,
                plan: plan.code,
                allowed: terms.numbers_per_month,
                used,
                set_aside,
            }))
        });
        Ok(left.await?)
    }
}

async fn add<T: Moment>(
    report: &mut Building<T>,
    moment: &DatabaseTransaction,
    scope: Scope<'_>,
    grain: Grain,
    range: (DateTime<Utc>, DateTime<Utc>),
) -> Result<(), DbErr> {
    if range.0 >= range.1 {
        return Ok(());
    }
    for (time, sum) in store::numbers(moment, scope, grain, range).await? {
        report.add_numbers(T::of_hour(time), &sum);
    }
    for (time, sum) in store::calls(moment, scope, grain, range).await? {
        report.add_calls(T::of_hour(time), sum);
    }
    for (caller, sum) in store::calls_by_caller(moment, scope, grain, range).await? {
        report.add_calls_of(caller, &sum);
    }
    for (caller, count) in store::numbers_by_caller(moment, scope, grain, range).await? {
        report.add_numbers_of(caller, count);
    }
    Ok(())
}

async fn finish<T: Moment>(
    report: Building<T>,
    moment: &DatabaseTransaction,
    account: Uuid,
) -> Result<Report<T>, DbErr> {
    let names = CallerNames::read(moment, account, report.callers()).await?;
    Ok(report.finish(|caller| names.of(caller)))
}

fn start(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}
