//! Deeds that nobody waits for: how long an answer takes must not tell what it does not say, such as whether an address has an
//! account.

use std::sync::Arc;

use sea_orm::{DatabaseConnection, DbErr};
use tokio_util::task::TaskTracker;

use super::Trail;
use crate::{clock::SharedClock, db::write};

/// Writes deeds after the answer to whoever did them.
#[derive(Clone)]
pub struct NotedLater {
    db: DatabaseConnection,
    clock: SharedClock,
    open: TaskTracker,
}

impl NotedLater {
    /// Writes into `db`.
    #[must_use]
    pub fn new(db: DatabaseConnection, clock: SharedClock) -> Self {
        Self { db, clock, open: TaskTracker::new() }
    }

    /// Writes `trail` soon, in a transaction of its own. What cannot be written is told in the log.
    pub fn write(&self, trail: Trail) {
        let (db, clock) = (self.db.clone(), Arc::clone(&self.clock));
        self.open.spawn(async move {
            let written: Result<(), DbErr> =
                write(&db, async |transaction| trail.write(transaction, clock.as_ref()).await).await;
            if let Err(error) = written {
                tracing::error!(%error, "what was done is not in the audit log");
            }
        });
    }

    /// Waits until all of it is written; nothing may be added meanwhile.
    pub async fn finish(&self) {
        self.open.close();
        self.open.wait().await;
    }
}
