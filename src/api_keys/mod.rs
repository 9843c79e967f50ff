//! API keys: issuing them and telling who presents one. The secret is known to its holder alone; here only its
//! SHA-256 is kept. That is enough for 190 random bits, and a slow hash would only slow every call.

mod presented;
mod secret;
mod store;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rand::TryCryptoRng;
use sea_orm::{DatabaseConnection, DbErr};
use thiserror::Error;
use uuid::Uuid;

pub use self::{presented::PresentedKey, secret::NewSecret};
use crate::{clock::SharedClock, db::new_id};

/// Longest name a key may have, in characters.
const MAX_NAME: usize = 100;

/// The API keys.
#[derive(Clone)]
pub struct ApiKeys {
    db: DatabaseConnection,
    clock: SharedClock,
}

/// Whether a key of ours, whole or cut, stands in `text`: then it must not be logged or shown.
#[must_use]
pub fn holds_key(text: &str) -> bool {
    text.contains(secret::LIVE_PREFIX) || text.contains(secret::TEST_PREFIX)
}

/// Who calls, proved by a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account the key belongs to.
    pub account_id: Uuid,
    /// The key.
    pub key_id: Uuid,
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

/// A key cannot be issued.
#[derive(Debug, Error)]
pub enum IssueError {
    /// The name cannot be used.
    #[error("a key's name needs 1 to {MAX_NAME} characters, not counting blanks around it")]
    BadName,
    /// It would have expired before anybody used it.
    #[error("the key would expire in the past")]
    ExpiresInThePast,
    /// The machine gives no randomness.
    #[error("the system's random numbers cannot be had")]
    NoRandomness,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl ApiKeys {
    /// The keys kept in `db`.
    #[must_use]
    pub fn new(db: DatabaseConnection, clock: SharedClock) -> Self {
        Self { db, clock }
    }

    /// Whether a key of this name and expiry would be issued.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn accepts(&self, name: &str, expires_at: Option<DateTime<Utc>>) -> Result<(), IssueError> {
        if !(1..=MAX_NAME).contains(&name.trim().chars().count()) {
            return Err(IssueError::BadName);
        }
        if expires_at.is_some_and(|end| end <= self.clock.now()) {
            return Err(IssueError::ExpiresInThePast);
        }
        Ok(())
    }

    /// Makes a live key for `account_id`. The returned secret is stored nowhere else.
    ///
    /// # Errors
    /// The name or the expiry cannot be used, or the key could not be stored.
    pub async fn issue(
        &self,
        account_id: Uuid,
        name: &str,
        expires_at: Option<DateTime<Utc>>,
        random: &mut impl TryCryptoRng,
    ) -> Result<NewSecret, IssueError> {
        self.accepts(name, expires_at)?;
        let (name, now) = (name.trim(), self.clock.now());
        let secret = NewSecret::generate(random).map_err(|_| IssueError::NoRandomness)?;
        let key =
            store::NewKey { id: new_id(self.clock.as_ref()), account_id, name, expires_at, created_at: now };
        store::insert(&self.db, key, &secret).await?;
        Ok(secret)
    }

    /// Who presents `key`.
    ///
    /// # Errors
    /// The key opens nothing, or that cannot be told at present.
    pub async fn authenticate(&self, key: &PresentedKey) -> Result<Caller, AuthenticationError> {
        let found = store::find(&self.db, key.hash())
            .await
            .map_err(|error| AuthenticationError::Database(Arc::new(error)))?
            .ok_or(AuthenticationError::UnknownKey)?;
        if found.revoked {
            return Err(AuthenticationError::Revoked);
        }
        if found.expires_at.is_some_and(|end| end <= self.clock.now()) {
            return Err(AuthenticationError::Expired);
        }
        if found.account_suspended {
            return Err(AuthenticationError::AccountSuspended);
        }
        Ok(found.caller)
    }
}
