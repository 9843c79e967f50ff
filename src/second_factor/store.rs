//! The queries of `second_factor`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

pub(super) use crate::db::entities::second_factor::Model as FactorRow;
use crate::{
    db::{
        entities::{
            member, recovery_code,
            second_factor::{Column, Entity},
            support_staff,
        },
        second_factor_of,
    },
    people::Person,
};

/// Whose a second factor is.
pub(super) struct Owner {
    pub(super) account_id: Option<Uuid>,
    pub(super) email: String,
}

/// `None` for somebody who was removed or disabled. Nobody else changes the person until the transaction ends.
pub(super) async fn lock_owner(
    transaction: &impl ConnectionTrait,
    person: Person,
) -> Result<Option<Owner>, DbErr> {
    match person {
        Person::Member(id) => {
            let row = member::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
            let row = row.filter(|row| row.removed_at.is_none());
            Ok(row.map(|row| Owner { account_id: Some(row.account_id), email: row.email }))
        }
        Person::Support(id) => {
            let row = support_staff::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
            let row = row.filter(|row| row.disabled_at.is_none());
            Ok(row.map(|row| Owner { account_id: None, email: row.email }))
        }
    }
}

pub(super) async fn find(db: &impl ConnectionTrait, person: Person) -> Result<Option<FactorRow>, DbErr> {
    Entity::find().filter(second_factor_of(person)).one(db).await
}

pub(super) async fn of_staff(db: &DatabaseConnection) -> Result<Vec<FactorRow>, DbErr> {
    Entity::find().filter(Column::StaffId.is_not_null()).all(db).await
}

pub(super) async fn insert(transaction: &impl ConnectionTrait, row: FactorRow) -> Result<(), DbErr> {
    Entity::insert(row.into_active_model()).exec_without_returning(transaction).await?;
    Ok(())
}

/// Whether a code of that step was still to come. Of any number who try at once, one is told so.
pub(super) async fn accept_step(db: &DatabaseConnection, factor: Uuid, step: i64) -> Result<bool, DbErr> {
    let accepted = Entity::update_many()
        .col_expr(Column::LastStep, Expr::value(step))
        .filter(Column::Id.eq(factor))
        .filter(Column::LastStep.lt(step))
        .exec(db)
        .await?;
    Ok(accepted.rows_affected == 1)
}

/// The rows that follow one by identifier.
pub(super) async fn part_after(
    db: &impl ConnectionTrait,
    after: Uuid,
    most: u64,
) -> Result<Vec<FactorRow>, DbErr> {
    Entity::find().filter(Column::Id.gt(after)).order_by_asc(Column::Id).limit(most).all(db).await
}

/// Puts another secret in the place of the one that `row` was read with. Whether it was still there.
pub(super) async fn exchange_secret(
    db: &impl ConnectionTrait,
    row: &FactorRow,
    secret: Vec<u8>,
) -> Result<bool, DbErr> {
    let exchanged = Entity::update_many()
        .col_expr(Column::Secret, Expr::value(secret))
        .filter(Column::Id.eq(row.id))
        .filter(Column::Secret.eq(row.secret.clone()))
        .exec(db)
        .await?;
    Ok(exchanged.rows_affected == 1)
}

pub(super) async fn insert_codes(
    transaction: &impl ConnectionTrait,
    factor: Uuid,
    hashes: impl Iterator<Item = [u8; 32]>,
) -> Result<(), DbErr> {
    let rows = hashes.map(|hash| recovery_code::ActiveModel {
        second_factor_id: Set(factor),
        code_hash: Set(hash.to_vec()),
        used_at: Set(None),
    });
    recovery_code::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    Ok(())
}

pub(super) async fn delete_codes(transaction: &impl ConnectionTrait, factor: Uuid) -> Result<(), DbErr> {
    let codes = recovery_code::Column::SecondFactorId.eq(factor);
    recovery_code::Entity::delete_many().filter(codes).exec(transaction).await?;
    Ok(())
}

/// Whether it was there and unused. Of any number who try at once, one is told so.
pub(super) async fn use_code(
    transaction: &impl ConnectionTrait,
    factor: Uuid,
    hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<bool, DbErr> {
    let used = recovery_code::Entity::update_many()
        .col_expr(recovery_code::Column::UsedAt, Expr::value(now))
        .filter(recovery_code::Column::SecondFactorId.eq(factor))
        .filter(recovery_code::Column::CodeHash.eq(hash.to_vec()))
        .filter(recovery_code::Column::UsedAt.is_null())
        .exec(transaction)
        .await?;
    Ok(used.rows_affected == 1)
}

pub(super) async fn unused_codes(db: &impl ConnectionTrait, factor: Uuid) -> Result<u64, DbErr> {
    recovery_code::Entity::find()
        .filter(recovery_code::Column::SecondFactorId.eq(factor))
        .filter(recovery_code::Column::UsedAt.is_null())
        .count(db)
        .await
}
