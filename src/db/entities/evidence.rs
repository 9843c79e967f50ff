//! `evidence`: every question put to a registry, and what it said.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "evidence")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub vat_number: String,
    pub registry: String,
    pub outcome: EvidenceOutcome,
    pub reason: Option<String>,
    pub requester: Option<String>,
    pub requester_refused: bool,
    pub name: Option<String>,
    pub address: Option<String>,
    pub consultation_number: Option<String>,
    pub registry_dated: Option<String>,
    pub received_at: DateTimeUtc,
    pub caller_kind: CallerKind,
    pub caller_id: Uuid,
    pub request_id: String,
    pub search_text: String,
}

/// What the registry said, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
pub enum EvidenceOutcome {
    #[sea_orm(string_value = "valid")]
    Valid,
    #[sea_orm(string_value = "not_registered")]
    NotRegistered,
    /// The registry refused the number's form.
    #[sea_orm(string_value = "malformed")]
    Malformed,
    #[sea_orm(string_value = "unavailable")]
    Unavailable,
}

/// Who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
pub enum CallerKind {
    #[sea_orm(string_value = "api_key")]
    ApiKey,
    #[sea_orm(string_value = "member")]
    Member,
}

impl ActiveModelBehavior for ActiveModel {}
