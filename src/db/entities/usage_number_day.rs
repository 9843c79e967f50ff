//! `usage_number_days`: numbers by day, caller, registry, status and source, of days that are over.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

use super::api_key::KeyMode;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "usage_number_days")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: Date,
    #[sea_orm(primary_key, auto_increment = false)]
    pub caller_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub mode: KeyMode,
    #[sea_orm(primary_key, auto_increment = false)]
    pub registry: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub status: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub source: String,
    pub count: i64,
}

impl ActiveModelBehavior for ActiveModel {}
