//! Accounts: the tenants. Their keys are in `api_keys`.

mod store;

use sea_orm::{DatabaseConnection, DbErr};
use thiserror::Error;
use uuid::Uuid;

use crate::{clock::SharedClock, db::new_id};

/// Longest name an account may have, in characters.
const MAX_NAME: usize = 200;

/// The accounts.
#[derive(Clone)]
pub struct Accounts {
    db: DatabaseConnection,
    clock: SharedClock,
}

/// An account cannot be found or made.
#[derive(Debug, Error)]
pub enum AccountError {
    /// The name cannot be used.
    #[error("an account's name needs 1 to {MAX_NAME} characters, not counting blanks around it")]
    BadName,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl Accounts {
    /// The accounts kept in `db`.
    #[must_use]
    pub fn new(db: DatabaseConnection, clock: SharedClock) -> Self {
        Self { db, clock }
    }

    /// The account of that name, made when there is none.
    ///
    /// # Errors
    /// The name is empty or too long, or the database failed.
    pub async fn find_or_create(&self, name: &str) -> Result<Uuid, AccountError> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > MAX_NAME {
            return Err(AccountError::BadName);
        }
        Ok(store::find_or_insert(&self.db, new_id(self.clock.as_ref()), name, self.clock.now()).await?)
    }
}
