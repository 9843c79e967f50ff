//! The queries of `audit` that write.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::{AuditEvent, chain::Link};
use crate::db::entities::{
    audit_chain,
    audit_event::{Column, Entity},
};

const THE_ROW: i16 = 1;

pub(super) async fn insert(transaction: &impl ConnectionTrait, event: AuditEvent) -> Result<(), DbErr> {
    Entity::insert(event.into_active_model()).exec_without_returning(transaction).await?;
    Ok(())
}

/// The last event, which nobody else follows until the transaction ends. SQLite has one writer and needs no lock.
pub(super) async fn lock_end(transaction: &impl ConnectionTrait) -> Result<Link, DbErr> {
    let row = audit_chain::Entity::find_by_id(THE_ROW).lock_exclusive().one(transaction).await?;
    let row = row.ok_or_else(lost)?;
    Link::stored(row.sequence, &row.hash)
}

pub(super) async fn move_end(transaction: &impl ConnectionTrait, end: Link) -> Result<(), DbErr> {
    let row = audit_chain::ActiveModel {
        id: Set(THE_ROW),
        sequence: Set(end.sequence),
        hash: Set(end.hash.bytes().to_vec()),
        ..Default::default()
    };
    row.update(transaction).await?;
    Ok(())
}

pub(super) async fn move_anchor(transaction: &impl ConnectionTrait, anchor: Link) -> Result<(), DbErr> {
    let row = audit_chain::ActiveModel {
        id: Set(THE_ROW),
        anchor_sequence: Set(anchor.sequence),
        anchor_hash: Set(anchor.hash.bytes().to_vec()),
        ..Default::default()
    };
    row.update(transaction).await?;
    Ok(())
}

/// The end of the chain, and what its first event follows.
pub(super) async fn ends(db: &impl ConnectionTrait) -> Result<(Link, Link), DbErr> {
    let row = audit_chain::Entity::find_by_id(THE_ROW).one(db).await?.ok_or_else(lost)?;
    Ok((Link::stored(row.sequence, &row.hash)?, Link::stored(row.anchor_sequence, &row.anchor_hash)?))
}

/// The last of the first `most` events that are all from before a moment.
pub(super) async fn last_of_oldest(
    transaction: &impl ConnectionTrait,
    moment: DateTime<Utc>,
    most: u64,
) -> Result<Option<Link>, DbErr> {
    let oldest: Vec<(i64, DateTime<Utc>, Vec<u8>)> = Entity::find()
        .select_only()
        .columns([Column::Sequence, Column::At, Column::Hash])
        .order_by_asc(Column::Sequence)
        .limit(most)
        .into_tuple()
        .all(transaction)
        .await?;
    let over = oldest.into_iter().take_while(|(_, at, _)| *at < moment).last();
    over.map(|(sequence, _, hash)| Link::stored(sequence, &hash)).transpose()
}

/// Deletes the events up to a number. How many these were.
pub(super) async fn delete_up_to(transaction: &impl ConnectionTrait, sequence: i64) -> Result<u64, DbErr> {
    let deleted = Entity::delete_many().filter(Column::Sequence.lte(sequence)).exec(transaction).await?;
    Ok(deleted.rows_affected)
}

fn lost() -> DbErr {
    DbErr::RecordNotFound("audit_chain has lost its row".to_owned())
}
