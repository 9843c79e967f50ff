//! `batch_runs`: runs over many numbers.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "batch_runs")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub member_id: Uuid,
    pub asked_by: Uuid,
    pub token: Uuid,
    pub file_name: Option<String>,
    pub first_text: String,
    pub hmrc_requester: Option<String>,
    pub vies_requester: Option<String>,
    pub supplier_country: Option<String>,
    pub max_age_seconds: i32,
    pub state: RunState,
    pub stop_reason: Option<StopReason>,
    pub created_at: DateTimeUtc,
    pub queued_at: DateTimeUtc,
    pub ended_at: Option<DateTimeUtc>,
    pub parts: i32,
    pub turn_at: DateTimeUtc,
    pub pause: Option<PauseReason>,
    pub lease_until: Option<DateTimeUtc>,
    pub rows: i32,
    pub valid: i32,
    pub not_registered: i32,
    pub malformed: i32,
    pub unsupported: i32,
    pub unavailable: i32,
    #[sea_orm(belongs_to, from = "member_id", to = "id")]
    pub member: HasOne<super::member::Entity>,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(8))")]
pub enum RunState {
    /// Rows wait, and are asked.
    #[sea_orm(string_value = "running")]
    Running,
    /// Rows wait, and nobody is asked before a member sends it on.
    #[sea_orm(string_value = "stopped")]
    Stopped,
    /// No row waits.
    #[sea_orm(string_value = "done")]
    Done,
}

/// Why a run was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(24))")]
pub enum StopReason {
    /// A member stopped it.
    #[sea_orm(string_value = "asked")]
    Asked,
    /// The month's allowance is used up.
    #[sea_orm(string_value = "allowance_used_up")]
    AllowanceUsedUp,
    /// The account is not served at present.
    #[sea_orm(string_value = "account_suspended")]
    AccountSuspended,
    /// The member on whose behalf it was asked was removed, or may only look now.
    #[sea_orm(string_value = "member_left")]
    MemberLeft,
}

/// Why a run waits, by itself and for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(24))")]
pub enum PauseReason {
    /// The account's rate limit is used up.
    #[sea_orm(string_value = "rate_limit")]
    RateLimit,
    /// Answers cannot be recorded.
    #[sea_orm(string_value = "not_recorded")]
    NotRecorded,
    /// The registries have too much to do.
    #[sea_orm(string_value = "registries_busy")]
    RegistriesBusy,
}

impl ActiveModelBehavior for ActiveModel {}
