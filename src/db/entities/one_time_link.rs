//! `one_time_links`: the hashes of links that were sent.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

use super::api_key::KeyMode;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "one_time_links")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    #[sea_orm(unique)]
    pub secret_hash: Vec<u8>,
    pub purpose: Purpose,
    pub account_id: Option<Uuid>,
    pub member_id: Option<Uuid>,
    pub staff_id: Option<Uuid>,
    pub created_at: DateTimeUtc,
    pub expires_at: DateTimeUtc,
    pub opened_at: Option<DateTimeUtc>,
    pub used_at: Option<DateTimeUtc>,
    pub withdrawn_at: Option<DateTimeUtc>,
    pub key_name: Option<String>,
    pub key_mode: Option<KeyMode>,
    #[sea_orm(belongs_to, from = "account_id", to = "id")]
    pub account: HasOne<super::account::Entity>,
    #[sea_orm(belongs_to, from = "member_id", to = "id")]
    pub member: HasOne<super::member::Entity>,
}

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
pub enum Purpose {
    /// The address is the person's own.
    #[sea_orm(string_value = "confirm_address")]
    ConfirmAddress,
    /// To choose a password in place of one that was forgotten.
    #[sea_orm(string_value = "reset_password")]
    ResetPassword,
    /// To take a key that support has prepared, and to choose a password if there is none.
    #[sea_orm(string_value = "claim_key")]
    ClaimKey,
    /// To choose a password and come into an account.
    #[sea_orm(string_value = "invitation")]
    Invitation,
    /// To choose a password as one of the support staff.
    #[sea_orm(string_value = "join_staff")]
    JoinStaff,
}

impl Purpose {
    pub const ALL: [Self; 5] =
        [Self::ConfirmAddress, Self::ResetPassword, Self::ClaimKey, Self::Invitation, Self::JoinStaff];
    /// Who follows one of these chooses a password, whether or not there is one. With a link to a key only somebody does who
    /// has none.
    pub const CHOOSING_A_PASSWORD: [Self; 3] = [Self::ResetPassword, Self::Invitation, Self::JoinStaff];
}

impl ActiveModelBehavior for ActiveModel {}
