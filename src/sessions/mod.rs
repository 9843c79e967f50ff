//! Sessions: what is remembered of a browser between its calls, and who is signed in with it. A browser holds a random
//! identifier; here only its SHA-256 is kept, so that a stolen database opens no session. Who the people are is in
//! `members` and `staff`, which end sessions too when a password changes or somebody goes.

mod session_store;
mod signed_in;
mod store;

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};
use thiserror::Error;
use tower_sessions::session::Id;
use uuid::Uuid;

pub use self::{
    session_store::{SeaOrmSessionStore, SessionLifetimes},
    signed_in::{SIGNED_IN, SignedIn},
};
pub use crate::db::{BadSessionKey, SessionKey};
use crate::{
    audit::{self, Actor, Deed, Event},
    clock::SharedClock,
    db::{end_sessions, within_limit, write},
    email::{Message, Outbox},
    people::{BadEmailAddress, EmailAddress, Person},
};

/// The sessions of everybody who is signed in.
#[derive(Clone)]
pub struct Sessions {
    db: DatabaseConnection,
    clock: SharedClock,
}

/// One place where somebody is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    /// Which one.
    pub key: SessionKey,
    /// When they signed in.
    pub created_at: DateTime<Utc>,
    /// When it was last written.
    pub last_seen_at: DateTime<Utc>,
    /// When it ends by itself.
    pub expires_at: DateTime<Utc>,
    /// From where they signed in.
    pub client_address: Option<IpAddr>,
    /// With what program, as it calls itself; cut.
    pub user_agent: Option<String>,
}

/// A session cannot be ended.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The person has no such session, or no more.
    #[error("there is no such session")]
    Unknown,
    /// The person's address is none.
    #[error(transparent)]
    Email(#[from] BadEmailAddress),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl SessionKey {
    /// The key of the session that a browser has opened with `id`.
    #[must_use]
    pub fn of_id(id: &Id) -> Self {
        Self::of(&id.to_string())
    }
}

impl Sessions {
    /// The sessions kept in `db`.
    #[must_use]
    pub const fn new(db: DatabaseConnection, clock: SharedClock) -> Self {
        Self { db, clock }
    }

    /// Where a person is signed in, the place last seen first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of(&self, person: Person) -> Result<Vec<OpenSession>, SessionError> {
        let rows = within_limit(store::of_person(&self.db, person, self.clock.now())).await?;
        Ok(rows.into_iter().filter_map(OpenSession::of).collect())
    }

    /// Ends one of a person's sessions.
    ///
    /// # Errors
    /// The person has no such session, or the database failed.
    pub async fn end(&self, person: Person, key: &SessionKey, actor: &Actor) -> Result<(), SessionError> {
        write(&self.db, async |transaction| {
            if !store::end(transaction, person, key, self.clock.now()).await? {
                return Err(SessionError::Unknown);
            }
            self.log(transaction, person, "sessions: 1", actor).await
        })
        .await
    }

    /// Ends all of a person's sessions but one. How many they were.
    ///
    /// # Errors
    /// The database failed.
    pub async fn end_others(
        &self,
        person: Person,
        keep: &SessionKey,
        actor: &Actor,
    ) -> Result<u64, SessionError> {
        write(&self.db, async |transaction| {
            let ended = end_sessions(transaction, person, Some(keep)).await?;
            if ended > 0 {
                self.log(transaction, person, &format!("sessions: {ended}"), actor).await?;
            }
            Ok(ended)
        })
        .await
    }

    /// Ends all sessions of a member because of `reason`, and tells the member by mail; nothing happens where there is none. How
    /// many they were.
    ///
    /// # Errors
    /// There is no such member any more ([`SessionError::Unknown`]), or the database failed.
    pub async fn end_of_member(
        &self,
        member: Uuid,
        reason: &str,
        actor: &Actor,
        outbox: &Outbox,
    ) -> Result<u64, SessionError> {
        let (person, now) = (Person::Member(member), self.clock.now());
        write(&self.db, async |transaction| {
            let email = store::lock_member(transaction, member).await?.ok_or(SessionError::Unknown)?.email;
            let open = store::of_person(transaction, person, now).await?.len();
            end_sessions(transaction, person, None).await?;
            if open == 0 {
                return Ok(0);
            }
            let message = Message::SignedOutBySupport { at: now };
            outbox.enqueue(transaction, &email.parse::<EmailAddress>()?, &message).await?;
            self.log(transaction, person, &format!("sessions: {open}: {reason}"), actor).await?;
            Ok(open as u64)
        })
        .await
    }

    /// Deletes the sessions whose time is over, and says so in the audit log. How many they were.
    ///
    /// # Errors
    /// The database failed.
    pub async fn purge(&self, actor: &Actor) -> Result<u64, DbErr> {
        let delete = async |transaction: &DatabaseTransaction, _| {
            store::delete_expired(transaction, self.clock.now()).await
        };
        audit::purge(&self.db, self.clock.as_ref(), actor, "sessions", delete).await
    }

    async fn log(
        &self,
        transaction: &DatabaseTransaction,
        person: Person,
        detail: &str,
        actor: &Actor,
    ) -> Result<(), SessionError> {
        let account_id = store::account_of(transaction, person).await?;
        let event = Event { deed: Deed::SessionsEnded, account_id, subject_id: Some(person.id()), detail };
        Ok(audit::append(transaction, self.clock.as_ref(), actor, event).await?)
    }
}

impl OpenSession {
    fn of(row: store::SessionRow) -> Option<Self> {
        Some(Self {
            key: SessionKey::from_stored(&row.key_hash)?,
            created_at: row.created_at,
            last_seen_at: row.last_seen_at,
            expires_at: row.expires_at,
            client_address: row.client_address.and_then(|address| address.parse().ok()),
            user_agent: row.user_agent,
        })
    }
}
