//! `key_requests`: who asked for keys, and what was answered.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

use super::evidence::EvidenceOutcome;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "key_requests")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub member_id: Uuid,
    pub company: String,
    pub vat_number: Option<String>,
    pub intended_use: String,
    pub expected_volume: ExpectedVolume,
    pub state: KeyRequestState,
    pub created_at: DateTimeUtc,
    pub decided_at: Option<DateTimeUtc>,
    pub decided_by: Option<Uuid>,
    pub reason: Option<String>,
    pub number_outcome: Option<EvidenceOutcome>,
    pub number_trader: Option<String>,
    pub number_asked_at: Option<DateTimeUtc>,
    #[sea_orm(belongs_to, from = "member_id", to = "id")]
    pub member: HasOne<super::member::Entity>,
}

/// How many numbers a month are expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
pub enum ExpectedVolume {
    #[sea_orm(string_value = "up_to_1000")]
    UpTo1000,
    #[sea_orm(string_value = "up_to_10000")]
    UpTo10000,
    #[sea_orm(string_value = "up_to_50000")]
    UpTo50000,
    #[sea_orm(string_value = "more")]
    More,
}

/// Where a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
pub enum KeyRequestState {
    /// It waits for support.
    #[sea_orm(string_value = "open")]
    Open,
    /// The account may make keys.
    #[sea_orm(string_value = "approved")]
    Approved,
    /// Support said no, and why.
    #[sea_orm(string_value = "declined")]
    Declined,
    /// The account took it back.
    #[sea_orm(string_value = "withdrawn")]
    Withdrawn,
}

impl ActiveModelBehavior for ActiveModel {}
