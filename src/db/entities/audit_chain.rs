//! `audit_chain`: one row that says where the chain of audit events ends and what its first one follows.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_chain")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i16,
    pub sequence: i64,
    pub hash: Vec<u8>,
    pub anchor_sequence: i64,
    pub anchor_hash: Vec<u8>,
}

impl ActiveModelBehavior for ActiveModel {}
