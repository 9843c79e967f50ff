//! `sessions`: browsers that are signed in, or that hold something for a while.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sessions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub key_hash: Vec<u8>,
    pub data: String,
    pub expires_at: DateTimeUtc,
    pub member_id: Option<Uuid>,
    pub staff_id: Option<Uuid>,
    pub created_at: DateTimeUtc,
    pub last_seen_at: DateTimeUtc,
    pub client_address: Option<String>,
    pub user_agent: Option<String>,
}

impl ActiveModelBehavior for ActiveModel {}
