//! `members`: the people of an account.

#![expect(missing_docs, reason = "columns are named as in the migration, which explains them")]

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "members")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    #[sea_orm(unique)]
    pub email: String,
    pub name: String,
    pub role: Role,
    pub password_hash: Option<String>,
    pub confirmed_at: Option<DateTimeUtc>,
    pub created_at: DateTimeUtc,
    pub removed_at: Option<DateTimeUtc>,
}

/// What a member may do in the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(8))")]
pub enum Role {
    /// Everything, settings and members too.
    #[sea_orm(string_value = "owner")]
    Owner,
    /// Makes keys and checks numbers.
    #[sea_orm(string_value = "member")]
    Member,
    /// Sees everything and changes nothing.
    #[sea_orm(string_value = "viewer")]
    Viewer,
}

impl Model {
    /// What stands in place of the address of somebody who was removed, so that it is free: no address, and nobody else's.
    pub(crate) fn no_address(id: Uuid) -> String {
        format!("removed {id}")
    }

    /// The address; who was removed has none.
    pub(crate) fn address(&self) -> Option<&str> {
        self.removed_at.is_none().then_some(&*self.email)
    }

    /// The address, or that there is none any more.
    pub(crate) fn shown_email(&self) -> String {
        self.address().unwrap_or("address removed").to_owned()
    }
}

impl ActiveModelBehavior for ActiveModel {}
