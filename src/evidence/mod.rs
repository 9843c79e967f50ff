//! Evidence: one row for every lookup that was sent off, and what the registry said, or why nothing was said. The recorder in `usage` writes it
//! with everything else of its call; here it is read, to answer the same question again and to prove what was said: the
//! history of an account is in `history`.

mod history;
mod search_text;
mod store;

use chrono::{DateTime, Utc};
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};
use uuid::Uuid;

pub use self::{
    history::{BadCursor, Cursor, HistoryEntry, HistoryExport, HistoryFilter, HistoryPage, Start, Total},
    search_text::search_text,
};
pub use crate::db::{
    CallerName,
    entities::evidence::{CallerKind, EvidenceOutcome, Model as EvidenceRow},
};
use crate::{
    audit::{self, Actor},
    clock::Clock,
    db::{new_id, within_limit},
};

/// The evidence of all accounts.
#[derive(Clone)]
pub struct Evidence {
    db: DatabaseConnection,
}

impl Evidence {
    /// The evidence kept in `db`.
    #[must_use]
    pub const fn new(db: DatabaseConnection) -> Self {
        Self { db }
    }

    /// An identifier for a new row.
    #[must_use]
    pub fn next_id(clock: &dyn Clock) -> Uuid {
        new_id(clock)
    }

    /// What registries answered to `account` about `numbers` from `since` on, newest first. Questions that were not
    /// answered are left out.
    ///
    /// # Errors
    /// The database failed.
    pub async fn answers_since(
        &self,
        account: Uuid,
        numbers: Vec<&str>,
        since: DateTime<Utc>,
    ) -> Result<Vec<EvidenceRow>, DbErr> {
        within_limit(store::answers_since(&self.db, account, numbers, since)).await
    }

    /// Deletes what is older than a moment, and says so in the audit log. How many rows that were.
    ///
    /// # Errors
    /// The database failed.
    pub async fn purge(&self, before: DateTime<Utc>, clock: &dyn Clock, actor: &Actor) -> Result<u64, DbErr> {
        let delete = async |transaction: &DatabaseTransaction, most| {
            store::delete_some_before(transaction, before, most).await
        };
        audit::purge(&self.db, clock, actor, "evidence", delete).await
    }
}
