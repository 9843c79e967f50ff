//! `plans`: what an account may use unless something else was agreed with it.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "plans")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub code: String,
    pub name: String,
    pub requests_per_minute: i32,
    pub numbers_per_month: i64,
}

impl ActiveModelBehavior for ActiveModel {}
