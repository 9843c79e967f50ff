//! `audit_events`: who did what.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_events")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub sequence: i64,
    pub at: DateTimeUtc,
    pub deed: Deed,
    pub actor_kind: ActorKind,
    pub actor_id: Option<Uuid>,
    pub account_id: Option<Uuid>,
    pub subject_id: Option<Uuid>,
    pub detail: String,
    pub from_address: Option<String>,
    pub encoding: i16,
    pub hash: Vec<u8>,
}

/// What was done. Values are never renamed: they stand in rows that are never changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(40))", rename_all = "snake_case")]
pub enum Deed {
    AccountCreated,
    AccountSuspended,
    AccountRestored,
    AccountSettingsChanged,
    PlanChanged,
    KeyIssued,
    KeyRenamed,
    KeyRotated,
    KeyRevoked,
    DataPurged,
    MemberAdded,
    MemberRoleChanged,
    MemberRemoved,
    MemberSignedIn,
    AddressConfirmed,
    PasswordChanged,
    PasswordSet,
    PasswordRefused,
    SessionsEnded,
    StaffCreated,
    StaffDisabled,
    StaffSignedIn,
    SecondFactorSetUp,
    SecondFactorRemoved,
    SecondFactorRefused,
    SecondFactorsRenewed,
    RecoveryCodeUsed,
    RecoveryCodesRenewed,
    LinkIssued,
    LinkUsed,
    LinkWithdrawn,
    KeyRequested,
    KeyRequestApproved,
    KeyRequestDeclined,
    KeyRequestWithdrawn,
    BreakerOpened,
    BreakerClosed,
}

/// What kind of somebody did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
pub enum ActorKind {
    #[sea_orm(string_value = "command_line")]
    CommandLine,
    #[sea_orm(string_value = "member")]
    Member,
    #[sea_orm(string_value = "support")]
    Support,
    #[sea_orm(string_value = "visitor")]
    Visitor,
}

impl ActiveModelBehavior for ActiveModel {}
