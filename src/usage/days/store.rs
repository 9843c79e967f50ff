//! The queries of usage by day.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, RuntimeErr,
    sea_query::{Alias, Expr, ExprTrait, InsertStatement, Query},
};
use uuid::Uuid;

use crate::db::{
    entities::{account, usage_number, usage_number_day, usage_request, usage_request_day},
    lock_account, write,
};

pub(super) async fn accounts(db: &impl ConnectionTrait) -> Result<Vec<Uuid>, DbErr> {
    account::Entity::find().select_only().column(account::Column::Id).into_tuple().all(db).await
}

/// The last day of an account that was added up. None of the days before has to be any more.
pub(in crate::usage) async fn added_up_to(
    db: &impl ConnectionTrait,
    account: Uuid,
) -> Result<Option<NaiveDate>, DbErr> {
    use usage_request_day::Column::{AccountId, Day};
    // Every call is counted, even one without a number.
    usage_request_day::Entity::find()
        .select_only()
        .column(Day)
        .filter(AccountId.eq(account))
        .order_by_desc(Day)
        .limit(1)
        .into_tuple()
        .one(db)
        .await
}

/// The first day before `today` that is to be added up.
pub(super) async fn next_day(
    db: &impl ConnectionTrait,
    account: Uuid,
    today: NaiveDate,
) -> Result<Option<NaiveDate>, DbErr> {
    use usage_request::Column::{AccountId, Hour};
    let done = added_up_to(db, account).await?;
    let mut open = usage_request::Entity::find()
        .select_only()
        .column(Hour)
        .filter(AccountId.eq(account))
        .filter(Hour.lt(start(today)))
        .order_by_asc(Hour)
        .limit(1);
    if let Some(done) = done {
        open = open.filter(Hour.gte(start(done) + TimeDelta::days(1)));
    }
    let hour: Option<DateTime<Utc>> = open.into_tuple().one(db).await?;
    Ok(hour.map(|hour| hour.date_naive()))
}

/// Adds up one more day. Whether there was one.
pub(super) async fn add_up_next(
    db: &DatabaseConnection,
    account: Uuid,
    today: NaiveDate,
) -> Result<bool, DbErr> {
    write(db, async |transaction| {
        // Whoever counts something late waits until this is done, or this waits for it and sees it.
        if lock_account(transaction, account).await?.is_none() {
            return Ok(false);
        }
        // Another instance may have been quicker.
        let Some(day) = next_day(transaction, account, today).await? else { return Ok(false) };
        transaction.execute(&requests_of(account, day)?).await?;
        transaction.execute(&numbers_of(account, day)?).await?;
        Ok(true)
    })
    .await
}

/// Takes away the sums of a day, and of those after it, to be added up anew.
pub(in crate::usage) async fn take_away(
    transaction: &DatabaseTransaction,
    account: Uuid,
    from: NaiveDate,
) -> Result<(), DbErr> {
    lock_account(transaction, account).await?;
    usage_request_day::Entity::delete_many()
        .filter(usage_request_day::Column::AccountId.eq(account))
        .filter(usage_request_day::Column::Day.gte(from))
        .exec(transaction)
        .await?;
    usage_number_day::Entity::delete_many()
        .filter(usage_number_day::Column::AccountId.eq(account))
        .filter(usage_number_day::Column::Day.gte(from))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Deletes the sums of days before one. How many rows that were.
pub(in crate::usage) async fn forget_before(
    transaction: &DatabaseTransaction,
    day: NaiveDate,
) -> Result<u64, DbErr> {
    let requests = usage_request_day::Entity::delete_many()
        .filter(usage_request_day::Column::Day.lt(day))
        .exec(transaction)
        .await?;
    let numbers = usage_number_day::Entity::delete_many()
        .filter(usage_number_day::Column::Day.lt(day))
        .exec(transaction)
        .await?;
    Ok(requests.rows_affected + numbers.rows_affected)
}

fn requests_of(account: Uuid, day: NaiveDate) -> Result<InsertStatement, DbErr> {
    use usage_request::Column::{AccountId, Answer, CallerId, Count, Hour, Mode};
    use usage_request_day as days;
    let sums = Query::select()
        .exprs([Expr::value(account), Expr::value(day)])
        .columns([CallerId, Mode, Answer])
        .expr(Count.sum().cast_as(Alias::new("BIGINT")))
        .from(usage_request::Entity)
        .and_where(AccountId.eq(account))
        .and_where(Hour.gte(start(day)))
        .and_where(Hour.lt(start(day) + TimeDelta::days(1)))
        .group_by_columns([CallerId, Mode, Answer])
        .take();
    Query::insert()
        .into_table(days::Entity)
        .columns([
            days::Column::AccountId,
            days::Column::Day,
            days::Column::CallerId,
            days::Column::Mode,
            days::Column::Answer,
            days::Column::Count,
        ])
        .select_from(sums)
        .map_err(|error| DbErr::Query(RuntimeErr::Internal(error.to_string())))
        .map(InsertStatement::take)
}

fn numbers_of(account: Uuid, day: NaiveDate) -> Result<InsertStatement, DbErr> {
    use usage_number::Column::{AccountId, CallerId, Count, Hour, Mode, Registry, Source, Status};
    use usage_number_day as days;
    let sums = Query::select()
        .exprs([Expr::value(account), Expr::value(day)])
        .columns([CallerId, Mode, Registry, Status, Source])
        .expr(Count.sum().cast_as(Alias::new("BIGINT")))
        .from(usage_number::Entity)
        .and_where(AccountId.eq(account))
        .and_where(Hour.gte(start(day)))
        .and_where(Hour.lt(start(day) + TimeDelta::days(1)))
        .group_by_columns([CallerId, Mode, Registry, Status, Source])
        .take();
    Query::insert()
        .into_table(days::Entity)
        .columns([
            days::Column::AccountId,
            days::Column::Day,
            days::Column::CallerId,
            days::Column::Mode,
            days::Column::Registry,
            days::Column::Status,
            days::Column::Source,
            days::Column::Count,
        ])
        .select_from(sums)
        .map_err(|error| DbErr::Query(RuntimeErr::Internal(error.to_string())))
        .map(InsertStatement::take)
}

fn start(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}
