//! API keys: issuing them, their life, and telling who presents one. The secret is known to its holder alone; here only
//! its SHA-256 is kept. That is enough for 190 random bits, and a slow hash would only slow every call.

mod caller;
mod known;
mod presented;
mod secret;
mod status;
mod store;
mod typed;

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use rand::TryCryptoRng;
use sea_orm::{DatabaseTransaction, DbErr};
use thiserror::Error;
use uuid::Uuid;

use self::known::KnownKeys;
pub use self::{
    caller::{AuthenticationError, Caller},
    presented::PresentedKey,
    secret::NewSecret,
    status::{ApiKey, KeyStatus},
    typed::{KeyEnding, TypedKey, holds_secret},
};
pub use crate::db::{AccountTerms, entities::api_key::KeyMode};
use crate::{
    audit::{self, Actor, Deed, Event, Trail},
    clock::{Clock, SharedClock},
    db::{Database, bump_access_version, new_id, within_limit, write},
    people::checked_line,
};

/// Longest name a key may have, in characters.
const MAX_NAME: usize = 100;

/// The API keys.
#[derive(Clone)]
pub struct ApiKeys {
    db: Database,
    clock: SharedClock,
    known: Arc<KnownKeys>,
}

/// Whether a key of ours, whole or cut, stands in `text`: then it must not be logged or shown.
#[must_use]
pub fn holds_key(text: &str) -> bool {
    text.contains(secret::LIVE_PREFIX) || text.contains(secret::TEST_PREFIX)
}

/// What a key is to be.
#[derive(Clone, Copy, Debug)]
pub struct NewKey<'a> {
    /// The identifier it is to have, when the same key must not be made twice.
    pub id: Option<Uuid>,
    /// The account it will belong to.
    pub account_id: Uuid,
    /// What it is for, in the words of its maker.
    pub name: &'a str,
    /// Whether it reaches the registries or the sandbox.
    pub mode: KeyMode,
    /// When it ends by itself.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A key that was just made.
#[derive(Debug)]
pub struct IssuedKey {
    /// Its identifier.
    pub id: Uuid,
    /// The secret, which is stored nowhere else.
    pub secret: NewSecret,
}

/// How long the old key of a rotation still opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// It ends at once.
    None,
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A week.
    Week,
}

impl Overlap {
    /// Every choice, shortest first.
    pub const ALL: [Self; 4] = [Self::None, Self::Hour, Self::Day, Self::Week];

    /// The time itself.
    #[must_use]
    pub const fn duration(self) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Hour => Duration::from_hours(1),
            Self::Day => Duration::from_hours(24),
            Self::Week => Duration::from_hours(7 * 24),
        }
    }

    /// For the audit log.
    const fn in_words(self) -> &'static str {
        match self {
            Self::None => "no overlap",
            Self::Hour => "1 hour of overlap",
            Self::Day => "24 hours of overlap",
            Self::Week => "7 days of overlap",
        }
    }
}

/// A key cannot be made or changed.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The name cannot be used.
    #[error("a key's name needs 1 to {MAX_NAME} characters, not counting blanks around it")]
    BadName,
    /// There is a key of this identifier.
    #[error("the key was made already")]
    AlreadyMade,
    /// It would have expired before anybody used it.
    #[error("the key would expire in the past")]
    ExpiresInThePast,
    /// The account has no such key.
    #[error("there is no such key")]
    Unknown,
    /// It has ended, so there is nothing to change.
    #[error("the key has ended already")]
    Ended,
    /// Another key has taken its place already.
    #[error("the key was rotated already")]
    Rotated,
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
    pub fn new(db: Database, clock: SharedClock) -> Self {
        let known = Arc::new(KnownKeys::new(Arc::clone(&db.access)));
        Self { db, clock, known }
    }

    /// An identifier for a key to be made.
    #[must_use]
    pub fn next_id(clock: &dyn Clock) -> Uuid {
        new_id(clock)
    }

    /// Whether a key of this name and expiry would be issued.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn accepts(&self, name: &str, expires_at: Option<DateTime<Utc>>) -> Result<(), KeyError> {
        checked_name(name)?;
        if expires_at.is_some_and(|end| end <= self.clock.now()) {
            return Err(KeyError::ExpiresInThePast);
        }
        Ok(())
    }

    /// Makes a key.
    ///
    /// # Errors
    /// The name or the expiry cannot be used, or the key could not be stored.
    pub async fn issue(
        &self,
        new: NewKey<'_>,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<IssuedKey, KeyError> {
        write(&self.db.main, async |transaction| {
            let mut trail = Trail::default();
            let issued = self.issue_within(transaction, new, actor, random, &mut trail).await?;
            trail.write(transaction, self.clock.as_ref()).await?;
            Ok(issued)
        })
        .await
    }

    /// As [`ApiKeys::issue`], as a part of a transaction. Until it is committed nobody may hear of the key.
    ///
    /// # Errors
    /// As [`ApiKeys::issue`].
    pub async fn issue_within(
        &self,
        transaction: &DatabaseTransaction,
        new: NewKey<'_>,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
        trail: &mut Trail,
    ) -> Result<IssuedKey, KeyError> {
        self.accepts(new.name, new.expires_at)?;
        let mut issued = self.generate(new.mode, random)?;
        issued.id = new.id.unwrap_or(issued.id);
        let new = NewKey { name: new.name.trim(), ..new };
        if !store::insert(transaction, &new, &issued, actor, self.clock.now()).await? {
            return Err(KeyError::AlreadyMade);
        }
        let (account_id, subject_id) = (Some(new.account_id), Some(issued.id));
        trail.note(actor, &Event { deed: Deed::KeyIssued, account_id, subject_id, detail: new.name });
        Ok(issued)
    }

    /// The keys of an account, newest first, ended ones too.
    ///
    /// # Errors
    /// The database failed.
    pub async fn list(&self, account_id: Uuid) -> Result<Vec<ApiKey>, KeyError> {
        within_limit(async { Ok(store::list(&self.db.main, account_id, self.clock.now()).await?) }).await
    }

    /// Gives a key another name.
    ///
    /// # Errors
    /// The name cannot be used, the account has no such key, or the database failed.
    pub async fn rename(
        &self,
        account_id: Uuid,
        key: Uuid,
        name: &str,
        actor: &Actor,
    ) -> Result<(), KeyError> {
        let name = checked_name(name)?;
        self.change((account_id, key), Deed::KeyRenamed, store::Change::Name(name.to_owned()), actor).await
    }

    /// Makes a key that takes the place of another, which opens for `overlap` longer, or until its own end when that is
    /// earlier.
    ///
    /// # Errors
    /// The account has no such key, it has ended or was rotated before, or the database failed.
    pub async fn rotate(
        &self,
        account_id: Uuid,
        key: Uuid,
        overlap: Overlap,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<IssuedKey, KeyError> {
        let now = self.clock.now();
        let issued = write(&self.db.main, async |transaction| {
            let old = self.own(transaction, account_id, key).await?;
            // It may have ended by that.
            if old.rotated_to.is_some() {
                return Err(KeyError::Rotated);
            }
            self.expect_open(&old)?;
            let issued = self.generate(old.mode, random)?;
            let new =
                NewKey { id: None, account_id, name: &old.name, mode: old.mode, expires_at: old.expires_at };
            store::insert(transaction, &new, &issued, actor, now).await?;
            let end = now + overlap.duration();
            let change = store::Change::RotatedTo {
                key: issued.id,
                expires_at: old.expires_at.map_or(end, |own_end| own_end.min(end)),
            };
            store::change(transaction, key, change).await?;
            let detail = format!("{}, {}", old.name, overlap.in_words());
            self.log(transaction, actor, Deed::KeyRotated, (account_id, key), &detail).await?;
            bump_access_version(transaction).await?;
            Ok(issued)
        })
        .await?;
        self.db.access.changed();
        Ok(issued)
    }

    /// Ends a key, for good. From the next call on it opens nothing.
    ///
    /// # Errors
    /// The account has no such key, it has ended already, or the database failed.
    pub async fn revoke(&self, account_id: Uuid, key: Uuid, actor: &Actor) -> Result<(), KeyError> {
        let change = store::Change::RevokedAt { at: self.clock.now(), reason: None };
        self.change((account_id, key), Deed::KeyRevoked, change, actor).await
    }

    /// As [`ApiKeys::revoke`], for a reason that the audit log tells.
    ///
    /// # Errors
    /// As [`ApiKeys::revoke`].
    pub async fn revoke_because(
        &self,
        reason: &str,
        account_id: Uuid,
        key: Uuid,
        actor: &Actor,
    ) -> Result<(), KeyError> {
        let change = store::Change::RevokedAt { at: self.clock.now(), reason: Some(reason.to_owned()) };
        self.change((account_id, key), Deed::KeyRevoked, change, actor).await
    }

    /// Which account a key belongs to that somebody else holds in their hands, and the key without its secret. It is not
    /// used by that.
    ///
    /// # Errors
    /// The database failed.
    pub async fn recognise(&self, key: &PresentedKey) -> Result<Option<(Uuid, ApiKey)>, KeyError> {
        let row = within_limit(store::with_hash(&self.db.main, key.hash())).await?;
        Ok(row.map(|row| (row.account_id, ApiKey::of(row, self.clock.now()))))
    }

    /// The account that a key belongs to.
    ///
    /// # Errors
    /// There is no such key, or the database failed.
    pub async fn account_of(&self, key: Uuid) -> Result<Uuid, KeyError> {
        let found = within_limit(store::find(&self.db.main, key)).await?;
        Ok(found.ok_or(KeyError::Unknown)?.account_id)
    }

    /// Who presents `key`. What was read of a key is remembered as long as nothing changed.
    ///
    /// # Errors
    /// The key opens nothing, or that cannot be told at present.
    pub async fn authenticate(&self, key: &PresentedKey) -> Result<Arc<Caller>, AuthenticationError> {
        let caller = if let Some(remembered) = self.known.get(key) {
            remembered
        } else {
            // Boxed: the many calls with a key that is remembered stay small.
            Box::pin(self.read(key)).await?
        };
        let caller = caller.ok_or(AuthenticationError::UnknownKey)?;
        caller.may_call(self.clock.now())?;
        Ok(caller)
    }

    /// Reads a key from the database, and remembers it.
    async fn read(&self, key: &PresentedKey) -> Result<Option<Arc<Caller>>, AuthenticationError> {
        let edition = self.db.access.edition();
        let found = within_limit(store::present(&self.db.main, key.hash()))
            .await
            .map_err(|error| AuthenticationError::Database(Arc::new(error)))?
            .map(Arc::new);
        self.known.remember(key, edition, found.clone());
        Ok(found)
    }

    fn generate(&self, mode: KeyMode, random: &mut impl TryCryptoRng) -> Result<IssuedKey, KeyError> {
        let secret = NewSecret::generate(mode, random).map_err(|_| KeyError::NoRandomness)?;
        Ok(IssuedKey { id: new_id(self.clock.as_ref()), secret })
    }

    async fn log(
        &self,
        transaction: &DatabaseTransaction,
        actor: &Actor,
        deed: Deed,
        (account_id, key): (Uuid, Uuid),
        detail: &str,
    ) -> Result<(), DbErr> {
        let event = Event { deed, account_id: Some(account_id), subject_id: Some(key), detail };
        audit::append(transaction, self.clock.as_ref(), actor, event).await
    }

    /// The key, which nobody else changes until the transaction ends, if it is the account's.
    async fn own(
        &self,
        transaction: &DatabaseTransaction,
        account_id: Uuid,
        key: Uuid,
    ) -> Result<store::KeyRow, KeyError> {
        let row = store::find_to_change(transaction, key).await?.filter(|row| row.account_id == account_id);
        row.ok_or(KeyError::Unknown)
    }

    fn expect_open(&self, row: &store::KeyRow) -> Result<(), KeyError> {
        if KeyStatus::of(row, self.clock.now()).has_ended() { Err(KeyError::Ended) } else { Ok(()) }
    }

    /// A change of one key, with its audit event, in one transaction that every instance hears of.
    async fn change(
        &self,
        (account_id, key): (Uuid, Uuid),
        deed: Deed,
        change: store::Change,
        actor: &Actor,
    ) -> Result<(), KeyError> {
        write(&self.db.main, async |transaction| {
            let row = self.own(transaction, account_id, key).await?;
            self.expect_open(&row)?;
            let detail = match &change {
                store::Change::Name(new) => format!("{}, now {new}", row.name),
                store::Change::RevokedAt { reason: Some(reason), .. } => format!("{}: {reason}", row.name),
                _ => row.name,
            };
            store::change(transaction, key, change).await?;
            self.log(transaction, actor, deed, (account_id, key), &detail).await?;
            Ok::<_, KeyError>(bump_access_version(transaction).await?)
        })
        .await?;
        self.db.access.changed();
        Ok(())
    }
}

fn checked_name(name: &str) -> Result<&str, KeyError> {
    checked_line(name, MAX_NAME).ok_or(KeyError::BadName)
}
