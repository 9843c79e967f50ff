//! The queries of `api_keys`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait,
    IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, sea_query::OnConflict,
};
use uuid::Uuid;

use super::{ApiKey, Caller, IssuedKey, NewKey};
pub(super) use crate::db::entities::api_key::Model as KeyRow;
use crate::{
    audit::Actor,
    db::{
        AccountTerms,
        entities::{
            account,
            api_key::{ActiveModel, Column, Entity},
            plan,
        },
    },
};

pub(super) enum Change {
    Name(String),
    RevokedAt { at: DateTime<Utc>, reason: Option<String> },
    RotatedTo { key: Uuid, expires_at: DateTime<Utc> },
}

/// Whether it was not there.
pub(super) async fn insert(
    transaction: &impl ConnectionTrait,
    new: &NewKey<'_>,
    issued: &IssuedKey,
    actor: &Actor,
    now: DateTime<Utc>,
) -> Result<bool, DbErr> {
    let row = KeyRow {
        id: issued.id,
        account_id: new.account_id,
        name: new.name.to_owned(),
        mode: new.mode,
        last_four: issued.secret.last_four().to_owned(),
        secret_hash: issued.secret.hash().to_vec(),
        created_at: now,
        expires_at: new.expires_at,
        revoked_at: None,
        made_by_kind: actor.kind(),
        made_by_id: actor.id(),
        last_used_at: None,
        rotated_to: None,
    };
    let inserted = Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::column(Column::Id).do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await;
    match inserted {
        Ok(rows) => Ok(rows > 0),
        Err(DbErr::RecordNotInserted) => Ok(false),
        Err(error) => Err(error),
    }
}

pub(super) async fn find(db: &impl ConnectionTrait, key: Uuid) -> Result<Option<KeyRow>, DbErr> {
    Entity::find_by_id(key).one(db).await
}

pub(super) async fn with_hash(db: &impl ConnectionTrait, hash: &[u8; 32]) -> Result<Option<KeyRow>, DbErr> {
    Entity::find().filter(Column::SecretHash.eq(hash.to_vec())).one(db).await
}

/// Nobody else changes it until the transaction ends.
pub(super) async fn find_to_change(
    transaction: &impl ConnectionTrait,
    key: Uuid,
) -> Result<Option<KeyRow>, DbErr> {
    Entity::find_by_id(key).lock_exclusive().one(transaction).await
}

pub(super) async fn list(
    db: &DatabaseConnection,
    account_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<ApiKey>, DbErr> {
    let rows = Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .all(db)
        .await?;
    Ok(rows.into_iter().map(|row| ApiKey::of(row, now)).collect())
}

pub(super) async fn change(
    transaction: &impl ConnectionTrait,
    key: Uuid,
    change: Change,
) -> Result<(), DbErr> {
    let mut row = ActiveModel { id: Set(key), ..Default::default() };
    match change {
        Change::Name(name) => row.name = Set(name),
        Change::RevokedAt { at, .. } => row.revoked_at = Set(Some(at)),
        Change::RotatedTo { key, expires_at } => {
            row.rotated_to = Set(Some(key));
            row.expires_at = Set(Some(expires_at));
        }
    }
    row.update(transaction).await?;
    Ok(())
}

/// The key with this hash, with its account and plan.
pub(super) async fn present(db: &DatabaseConnection, hash: &[u8; 32]) -> Result<Option<Caller>, DbErr> {
    let found = Entity::find()
        .filter(Column::SecretHash.eq(hash.to_vec()))
        .find_also_related(account::Entity)
        .one(db)
        .await?;
    let Some((key, account)) = found else { return Ok(None) };
    let account = account.ok_or_else(|| DbErr::RecordNotFound(format!("the account of key {}", key.id)))?;
    let plan = plan::Entity::find_by_id(account.plan.clone())
        .one(db)
        .await?
        .ok_or_else(|| DbErr::RecordNotFound(format!("the plan of account {}", account.id)))?;
    Ok(Some(Caller::new(key, AccountTerms::of(&account, &plan))))
}
