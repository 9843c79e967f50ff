//! A number in the database that grows with everything that changes who may call, in the transaction that changes it.
//! Every instance watches it, so that what they remember of keys and accounts is never old for long, whoever changed it:
//! this instance, another, or the command line. One row, whose lock puts the changes in order: no reader can see a
//! number and miss a change that came before it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter, sea_query::ExprTrait,
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    entities::access_version::{Column, Entity},
    within_limit,
};

const THE_ROW: i16 = 1;
/// How often the number is read.
const PERIOD: Duration = Duration::from_millis(250);
/// What is remembered is not used when the number was not read for so long.
const FRESH_FOR: Duration = Duration::from_millis(900);

/// Counts a change, as part of the transaction that makes it. Call [`AccessWatch::changed`] once that is committed.
///
/// # Errors
/// The database failed.
pub async fn bump_access_version(transaction: &impl ConnectionTrait) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Version, Column::Version.into_expr().add(1))
        .filter(Column::Id.eq(THE_ROW))
        .exec(transaction)
        .await?;
    Ok(())
}

async fn version(db: &impl ConnectionTrait) -> Result<i64, DbErr> {
    let row = Entity::find_by_id(THE_ROW).one(db).await?;
    row.map(|row| row.version)
        .ok_or_else(|| DbErr::RecordNotFound("access_version has lost its row".to_owned()))
}

/// Whether what was remembered of keys and accounts may still be believed.
#[derive(Debug)]
pub struct AccessWatch {
    /// Another one after every change.
    edition: AtomicU64,
    started: Instant,
    /// Milliseconds from `started`; zero before the first reading.
    read_at: AtomicU64,
}

impl Default for AccessWatch {
    fn default() -> Self {
        Self { edition: AtomicU64::new(0), started: Instant::now(), read_at: AtomicU64::new(0) }
    }
}

impl AccessWatch {
    /// What is read from the database now belongs to this edition, and is good as long as it is the present one.
    /// `None` when that cannot be told, because nobody watches or the database does not answer.
    #[must_use]
    pub fn edition(&self) -> Option<u64> {
        let read_at = Duration::from_millis(self.read_at.load(Ordering::Acquire));
        let fresh = !read_at.is_zero() && self.started.elapsed().saturating_sub(read_at) <= FRESH_FOR;
        fresh.then(|| self.edition.load(Ordering::Acquire))
    }

    /// Something changed: nothing that was remembered is believed any more.
    pub fn changed(&self) {
        self.edition.fetch_add(1, Ordering::AcqRel);
    }

    /// Reads the number in the database until `stop`.
    pub async fn watch(self: Arc<Self>, db: DatabaseConnection, stop: CancellationToken) {
        let mut known = None;
        loop {
            // Before the reading: what it shows is at least as new as this.
            let began = self.started.elapsed();
            match within_limit(version(&db)).await {
                Ok(version) => {
                    if known != Some(version) {
                        known = Some(version);
                        self.changed();
                    }
                    let began = Ord::max(u64::try_from(began.as_millis()).unwrap_or(u64::MAX), 1);
                    self.read_at.store(began, Ordering::Release);
                }
                Err(error) => tracing::warn!(%error, "cannot see whether keys or accounts changed"),
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(PERIOD) => {}
            }
        }
    }
}
