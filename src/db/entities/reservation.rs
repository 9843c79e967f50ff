//! `reservations`: numbers set aside for calls that are not settled yet.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "reservations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: Date,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub numbers: i64,
    pub expires_at: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}
