//! The audit log: its chain, what breaks it, and what is read of it.

mod chain;
mod tampering;

use std::{path::Path, sync::Arc, time::Duration};

use chrono::{TimeZone, Utc};
use crossvat::{
    audit::{self, Actor, AuditEvent, AuditLog, Deed, Event, Verification},
    clock::{ManualClock, SharedClock},
    db::{Database, entities::audit_event, write},
};
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryOrder};
use tempfile::TempDir;
use uuid::Uuid;

use crate::support::database::{self, DatabaseKind};

/// A log of its own.
struct Log {
    db: Database,
    clock: Arc<ManualClock>,
    events: AuditLog,
    folder: TempDir,
}

impl Log {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let db = instance(folder.path()).await;
        db.migrate().await.expect("migrated");
        let clock = Arc::new(ManualClock::starting_at(Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap()));
        Self { events: AuditLog::new(db.main.clone()), db, clock, folder }
    }

    fn shared_clock(&self) -> SharedClock {
        self.clock.clone()
    }

    /// A log with as many events as this, a minute between them, every column filled in some.
    async fn with(events: u32) -> Self {
        let log = Self::start().await;
        log.add(events).await;
        log
    }

    async fn add(&self, events: u32) {
        // In parts: a transaction has its time.
        for first in (0..events).step_by(250) {
            write(&self.db.main, async |transaction| {
                for place in first..events.min(first + 250) {
                    self.append(transaction, place).await?;
                }
                Ok::<_, DbErr>(())
            })
            .await
            .expect("added");
        }
    }

    async fn append(&self, transaction: &DatabaseTransaction, place: u32) -> Result<(), DbErr> {
        let actor = match place % 3 {
            0 => Actor::COMMAND_LINE,
            1 => Actor::member(Uuid::from_u128(5), "203.0.113.24".parse().expect("an address")),
            _ => Actor::support(Uuid::from_u128(7), "2001:db8::7".parse().expect("an address")),
        };
        let event = Event {
            deed: if place.is_multiple_of(2) { Deed::KeyRevoked } else { Deed::AccountSuspended },
            account_id: (!place.is_multiple_of(4)).then(|| Uuid::from_u128(place.into())),
            subject_id: (!place.is_multiple_of(5)).then(|| Uuid::from_u128(77)),
            detail: &format!("Ærlig talt, nr. {place}"),
        };
        audit::append(transaction, self.clock.as_ref(), &actor, event).await?;
        self.clock.advance(Duration::from_mins(1));
        Ok(())
    }

    /// Every event, oldest first.
    async fn all(&self) -> Vec<AuditEvent> {
        let all = audit_event::Entity::find().order_by_asc(audit_event::Column::Sequence);
        all.all(&self.db.main).await.expect("events")
    }

    async fn verified(&self) -> Verification {
        self.events.verify(None).await.expect("can be read")
    }

    /// What is found, in words.
    async fn findings(&self) -> Vec<String> {
        self.verified().await.findings.iter().map(ToString::to_string).collect()
    }

    /// Behind everybody's back.
    async fn sql(&self, statement: &str) {
        self.db.main.execute_unprepared(statement).await.expect("runs");
    }
}

/// An instance at the log in `folder`. Its writers wait longer for their turn at a SQLite file than a server's, since they
/// are let in out of order.
async fn instance(folder: &Path) -> Database {
    let url = database::url_for(folder);
    let mut options = ConnectOptions::new(&url);
    options.max_connections(4).sqlx_logging(false);
    options.map_sqlx_sqlite_opts(|sqlite| sqlite.busy_timeout(Duration::from_mins(1)));
    let mut instance = Database::connect(&url.into()).await.expect("database");
    if DatabaseKind::of_this_run() == DatabaseKind::Sqlite {
        instance.main = sea_orm::Database::connect(options).await.expect("connects");
    }
    instance
}

impl Drop for Log {
    fn drop(&mut self) {
        database::forget(self.folder.path());
    }
}
