//! `second_factors`: what the codes of a person's app are made of.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "second_factors")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    #[sea_orm(unique)]
    pub member_id: Option<Uuid>,
    #[sea_orm(unique)]
    pub staff_id: Option<Uuid>,
    pub secret: Vec<u8>,
    pub created_at: DateTimeUtc,
    pub last_step: i64,
}

impl ActiveModelBehavior for ActiveModel {}
