//! `accounts`: who the service works for.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "accounts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    #[sea_orm(unique)]
    pub name: String,
    pub state: AccountState,
    pub created_at: DateTimeUtc,
    pub plan: String,
    pub requests_per_minute: Option<i32>,
    pub numbers_per_month: Option<i64>,
    pub gb_requester: Option<String>,
    pub eu_requester: Option<String>,
    pub supplier_country: Option<String>,
    pub max_age_seconds: i32,
    pub folded_name: String,
    pub second_factor_demanded: bool,
    #[sea_orm(has_many)]
    pub api_keys: HasMany<super::api_key::Entity>,
}

/// Whether an account is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
pub enum AccountState {
    #[sea_orm(string_value = "active")]
    Active,
    #[sea_orm(string_value = "suspended")]
    Suspended,
}

impl ActiveModelBehavior for ActiveModel {}
