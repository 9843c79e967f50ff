//! The queries of `evidence`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter, QueryOrder,
};
use uuid::Uuid;

use super::{EvidenceOutcome, EvidenceRow};
use crate::db::entities::evidence::{Column, Entity};

pub(super) async fn answers_since(
    db: &DatabaseConnection,
    account: Uuid,
    numbers: Vec<&str>,
    since: DateTime<Utc>,
) -> Result<Vec<EvidenceRow>, DbErr> {
    Entity::find()
        .filter(Column::AccountId.eq(account))
        .filter(Column::VatNumber.is_in(numbers))
        .filter(Column::ReceivedAt.gte(since))
        .filter(Column::Outcome.ne(EvidenceOutcome::Unavailable))
        .order_by_desc(Column::ReceivedAt)
        .all(db)
        .await
}

pub(super) async fn delete_before(
    transaction: &impl ConnectionTrait,
    moment: DateTime<Utc>,
) -> Result<u64, DbErr> {
    Ok(Entity::delete_many().filter(Column::ReceivedAt.lt(moment)).exec(transaction).await?.rows_affected)
}
