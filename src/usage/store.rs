//! The queries of `usage`. A batch is one transaction, and its rows are written in a fixed order, so that two writers
//! never wait for each other in a circle.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QuerySelect, QueryTrait, RuntimeErr,
    sea_query::{Alias, Expr, ExprTrait, Func, InsertStatement, OnConflict, Query, SimpleExpr},
};
use uuid::Uuid;

use super::{
    allowance::Reservation,
    counts::{ANSWERED, Counts, REGISTRY_UNAVAILABLE},
    days,
    month::Month,
    recorder::{Batch, Settlement},
};
use crate::db::{
    Together,
    entities::{
        allowance, api_key, api_key::KeyMode, evidence, recorder, reservation, usage_number, usage_request,
    },
    sum_with_excluded, write,
};

/// Rows in one statement: the databases limit its parameters.
const ROWS: usize = 500;

/// Writes a batch. When it was `tried` before, only if that has not succeeded after all.
pub(super) async fn write_batch(
    db: &DatabaseConnection,
    batch: &Batch,
    tried: bool,
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    write(db, async |transaction| {
        let mut statements = Together::on(transaction);
        statements.add(&mark(batch, now));
        if tried {
            if statements.execute(transaction).await? == 0 {
                return Ok(());
            }
            statements = Together::on(transaction);
        }
        let rows: Vec<_> = batch.records.iter().filter_map(|record| record.evidence.clone()).collect();
        for rows in rows.chunks(ROWS) {
            let rows = rows.iter().cloned().map(IntoActiveModel::into_active_model);
            statements.add(&evidence::Entity::insert_many(rows).into_query());
        }
        settle(&mut statements, batch.records.iter().filter_map(|record| record.settlement));
        count(&mut statements, &batch.counts);
        statements.execute(transaction).await?;
        for (account, day) in batch.counts.late(now.date_naive()) {
            days::take_away(transaction, account, day).await?;
        }
        Ok(())
    })
    .await
}

/// Changes a row unless the batch was written. To look and to mark is one statement: when an earlier try is still being
/// committed, over a connection that has broken, this one waits for it and then sees it.
fn mark(batch: &Batch, now: DateTime<Utc>) -> InsertStatement {
    use recorder::Column::{Batch, CommittedAt, Id};
    let row =
        recorder::ActiveModel { id: Set(batch.recorder), batch: Set(batch.number), committed_at: Set(now) };
    let conflict = OnConflict::column(Id)
        .update_columns([Batch, CommittedAt])
        .action_and_where(Expr::col((recorder::Entity, Batch)).lt(batch.number))
        .to_owned();
    recorder::Entity::insert(row).on_conflict(conflict).into_query()
}

/// What is used up is added to the month, whose row a database that died may have forgotten: setting aside waits for no
/// disk. What was set aside is taken away, if it is still there.
fn settle(statements: &mut Together, settlements: impl Iterator<Item = Settlement>) {
    use reservation::Column::{Id, Numbers};
    let mut reservations: BTreeMap<Uuid, i64> = BTreeMap::new();
    let mut used: BTreeMap<(Uuid, Month), i64> = BTreeMap::new();
    for Settlement { reservation, used: is_used } in settlements {
        *reservations.entry(reservation.id).or_default() += 1;
        if is_used {
            *used.entry((reservation.account_id, reservation.month)).or_default() += 1;
        }
    }
    for ((account_id, month), used) in used {
        statements.add(&add_used(account_id, month, used));
    }
    for (id, numbers) in reservations {
        let settled = reservation::Entity::delete_many().filter(Id.eq(id)).filter(Numbers.lte(numbers));
        statements.add(&settled.into_query());
        let partly = reservation::Entity::update_many()
            .col_expr(Numbers, Numbers.into_expr().sub(numbers))
            .filter(Id.eq(id));
        statements.add(&partly.into_query());
    }
}

/// Makes the month's row when it is missing, and holds it until the transaction ends.
fn add_used(account_id: Uuid, month: Month, used: i64) -> InsertStatement {
    use allowance::Column::{AccountId, Month, Used};
    let row = allowance::ActiveModel {
        account_id: Set(account_id),
        month: Set(month.first_day()),
        used: Set(used),
    };
    let conflict = OnConflict::columns([AccountId, Month])
        .value(Used, sum_with_excluded((allowance::Entity, Used)))
        .to_owned();
    allowance::Entity::insert(row).on_conflict(conflict).into_query()
}

fn count(statements: &mut Together, counts: &Counts) {
    let requests: Vec<_> = counts
        .requests()
        .into_iter()
        .map(|((scope, answer), count)| usage_request::ActiveModel {
            account_id: Set(scope.account_id),
            hour: Set(scope.hour),
            caller_id: Set(scope.caller_id),
            mode: Set(scope.mode),
            answer: Set(answer.to_owned()),
            count: Set(count),
        })
        .collect();
    for rows in requests.chunks(ROWS) {
        use usage_request::Column::{AccountId, Answer, CallerId, Count, Hour, Mode};
        let conflict = OnConflict::columns([AccountId, Hour, CallerId, Mode, Answer])
            .value(Count, sum_with_excluded((usage_request::Entity, Count)))
            .to_owned();
        statements.add(&usage_request::Entity::insert_many(rows.to_vec()).on_conflict(conflict).into_query());
    }
    let numbers: Vec<_> = counts
        .numbers()
        .into_iter()
        .map(|((scope, number), count)| usage_number::ActiveModel {
            account_id: Set(scope.account_id),
            hour: Set(scope.hour),
            caller_id: Set(scope.caller_id),
            mode: Set(scope.mode),
            registry: Set(number.registry.to_owned()),
            status: Set(number.status.to_owned()),
            source: Set(number.source.to_owned()),
            count: Set(count),
        })
        .collect();
    for rows in numbers.chunks(ROWS) {
        use usage_number::Column::{AccountId, CallerId, Count, Hour, Mode, Registry, Source, Status};
        let conflict = OnConflict::columns([AccountId, Hour, CallerId, Mode, Registry, Status, Source])
            .value(Count, sum_with_excluded((usage_number::Entity, Count)))
            .to_owned();
        statements.add(&usage_number::Entity::insert_many(rows.to_vec()).on_conflict(conflict).into_query());
    }
    for (key, at) in counts.used_keys() {
        use api_key::Column::{Id, LastUsedAt};
        let used = api_key::Entity::update_many()
            .col_expr(LastUsedAt, Expr::value(at))
            .filter(Id.eq(key))
            .filter(LastUsedAt.is_null().or(LastUsedAt.lt(at)));
        statements.add(&used.into_query());
    }
}

/// Sets numbers aside if they fit; else how many would. What was set aside for too long does not count any more.
pub(super) async fn reserve(
    db: &DatabaseConnection,
    reservation: &Reservation,
    limit: i64,
    numbers: i64,
    (now, expires_at): (DateTime<Utc>, DateTime<Utc>),
) -> Result<Result<(), i64>, DbErr> {
    let (account_id, month) = (reservation.account_id, reservation.month);
    write(db, async |transaction| {
        let mut statements = Together::on(transaction);
        // Calls at once wait here for each other, so that the next statement sees what all before have set aside.
        statements.add(&add_used(account_id, month, 0));
        let set_aside = Query::select()
            .expr(Expr::value(reservation.id))
            .columns([allowance::Column::AccountId, allowance::Column::Month])
            .exprs([Expr::value(numbers), Expr::value(expires_at)])
            .from(allowance::Entity)
            .and_where(allowance::Column::AccountId.eq(account_id))
            .and_where(allowance::Column::Month.eq(month.first_day()))
            .and_where(used_and_set_aside(account_id, month, now).add(numbers).lte(limit))
            .take();
        {
            use reservation::Column::{AccountId, ExpiresAt, Id, Month, Numbers};
            let insert = Query::insert()
                .into_table(reservation::Entity)
                .columns([Id, AccountId, Month, Numbers, ExpiresAt])
                .select_from(set_aside)
                .map_err(|error| DbErr::Query(RuntimeErr::Internal(error.to_string())))?
                .take();
            statements.add(&insert);
        }
        if statements.execute(transaction).await? == 2 {
            return Ok(Ok(()));
        }
        let taken: Option<i64> = allowance::Entity::find_by_id((account_id, month.first_day()))
            .select_only()
            .column_as(used_and_set_aside(account_id, month, now).cast_as(Alias::new("BIGINT")), "taken")
            .into_tuple()
            .one(transaction)
            .await?;
        Ok(Err(limit - taken.unwrap_or(0)))
    })
    .await
}

/// Of a row of `allowances`.
fn used_and_set_aside(account_id: Uuid, month: Month, now: DateTime<Utc>) -> SimpleExpr {
    use reservation::Column::{AccountId, ExpiresAt, Month, Numbers};
    let set_aside = Query::select()
        .expr(Func::coalesce([Numbers.sum(), Expr::value(0)]))
        .from(reservation::Entity)
        .and_where(AccountId.eq(account_id))
        .and_where(Month.eq(month.first_day()))
        .and_where(ExpiresAt.gt(now))
        .take();
    allowance::Column::Used.into_expr().add(Expr::SubQuery(None, Box::new(set_aside.into())))
}

/// Deletes reservations whose time is over. How many these were.
pub(super) async fn delete_expired(db: &DatabaseConnection, now: DateTime<Utc>) -> Result<u64, DbErr> {
    let expired = reservation::Entity::delete_many().filter(reservation::Column::ExpiresAt.lte(now));
    Ok(expired.exec(db).await?.rows_affected)
}

/// Live calls that were answered, and numbers that count against the allowance.
pub(super) async fn month(
    db: &DatabaseConnection,
    account_id: Uuid,
    month: Month,
) -> Result<(u64, u64), DbErr> {
    use usage_request::Column::{AccountId, Answer, Count, Hour, Mode};
    let requests: Option<Option<i64>> = usage_request::Entity::find()
        .select_only()
        .column_as(Count.sum().cast_as(Alias::new("BIGINT")), "requests")
        .filter(AccountId.eq(account_id))
        .filter(Hour.gte(month.start()))
        .filter(Hour.lt(month.end()))
        .filter(Mode.eq(KeyMode::Live))
        .filter(Answer.is_in([ANSWERED, REGISTRY_UNAVAILABLE]))
        .into_tuple()
        .one(db)
        .await?;
    let allowance = allowance::Entity::find_by_id((account_id, month.first_day())).one(db).await?;
    let natural = |number: i64| u64::try_from(number).unwrap_or(0);
    Ok((requests.flatten().map_or(0, natural), allowance.map_or(0, |allowance| natural(allowance.used))))
}

pub(super) async fn delete_before(
    transaction: &DatabaseTransaction,
    moment: DateTime<Utc>,
) -> Result<u64, DbErr> {
    let deleted = [
        usage_request::Entity::delete_many()
            .filter(usage_request::Column::Hour.lt(moment))
            .exec(transaction)
            .await?,
        usage_number::Entity::delete_many()
            .filter(usage_number::Column::Hour.lt(moment))
            .exec(transaction)
            .await?,
        allowance::Entity::delete_many()
            .filter(allowance::Column::Month.lt(Month::of(moment).first_day()))
            .exec(transaction)
            .await?,
        recorder::Entity::delete_many()
            .filter(recorder::Column::CommittedAt.lt(moment))
            .exec(transaction)
            .await?,
    ];
    let days = days::forget_before(transaction, moment.date_naive()).await?;
    Ok(deleted.iter().map(|deleted| deleted.rows_affected).sum::<u64>() + days)
}
