//! `api_keys`: the hashes of the keys that were issued.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

use super::audit_event::ActorKind;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_keys")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub name: String,
    pub mode: KeyMode,
    pub last_four: String,
    #[sea_orm(unique)]
    pub secret_hash: Vec<u8>,
    pub created_at: DateTimeUtc,
    pub expires_at: Option<DateTimeUtc>,
    pub revoked_at: Option<DateTimeUtc>,
    pub made_by_kind: ActorKind,
    pub made_by_id: Option<Uuid>,
    pub last_used_at: Option<DateTimeUtc>,
    pub rotated_to: Option<Uuid>,
    #[sea_orm(belongs_to, from = "account_id", to = "id")]
    pub account: HasOne<super::account::Entity>,
}

/// What a key is for: live ones reach the registries, test ones the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(8))")]
pub enum KeyMode {
    #[sea_orm(string_value = "live")]
    Live,
    #[sea_orm(string_value = "test")]
    Test,
}

impl ActiveModelBehavior for ActiveModel {}
