//! `batch_rows`: the rows of runs over many numbers.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "batch_rows")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub run_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub place: i32,
    pub submitted: String,
    pub vat_number: String,
    pub country: String,
    pub first_place: i32,
    pub outcome: RowOutcome,
    pub tries: i16,
    pub reason: Option<String>,
    pub registry: Option<String>,
    pub requester: Option<String>,
    pub requester_refused: bool,
    pub name: Option<String>,
    pub address: Option<String>,
    pub consultation_number: Option<String>,
    pub evidence_id: Option<Uuid>,
    pub decided_at: Option<DateTimeUtc>,
    pub search_text: String,
    pub name_key: Option<String>,
    pub line: Option<i32>,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
pub enum RowOutcome {
    /// It was not asked yet, or in vain and is asked again.
    #[sea_orm(string_value = "waiting")]
    Waiting,
    #[sea_orm(string_value = "valid")]
    Valid,
    #[sea_orm(string_value = "not_registered")]
    NotRegistered,
    #[sea_orm(string_value = "malformed")]
    Malformed,
    #[sea_orm(string_value = "unsupported")]
    Unsupported,
    #[sea_orm(string_value = "unavailable")]
    Unavailable,
}

impl ActiveModelBehavior for ActiveModel {}
