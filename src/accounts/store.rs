//! The queries of `accounts`.

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter};
use uuid::Uuid;

use crate::db::{
    entities::account::{AccountState, ActiveModel, Column, Entity},
    write_transaction,
};

/// One transaction, so that two callers cannot both make it.
pub(super) async fn find_or_insert(
    db: &DatabaseConnection,
    id: Uuid,
    name: &str,
    now: DateTime<Utc>,
) -> Result<Uuid, DbErr> {
    let transaction = write_transaction(db).await?;
    let found = Entity::find().filter(Column::Name.eq(name)).one(&transaction).await?;
    let id = if let Some(account) = found {
        account.id
    } else {
        let account = ActiveModel {
            id: Set(id),
            name: Set(name.to_owned()),
            state: Set(AccountState::Active),
            created_at: Set(now),
        };
        Entity::insert(account).exec_without_returning(&transaction).await?;
        id
    };
    transaction.commit().await?;
    Ok(id)
}
