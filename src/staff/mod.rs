//! Support staff: our own people, who are apart from customers. The first one is made on the command line. Who is signed
//! in is in `sessions`.

mod store;

use chrono::{DateTime, Utc};
use rand::TryCryptoRng;
use sea_orm::{DatabaseConnection, DbErr};
use secrecy::SecretString;
use thiserror::Error;
use uuid::Uuid;

use crate::{
    audit::{self, Actor, Deed, Event},
    clock::SharedClock,
    db::{end_sessions, entities::one_time_link::Purpose, new_id, withdraw_links, within_limit, write},
    passwords::{NewPassword, PasswordFault, PasswordFingerprint, Passwords, UnfitPassword},
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
    /// Since when they are one of the staff.
    pub created_at: DateTime<Utc>,
    /// Since when they can do nothing more.
    pub disabled_at: Option<DateTime<Utc>>,
}

/// What comes of an address and a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StaffSignIn {
    /// They are those of one of the staff, and this password it was.
    Accepted(SupportPerson, PasswordFingerprint),
    /// They are nobody's, and it is not told which of the two is wrong, nor whether somebody was disabled.
    Refused,
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
        let row = store::StaffRow {
            id: new_id(self.clock.as_ref()),
            email: email.as_str().to_owned(),
            name: name.to_owned(),
            password_hash: self.passwords.hash(fit, random).await?,
            created_at: self.clock.now(),
            disabled_at: None,
        };
        let id = row.id;
        write(&self.db, async |transaction| {
            store::insert(transaction, row).await?;
            let detail = &format!("{name} <{email}>");
            let event = Event { deed: Deed::StaffCreated, account_id: None, subject_id: Some(id), detail };
            audit::append(transaction, self.clock.as_ref(), actor, event).await?;
            Ok(id)
        })
        .await
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
        let kept = found.as_ref().map(|row| row.password_hash.as_str());
        let recognised = self.passwords.recognise(password, kept, random).await?;
        let (Some(row), Some(recognised)) = (found, recognised) else { return Ok(StaffSignIn::Refused) };
        let mut fingerprint = PasswordFingerprint::of(&row.password_hash);
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

    /// One of the staff, even one who was disabled.
    ///
    /// # Errors
    /// The database failed.
    pub async fn find(&self, person: Uuid) -> Result<Option<SupportPerson>, StaffError> {
        Ok(within_limit(store::find(&self.db, person)).await?.map(SupportPerson::of))
    }

    /// Lets somebody in no more. The sessions end and the links are withdrawn; what they did stays theirs.
    ///
    /// # Errors
    /// There is no such person or no more, or the database failed.
    pub async fn disable(&self, person: Uuid, reason: &str, actor: &Actor) -> Result<(), StaffError> {
        let now = self.clock.now();
        write(&self.db, async |transaction| {
            if !store::disable(transaction, person, now).await? {
                return Err(StaffError::Unknown);
            }
            end_sessions(transaction, Person::Support(person), None).await?;
            withdraw_links(transaction, Person::Support(person), &Purpose::ALL, now).await?;
            let event = Event {
                deed: Deed::StaffDisabled,
                account_id: None,
                subject_id: Some(person),
                detail: reason,
            };
            Ok(audit::append(transaction, self.clock.as_ref(), actor, event).await?)
        })
        .await
    }
}

impl SupportPerson {
    fn of(row: store::StaffRow) -> Self {
        Self {
            id: row.id,
            email: row.email,
            name: row.name,
            created_at: row.created_at,
            disabled_at: row.disabled_at,
        }
    }
}
