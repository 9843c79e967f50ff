//! The queries of `audit`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, sea_query::Query,
};
use uuid::Uuid;

use super::AuditEvent;
use crate::db::entities::audit_event::{Column, Entity};

pub(super) async fn insert(transaction: &impl ConnectionTrait, event: AuditEvent) -> Result<(), DbErr> {
    Entity::insert(event.into_active_model()).exec_without_returning(transaction).await?;
    Ok(())
}

pub(super) async fn of_account(db: &DatabaseConnection, account_id: Uuid) -> Result<Vec<AuditEvent>, DbErr> {
    Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .order_by_asc(Column::At)
        .order_by_asc(Column::Id)
        .all(db)
        .await
}

/// Deletes up to `most` events from before a moment. How many these were.
pub(super) async fn delete_some_before(
    transaction: &impl ConnectionTrait,
    moment: DateTime<Utc>,
    most: u64,
) -> Result<u64, DbErr> {
    let old =
        Query::select().column(Column::Id).from(Entity).and_where(Column::At.lt(moment)).limit(most).take();
    let deleted = Entity::delete_many().filter(Column::Id.in_subquery(old)).exec(transaction).await?;
    Ok(deleted.rows_affected)
}
