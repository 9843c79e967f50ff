//! Support staff: our own people, who are apart from customers. The first one is made on the command line, the others are
//! invited by those who are there. Who is signed in is in `sessions`, what else they prove themselves with in
//! `second_factor`.

mod store;

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use rand::TryCryptoRng;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};
use secrecy::SecretString;
use thiserror::Error;
use uuid::Uuid;

use crate::{
    audit::{self, Actor, ActorKind, Deed, Event, Trail},
    clock::SharedClock,
    db::{
        SessionKey, end_sessions, entities::one_time_link::Purpose, forget_second_factor, new_id,
        withdraw_links, within_limit, write,
    },
    email::{Message, Outbox},
    passwords::{NewPassword, PasswordFault, PasswordFingerprint, Passwords, UnfitPassword, Verdict},
    people::{BadEmailAddress, BadPersonName, EmailAddress, Person, checked_person_name},
};

/// The support staff.
#[derive(Clone)]
pub struct Staff {
    db: DatabaseConnection,
    clock: SharedClock,
    passwords: Passwords,
}

/// One of the support staff, without the password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupportPerson {
    /// The identifier.
    pub id: Uuid,
    /// In lower case.
    pub email: String,
    /// The name.
    pub name: String,
    /// Whether they have chosen a password; without one nobody signs in.
    pub has_password: bool,
    /// Since when they are one of the staff.
    pub created_at: DateTime<Utc>,
    /// Since when they can do nothing more.
    pub disabled_at: Option<DateTime<Utc>>,
}

/// A password that was chosen, ready to be kept.
#[derive(Debug)]
pub struct ChosenPassword {
    person: Uuid,
    hash: String,
}

/// What comes of an address and a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StaffSignIn {
    /// They are those of one of the staff, and this password it was.
    Accepted(SupportPerson, PasswordFingerprint),
    /// They do not belong together, or are nobody's. Which of the two it is, and whose address it is, is for the audit log:
    /// nobody who signs in is told, nor whether somebody was disabled.
    Refused(Option<SupportPerson>),
}

/// One of the support staff cannot be made or changed.
#[derive(Debug, Error)]
pub enum StaffError {
    /// The address cannot be one.
    #[error(transparent)]
    Email(#[from] BadEmailAddress),
    /// The name cannot be used.
    #[error(transparent)]
    Name(#[from] BadPersonName),
    /// One of the staff has, or had, the address.
    #[error("one of the support staff has this address already")]
    AddressTaken,
    /// There is no such person, or no more.
    #[error("there is no such person among the support staff")]
    Unknown,
    /// Whoever could end their own access would leave nobody.
    #[error("nobody ends their own access")]
    Oneself,
    /// The present password is another.
    #[error("this is not the present password")]
    WrongPassword,
    /// The password may not be chosen.
    #[error(transparent)]
    Unfit(#[from] UnfitPassword),
    /// The password cannot be worked on at present.
    #[error(transparent)]
    Fault(#[from] PasswordFault),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl Staff {
    /// The support staff kept in `db`.
    #[must_use]
    pub const fn new(db: DatabaseConnection, clock: SharedClock, passwords: Passwords) -> Self {
        Self { db, clock, passwords }
    }

    /// Makes somebody one of the staff.
    ///
    /// # Errors
    /// The address, the name or the password cannot be used, the address is taken, or the database failed.
    pub async fn create(
        &self,
        (email, name): (&str, &str),
        password: &SecretString,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<Uuid, StaffError> {
        let email: EmailAddress = email.parse()?;
        let name = checked_person_name(name)?;
        let fit = NewPassword::check(password, &[email.as_str(), name])?;
        let hash = self.passwords.hash(fit, random).await?;
        self.insert((&email, name), Some(hash), actor).await
    }

    /// Makes somebody one of the staff who is to choose a password by a link.
    ///
    /// # Errors
    /// The address or the name cannot be used, the address is taken, or the database failed.
    pub async fn invite(&self, (email, name): (&str, &str), actor: &Actor) -> Result<Uuid, StaffError> {
        let email: EmailAddress = email.parse()?;
        self.insert((&email, checked_person_name(name)?), None, actor).await
    }

    /// As [`Staff::invite`], as a part of a transaction.
    ///
    /// # Errors
    /// As [`Staff::invite`].
    pub async fn invite_within(
        &self,
        transaction: &DatabaseTransaction,
        (email, name): (&EmailAddress, &str),
        actor: &Actor,
        trail: &mut Trail,
    ) -> Result<Uuid, StaffError> {
        self.insert_within(transaction, (email, checked_person_name(name)?), None, actor, trail).await
    }

    async fn insert(
        &self,
        (email, name): (&EmailAddress, &str),
        password_hash: Option<String>,
        actor: &Actor,
    ) -> Result<Uuid, StaffError> {
        write(&self.db, async |transaction| {
            let mut trail = Trail::default();
            let who = (email, name);
            let id = self.insert_within(transaction, who, password_hash, actor, &mut trail).await?;
            trail.write(transaction, self.clock.as_ref()).await?;
            Ok(id)
        })
        .await
    }

    async fn insert_within(
        &self,
        transaction: &DatabaseTransaction,
        (email, name): (&EmailAddress, &str),
        password_hash: Option<String>,
        actor: &Actor,
        trail: &mut Trail,
    ) -> Result<Uuid, StaffError> {
        let row = store::StaffRow {
            id: new_id(self.clock.as_ref()),
            email: email.as_str().to_owned(),
            name: name.to_owned(),
            password_hash,
            created_at: self.clock.now(),
            disabled_at: None,
        };
        let id = row.id;
        store::insert(transaction, row).await?;
        let detail = &format!("{name} <{email}>");
        let event = Event { deed: Deed::StaffCreated, account_id: None, subject_id: Some(id), detail };
        trail.note(actor, &event);
        Ok(id)
    }

    /// Whose address and password these are.
    ///
    /// # Errors
    /// It cannot be told at present.
    pub async fn sign_in(
        &self,
        email: &str,
        password: &SecretString,
        random: &mut impl TryCryptoRng,
    ) -> Result<StaffSignIn, StaffError> {
        let found = match email.parse::<EmailAddress>() {
            Ok(email) => within_limit(store::by_email(&self.db, &email)).await?,
            Err(BadEmailAddress) => None,
        };
        let found = found.filter(|row| row.disabled_at.is_none());
        let kept = found.as_ref().and_then(|row| row.password_hash.as_deref());
        let recognised = self.passwords.recognise(password, kept, random).await?;
        let (row, recognised) = match (found, recognised) {
            (Some(row), Some(recognised)) => (row, recognised),
            (found, _) => return Ok(StaffSignIn::Refused(found.map(SupportPerson::of))),
        };
        let mut fingerprint = PasswordFingerprint::of(row.password_hash.as_deref().unwrap_or_default());
        if let Some(keep) = recognised.keep {
            let anew = PasswordFingerprint::of(&keep);
            if within_limit(store::keep_anew(&self.db, &row, keep)).await? {
                fingerprint = anew;
            }
        }
        Ok(StaffSignIn::Accepted(SupportPerson::of(row), fingerprint))
    }

    /// Everybody who is or was one of the staff, by name.
    ///
    /// # Errors
    /// The database failed.
    pub async fn list(&self) -> Result<Vec<SupportPerson>, StaffError> {
        let rows = within_limit(store::all(&self.db)).await?;
        Ok(rows.into_iter().map(SupportPerson::of).collect())
    }

    /// Who of the staff has this address, if somebody who may come in has.
    ///
    /// # Errors
    /// The database failed.
    pub async fn with_email(&self, email: &EmailAddress) -> Result<Option<SupportPerson>, StaffError> {
        let row = within_limit(store::by_email(&self.db, email)).await?;
        Ok(row.filter(|row| row.disabled_at.is_none()).map(SupportPerson::of))
    }

    /// One of the staff, even one who was disabled.
    ///
    /// # Errors
    /// The database failed.
    pub async fn find(&self, person: Uuid) -> Result<Option<SupportPerson>, StaffError> {
        Ok(within_limit(store::find(&self.db, person)).await?.map(SupportPerson::of))
    }

    /// A password that somebody who came by a link has chosen, ready to be kept.
    ///
    /// # Errors
    /// It may not be chosen, there is no such person, or the database failed.
    pub async fn prepare_password(
        &self,
        person: Uuid,
        new: &SecretString,
        random: &mut impl TryCryptoRng,
    ) -> Result<ChosenPassword, StaffError> {
        let (_, fit) = self.fit_password(person, new).await?;
        Ok(ChosenPassword { person, hash: self.passwords.hash(fit, random).await? })
    }

    /// One of the staff who is allowed in, or invited, and whom nobody else changes until the transaction ends.
    ///
    /// # Errors
    /// There is no such person, or the database failed.
    pub async fn lock_within(
        &self,
        transaction: &DatabaseTransaction,
        person: Uuid,
    ) -> Result<SupportPerson, StaffError> {
        Ok(SupportPerson::of(present(store::find_to_change(transaction, person).await?)?))
    }

    /// Keeps the password of somebody who came by a link, and tells them by mail when there was another before, as a part of
    /// a transaction. Every session ends.
    ///
    /// # Errors
    /// There is no such person, or the database failed.
    pub async fn keep_password_within(
        &self,
        transaction: &DatabaseTransaction,
        chosen: ChosenPassword,
        (from, outbox): (IpAddr, &Outbox),
        trail: &mut Trail,
    ) -> Result<(), StaffError> {
        let row = present(store::find_to_change(transaction, chosen.person).await?)?;
        let change = (Deed::PasswordSet, chosen.hash);
        self.replace_password(transaction, &row, change, None, (from, outbox), trail).await
    }

    /// Sets another password in place of the present one, and tells the person by mail. Every session ends but the one that
    /// asks. Returns which password it is now, which that session has to know.
    ///
    /// # Errors
    /// The present password is another, the new one may not be chosen, there is no such person, or the database failed.
    pub async fn change_password(
        &self,
        person: Uuid,
        (typed, new): (&SecretString, &SecretString),
        keep: &SessionKey,
        from: IpAddr,
        random: &mut impl TryCryptoRng,
        outbox: &Outbox,
    ) -> Result<PasswordFingerprint, StaffError> {
        let (row, fit) = self.fit_password(person, new).await?;
        if self.passwords.verify(typed, row.password_hash.as_deref()).await? == Verdict::Wrong {
            return Err(StaffError::WrongPassword);
        }
        let hash = self.passwords.hash(fit, random).await?;
        let fingerprint = PasswordFingerprint::of(&hash);
        write(&self.db, async |transaction| {
            let now_kept = present(store::find_to_change(transaction, person).await?)?;
            // Somebody changed it meanwhile: what was compared is not the present one any more.
            if now_kept.password_hash != row.password_hash {
                return Err(StaffError::WrongPassword);
            }
            let (change, mut trail) = ((Deed::PasswordChanged, hash), Trail::default());
            let (keep, told) = (Some(keep), (from, outbox));
            self.replace_password(transaction, &now_kept, change, keep, told, &mut trail).await?;
            Ok(trail.write(transaction, self.clock.as_ref()).await?)
        })
        .await?;
        Ok(fingerprint)
    }

    /// Somebody, with a new password that they may choose.
    async fn fit_password(
        &self,
        person: Uuid,
        new: &SecretString,
    ) -> Result<(store::StaffRow, NewPassword), StaffError> {
        let row = present(within_limit(store::find(&self.db, person)).await?)?;
        let fit = NewPassword::check(new, &[&row.email, &row.name])?;
        Ok((row, fit))
    }

    /// With the old password, everything ends that it opened or that could replace it.
    async fn replace_password(
        &self,
        transaction: &DatabaseTransaction,
        row: &store::StaffRow,
        (deed, hash): (Deed, String),
        keep: Option<&SessionKey>,
        (from, outbox): (IpAddr, &Outbox),
        trail: &mut Trail,
    ) -> Result<(), StaffError> {
        let (person, now) = (Person::Support(row.id), self.clock.now());
        store::set_password(transaction, row.id, hash).await?;
        end_sessions(transaction, person, keep).await?;
        withdraw_links(transaction, person, &Purpose::CHOOSING_A_PASSWORD, now).await?;
        if row.password_hash.is_some() {
            let message = Message::PasswordChanged { at: now, to: person.into() };
            outbox.enqueue(transaction, &row.email.parse::<EmailAddress>()?, &message).await?;
        }
        let event = Event { deed, account_id: None, subject_id: Some(row.id), detail: &row.email };
        trail.note(&Actor::person(person, from), &event);
        Ok(())
    }

    /// Notes in the audit log that somebody came in, whose password and second factor were seen.
    ///
    /// # Errors
    /// There is no such person, or the database failed.
    pub async fn note_sign_in(&self, person: Uuid, actor: &Actor) -> Result<(), StaffError> {
        write(&self.db, async |transaction| {
            let row = store::find(transaction, person).await?.ok_or(StaffError::Unknown)?;
            let event = Event {
                deed: Deed::StaffSignedIn,
                account_id: None,
                subject_id: Some(person),
                detail: &row.email,
            };
            Ok(audit::append(transaction, self.clock.as_ref(), actor, event).await?)
        })
        .await
    }

    /// Lets somebody in no more. The sessions end, the links are withdrawn and the second factor is forgotten; what they did
    /// stays theirs. One of the staff who does it must be allowed in, and does it to somebody else: so one is always left.
    ///
    /// # Errors
    /// There is no such person or no more, it is the actor, or the database failed.
    pub async fn disable(&self, person: Uuid, reason: &str, actor: &Actor) -> Result<(), StaffError> {
        let now = self.clock.now();
        write(&self.db, async |transaction| {
            let allowed_in = store::lock_allowed_in(transaction).await?;
            if actor.kind() == ActorKind::Support {
                if actor.id() == Some(person) {
                    return Err(StaffError::Oneself);
                }
                if !actor.id().is_some_and(|actor| allowed_in.contains(&actor)) {
                    return Err(StaffError::Unknown);
                }
            }
            if !store::disable(transaction, person, now).await? {
                return Err(StaffError::Unknown);
            }
            end_sessions(transaction, Person::Support(person), None).await?;
            forget_second_factor(transaction, Person::Support(person)).await?;
            withdraw_links(transaction, Person::Support(person), &Purpose::ALL, now).await?;
            self.log(transaction, actor, Deed::StaffDisabled, person, reason).await
        })
        .await
    }

    async fn log(
        &self,
        transaction: &DatabaseTransaction,
        actor: &Actor,
        deed: Deed,
        person: Uuid,
        detail: &str,
    ) -> Result<(), StaffError> {
        let event = Event { deed, account_id: None, subject_id: Some(person), detail };
        Ok(audit::append(transaction, self.clock.as_ref(), actor, event).await?)
    }
}

impl SupportPerson {
    fn of(row: store::StaffRow) -> Self {
        Self {
            id: row.id,
            email: row.email,
            name: row.name,
            has_password: row.password_hash.is_some(),
            created_at: row.created_at,
            disabled_at: row.disabled_at,
        }
    }
}

/// Who was disabled is nobody.
fn present(row: Option<store::StaffRow>) -> Result<store::StaffRow, StaffError> {
    row.filter(|row| row.disabled_at.is_none()).ok_or(StaffError::Unknown)
}
