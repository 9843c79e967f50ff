//! Second factors: what somebody who signs in has beside the password, an app that makes codes (TOTP, RFC 6238), and codes
//! for when the app is lost. The app's secret is kept encrypted for its person, under a key that stands in no database and
//! can be exchanged (`renewal`); of the recovery codes only SHA-256 is kept. Whether one is asked for, and what it opens, is the business of the pages; how
//! often it may be tried, that of `limits`.

mod recovery;
mod renewal;
mod seal;
mod store;
mod totp;

use std::{collections::HashMap, net::IpAddr};

use chrono::{DateTime, Utc};
use rand::TryCryptoRng;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};
use thiserror::Error;
use uuid::Uuid;

pub use self::{
    recovery::RecoveryCodes,
    renewal::Renewal,
    seal::{SealedSecret, SecondFactorKey},
    totp::TotpSecret,
};
use crate::{
    audit::{self, Actor, Deed, Event},
    clock::SharedClock,
    db::{SessionKey, end_sessions, forget_second_factor, new_id, within_limit, write},
    email::{Message, Outbox},
    people::{BadEmailAddress, EmailAddress, Person},
};

/// The second factors of everybody who signs in.
#[derive(Clone)]
pub struct SecondFactors {
    db: DatabaseConnection,
    clock: SharedClock,
    key: Option<SecondFactorKey>,
}

/// What may be told of somebody's second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondFactor {
    /// When it was set up.
    pub since: DateTime<Utc>,
    /// Recovery codes that were not used.
    pub recovery_codes_left: u64,
}

/// What is to become somebody's second factor.
#[derive(Clone, Copy, Debug)]
pub struct NewSecondFactor<'a> {
    /// Whose.
    pub person: Person,
    /// As [`SecondFactors::begin`] gave it.
    pub sealed: &'a SealedSecret,
    /// A code that the app makes of it, as typed.
    pub code: &'a str,
    /// Whether it takes the place of one that is there.
    pub replaces: bool,
    /// The session that asks: every other one ends.
    pub keep: Option<&'a SessionKey>,
    /// From where.
    pub from: IpAddr,
}

/// A second factor cannot be set up, changed or seen.
#[derive(Debug, Error)]
pub enum SecondFactorError {
    /// Without a key no secret is kept and none is read.
    #[error("accounts.second_factor_key is not set")]
    NoKey,
    /// The person has none.
    #[error("there is no second factor")]
    NotSet,
    /// The person has one already.
    #[error("there is a second factor already")]
    AlreadySet,
    /// It is no code of this person's, or it was used before.
    #[error("this code is not the present one, or it was used already")]
    WrongCode,
    /// There is no such person, or no more.
    #[error("there is no such person")]
    UnknownPerson,
    /// A secret was not encrypted for this person under a key that is known.
    #[error("the secret of a second factor cannot be read: is accounts.second_factor_key another one now?")]
    Unreadable,
    /// The machine gives no randomness.
    #[error("the system's random numbers cannot be had")]
    NoRandomness,
    /// The person's address is none.
    #[error(transparent)]
    Email(#[from] BadEmailAddress),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl SecondFactors {
    /// The second factors kept in `db`. Without a key nobody can set one up, and no code of an app can be read.
    #[must_use]
    pub const fn new(db: DatabaseConnection, clock: SharedClock, key: Option<SecondFactorKey>) -> Self {
        Self { db, clock, key }
    }

    /// Whether secrets can be kept and read.
    #[must_use]
    pub const fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// A person's second factor.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of(&self, person: Person) -> Result<Option<SecondFactor>, SecondFactorError> {
        let Some(row) = within_limit(store::find(&self.db, person)).await? else { return Ok(None) };
        let recovery_codes_left = within_limit(store::unused_codes(&self.db, row.id)).await?;
        Ok(Some(SecondFactor { since: row.created_at, recovery_codes_left }))
    }

    /// Whether a person has one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn has_one(&self, person: Person) -> Result<bool, SecondFactorError> {
        Ok(within_limit(store::find(&self.db, person)).await?.is_some())
    }

    /// Who of the support staff has one, and since when.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of_staff(&self) -> Result<HashMap<Uuid, DateTime<Utc>>, SecondFactorError> {
        let rows = within_limit(store::of_staff(&self.db)).await?;
        Ok(rows.into_iter().filter_map(|row| Some((row.staff_id?, row.created_at))).collect())
    }

    /// A secret for an app, and the same encrypted, to be kept until a code shows that the app has it. Nothing is stored.
    ///
    /// # Errors
    /// There is no key, or no randomness.
    pub fn begin(
        &self,
        person: Person,
        random: &mut impl TryCryptoRng,
    ) -> Result<(TotpSecret, SealedSecret), SecondFactorError> {
        let key = self.key()?;
        let secret = TotpSecret::generate(random).map_err(|_| SecondFactorError::NoRandomness)?;
        let sealed = key.seal(person, &secret, random)?;
        Ok((secret, sealed))
    }

    /// The secret that [`SecondFactors::begin`] gave, to be shown once more.
    ///
    /// # Errors
    /// There is no key, or it was encrypted for somebody else or under another one.
    pub fn begun(&self, person: Person, sealed: &SealedSecret) -> Result<TotpSecret, SecondFactorError> {
        Ok(self.key()?.open(person, &sealed.bytes()).ok_or(SecondFactorError::Unreadable)?.secret)
    }

    /// Makes it the person's second factor, if the code shows that the app has the secret. The person is told by mail. Returns
    /// the recovery codes, which are known this once.
    ///
    /// # Errors
    /// The code is another; there is a second factor and this one does not replace it, or there is none to be replaced; there is
    /// no such person, no key or no randomness; or the database failed.
    pub async fn set_up(
        &self,
        new: NewSecondFactor<'_>,
        random: &mut impl TryCryptoRng,
        outbox: &Outbox,
    ) -> Result<RecoveryCodes, SecondFactorError> {
        let secret = self.begun(new.person, new.sealed)?;
        let now = self.clock.now();
        let step = secret.step_of(new.code, now).ok_or(SecondFactorError::WrongCode)?;
        let codes = RecoveryCodes::generate(random).map_err(|_| SecondFactorError::NoRandomness)?;
        // What was begun may have been encrypted under a former key.
        let sealed = self.key()?.seal(new.person, &secret, random)?;
        let (id, secret) = (new_id(self.clock.as_ref()), sealed.bytes());
        write(&self.db, async |transaction| {
            let owner = owner(transaction, new.person).await?;
            match (forget_second_factor(transaction, new.person).await?, new.replaces) {
                (true, false) => return Err(SecondFactorError::AlreadySet),
                (false, true) => return Err(SecondFactorError::NotSet),
                (true, true) | (false, false) => {}
            }
            let row = store::FactorRow {
                id,
                member_id: new.person.member_id(),
                staff_id: new.person.support_id(),
                secret,
                created_at: now,
                last_step: step,
            };
            store::insert(transaction, row).await?;
            store::insert_codes(transaction, id, codes.hashes()).await?;
            // Wherever else the person is signed in, it was not asked for.
            end_sessions(transaction, new.person, new.keep).await?;
            let message = Message::SecondFactorSetUp { at: now, to: new.person.into() };
            outbox.enqueue(transaction, &owner.email.parse::<EmailAddress>()?, &message).await?;
            let instead = if new.replaces { ", instead of an earlier one" } else { "" };
            let detail = format!("{}{instead}", owner.email);
            let actor = Actor::person(new.person, new.from);
            self.log(transaction, &actor, Deed::SecondFactorSetUp, (&owner, new.person), &detail).await
        })
        .await?;
        Ok(codes)
    }

    /// Whether what was typed is a code of the person's app at present, or a recovery code. Either is accepted once: who looked
    /// over a shoulder can do nothing with it. Of a recovery code the person is told by mail.
    ///
    /// # Errors
    /// It is none, or was accepted before; the person has no second factor; it cannot be read; or the database failed.
    pub async fn prove(
        &self,
        person: Person,
        typed: &str,
        from: IpAddr,
        outbox: &Outbox,
        random: &mut impl TryCryptoRng,
    ) -> Result<(), SecondFactorError> {
        let seen = self.see(person, typed, (from, outbox), random).await;
        if matches!(seen, Err(SecondFactorError::WrongCode)) {
            self.note_refusal(person, from).await?;
        }
        seen
    }

    /// Whoever typed a wrong code knew the password or had the session: support should be able to see that.
    async fn note_refusal(&self, person: Person, from: IpAddr) -> Result<(), SecondFactorError> {
        write(&self.db, async |transaction| {
            let owner = owner(transaction, person).await?;
            let (actor, deed) = (Actor::visitor(from), Deed::SecondFactorRefused);
            self.log(transaction, &actor, deed, (&owner, person), &owner.email).await
        })
        .await
    }

    async fn see(
        &self,
        person: Person,
        typed: &str,
        (from, outbox): (IpAddr, &Outbox),
        random: &mut impl TryCryptoRng,
    ) -> Result<(), SecondFactorError> {
        if let Some(hash) = recovery::hash(typed) {
            return self.use_recovery_code(person, &hash, from, outbox).await;
        }
        let row = within_limit(store::find(&self.db, person)).await?.ok_or(SecondFactorError::NotSet)?;
        let opened = self.key()?.open(person, &row.secret).ok_or(SecondFactorError::Unreadable)?;
        let step = opened.secret.step_of(typed, self.clock.now()).ok_or(SecondFactorError::WrongCode)?;
        let accepted = within_limit(store::accept_step(&self.db, row.id, step)).await?;
        if !accepted {
            return Err(SecondFactorError::WrongCode);
        }
        if opened.by_former_key
            && let Err(error) = self.keep_anew(&self.db, &row, &opened.secret, random).await
        {
            // The code was right all the same, and the next one is another chance.
            tracing::warn!(%error, "a secret of a second factor is still kept under a former key");
        }
        Ok(())
    }

    async fn use_recovery_code(
        &self,
        person: Person,
        hash: &[u8; 32],
        from: IpAddr,
        outbox: &Outbox,
    ) -> Result<(), SecondFactorError> {
        let now = self.clock.now();
        write(&self.db, async |transaction| {
            let owner = owner(transaction, person).await?;
            let row = store::find(transaction, person).await?.ok_or(SecondFactorError::NotSet)?;
            if !store::use_code(transaction, row.id, hash, now).await? {
                return Err(SecondFactorError::WrongCode);
            }
            let left = store::unused_codes(transaction, row.id).await?;
            let message = Message::RecoveryCodeUsed { at: now, left, to: person.into() };
            outbox.enqueue(transaction, &owner.email.parse::<EmailAddress>()?, &message).await?;
            let (actor, detail) = (Actor::person(person, from), format!("{}, {left} left", owner.email));
            self.log(transaction, &actor, Deed::RecoveryCodeUsed, (&owner, person), &detail).await
        })
        .await
    }

    /// Makes new recovery codes; those before open nothing more. They are known this once.
    ///
    /// # Errors
    /// The person has no second factor, there is no randomness, or the database failed.
    pub async fn renew_recovery_codes(
        &self,
        person: Person,
        from: IpAddr,
        random: &mut impl TryCryptoRng,
    ) -> Result<RecoveryCodes, SecondFactorError> {
        let codes = RecoveryCodes::generate(random).map_err(|_| SecondFactorError::NoRandomness)?;
        write(&self.db, async |transaction| {
            let owner = owner(transaction, person).await?;
            let row = store::find(transaction, person).await?.ok_or(SecondFactorError::NotSet)?;
            store::delete_codes(transaction, row.id).await?;
            store::insert_codes(transaction, row.id, codes.hashes()).await?;
            let (deed, actor) = (Deed::RecoveryCodesRenewed, Actor::person(person, from));
            self.log(transaction, &actor, deed, (&owner, person), &owner.email).await
        })
        .await?;
        Ok(codes)
    }

    /// Takes a person's second factor away: the password alone lets them in, or, one of the support staff, to where another is
    /// set up. Every session ends but `keep`, and the person is told by mail.
    ///
    /// # Errors
    /// The person has none, there is no such person, or the database failed.
    pub async fn remove(
        &self,
        person: Person,
        keep: Option<&SessionKey>,
        actor: &Actor,
        outbox: &Outbox,
    ) -> Result<(), SecondFactorError> {
        let now = self.clock.now();
        write(&self.db, async |transaction| {
            let owner = owner(transaction, person).await?;
            if !forget_second_factor(transaction, person).await? {
                return Err(SecondFactorError::NotSet);
            }
            end_sessions(transaction, person, keep).await?;
            let message = Message::SecondFactorRemoved { at: now, to: person.into() };
            outbox.enqueue(transaction, &owner.email.parse::<EmailAddress>()?, &message).await?;
            self.log(transaction, actor, Deed::SecondFactorRemoved, (&owner, person), &owner.email).await
        })
        .await
    }

    fn key(&self) -> Result<&SecondFactorKey, SecondFactorError> {
        self.key.as_ref().ok_or(SecondFactorError::NoKey)
    }

    async fn log(
        &self,
        transaction: &DatabaseTransaction,
        actor: &Actor,
        deed: Deed,
        (owner, person): (&store::Owner, Person),
        detail: &str,
    ) -> Result<(), SecondFactorError> {
        let event = Event { deed, account_id: owner.account_id, subject_id: Some(person.id()), detail };
        Ok(audit::append(transaction, self.clock.as_ref(), actor, event).await?)
    }
}

/// With the person locked: of two who change the same second factor, one comes after the other.
async fn owner(transaction: &DatabaseTransaction, person: Person) -> Result<store::Owner, SecondFactorError> {
    store::lock_owner(transaction, person).await?.ok_or(SecondFactorError::UnknownPerson)
}
