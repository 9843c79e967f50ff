//! Links that bring somebody a key: what is kept of the key until they take it, and what support sees of such a link.

use sea_orm::DbErr;
use uuid::Uuid;

use super::{KeyMode, OneTimeLink, store::SentRow};

/// A key that is made when the link to it is used. Before that there is nothing that could open anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedKey {
    /// What it will be called; checked by whoever prepares it.
    pub name: String,
    /// Whether it will reach the registries.
    pub mode: KeyMode,
}

/// A link to a key, for support to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentClaim {
    /// The link itself.
    pub link: OneTimeLink,
    /// The account.
    pub account_id: Uuid,
    /// Its name.
    pub account: String,
    /// The receiver's name.
    pub name: String,
    /// The receiver's address.
    pub email: String,
}

impl SentClaim {
    pub(super) fn of((link, account, member): SentRow) -> Result<Self, DbErr> {
        let gone = |what: &str| DbErr::RecordNotFound(format!("the {what} of link {}", link.id));
        let (account, member) =
            (account.ok_or_else(|| gone("account"))?, member.ok_or_else(|| gone("member"))?);
        Ok(Self {
            account_id: account.id,
            account: account.name,
            email: member.shown_email(),
            name: member.name,
            link,
        })
    }
}
