//! The queries of `staff`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect,
    sea_query::{Expr, OnConflict},
};
use uuid::Uuid;

use super::StaffError;
pub(super) use crate::db::entities::support_staff::Model as StaffRow;
use crate::{
    db::entities::support_staff::{Column, Entity},
    people::EmailAddress,
};

pub(super) async fn insert(transaction: &impl ConnectionTrait, row: StaffRow) -> Result<(), StaffError> {
    let inserted = Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::column(Column::Email).do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await;
    match inserted {
        Ok(0) | Err(DbErr::RecordNotInserted) => Err(StaffError::AddressTaken),
        Ok(_) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn find(db: &impl ConnectionTrait, person: Uuid) -> Result<Option<StaffRow>, DbErr> {
    Entity::find_by_id(person).one(db).await
}

pub(super) async fn by_email(
    db: &impl ConnectionTrait,
    email: &EmailAddress,
) -> Result<Option<StaffRow>, DbErr> {
    Entity::find().filter(Column::Email.eq(email.as_str())).one(db).await
}

pub(super) async fn all(db: &DatabaseConnection) -> Result<Vec<StaffRow>, DbErr> {
    Entity::find().order_by_asc(Column::Name).order_by_asc(Column::Id).all(db).await
}

/// Nobody else changes it until the transaction ends.
pub(super) async fn find_to_change(
    transaction: &impl ConnectionTrait,
    person: Uuid,
) -> Result<Option<StaffRow>, DbErr> {
    Entity::find_by_id(person).lock_exclusive().one(transaction).await
}

/// Everybody who is allowed in; nobody else changes who that is until the transaction ends.
pub(super) async fn lock_allowed_in(transaction: &impl ConnectionTrait) -> Result<Vec<Uuid>, DbErr> {
    let locked = Entity::find().order_by_asc(Column::Id).lock_exclusive().all(transaction).await?;
    Ok(locked.into_iter().filter(|row| row.disabled_at.is_none()).map(|row| row.id).collect())
}

pub(super) async fn set_password(
    transaction: &impl ConnectionTrait,
    person: Uuid,
    hash: String,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::PasswordHash, Expr::value(hash))
        .filter(Column::Id.eq(person))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Whether there was somebody to disable.
pub(super) async fn disable(
    transaction: &impl ConnectionTrait,
    person: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, DbErr> {
    let disabled = Entity::update_many()
        .col_expr(Column::DisabledAt, Expr::value(now))
        .filter(Column::Id.eq(person))
        .filter(Column::DisabledAt.is_null())
        .exec(transaction)
        .await?;
    Ok(disabled.rows_affected == 1)
}

/// Keeps the same password in another way, unless it was changed meanwhile. Whether it does.
pub(super) async fn keep_anew(db: &DatabaseConnection, row: &StaffRow, hash: String) -> Result<bool, DbErr> {
    let kept = Entity::update_many()
        .col_expr(Column::PasswordHash, Expr::value(hash))
        .filter(Column::Id.eq(row.id))
        .filter(Column::PasswordHash.eq(row.password_hash.clone()))
        .exec(db)
        .await?;
    Ok(kept.rows_affected == 1)
}
