//! The queries of `audit`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder,
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

pub(super) async fn delete_before(
    transaction: &impl ConnectionTrait,
    moment: DateTime<Utc>,
) -> Result<u64, DbErr> {
    Ok(Entity::delete_many().filter(Column::At.lt(moment)).exec(transaction).await?.rows_affected)
}
