//! `outbox`: mail that waits to be sent.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub kind: MessageKind,
    pub recipient: String,
    pub subject: String,
    pub body: String,
    pub written_at: DateTimeUtc,
    pub next_try_at: DateTimeUtc,
    pub tries: i32,
}

/// What a letter is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(32))", rename_all = "snake_case")]
pub enum MessageKind {
    ConfirmAddress,
    ResetPassword,
    ClaimKey,
    KeyRequestApproved,
    KeyRequestDeclined,
    KeyRequestFiled,
    AddressHasAccount,
    PasswordChanged,
    Invitation,
    JoinStaff,
    ResetStaffPassword,
    SecondFactorSetUp,
    SecondFactorRemoved,
    RecoveryCodeUsed,
    SignedOutBySupport,
}

impl ActiveModelBehavior for ActiveModel {}
