//! One-time links: what is mailed to somebody who is to prove an address, choose a password or take a key. A link works
//! once and for 24 hours. Its secret is known to its receiver alone; here only its SHA-256 is kept. Looking at a link does
//! not use it up: scanners of mail look at every link. What it is used for is done by other services.

mod claim;
mod secret;
mod state;
mod store;

use std::{net::IpAddr, time::Duration};

use chrono::{DateTime, Utc};
use rand::TryCryptoRng;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};
use secrecy::SecretString;
use thiserror::Error;
use uuid::Uuid;

pub use self::{
    claim::{PreparedKey, SentClaim},
    secret::LinkSecret,
    state::{LinkState, OneTimeLink},
};
pub use crate::db::entities::{api_key::KeyMode, one_time_link::Purpose};
use crate::{
    audit::{self, Actor, Deed, Event, Trail},
    clock::SharedClock,
    db::{new_id, withdraw_links, within_limit, write},
    email::{Message, Outbox},
    people::{EmailAddress, Person},
};

/// How long a link can be used.
const LIFETIME: Duration = Duration::from_hours(24);

/// The links that were sent to anybody.
#[derive(Clone)]
pub struct OneTimeLinks {
    db: DatabaseConnection,
    clock: SharedClock,
}

/// A link to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewLink<'a> {
    /// The identifier it is to have, when the same link must not be made twice.
    pub id: Option<Uuid>,
    /// What it is for.
    pub purpose: Purpose,
    /// For whom.
    pub person: Person,
    /// The key that it brings.
    pub key: Option<&'a PreparedKey>,
}

/// A link that was just made.
#[derive(Debug)]
pub struct IssuedLink {
    /// Its identifier.
    pub id: Uuid,
    /// What its address ends with; stored nowhere.
    pub secret: LinkSecret,
    /// Until when it can be used.
    pub expires_at: DateTime<Utc>,
}

/// A link cannot be made or used.
#[derive(Debug, Error)]
pub enum LinkError {
    /// There is no such link, or it is for something else.
    #[error("there is no such link")]
    Unknown,
    /// It was used, its time is over, or it was withdrawn.
    #[error("the link can be used no more: it is {}", .0.as_str())]
    Ended(LinkState),
    /// There is a link of this identifier.
    #[error("the link was made already")]
    AlreadyIssued,
    /// There is nobody to send it to.
    #[error("there is no such person")]
    UnknownPerson,
    /// The machine gives no randomness.
    #[error("the system's random numbers cannot be had")]
    NoRandomness,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl OneTimeLinks {
    /// The links kept in `db`.
    #[must_use]
    pub const fn new(db: DatabaseConnection, clock: SharedClock) -> Self {
        Self { db, clock }
    }

    /// Makes a link for a person, with the letter that brings it: neither is there without the other. One that was sent to them
    /// before for the same purpose can be used no more.
    ///
    /// # Errors
    /// There is no such person or no more, no randomness, or the database failed.
    pub async fn mail(
        &self,
        purpose: Purpose,
        (person, to): (Person, &EmailAddress),
        actor: &Actor,
        random: &mut impl TryCryptoRng,
        (outbox, message): (&Outbox, impl FnOnce(SecretString) -> Message + Send),
    ) -> Result<(), LinkError> {
        write(&self.db, async |transaction| {
            let (new, mut trail) = (NewLink::of(purpose, person), Trail::default());
            let issued = self.issue_within(transaction, new, actor, random, &mut trail).await?;
            outbox.enqueue(transaction, to, &message(issued.secret.for_letter())).await?;
            Ok(trail.write(transaction, self.clock.as_ref()).await?)
        })
        .await
    }

    /// As [`OneTimeLinks::mail`], as a part of a transaction, which sends the letter as well.
    ///
    /// # Errors
    /// As [`OneTimeLinks::mail`], or there is a link of this identifier.
    pub async fn issue_within(
        &self,
        transaction: &DatabaseTransaction,
        new: NewLink<'_>,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
        trail: &mut Trail,
    ) -> Result<IssuedLink, LinkError> {
        let now = self.clock.now();
        let secret = LinkSecret::generate(random).map_err(|_| LinkError::NoRandomness)?;
        let id = new.id.unwrap_or_else(|| new_id(self.clock.as_ref()));
        let issued = IssuedLink { id, secret, expires_at: now + LIFETIME };
        // With the person locked: of two links that are made at once, one withdraws the other.
        let account_id =
            store::lock_person(transaction, new.person).await?.ok_or(LinkError::UnknownPerson)?;
        if new.id.is_some() && store::by_id(transaction, id).await?.is_some() {
            return Err(LinkError::AlreadyIssued);
        }
        let withdrawn = withdraw_links(transaction, new.person, &[new.purpose], now).await?;
        store::insert(transaction, &issued, (new, account_id), now).await?;
        let instead = if withdrawn > 0 { ", instead of an earlier one" } else { "" };
        let key = new.key.map(|key| format!(" {:?}", key.name)).unwrap_or_default();
        let detail = &format!("{}{key}{instead}", new.purpose.as_str());
        trail.note(actor, &Event { deed: Deed::LinkIssued, account_id, subject_id: Some(id), detail });
        Ok(issued)
    }

    /// What a link is, as long as it can be used. It stays usable; that somebody opened it is noted.
    ///
    /// # Errors
    /// There is no such link for this purpose, it can be used no more, or the database failed.
    pub async fn look(&self, purpose: Purpose, secret: &str) -> Result<OneTimeLink, LinkError> {
        let now = self.clock.now();
        let hash = secret::hash(secret).ok_or(LinkError::Unknown)?;
        let row = within_limit(store::find(&self.db, purpose, &hash)).await?.ok_or(LinkError::Unknown)?;
        let mut link = OneTimeLink::of(&row, now)?;
        match link.state {
            LinkState::Sent => {
                within_limit(store::open(&self.db, link.id, now)).await?;
                link.state = LinkState::Opened;
                link.opened_at = Some(now);
                Ok(link)
            }
            LinkState::Opened => Ok(link),
            ended => Err(LinkError::Ended(ended)),
        }
    }

    /// Uses a link up, as a part of the transaction that does what it is for. Of any number who try at once, one succeeds.
    ///
    /// # Errors
    /// There is no such link for this purpose, it can be used no more, or the database failed.
    pub async fn consume_within(
        &self,
        transaction: &DatabaseTransaction,
        purpose: Purpose,
        secret: &str,
        from: IpAddr,
        trail: &mut Trail,
    ) -> Result<OneTimeLink, LinkError> {
        let now = self.clock.now();
        let hash = secret::hash(secret).ok_or(LinkError::Unknown)?;
        let used = store::consume(transaction, purpose, &hash, now).await?;
        let row = store::find(transaction, purpose, &hash).await?.ok_or(LinkError::Unknown)?;
        let link = OneTimeLink::of(&row, now)?;
        if !used {
            return Err(LinkError::Ended(link.state));
        }
        let (account_id, subject_id) = (link.account_id, Some(link.id));
        let event = Event { deed: Deed::LinkUsed, account_id, subject_id, detail: purpose.as_str() };
        trail.note(&Actor::person(link.person, from), &event);
        Ok(link)
    }

    /// Takes a link back before it was used. `account_id` is that of the member for whom it is; none for support staff.
    ///
    /// # Errors
    /// The account has no such link, it can be used no more anyway, or the database failed.
    pub async fn withdraw(
        &self,
        account_id: Option<Uuid>,
        link: Uuid,
        actor: &Actor,
    ) -> Result<(), LinkError> {
        let now = self.clock.now();
        write(&self.db, async |transaction| {
            let withdrawn = store::withdraw(transaction, account_id, link, now).await?;
            let row = store::by_id(transaction, link).await?.filter(|row| row.account_id == account_id);
            let link = OneTimeLink::of(&row.ok_or(LinkError::Unknown)?, now)?;
            if !withdrawn {
                return Err(LinkError::Ended(link.state));
            }
            let of = (account_id, link.id);
            self.log(transaction, actor, Deed::LinkWithdrawn, of, link.purpose.as_str()).await
        })
        .await
    }

    /// The links of an account's members, newest first, ended ones too until they are deleted.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of_account(&self, account_id: Uuid) -> Result<Vec<OneTimeLink>, LinkError> {
        let rows = within_limit(store::of_account(&self.db, account_id)).await?;
        rows.iter().map(|row| OneTimeLink::of(row, self.clock.now()).map_err(LinkError::from)).collect()
    }

    /// A link, whatever its state.
    ///
    /// # Errors
    /// The database failed.
    pub async fn find(&self, link: Uuid) -> Result<Option<OneTimeLink>, LinkError> {
        let row = within_limit(store::by_id(&self.db, link)).await?;
        Ok(row.map(|row| OneTimeLink::of(&row, self.clock.now())).transpose()?)
    }

    /// The latest `most` links that bring keys, of one account or of all, newest first, ended ones too until they are
    /// deleted.
    ///
    /// # Errors
    /// The database failed.
    pub async fn claims(&self, account_id: Option<Uuid>, most: u64) -> Result<Vec<SentClaim>, LinkError> {
        let rows = within_limit(store::claims(&self.db, account_id, most, self.clock.now())).await?;
        Ok(rows.into_iter().map(SentClaim::of).collect::<Result<_, _>>()?)
    }

    /// As [`OneTimeLinks::find`], as a part of a transaction.
    ///
    /// # Errors
    /// The database failed.
    pub async fn find_within(
        &self,
        transaction: &DatabaseTransaction,
        link: Uuid,
    ) -> Result<Option<OneTimeLink>, LinkError> {
        let row = store::by_id(transaction, link).await?;
        Ok(row.map(|row| OneTimeLink::of(&row, self.clock.now())).transpose()?)
    }

    /// The latest link to a key that a member was sent, whatever its state, as a part of a transaction that has locked the
    /// member: no other is sent meanwhile.
    ///
    /// # Errors
    /// The database failed.
    pub async fn newest_claim_within(
        &self,
        transaction: &DatabaseTransaction,
        member: Uuid,
    ) -> Result<Option<OneTimeLink>, LinkError> {
        let row = store::newest_claim(transaction, member).await?;
        Ok(row.map(|row| OneTimeLink::of(&row, self.clock.now())).transpose()?)
    }

    /// The links of the support staff, newest first, ended ones too until they are deleted.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of_staff(&self) -> Result<Vec<OneTimeLink>, LinkError> {
        let rows = within_limit(store::of_staff(&self.db)).await?;
        rows.iter().map(|row| OneTimeLink::of(row, self.clock.now()).map_err(LinkError::from)).collect()
    }

    /// Deletes the links that could be used no more by a moment, and says so in the audit log. How many they were.
    ///
    /// # Errors
    /// The database failed.
    pub async fn purge(&self, before: DateTime<Utc>, actor: &Actor) -> Result<u64, DbErr> {
        let delete = async |transaction: &DatabaseTransaction, _| {
            store::delete_ended_before(transaction, before).await
        };
        audit::purge(&self.db, self.clock.as_ref(), actor, "one-time links", delete).await
    }

    async fn log(
        &self,
        transaction: &DatabaseTransaction,
        actor: &Actor,
        deed: Deed,
        (account_id, link): (Option<Uuid>, Uuid),
        detail: &str,
    ) -> Result<(), LinkError> {
        let event = Event { deed, account_id, subject_id: Some(link), detail };
        Ok(audit::append(transaction, self.clock.as_ref(), actor, event).await?)
    }
}

impl NewLink<'_> {
    /// A link that brings no key.
    const fn of(purpose: Purpose, person: Person) -> Self {
        Self { id: None, purpose, person, key: None }
    }
}

impl Purpose {
    /// The words for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConfirmAddress => "confirm address",
            Self::ResetPassword => "reset password",
            Self::ClaimKey => "claim key",
            Self::Invitation => "invitation",
            Self::JoinStaff => "join the support staff",
        }
    }
}
