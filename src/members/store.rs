//! The queries of `members`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, OnConflict},
};
use uuid::Uuid;

use super::{MemberError, Role};
pub(super) use crate::db::entities::member::Model as MemberRow;
use crate::{
    db::entities::{
        account,
        member::{ActiveModel, Column, Entity},
    },
    people::EmailAddress,
};

pub(super) struct NewRow<'a> {
    pub(super) id: Uuid,
    pub(super) account_id: Uuid,
    pub(super) email: &'a EmailAddress,
    pub(super) name: &'a str,
    pub(super) role: Role,
    pub(super) password_hash: Option<String>,
    pub(super) now: DateTime<Utc>,
}

pub(super) enum Change {
    Role(Role),
    ConfirmedAt(DateTime<Utc>),
    Password(String),
    FirstPassword { hash: String, confirmed_at: DateTime<Utc> },
    RemovedAt(DateTime<Utc>),
}

pub(super) async fn find(db: &impl ConnectionTrait, member: Uuid) -> Result<Option<MemberRow>, DbErr> {
    Entity::find_by_id(member).one(db).await
}

/// Nobody else changes it until the transaction ends.
pub(super) async fn find_to_change(
    transaction: &impl ConnectionTrait,
    member: Uuid,
) -> Result<Option<MemberRow>, DbErr> {
    Entity::find_by_id(member).lock_exclusive().one(transaction).await
}

/// Who was removed has no address.
pub(super) async fn by_email(
    db: &impl ConnectionTrait,
    email: &EmailAddress,
) -> Result<Option<MemberRow>, DbErr> {
    Entity::find().filter(Column::Email.eq(email.as_str())).filter(Column::RemovedAt.is_null()).one(db).await
}

pub(super) async fn of_account(db: &DatabaseConnection, account_id: Uuid) -> Result<Vec<MemberRow>, DbErr> {
    Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .order_by_asc(Column::Name)
        .order_by_asc(Column::Id)
        .all(db)
        .await
}

pub(super) async fn account_name(db: &impl ConnectionTrait, account: Uuid) -> Result<Option<String>, DbErr> {
    Ok(account::Entity::find_by_id(account).one(db).await?.map(|account| account.name))
}

pub(super) async fn owners(transaction: &impl ConnectionTrait, account_id: Uuid) -> Result<u64, DbErr> {
    Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Role.eq(Role::Owner))
        .filter(Column::RemovedAt.is_null())
        .count(transaction)
        .await
}

/// The owner who became one first.
pub(super) async fn first_owner(
    transaction: &impl ConnectionTrait,
    account_id: Uuid,
) -> Result<Option<Uuid>, DbErr> {
    let owner = Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Role.eq(Role::Owner))
        .filter(Column::RemovedAt.is_null())
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .one(transaction)
        .await?;
    Ok(owner.map(|owner| owner.id))
}

/// Under the account's lock, so that of two who add the same address to it one finds the other's.
pub(super) async fn insert(transaction: &impl ConnectionTrait, new: NewRow<'_>) -> Result<Uuid, MemberError> {
    match by_email(transaction, new.email).await? {
        None => {}
        Some(row) if row.account_id == new.account_id => return Err(MemberError::AlreadyMember),
        Some(_) => return Err(MemberError::AddressTaken),
    }
    free_address(transaction, new.email).await?;
    insert_row(transaction, new).await
}

/// Members who were removed before addresses were freed by it have theirs still.
async fn free_address(transaction: &impl ConnectionTrait, email: &EmailAddress) -> Result<(), DbErr> {
    let removed = Entity::find()
        .filter(Column::Email.eq(email.as_str()))
        .filter(Column::RemovedAt.is_not_null())
        .one(transaction)
        .await?;
    let Some(row) = removed else { return Ok(()) };
    let freed =
        ActiveModel { id: Set(row.id), email: Set(MemberRow::no_address(row.id)), ..Default::default() };
    freed.update(transaction).await?;
    Ok(())
}

async fn insert_row(transaction: &impl ConnectionTrait, new: NewRow<'_>) -> Result<Uuid, MemberError> {
    let row = MemberRow {
        id: new.id,
        account_id: new.account_id,
        email: new.email.as_str().to_owned(),
        name: new.name.to_owned(),
        role: new.role,
        password_hash: new.password_hash,
        confirmed_at: None,
        created_at: new.now,
        removed_at: None,
    };
    let inserted = Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::column(Column::Email).do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await;
    match inserted {
        // Another account was quicker.
        Ok(0) | Err(DbErr::RecordNotInserted) => Err(MemberError::AddressTaken),
        Ok(_) => Ok(new.id),
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn change(
    transaction: &impl ConnectionTrait,
    member: Uuid,
    change: Change,
) -> Result<(), DbErr> {
    let mut row = ActiveModel { id: Set(member), ..Default::default() };
    match change {
        Change::Role(role) => row.role = Set(role),
        Change::ConfirmedAt(now) => row.confirmed_at = Set(Some(now)),
        Change::Password(hash) => row.password_hash = Set(Some(hash)),
        Change::FirstPassword { hash, confirmed_at } => {
            row.password_hash = Set(Some(hash));
            row.confirmed_at = Set(Some(confirmed_at));
        }
        Change::RemovedAt(now) => {
            row.removed_at = Set(Some(now));
            row.email = Set(MemberRow::no_address(member));
            row.password_hash = Set(None);
        }
    }
    row.update(transaction).await?;
    Ok(())
}

/// Keeps the same password in another way, unless it was changed meanwhile. Whether it does.
pub(super) async fn keep_anew(db: &DatabaseConnection, row: &MemberRow, hash: String) -> Result<bool, DbErr> {
    let kept = Entity::update_many()
        .col_expr(Column::PasswordHash, Expr::value(hash))
        .filter(Column::Id.eq(row.id))
        .filter(Column::PasswordHash.eq(row.password_hash.clone()))
        .exec(db)
        .await?;
    Ok(kept.rows_affected == 1)
}
