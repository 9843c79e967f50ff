//! The audit log: who did what, on whom, when and from where. An event is written in the transaction of its deed, so that
//! neither is there without the other, and never changed: the hashes that chain them (`chain`) show it, and `verification`
//! looks. `reading` is for people. Calls of the API are not deeds: they are in `usage` and `evidence`.

mod chain;
mod later;
mod reading;
mod store;
mod trail;
mod verification;

use std::{net::IpAddr, time::Duration};

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr};
use uuid::Uuid;

pub use self::{
    chain::{BadLink, Link},
    later::NotedLater,
    reading::{EntryName, LogEntry, LogExport, LogFilter, LogPage, LogPlace, code_of, every_deed},
    trail::Trail,
    verification::{Finding, Place, Verification},
};
pub use crate::db::{
    Start, Total,
    entities::audit_event::{ActorKind, Deed, Model as AuditEvent},
};
use crate::{
    clock::Clock,
    db::{new_id, write},
    people::Person,
};

/// Rows that are deleted in one transaction.
const ROWS_AT_ONCE: u64 = 5000;
/// Between two of them, for others to write.
const PAUSE: Duration = Duration::from_millis(20);

/// Who does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    who: Who,
    from: Option<IpAddr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    CommandLine,
    Member(Uuid),
    Support(Uuid),
    Visitor,
}

impl Actor {
    /// Somebody with access to the server's own command line.
    pub const COMMAND_LINE: Self = Self { who: Who::CommandLine, from: None };

    /// A member of an account, at a client's address.
    #[must_use]
    pub const fn member(id: Uuid, from: IpAddr) -> Self {
        Self { who: Who::Member(id), from: Some(from) }
    }

    /// One of the support staff, at a client's address.
    #[must_use]
    pub const fn support(id: Uuid, from: IpAddr) -> Self {
        Self { who: Who::Support(id), from: Some(from) }
    }

    /// One of those who sign in, at a client's address.
    #[must_use]
    pub const fn person(person: Person, from: IpAddr) -> Self {
        match person {
            Person::Member(id) => Self::member(id, from),
            Person::Support(id) => Self::support(id, from),
        }
    }

    /// Somebody who is not signed in, at a client's address.
    #[must_use]
    pub const fn visitor(from: IpAddr) -> Self {
        Self { who: Who::Visitor, from: Some(from) }
    }

    /// What kind of somebody.
    #[must_use]
    pub const fn kind(&self) -> ActorKind {
        match self.who {
            Who::CommandLine => ActorKind::CommandLine,
            Who::Member(_) => ActorKind::Member,
            Who::Support(_) => ActorKind::Support,
            Who::Visitor => ActorKind::Visitor,
        }
    }

    /// Who, where there is more than one of the kind.
    #[must_use]
    pub const fn id(&self) -> Option<Uuid> {
        match self.who {
            Who::CommandLine | Who::Visitor => None,
            Who::Member(id) | Who::Support(id) => Some(id),
        }
    }
}

/// What was done, and to whom.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    /// What.
    pub deed: Deed,
    /// The account it concerns, if it is one's.
    pub account_id: Option<Uuid>,
    /// The key or other row it was done to.
    pub subject_id: Option<Uuid>,
    /// What a reader needs beside that, such as a name. Never a secret.
    pub detail: &'a str,
}

/// Adds `event` in the transaction of its deed, as the last thing that it does but for telling of the change
/// (`bump_access_version`): from here on every other deed waits for the commit.
///
/// # Errors
/// The database failed; so must the deed.
pub async fn append(
    transaction: &impl ConnectionTrait,
    clock: &dyn Clock,
    actor: &Actor,
    event: Event<'_>,
) -> Result<(), DbErr> {
    let row = AuditEvent {
        id: new_id(clock),
        sequence: 0,
        at: clock.now(),
        deed: event.deed,
        actor_kind: actor.kind(),
        actor_id: actor.id(),
        account_id: event.account_id,
        subject_id: event.subject_id,
        detail: event.detail.to_owned(),
        from_address: actor.from.map(|address| address.to_string()),
        encoding: 0,
        hash: Vec::new(),
    };
    chain::append(transaction, row).await
}

/// Deletes what is over its time with `delete`, which takes away so many rows at most, in parts: each is a transaction of
/// its own with its event, so that nobody else waits for long. How many rows that were.
///
/// # Errors
/// The database failed. Parts that were done stay done.
pub async fn purge(
    db: &DatabaseConnection,
    clock: &dyn Clock,
    actor: &Actor,
    what: &str,
    delete: impl AsyncFn(&DatabaseTransaction, u64) -> Result<u64, DbErr>,
) -> Result<u64, DbErr> {
    purge_and_tell(db, clock, actor, async |transaction, most| {
        let rows = delete(transaction, most).await?;
        Ok((rows > 0).then(|| (rows, format!("{what}: {rows}"))))
    })
    .await
}

/// As [`purge`], where `delete` also says what to tell of a part; `None` when there was nothing more.
async fn purge_and_tell(
    db: &DatabaseConnection,
    clock: &dyn Clock,
    actor: &Actor,
    delete: impl AsyncFn(&DatabaseTransaction, u64) -> Result<Option<(u64, String)>, DbErr>,
) -> Result<u64, DbErr> {
    let mut deleted = 0;
    loop {
        let rows = write(db, async |transaction| {
            let Some((rows, detail)) = delete(transaction, ROWS_AT_ONCE).await? else { return Ok(0) };
            let event = Event { deed: Deed::DataPurged, account_id: None, subject_id: None, detail: &detail };
            append(transaction, clock, actor, event).await?;
            Ok::<_, DbErr>(rows)
        })
        .await?;
        deleted += rows;
        if rows < ROWS_AT_ONCE {
            return Ok(deleted);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// The audit log, to be read and looked after.
#[derive(Clone)]
pub struct AuditLog {
    db: DatabaseConnection,
}

impl AuditLog {
    /// The log kept in `db`.
    #[must_use]
    pub const fn new(db: DatabaseConnection) -> Self {
        Self { db }
    }

    /// Deletes the events before a moment, and says so in an event of its own, with the hash that the first one that is kept
    /// follows. How many they were.
    ///
    /// # Errors
    /// The database failed.
    pub async fn purge(&self, before: DateTime<Utc>, clock: &dyn Clock, actor: &Actor) -> Result<u64, DbErr> {
        let delete = async |transaction: &DatabaseTransaction, most| {
            chain::delete_oldest(transaction, before, most).await
        };
        purge_and_tell(&self.db, clock, actor, delete).await
    }
}
