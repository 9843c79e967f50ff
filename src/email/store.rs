//! The queries of the outbox.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

pub(super) use crate::db::entities::outbox_letter::Model as OutboxRow;
use crate::db::entities::outbox_letter::{Column, Entity};

pub(super) async fn insert(transaction: &impl ConnectionTrait, row: OutboxRow) -> Result<(), DbErr> {
    Entity::insert(row.into_active_model()).exec_without_returning(transaction).await?;
    Ok(())
}

/// The letter that has been due for the longest; of those that were written by some moment, where one is given.
pub(super) async fn next_due(
    db: &DatabaseConnection,
    now: DateTime<Utc>,
    written_by: Option<DateTime<Utc>>,
) -> Result<Option<OutboxRow>, DbErr> {
    let mut due = Entity::find().filter(Column::NextTryAt.lte(now));
    if let Some(moment) = written_by {
        due = due.filter(Column::WrittenAt.lte(moment));
    }
    due.order_by_asc(Column::NextTryAt).order_by_asc(Column::Id).limit(1).one(db).await
}

/// Takes a letter up for one more try, unless somebody did since it was read. Nobody else does before `until`.
pub(super) async fn take_up(
    transaction: &impl ConnectionTrait,
    row: &OutboxRow,
    until: DateTime<Utc>,
) -> Result<bool, DbErr> {
    let taken = Entity::update_many()
        .col_expr(Column::Tries, Expr::value(row.tries.saturating_add(1)))
        .col_expr(Column::NextTryAt, Expr::value(until))
        .filter(Column::Id.eq(row.id))
        .filter(Column::Tries.eq(row.tries))
        .exec(transaction)
        .await?;
    Ok(taken.rows_affected > 0)
}

/// Has a letter tried again at a moment, unless somebody took it up since this was the `tries`th try.
pub(super) async fn put_off(
    transaction: &impl ConnectionTrait,
    id: Uuid,
    tries: i32,
    until: DateTime<Utc>,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::NextTryAt, Expr::value(until))
        .filter(Column::Id.eq(id))
        .filter(Column::Tries.eq(tries))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Whether it was there.
pub(super) async fn delete(transaction: &impl ConnectionTrait, id: Uuid) -> Result<bool, DbErr> {
    Ok(Entity::delete_by_id(id).exec(transaction).await?.rows_affected > 0)
}
