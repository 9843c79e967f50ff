//! Who calls, proved by a key.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sea_orm::DbErr;
use thiserror::Error;
use uuid::Uuid;

use super::{KeyMode, store::KeyRow};
use crate::db::AccountTerms;

/// Who calls, proved by a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account the key belongs to.
    pub account_id: Uuid,
    /// What the account may use and wants.
    pub terms: AccountTerms,
    /// The key.
    pub key_id: Uuid,
    /// What the key is for, in the words of its maker.
    pub key_name: String,
    /// Whether the key reaches the registries or the sandbox.
    pub mode: KeyMode,
    /// The end of the key, to recognise it by.
    pub last_four: String,
    /// When the key ends by itself.
    pub expires_at: Option<DateTime<Utc>>,
    revoked: bool,
}

/// Why a presented key opens nothing.
#[derive(Clone, Debug, Error)]
pub enum AuthenticationError {
    /// No such key was ever issued, or it is mistyped.
    #[error("no such key")]
    UnknownKey,
    /// It was revoked.
    #[error("the key was revoked")]
    Revoked,
    /// Its time is over.
    #[error("the key has expired")]
    Expired,
    /// The key is good, but its account is not served.
    #[error("the account is suspended")]
    AccountSuspended,
    /// The database failed: nothing is known about the key.
    #[error("the key cannot be looked up: {0}")]
    Database(Arc<DbErr>),
}

impl Caller {
    pub(super) fn new(row: KeyRow, terms: AccountTerms) -> Self {
        Self {
            account_id: row.account_id,
            terms,
            key_id: row.id,
            key_name: row.name,
            mode: row.mode,
            last_four: row.last_four,
            expires_at: row.expires_at,
            revoked: row.revoked_at.is_some(),
        }
    }

    /// # Errors
    /// Why it opens nothing at `now`.
    pub(super) fn may_call(&self, now: DateTime<Utc>) -> Result<(), AuthenticationError> {
        if self.revoked {
            Err(AuthenticationError::Revoked)
        } else if self.expires_at.is_some_and(|end| end <= now) {
            Err(AuthenticationError::Expired)
        } else if self.terms.suspended {
            Err(AuthenticationError::AccountSuspended)
        } else {
            Ok(())
        }
    }
}
