//! `registry_holds`: what support staff said last of breakers.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "registry_holds")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub part: String,
    pub id: Uuid,
    pub since: DateTimeUtc,
    pub until: Option<DateTimeUtc>,
    pub closed_at: Option<DateTimeUtc>,
    pub reason: String,
    pub staff_id: Uuid,
}

impl ActiveModelBehavior for ActiveModel {}
