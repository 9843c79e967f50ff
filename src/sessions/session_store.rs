//! Sessions in the database, for tower-sessions.

use std::{fmt, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::Value;
use tower_sessions::{
    SessionStore,
    cookie::time::OffsetDateTime,
    session::{Id, Record},
    session_store::{Error, Result},
};

use super::{
    SIGNED_IN, SessionKey, SignedIn,
    store::{self, Inserted},
};
use crate::{clock::SharedClock, db::within_limit, people::Person};

/// Keeps sessions in the table `sessions`. A session ends at the time its record says, and in any case when its lifetime,
/// counted from its making, is over; tower-sessions makes a new one at each change of identifier, so that is from the
/// sign-in on. It is judged by the server's clock.
///
/// Somebody who signed in with a password that was changed meanwhile gets no session, nor does one whose second factor was set
/// up meanwhile and not seen: such a change ends the sessions that are there, and one that comes after it is not kept.
#[derive(Clone)]
pub struct SeaOrmSessionStore {
    db: DatabaseConnection,
    clock: SharedClock,
    lifetimes: SessionLifetimes,
}

/// How long a session lasts at most, however much it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionLifetimes {
    /// One in which a member is signed in, or nobody.
    pub member: Duration,
    /// One of the support staff's.
    pub support: Duration,
}

impl SessionLifetimes {
    fn of(&self, signed_in: Option<&SignedIn>) -> Duration {
        match signed_in.map(SignedIn::person) {
            Some(Person::Support(_)) => self.support,
            Some(Person::Member(_)) | None => self.member,
        }
    }
}

impl SeaOrmSessionStore {
    /// The sessions kept in `db`, of which none lasts longer than `lifetimes` allow.
    #[must_use]
    pub const fn new(db: DatabaseConnection, clock: SharedClock, lifetimes: SessionLifetimes) -> Self {
        Self { db, clock, lifetimes }
    }
}

impl fmt::Debug for SeaOrmSessionStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeaOrmSessionStore")
    }
}

#[async_trait]
impl SessionStore for SeaOrmSessionStore {
    async fn create(&self, record: &mut Record) -> Result<()> {
        let now = self.clock.now();
        let mut written = Written::of(record)?;
        let lifetime = self.lifetimes.of(written.signed_in.as_ref());
        written.expires_at = written.expires_at.min(now + lifetime);
        // An identifier that is there already is another's session: this one gets another.
        while store::insert(&self.db, &key(record), &written, now).await.map_err(|error| failed(&error))?
            == Inserted::KeyTaken
        {
            record.id = Id::default();
        }
        Ok(())
    }

    /// Changes what is there. A session that has ended meanwhile is not brought back by a call that was under way, nor is
    /// one changed by a call that knows only the password before the present one.
    async fn save(&self, record: &Record) -> Result<()> {
        let (written, now) = (Written::of(record)?, self.clock.now());
        let lifetime = self.lifetimes.of(written.signed_in.as_ref());
        within_limit(store::update(&self.db, &key(record), &written, now, lifetime))
            .await
            .map_err(|error| failed(&error))
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let key = SessionKey::of_id(id);
        let found = within_limit(store::find(&self.db, &key, self.clock.now()))
            .await
            .map_err(|error| failed(&error))?;
        let Some(row) = found else { return Ok(None) };
        let data = serde_json::from_str(&row.data).map_err(|error| Error::Decode(error.to_string()))?;
        let expiry_date =
            OffsetDateTime::from_unix_timestamp_nanos(i128::from(row.expires_at.timestamp_micros()) * 1000)
                .map_err(|error| Error::Decode(error.to_string()))?;
        Ok(Some(Record { id: *id, data, expiry_date }))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        within_limit(store::delete(&self.db, &SessionKey::of_id(id))).await.map_err(|error| failed(&error))
    }
}

/// A record in the types of its columns.
pub(super) struct Written {
    pub(super) data: String,
    pub(super) expires_at: DateTime<Utc>,
    pub(super) signed_in: Option<SignedIn>,
}

impl Written {
    fn of(record: &Record) -> Result<Self> {
        let encode = |error: serde_json::Error| Error::Encode(error.to_string());
        let expires_at = i64::try_from(record.expiry_date.unix_timestamp_nanos() / 1000)
            .ok()
            .and_then(DateTime::from_timestamp_micros)
            .ok_or_else(|| Error::Encode("the expiry is out of range".to_owned()))?;
        let signed_in = record.data.get(SIGNED_IN).filter(|value| **value != Value::Null);
        Ok(Self {
            data: serde_json::to_string(&record.data).map_err(encode)?,
            expires_at,
            signed_in: signed_in.cloned().map(serde_json::from_value).transpose().map_err(encode)?,
        })
    }
}

fn key(record: &Record) -> SessionKey {
    SessionKey::of_id(&record.id)
}

fn failed(error: &DbErr) -> Error {
    Error::Backend(error.to_string())
}
