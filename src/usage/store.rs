//! The queries of `usage`. A batch is one transaction, and its rows are written in a fixed order, so that two writers
//! never wait for each other in a circle.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QuerySelect,
    sea_query::{Alias, Expr, ExprTrait, OnConflict, SimpleExpr},
};
use uuid::Uuid;

use super::{
    allowance::Reservation,
    counts::{ANSWERED, Counts, REGISTRY_UNAVAILABLE},
    month::Month,
    recorder::{Batch, Settlement},
};
use crate::db::{
    entities::{
        allowance, api_key, api_key::KeyMode, evidence, recorder, reservation, usage_number, usage_request,
    },
    write,
};

/// Rows in one statement: the databases limit its parameters.
const ROWS: usize = 500;

/// Writes a batch, unless it is there already.
pub(super) async fn write_batch(
    db: &DatabaseConnection,
    batch: &Batch,
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    write(db, async |transaction| {
        if !mark_written(transaction, batch, now).await? {
            return Ok(());
        }
        let rows: Vec<_> = batch.records.iter().filter_map(|record| record.evidence.clone()).collect();
        for rows in rows.chunks(ROWS) {
            let rows = rows.iter().cloned().map(IntoActiveModel::into_active_model);
            evidence::Entity::insert_many(rows).exec_without_returning(transaction).await?;
        }
        settle(transaction, batch.records.iter().filter_map(|record| record.settlement)).await?;
        count(transaction, &batch.counts).await
    })
    .await
}

/// Whether it was not there. To look and to mark is one statement: when an earlier try is still being committed, over a
/// connection that has broken, this one waits for it and then sees it.
async fn mark_written(
    transaction: &DatabaseTransaction,
    batch: &Batch,
    now: DateTime<Utc>,
) -> Result<bool, DbErr> {
    use recorder::Column::{Batch, CommittedAt, Id};
    let row =
        recorder::ActiveModel { id: Set(batch.recorder), batch: Set(batch.number), committed_at: Set(now) };
    let marked = recorder::Entity::insert(row)
        .on_conflict(
            OnConflict::column(Id)
                .update_columns([Batch, CommittedAt])
                .action_and_where(Expr::col((recorder::Entity, Batch)).lt(batch.number))
                .to_owned(),
        )
        .exec_without_returning(transaction)
        .await;
    match marked {
        Ok(rows) => Ok(rows > 0),
        Err(DbErr::RecordNotInserted) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn settle(
    transaction: &DatabaseTransaction,
    settlements: impl Iterator<Item = Settlement>,
) -> Result<(), DbErr> {
    let mut reservations: BTreeMap<Reservation, Settled> = BTreeMap::new();
    for settlement in settlements {
        let settled = reservations.entry(settlement.reservation).or_default();
        settled.reserved += 1;
        settled.used += i64::from(settlement.used);
    }
    let mut allowances: BTreeMap<(Uuid, Month), Settled> = BTreeMap::new();
    for (reservation, settled) in reservations {
        let allowance = allowances.entry((reservation.account_id, reservation.month)).or_default();
        allowance.used += settled.used;
        // What was given up meanwhile is not reserved any more.
        if take_from_reservation(transaction, reservation.id, settled.reserved).await? {
            allowance.reserved += settled.reserved;
        }
    }
    for ((account_id, month), settled) in allowances {
        change_allowance(transaction, account_id, month.first_day(), settled).await?;
    }
    Ok(())
}

#[derive(Clone, Copy, Default)]
struct Settled {
    /// Taken from what was set aside.
    reserved: i64,
    /// Added to what is used up.
    used: i64,
}

async fn take_from_reservation(
    transaction: &DatabaseTransaction,
    id: Uuid,
    numbers: i64,
) -> Result<bool, DbErr> {
    let all = reservation::Entity::delete_many()
        .filter(reservation::Column::Id.eq(id))
        .filter(reservation::Column::Numbers.lte(numbers))
        .exec(transaction)
        .await?;
    if all.rows_affected > 0 {
        return Ok(true);
    }
    let some = reservation::Entity::update_many()
        .col_expr(reservation::Column::Numbers, reservation::Column::Numbers.into_expr().sub(numbers))
        .filter(reservation::Column::Id.eq(id))
        .exec(transaction)
        .await?;
    Ok(some.rows_affected > 0)
}

/// Makes the month's row when it is missing: setting aside waits for no disk, so a database that died in between may have
/// forgotten it.
async fn change_allowance(
    transaction: &DatabaseTransaction,
    account_id: Uuid,
    month: NaiveDate,
    settled: Settled,
) -> Result<(), DbErr> {
    use allowance::Column::{AccountId, Month, Reserved, Used};
    let update = || {
        allowance::Entity::update_many()
            .col_expr(Used, Used.into_expr().add(settled.used))
            .col_expr(Reserved, Reserved.into_expr().sub(settled.reserved))
            .filter(AccountId.eq(account_id))
            .filter(Month.eq(month))
            .exec(transaction)
    };
    if update().await?.rows_affected == 0 {
        begin_month(transaction, account_id, month).await?;
        update().await?;
    }
    Ok(())
}

async fn count(transaction: &DatabaseTransaction, counts: &Counts) -> Result<(), DbErr> {
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
        usage_request::Entity::insert_many(rows.to_vec())
            .on_conflict(conflict)
            .exec_without_returning(transaction)
            .await?;
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
        usage_number::Entity::insert_many(rows.to_vec())
            .on_conflict(conflict)
            .exec_without_returning(transaction)
            .await?;
    }
    for (key, at) in counts.used_keys() {
        use api_key::Column::{Id, LastUsedAt};
        api_key::Entity::update_many()
            .col_expr(LastUsedAt, Expr::value(at))
            .filter(Id.eq(key))
            .filter(LastUsedAt.is_null().or(LastUsedAt.lt(at)))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

/// What stands there and what was to be inserted.
fn sum_with_excluded<E, C>((table, column): (E, C)) -> SimpleExpr
where
    E: sea_orm::sea_query::IntoIden,
    C: sea_orm::sea_query::IntoIden + Copy,
{
    Expr::col((table, column)).add(Expr::col((Alias::new("excluded"), column)))
}

/// Sets numbers aside if they fit; else how many would.
pub(super) async fn reserve(
    db: &DatabaseConnection,
    reservation: &Reservation,
    limit: i64,
    numbers: i64,
    expires_at: DateTime<Utc>,
) -> Result<Result<(), i64>, DbErr> {
    use allowance::Column::{AccountId, Month, Reserved, Used};
    let (account_id, month) = (reservation.account_id, reservation.month.first_day());
    write(db, async |transaction| {
        let update = || {
            allowance::Entity::update_many()
                .col_expr(Reserved, Reserved.into_expr().add(numbers))
                .filter(AccountId.eq(account_id))
                .filter(Month.eq(month))
                .filter(Used.into_expr().add(Reserved.into_expr()).add(numbers).lte(limit))
                .exec(transaction)
        };
        if update().await?.rows_affected == 0 {
            // The first call of the month, or too many numbers.
            begin_month(transaction, account_id, month).await?;
            if update().await?.rows_affected == 0 {
                let row = allowance::Entity::find_by_id((account_id, month)).one(transaction).await?;
                return Ok(Err(row.map_or(limit, |row| limit - row.used - row.reserved)));
            }
        }
        let row = reservation::ActiveModel {
            id: Set(reservation.id),
            account_id: Set(account_id),
            month: Set(month),
            numbers: Set(numbers),
            expires_at: Set(expires_at),
        };
        reservation::Entity::insert(row).exec_without_returning(transaction).await?;
        Ok(Ok(()))
    })
    .await
}

async fn begin_month(
    transaction: &DatabaseTransaction,
    account_id: Uuid,
    month: NaiveDate,
) -> Result<(), DbErr> {
    use allowance::Column::{AccountId, Month};
    let row = allowance::ActiveModel {
        account_id: Set(account_id),
        month: Set(month),
        used: Set(0),
        reserved: Set(0),
    };
    let inserted = allowance::Entity::insert(row)
        .on_conflict(OnConflict::columns([AccountId, Month]).do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await;
    match inserted {
        Ok(_) | Err(DbErr::RecordNotInserted) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Gives back reservations whose time is over, of one account or of all. How many these were.
pub(super) async fn release_expired(
    db: &DatabaseConnection,
    now: DateTime<Utc>,
    account_id: Option<Uuid>,
) -> Result<u64, DbErr> {
    let mut expired = reservation::Entity::find().filter(reservation::Column::ExpiresAt.lte(now));
    if let Some(account_id) = account_id {
        expired = expired.filter(reservation::Column::AccountId.eq(account_id));
    }
    let mut released = 0;
    for row in expired.all(db).await? {
        released += write(db, async |transaction| give_back(transaction, row.id).await).await?;
    }
    Ok(released)
}

/// How many were given back: none when another has settled it or given it back meanwhile.
async fn give_back(transaction: &DatabaseTransaction, id: Uuid) -> Result<u64, DbErr> {
    let Some(row) = reservation::Entity::find_by_id(id).lock_exclusive().one(transaction).await? else {
        return Ok(0);
    };
    reservation::Entity::delete_by_id(id).exec(transaction).await?;
    let settled = Settled { reserved: row.numbers, used: 0 };
    change_allowance(transaction, row.account_id, row.month, settled).await?;
    Ok(1)
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
    Ok(deleted.iter().map(|deleted| deleted.rows_affected).sum())
}
