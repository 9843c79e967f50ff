//! The queries of `early_access`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait,
    IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::KeyRequestState;
pub(super) use crate::db::entities::key_request::Model as RequestRow;
use crate::db::entities::{
    key_request::{ActiveModel, Column, Entity},
    member,
};

pub(super) type RequestWithAsker = (RequestRow, Option<member::Model>);

pub(super) struct Decision<'a> {
    pub(super) state: KeyRequestState,
    pub(super) reason: Option<&'a str>,
    pub(super) decided_by: Option<Uuid>,
    pub(super) decided_at: DateTime<Utc>,
}

pub(super) async fn is_member(
    transaction: &impl ConnectionTrait,
    account_id: Uuid,
    member: Uuid,
) -> Result<bool, DbErr> {
    let row = member::Entity::find_by_id(member).one(transaction).await?;
    Ok(row.is_some_and(|row| row.account_id == account_id && row.removed_at.is_none()))
}

pub(super) async fn has_open(transaction: &impl ConnectionTrait, account_id: Uuid) -> Result<bool, DbErr> {
    let open = Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::State.eq(KeyRequestState::Open));
    Ok(open.count(transaction).await? > 0)
}

pub(super) async fn insert(transaction: &impl ConnectionTrait, row: RequestRow) -> Result<(), DbErr> {
    Entity::insert(row.into_active_model()).exec_without_returning(transaction).await?;
    Ok(())
}

pub(super) async fn open_requests(db: &DatabaseConnection) -> Result<Vec<RequestWithAsker>, DbErr> {
    Entity::find()
        .filter(Column::State.eq(KeyRequestState::Open))
        .find_also_related(member::Entity)
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .all(db)
        .await
}

pub(super) async fn of_account(
    db: &DatabaseConnection,
    account_id: Uuid,
) -> Result<Vec<RequestWithAsker>, DbErr> {
    Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .find_also_related(member::Entity)
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .all(db)
        .await
}

pub(super) async fn find(db: &DatabaseConnection, request: Uuid) -> Result<Option<RequestWithAsker>, DbErr> {
    Entity::find_by_id(request).find_also_related(member::Entity).one(db).await
}

/// Nobody else changes it until the transaction ends.
pub(super) async fn find_to_change(
    transaction: &impl ConnectionTrait,
    request: Uuid,
) -> Result<Option<RequestRow>, DbErr> {
    Entity::find_by_id(request).lock_exclusive().one(transaction).await
}

pub(super) async fn decide(
    transaction: &impl ConnectionTrait,
    request: Uuid,
    decision: Decision<'_>,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        id: Set(request),
        state: Set(decision.state),
        reason: Set(decision.reason.map(str::to_owned)),
        decided_by: Set(decision.decided_by),
        decided_at: Set(Some(decision.decided_at)),
        ..Default::default()
    };
    row.update(transaction).await?;
    Ok(())
}
