//! The queries of `evidence`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, sea_query::Query,
};
use uuid::Uuid;

use super::{EvidenceOutcome, EvidenceRow};
use crate::db::{
    entities::evidence::{Column, Entity},
    first_id_of,
};

/// A number that was asked anew all day has many answers. What lies behind so many is asked once more, which costs
/// something and is never wrong.
const MOST_ANSWERS: u64 = 5000;

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
        .limit(MOST_ANSWERS)
        .all(db)
        .await
}

/// Deletes up to `most` rows that are older than a moment. How many these were. Their identifiers, which lie in order, say
/// where to look; one that was made while the clock was ahead is found later.
pub(super) async fn delete_some_before(
    transaction: &impl ConnectionTrait,
    moment: DateTime<Utc>,
    most: u64,
) -> Result<u64, DbErr> {
    let old = Query::select()
        .column(Column::Id)
        .from(Entity)
        .and_where(Column::Id.lt(first_id_of(moment)))
        .and_where(Column::ReceivedAt.lt(moment))
        .limit(most)
        .take();
    let deleted = Entity::delete_many().filter(Column::Id.in_subquery(old)).exec(transaction).await?;
    Ok(deleted.rows_affected)
}
