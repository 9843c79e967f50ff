//! The queries of `api_keys`.

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::{Caller, NewSecret};
use crate::db::entities::{
    account::{self, AccountState},
    api_key::{ActiveModel, Column, Entity, KeyMode},
};

pub(super) struct NewKey<'a> {
    pub(super) id: Uuid,
    pub(super) account_id: Uuid,
    pub(super) name: &'a str,
    pub(super) expires_at: Option<DateTime<Utc>>,
    pub(super) created_at: DateTime<Utc>,
}

/// A key with what decides whether it opens anything.
pub(super) struct FoundKey {
    pub(super) caller: Caller,
    pub(super) revoked: bool,
    pub(super) expires_at: Option<DateTime<Utc>>,
    pub(super) account_suspended: bool,
}

pub(super) async fn insert(
    db: &DatabaseConnection,
    key: NewKey<'_>,
    secret: &NewSecret,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        id: Set(key.id),
        account_id: Set(key.account_id),
        name: Set(key.name.to_owned()),
        mode: Set(KeyMode::Live),
        last_four: Set(secret.last_four().to_owned()),
        secret_hash: Set(secret.hash().to_vec()),
        created_at: Set(key.created_at),
        expires_at: Set(key.expires_at),
        revoked_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(db).await?;
    Ok(())
}

pub(super) async fn find(db: &DatabaseConnection, hash: &[u8; 32]) -> Result<Option<FoundKey>, DbErr> {
    let found = Entity::find()
        .filter(Column::SecretHash.eq(hash.to_vec()))
        .find_also_related(account::Entity)
        .one(db)
        .await?;
    Ok(found.map(|(key, account)| FoundKey {
        caller: Caller { account_id: key.account_id, key_id: key.id },
        revoked: key.revoked_at.is_some(),
        expires_at: key.expires_at,
        account_suspended: account.is_none_or(|account| account.state != AccountState::Active),
    }))
}
