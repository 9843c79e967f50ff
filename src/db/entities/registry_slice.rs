//! `registry_slices`: what the lookups of five minutes said of a registry or member state.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "registry_slices")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub starts_at: DateTimeUtc,
    #[sea_orm(primary_key, auto_increment = false)]
    pub part: String,
    pub answering: i64,
    pub slow: i64,
    pub refusing: i64,
}

impl ActiveModelBehavior for ActiveModel {}
