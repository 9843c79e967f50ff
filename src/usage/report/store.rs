//! The queries of reports. Counts by hour and by day have the same columns but for the time.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, DeriveIden, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QueryResult, QuerySelect,
    sea_query::{Alias, Expr, ExprTrait, Func, Query, SelectStatement},
};
use uuid::Uuid;
use vat::Registry;

use super::{
    UsageFilter,
    figures::{CallSum, NumberSum},
};
use crate::{
    db::entities::{
        account, allowance, api_key::KeyMode, plan, reservation, usage_number, usage_number_day,
        usage_request, usage_request_day,
    },
    usage::{Month, counts::ANSWERED},
};

/// Which counts are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    Days,
    Hours,
}

/// Whose counts, and which of them.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) account: Uuid,
    pub(super) filter: &'a UsageFilter,
}

/// From the first moment to the first one after, both at the beginning of an hour; for days, of a day.
type Range = (DateTime<Utc>, DateTime<Utc>);

#[derive(FromQueryResult)]
pub(super) struct RefusalRow {
    pub(super) hour: DateTime<Utc>,
    pub(super) caller_id: Uuid,
    pub(super) answer: String,
    pub(super) count: i64,
}

/// Columns by the names that all four tables have for them.
#[derive(Clone, Copy, DeriveIden)]
enum Counted {
    AccountId,
    Hour,
    Day,
    CallerId,
    Mode,
    Registry,
    Status,
    Source,
    Answer,
    Count,
}

impl Grain {
    const fn time(self) -> Counted {
        match self {
            Self::Days => Counted::Day,
            Self::Hours => Counted::Hour,
        }
    }

    /// When a row's time begins.
    fn read(self, row: &QueryResult) -> Result<DateTime<Utc>, DbErr> {
        match self {
            Self::Days => {
                row.try_get_by_index(0).map(|day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc())
            }
            Self::Hours => row.try_get_by_index(0),
        }
    }

    /// Counts of numbers, to be summed up.
    fn numbers(self, scope: Scope<'_>, range: Range) -> SelectStatement {
        let mut select = match self {
            Self::Days => Query::select().from(usage_number_day::Entity).take(),
            Self::Hours => Query::select().from(usage_number::Entity).take(),
        };
        if let Some(registry) = scope.filter.registry {
            let registry = match registry {
                Registry::Hmrc => "hmrc",
                Registry::Vies => "vies",
            };
            select.and_where(Expr::col(Counted::Registry).eq(registry));
        }
        self.within(select, scope, range)
    }

    /// Counts of calls, to be summed up.
    fn calls(self, scope: Scope<'_>, range: Range) -> SelectStatement {
        let select = match self {
            Self::Days => Query::select().from(usage_request_day::Entity).take(),
            Self::Hours => Query::select().from(usage_request::Entity).take(),
        };
        self.within(select, scope, range)
    }

    fn within(self, mut select: SelectStatement, scope: Scope<'_>, (from, until): Range) -> SelectStatement {
        let time = Expr::col(self.time());
        let (after, before) = match self {
            Self::Days => (time.clone().gte(from.date_naive()), time.lt(until.date_naive())),
            Self::Hours => (time.clone().gte(from), time.lt(until)),
        };
        let mode = match scope.filter.mode {
            KeyMode::Live => "live",
            KeyMode::Test => "test",
        };
        select
            .and_where(Expr::col(Counted::AccountId).eq(scope.account))
            .and_where(after)
            .and_where(before)
            .and_where(Expr::col(Counted::Mode).eq(mode))
            .and_where_option(scope.filter.caller.map(|caller| Expr::col(Counted::CallerId).eq(caller)))
            .take()
    }
}

/// Numbers by time and kind.
pub(super) async fn numbers(
    db: &impl ConnectionTrait,
    scope: Scope<'_>,
    grain: Grain,
    range: Range,
) -> Result<Vec<(DateTime<Utc>, NumberSum)>, DbErr> {
    let by = [grain.time(), Counted::Registry, Counted::Status, Counted::Source];
    let rows = db.query_all(&summed(grain.numbers(scope, range), &by)).await?;
    let sum = |row: &QueryResult| {
        let sum = NumberSum {
            registry: row.try_get_by_index(1)?,
            status: row.try_get_by_index(2)?,
            source: row.try_get_by_index(3)?,
            count: natural(row.try_get_by_index(4)?),
        };
        Ok((grain.read(row)?, sum))
    };
    rows.iter().map(sum).collect()
}

/// Calls by time and answer.
pub(super) async fn calls(
    db: &impl ConnectionTrait,
    scope: Scope<'_>,
    grain: Grain,
    range: Range,
) -> Result<Vec<(DateTime<Utc>, CallSum)>, DbErr> {
    let by = [grain.time(), Counted::Answer];
    let rows = db.query_all(&summed(grain.calls(scope, range), &by)).await?;
    let sum = |row: &QueryResult| {
        let sum = CallSum { answer: row.try_get_by_index(1)?, count: natural(row.try_get_by_index(2)?) };
        Ok((grain.read(row)?, sum))
    };
    rows.iter().map(sum).collect()
}

/// Calls by caller and answer.
pub(super) async fn calls_by_caller(
    db: &impl ConnectionTrait,
    scope: Scope<'_>,
    grain: Grain,
    range: Range,
) -> Result<Vec<(Uuid, CallSum)>, DbErr> {
    let by = [Counted::CallerId, Counted::Answer];
    let rows = db.query_all(&summed(grain.calls(scope, range), &by)).await?;
    let sum = |row: &QueryResult| {
        let sum = CallSum { answer: row.try_get_by_index(1)?, count: natural(row.try_get_by_index(2)?) };
        Ok((row.try_get_by_index(0)?, sum))
    };
    rows.iter().map(sum).collect()
}

/// Numbers by caller.
pub(super) async fn numbers_by_caller(
    db: &impl ConnectionTrait,
    scope: Scope<'_>,
    grain: Grain,
    range: Range,
) -> Result<Vec<(Uuid, u64)>, DbErr> {
    let rows = db.query_all(&summed(grain.numbers(scope, range), &[Counted::CallerId])).await?;
    let sum = |row: &QueryResult| Ok((row.try_get_by_index(0)?, natural(row.try_get_by_index(1)?)));
    rows.iter().map(sum).collect()
}

/// The columns, and the sum of all counts for which they are the same.
fn summed(mut select: SelectStatement, by: &[Counted]) -> SelectStatement {
    // PostgreSQL adds up whole numbers to something wider.
    let sum = Expr::col(Counted::Count).sum().cast_as(Alias::new("BIGINT"));
    select.columns(by.iter().copied()).expr(sum).group_by_columns(by.iter().copied()).take()
}

pub(super) async fn latest_refusals(
    db: &impl ConnectionTrait,
    account: Uuid,
    since: DateTime<Utc>,
    most: u64,
) -> Result<Vec<RefusalRow>, DbErr> {
    use usage_request::Column::{AccountId, Answer, CallerId, Count, Hour, Mode};
    usage_request::Entity::find()
        .select_only()
        .columns([Hour, CallerId, Answer, Count])
        .filter(AccountId.eq(account))
        .filter(Hour.gte(since))
        .filter(Mode.eq(KeyMode::Live))
        .filter(Answer.ne(ANSWERED))
        .order_by_desc(Hour)
        .order_by_desc(CallerId)
        .order_by_desc(Answer)
        .limit(most)
        .into_model()
        .all(db)
        .await
}

pub(super) async fn account_and_plan(
    db: &impl ConnectionTrait,
    account: Uuid,
) -> Result<Option<(account::Model, plan::Model)>, DbErr> {
    let Some(account) = account::Entity::find_by_id(account).one(db).await? else { return Ok(None) };
    let plan = plan::Entity::find_by_id(account.plan.clone()).one(db).await?;
    let plan = plan.ok_or_else(|| DbErr::RecordNotFound(format!("the plan of account {}", account.id)))?;
    Ok(Some((account, plan)))
}

/// Numbers that registries have answered in a month, and those of calls that are still open.
pub(super) async fn used_and_set_aside(
    db: &impl ConnectionTrait,
    account: Uuid,
    month: Month,
    now: DateTime<Utc>,
) -> Result<(u64, u64), DbErr> {
    use reservation::Column::{AccountId, ExpiresAt, Month, Numbers};
    let used = allowance::Entity::find_by_id((account, month.first_day())).one(db).await?;
    let set_aside: Option<i64> = reservation::Entity::find()
        .select_only()
        .column_as(Func::coalesce([Numbers.sum(), Expr::value(0)]).cast_as(Alias::new("BIGINT")), "set_aside")
        .filter(AccountId.eq(account))
        .filter(Month.eq(month.first_day()))
        .filter(ExpiresAt.gt(now))
        .into_tuple()
        .one(db)
        .await?;
    Ok((used.map_or(0, |used| natural(used.used)), set_aside.map_or(0, natural)))
}

/// Counts are stored in a type with a sign.
pub(super) fn natural(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}
