//! An account's row as the lock of what must hold over several rows of the account: at least one owner, at most one open
//! request.

use sea_orm::{ConnectionTrait, DbErr, EntityTrait, QuerySelect, sea_query::LockType};
use uuid::Uuid;

use super::entities::account::{Entity, Model};

/// The account, which nobody else locks until the transaction ends. Calls are still answered.
///
/// # Errors
/// The database failed.
pub(crate) async fn lock_account(
    transaction: &impl ConnectionTrait,
    account: Uuid,
) -> Result<Option<Model>, DbErr> {
    // SQLite has one writer and needs no lock. `NO KEY` lets others add rows that refer to the account.
    Entity::find_by_id(account).lock(LockType::NoKeyUpdate).one(transaction).await
}
