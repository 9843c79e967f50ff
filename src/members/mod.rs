//! Members: the people of an account, their roles and passwords. An address belongs to one member of one account. Who is
//! signed in is in `sessions`, the links that were mailed to them in `one_time_links`.

mod store;

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use rand::TryCryptoRng;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr};
use secrecy::SecretString;
use thiserror::Error;
use uuid::Uuid;

pub use crate::db::entities::member::Role;
use crate::{
    audit::{self, Actor, Deed, Event, Trail},
    clock::SharedClock,
    db::{
        AccountMade, Limits, MAX_ACCOUNT_NAME, NewAccount, SessionKey, StoredLimits, end_sessions,
        entities::one_time_link::Purpose, forget_second_factor, insert_account, lock_account, new_id,
        withdraw_links, within_limit, write,
    },
    email::{Message, Outbox},
    passwords::{NewPassword, PasswordFault, PasswordFingerprint, Passwords, UnfitPassword, Verdict},
    people::{BadEmailAddress, BadPersonName, EmailAddress, Person, checked_line, checked_person_name},
};

/// The members of all accounts.
#[derive(Clone)]
pub struct Members {
    db: DatabaseConnection,
    clock: SharedClock,
    passwords: Passwords,
}

/// Who is to become a member.
#[derive(Clone, Copy, Debug)]
pub struct NewMember<'a> {
    /// Of this account.
    pub account_id: Uuid,
    /// As it was typed.
    pub email: &'a str,
    /// As it was typed.
    pub name: &'a str,
    /// What they may do.
    pub role: Role,
    /// As it was typed. None for somebody who is to choose one by a link.
    pub password: Option<&'a SecretString>,
}

/// Somebody who signs up, with an account to be made: everything as it was typed.
#[derive(Clone, Copy, Debug)]
pub struct NewOwner<'a> {
    /// The account's name.
    pub company: &'a str,
    /// The address.
    pub email: &'a str,
    /// The name.
    pub name: &'a str,
    /// The password.
    pub password: &'a SecretString,
}

/// An account to be opened with its first owner. Made by [`Members::prepare_sign_up`], or for somebody who is to choose
/// a password by a link.
#[derive(Clone, Debug)]
pub struct FirstOwner {
    /// The account's name.
    company: String,
    /// The owner's address.
    email: EmailAddress,
    /// The owner's name.
    name: String,
    password_hash: Option<String>,
}

/// A password that was chosen, ready to be kept.
#[derive(Debug)]
pub struct ChosenPassword {
    member: Uuid,
    hash: String,
}

/// A member whose password somebody has shown to know.
#[derive(Debug)]
pub struct ProvedPassword {
    member: Uuid,
    hash: Option<String>,
}

/// A member, without the password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The identifier.
    pub id: Uuid,
    /// The account.
    pub account_id: Uuid,
    /// In lower case; words for none of somebody who was removed.
    pub email: String,
    /// The name.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Whether they have chosen a password; without one nobody signs in.
    pub has_password: bool,
    /// When they proved that the address is theirs.
    pub confirmed_at: Option<DateTime<Utc>>,
    /// When they became a member.
    pub created_at: DateTime<Utc>,
    /// When they ceased to be one. They can do nothing, but evidence still names them.
    pub removed_at: Option<DateTime<Utc>>,
}

/// What comes of an address and a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignIn {
    /// They are a member's, and this password it was.
    Accepted(Box<Member>, PasswordFingerprint),
    /// They do not belong together, or are nobody's. Which of the two it is, and whose address it is, is for the audit log:
    /// nobody who signs in is told, and it takes as long for an address that is unknown, a member who was removed and one
    /// who has no password yet.
    Refused(Option<Box<Member>>),
}

/// A member cannot be added or changed.
#[derive(Debug, Error)]
pub enum MemberError {
    /// The address cannot be one.
    #[error(transparent)]
    Email(#[from] BadEmailAddress),
    /// The name cannot be used.
    #[error(transparent)]
    Name(#[from] BadPersonName),
    /// The account's name cannot be used.
    #[error("a company's name needs 1 to {MAX_ACCOUNT_NAME} characters, not counting blanks around it")]
    BadCompany,
    /// Another account has the name.
    #[error("there is an account of this name already")]
    CompanyTaken,
    /// There is no such account.
    #[error("there is no such account")]
    UnknownAccount,
    /// The account has no such member.
    #[error("there is no such member")]
    Unknown,
    /// The address is that of a member of the account.
    #[error("somebody with this address is a member already")]
    AlreadyMember,
    /// The address is that of a member of another account.
    #[error("somebody with this address belongs to another account")]
    AddressTaken,
    /// An account needs somebody who may settle its affairs.
    #[error("the account would be left without an owner")]
    LastOwner,
    /// They have a password, so another way than theirs does not lead to one.
    #[error("there is a password already")]
    HasPassword,
    /// There is no such plan.
    #[error("there is no such plan")]
    UnknownPlan,
    /// A limit cannot be used.
    #[error("a limit is a whole number from 1 to {}", i32::MAX)]
    BadLimit,
    /// The present password is another.
    #[error("this is not the present password")]
    WrongPassword,
    /// The new password may not be chosen.
    #[error(transparent)]
    Unfit(#[from] UnfitPassword),
    /// The password cannot be worked on at present.
    #[error(transparent)]
    Fault(#[from] PasswordFault),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

/// A company's name as it is kept, without blanks around it.
///
/// # Errors
/// It cannot be the name of an account.
pub fn checked_company(typed: &str) -> Result<&str, MemberError> {
    checked_line(typed, MAX_ACCOUNT_NAME).ok_or(MemberError::BadCompany)
}

impl Members {
    /// The members kept in `db`.
    #[must_use]
    pub const fn new(db: DatabaseConnection, clock: SharedClock, passwords: Passwords) -> Self {
        Self { db, clock, passwords }
    }

    /// Makes somebody a member. Who was one before, and was removed, is somebody new.
    ///
    /// # Errors
    /// The address, the name or the password cannot be used, there is no such account, the address is a member's or
    /// another account's, or the database failed.
    pub async fn add(
        &self,
        new: NewMember<'_>,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<Uuid, MemberError> {
        self.make(new, false, actor, random).await
    }

    /// As [`Members::add`], of somebody whose address `actor` vouches for, so that no link has to prove it.
    ///
    /// # Errors
    /// As [`Members::add`].
    pub async fn add_confirmed(
        &self,
        new: NewMember<'_>,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<Uuid, MemberError> {
        self.make(new, true, actor, random).await
    }

    async fn make(
        &self,
        new: NewMember<'_>,
        confirmed: bool,
        actor: &Actor,
        random: &mut impl TryCryptoRng,
    ) -> Result<Uuid, MemberError> {
        let email: EmailAddress = new.email.parse()?;
        let name = checked_person_name(new.name)?;
        let password_hash = match new.password {
            Some(typed) => {
                let account = within_limit(store::account_name(&self.db, new.account_id))
                    .await?
                    .ok_or(MemberError::UnknownAccount)?;
                let fit = NewPassword::check(typed, &[email.as_str(), name, &account])?;
                Some(self.passwords.hash(fit, random).await?)
            }
            None => None,
        };
        let row = store::NewRow {
            id: new_id(self.clock.as_ref()),
            account_id: new.account_id,
            email: &email,
            name,
            role: new.role,
            password_hash,
            now: self.clock.now(),
        };
        write(&self.db, async |transaction| {
            let mut trail = Trail::default();
            let id = insert_row(transaction, row, actor, &mut trail).await?;
            if confirmed {
                let row = found(store::find_to_change(transaction, id).await?)?;
                self.note_confirmation(transaction, &row, actor, &mut trail).await?;
            }
            trail.write(transaction, self.clock.as_ref()).await?;
            Ok(id)
        })
        .await
    }

    /// As [`Members::add`], of somebody who is to choose a password by a link, as a part of a transaction.
    ///
    /// # Errors
    /// As [`Members::add`].
    pub async fn invite_within(
        &self,
        transaction: &DatabaseTransaction,
        (account_id, role): (Uuid, Role),
        (email, name): (&EmailAddress, &str),
        actor: &Actor,
        trail: &mut Trail,
    ) -> Result<Uuid, MemberError> {
        let (id, now) = (new_id(self.clock.as_ref()), self.clock.now());
        let name = checked_person_name(name)?;
        let row = store::NewRow { id, account_id, email, name, role, password_hash: None, now };
        insert_row(transaction, row, actor, trail).await
    }

    /// Somebody who signs up, ready to have an account.
    ///
    /// # Errors
    /// Something that was typed cannot be used.
    pub async fn prepare_sign_up(
        &self,
        new: NewOwner<'_>,
        random: &mut impl TryCryptoRng,
    ) -> Result<FirstOwner, MemberError> {
        let owner = FirstOwner::without_password(new.company, new.email, new.name)?;
        let known = [owner.email.as_str(), &owner.name, &owner.company];
        let fit = NewPassword::check(new.password, &known)?;
        Ok(FirstOwner { password_hash: Some(self.passwords.hash(fit, random).await?), ..owner })
    }

    /// Makes an account with its first owner, whose address is still to be proved, as a part of a transaction.
    ///
    /// # Errors
    /// The address is a member's ([`MemberError::AddressTaken`]), the account's name is taken, there is no such plan, a
    /// limit cannot be used, or the database failed.
    pub async fn open_account_within(
        &self,
        transaction: &DatabaseTransaction,
        owner: &FirstOwner,
        limits: &Limits,
        by: OpenedBy,
        trail: &mut Trail,
    ) -> Result<Member, MemberError> {
        let FirstOwner { company, email, name, password_hash } = owner;
        let now = self.clock.now();
        let (account_id, id) = (new_id(self.clock.as_ref()), new_id(self.clock.as_ref()));
        let limits = StoredLimits::of(limits).ok_or(MemberError::BadLimit)?;
        let account = NewAccount { id: account_id, name: company, limits, created_at: now };
        // The account first: whether its name is taken is told whatever the address is, so that it tells nothing of that.
        match insert_account(transaction, account).await? {
            AccountMade::Made => {}
            AccountMade::NameTaken => return Err(MemberError::CompanyTaken),
            AccountMade::UnknownPlan => return Err(MemberError::UnknownPlan),
        }
        if store::by_email(transaction, email).await?.is_some() {
            return Err(MemberError::AddressTaken);
        }
        let password_hash = password_hash.clone();
        let row = store::NewRow { id, account_id, email, name, role: Role::Owner, password_hash, now };
        store::insert(transaction, row).await?;
        let actor = match by {
            OpenedBy::SignedUp(from) => Actor::member(id, from),
            OpenedBy::Support(actor) => actor,
        };
        let of_account = Some(account_id);
        let made =
            Event { deed: Deed::AccountCreated, account_id: of_account, subject_id: None, detail: company };
        trail.note(&actor, &made);
        let detail = &format!("{name} <{email}>, {}", Role::Owner.as_str());
        let added = Event { deed: Deed::MemberAdded, account_id: of_account, subject_id: Some(id), detail };
        trail.note(&actor, &added);
        Ok(Member::of(found(store::find(transaction, id).await?)?))
    }

    /// Who has this address, if a member has; not who was removed.
    ///
    /// # Errors
    /// The database failed.
    pub async fn with_email(&self, email: &EmailAddress) -> Result<Option<Member>, MemberError> {
        let row = within_limit(store::by_email(&self.db, email)).await?;
        Ok(row.map(Member::of))
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
    ) -> Result<SignIn, MemberError> {
        let found = match email.parse::<EmailAddress>() {
            Ok(email) => within_limit(store::by_email(&self.db, &email)).await?,
            Err(BadEmailAddress) => None,
        };
        let kept = found.as_ref().and_then(|row| row.password_hash.as_deref());
        let recognised = self.passwords.recognise(password, kept, random).await?;
        let (row, recognised) = match (found, recognised) {
            (Some(row), Some(recognised)) => (row, recognised),
            (found, _) => return Ok(SignIn::Refused(found.map(Member::of).map(Box::new))),
        };
        let mut fingerprint = PasswordFingerprint::of(row.password_hash.as_deref().unwrap_or_default());
        if let Some(keep) = recognised.keep {
            let anew = PasswordFingerprint::of(&keep);
            if within_limit(store::keep_anew(&self.db, &row, keep)).await? {
                fingerprint = anew;
            }
        }
        Ok(SignIn::Accepted(Box::new(Member::of(row)), fingerprint))
    }

    /// Notes that a member signed in, after the password and whatever was asked for besides.
    ///
    /// # Errors
    /// There is no such member, or the database failed.
    pub async fn note_sign_in(
        &self,
        member: Uuid,
        second_factor_seen: bool,
        from: IpAddr,
    ) -> Result<(), MemberError> {
        write(&self.db, async |transaction| {
            let row = found(store::find(transaction, member).await?)?;
            let by = if second_factor_seen { "password and second factor" } else { "password" };
            let (actor, detail) = (Actor::member(member, from), format!("{}, {by}", row.email));
            self.log(transaction, &actor, Deed::MemberSignedIn, (row.account_id, member), &detail).await
        })
        .await
    }

    /// The members of an account, by name, those who were removed too.
    ///
    /// # Errors
    /// The database failed.
    pub async fn list(&self, account_id: Uuid) -> Result<Vec<Member>, MemberError> {
        let rows = within_limit(store::of_account(&self.db, account_id)).await?;
        Ok(rows.into_iter().map(Member::of).collect())
    }

    /// A member, even one who was removed.
    ///
    /// # Errors
    /// The database failed.
    pub async fn find(&self, member: Uuid) -> Result<Option<Member>, MemberError> {
        Ok(within_limit(store::find(&self.db, member)).await?.map(Member::of))
    }

    /// Gives a member another role.
    ///
    /// # Errors
    /// The account has no such member, it would be left without an owner, or the database failed.
    pub async fn change_role(
        &self,
        account_id: Uuid,
        member: Uuid,
        role: Role,
        actor: &Actor,
    ) -> Result<(), MemberError> {
        write(&self.db, async |transaction| {
            let row = self.present_member(transaction, account_id, member).await?;
            if row.role == role {
                return Ok(());
            }
            if row.role == Role::Owner {
                self.leave_an_owner(transaction, account_id).await?;
            }
            store::change(transaction, member, store::Change::Role(role)).await?;
            let detail = format!("{}, {} instead of {}", row.email, role.as_str(), row.role.as_str());
            self.log(transaction, actor, Deed::MemberRoleChanged, (account_id, member), &detail).await
        })
        .await
    }

    /// Makes a member one no more. The sessions end, the links are withdrawn, and address, password and second factor are
    /// forgotten: the address is free for whoever has it. The audit log says which it was.
    ///
    /// # Errors
    /// The account has no such member, it would be left without an owner, or the database failed.
    pub async fn remove(&self, account_id: Uuid, member: Uuid, actor: &Actor) -> Result<(), MemberError> {
        let now = self.clock.now();
        write(&self.db, async |transaction| {
            let row = self.present_member(transaction, account_id, member).await?;
            if row.role == Role::Owner {
                self.leave_an_owner(transaction, account_id).await?;
            }
            store::change(transaction, member, store::Change::RemovedAt(now)).await?;
            end_sessions(transaction, Person::Member(member), None).await?;
            forget_second_factor(transaction, Person::Member(member)).await?;
            withdraw_links(transaction, Person::Member(member), &Purpose::ALL, now).await?;
            self.log(transaction, actor, Deed::MemberRemoved, (account_id, member), &row.email).await
        })
        .await
    }

    /// Notes that a member proved the address to be theirs, who is known by the password too. It is proved once.
    ///
    /// # Errors
    /// There is no such member, or the database failed.
    pub async fn confirm_address(&self, member: Uuid, from: IpAddr) -> Result<(), MemberError> {
        write(&self.db, async |transaction| {
            let (row, mut trail) =
                (found(store::find_to_change(transaction, member).await?)?, Trail::default());
            self.note_confirmation(transaction, &row, &Actor::member(row.id, from), &mut trail).await?;
            Ok(trail.write(transaction, self.clock.as_ref()).await?)
        })
        .await
    }

    /// Finds out whether somebody knows a member's password.
    ///
    /// # Errors
    /// It is another ([`MemberError::WrongPassword`]), there is no such member, or it cannot be told at present.
    pub async fn prove_password(
        &self,
        member: Uuid,
        typed: &SecretString,
    ) -> Result<ProvedPassword, MemberError> {
        let row = found(within_limit(store::find(&self.db, member)).await?)?;
        match self.passwords.verify(typed, row.password_hash.as_deref()).await? {
            Verdict::Wrong => Err(MemberError::WrongPassword),
            _ => Ok(ProvedPassword { member, hash: row.password_hash }),
        }
    }

    /// As [`Members::confirm_address`], of a member whose password was just proved, as a part of a transaction. Returns which
    /// password it is.
    ///
    /// # Errors
    /// The password was changed meanwhile, there is no such member, or the database failed.
    pub async fn confirm_address_within(
        &self,
        transaction: &DatabaseTransaction,
        proved: &ProvedPassword,
        from: IpAddr,
        trail: &mut Trail,
    ) -> Result<PasswordFingerprint, MemberError> {
        let row = found(store::find_to_change(transaction, proved.member).await?)?;
        if row.password_hash != proved.hash {
            return Err(MemberError::WrongPassword);
        }
        self.note_confirmation(transaction, &row, &Actor::member(row.id, from), trail).await?;
        Ok(PasswordFingerprint::of(row.password_hash.as_deref().unwrap_or_default()))
    }

    async fn note_confirmation(
        &self,
        transaction: &DatabaseTransaction,
        row: &store::MemberRow,
        actor: &Actor,
        trail: &mut Trail,
    ) -> Result<(), MemberError> {
        if row.confirmed_at.is_some() {
            return Ok(());
        }
        store::change(transaction, row.id, store::Change::ConfirmedAt(self.clock.now())).await?;
        let (account_id, subject_id) = (Some(row.account_id), Some(row.id));
        let event = Event { deed: Deed::AddressConfirmed, account_id, subject_id, detail: &row.email };
        trail.note(actor, &event);
        Ok(())
    }

    /// Sets another password in place of the present one, and tells the member by mail. Every session ends but the one that
    /// asks. Returns which password it is now, which that session has to know.
    ///
    /// # Errors
    /// The present password is another, the new one may not be chosen, there is no such member, or the database failed.
    pub async fn change_password(
        &self,
        member: Uuid,
        (present, new): (&SecretString, &SecretString),
        keep: &SessionKey,
        from: IpAddr,
        random: &mut impl TryCryptoRng,
        outbox: &Outbox,
    ) -> Result<PasswordFingerprint, MemberError> {
        let (row, fit) = self.fit_password(member, new).await?;
        if self.passwords.verify(present, row.password_hash.as_deref()).await? == Verdict::Wrong {
            return Err(MemberError::WrongPassword);
        }
        let hash = self.passwords.hash(fit, random).await?;
        let fingerprint = PasswordFingerprint::of(&hash);
        write(&self.db, async |transaction| {
            let now_kept = found(store::find_to_change(transaction, member).await?)?;
            // Somebody changed it meanwhile: what was compared is not the present one any more.
            if now_kept.password_hash != row.password_hash {
                return Err(MemberError::WrongPassword);
            }
            let (change, mut trail) =
                ((Deed::PasswordChanged, store::Change::Password(hash)), Trail::default());
            let (keep, told) = (Some(keep), (from, outbox));
            self.replace_password(transaction, &now_kept, change, keep, told, &mut trail).await?;
            Ok(trail.write(transaction, self.clock.as_ref()).await?)
        })
        .await?;
        Ok(fingerprint)
    }

    /// A password that a member who came by a link has chosen, ready to be kept.
    ///
    /// # Errors
    /// It may not be chosen, there is no such member, or the database failed.
    pub async fn prepare_password(
        &self,
        member: Uuid,
        new: &SecretString,
        random: &mut impl TryCryptoRng,
    ) -> Result<ChosenPassword, MemberError> {
        let (_, fit) = self.fit_password(member, new).await?;
        Ok(ChosenPassword { member, hash: self.passwords.hash(fit, random).await? })
    }

    /// Keeps the password of a member who came by a link, and tells them by mail when there was another before, as a part of
    /// a transaction. Every session ends. That the link arrived proves the address.
    ///
    /// # Errors
    /// There is no such member, or the database failed.
    pub async fn keep_password_within(
        &self,
        transaction: &DatabaseTransaction,
        chosen: ChosenPassword,
        (from, outbox): (IpAddr, &Outbox),
        trail: &mut Trail,
    ) -> Result<(), MemberError> {
        let ChosenPassword { member, hash } = chosen;
        let row = found(store::find_to_change(transaction, member).await?)?;
        let confirmed_at = row.confirmed_at.unwrap_or_else(|| self.clock.now());
        let change = (Deed::PasswordSet, store::Change::FirstPassword { hash, confirmed_at });
        self.replace_password(transaction, &row, change, None, (from, outbox), trail).await
    }

    /// Keeps the first password of a member who came by a link, which proves the address, as a part of a transaction.
    /// Returns which password it is.
    ///
    /// # Errors
    /// They have a password already, there is no such member, or the database failed.
    pub async fn choose_first_password_within(
        &self,
        transaction: &DatabaseTransaction,
        chosen: ChosenPassword,
        from: IpAddr,
        trail: &mut Trail,
    ) -> Result<PasswordFingerprint, MemberError> {
        let ChosenPassword { member, hash } = chosen;
        let row = found(store::find_to_change(transaction, member).await?)?;
        if row.password_hash.is_some() {
            return Err(MemberError::HasPassword);
        }
        let (person, now) = (Person::Member(member), self.clock.now());
        let fingerprint = PasswordFingerprint::of(&hash);
        let confirmed_at = row.confirmed_at.unwrap_or(now);
        store::change(transaction, member, store::Change::FirstPassword { hash, confirmed_at }).await?;
        withdraw_links(transaction, person, &Purpose::CHOOSING_A_PASSWORD, now).await?;
        let (account_id, subject_id) = (Some(row.account_id), Some(member));
        let event = Event { deed: Deed::PasswordSet, account_id, subject_id, detail: &row.email };
        trail.note(&Actor::person(person, from), &event);
        Ok(fingerprint)
    }

    /// A member of an account, whom nobody else changes until the transaction ends.
    ///
    /// # Errors
    /// The account has no such member, or the database failed.
    pub async fn lock_within(
        &self,
        transaction: &DatabaseTransaction,
        account_id: Uuid,
        member: Uuid,
    ) -> Result<Member, MemberError> {
        let row = found(store::find_to_change(transaction, member).await?)?;
        if row.account_id == account_id { Ok(Member::of(row)) } else { Err(MemberError::Unknown) }
    }

    /// Whom to send what a member has asked for: the member, or the account's longest-standing owner when the member is one
    /// no more or only looks on by now.
    ///
    /// # Errors
    /// The database failed; an account always has an owner.
    pub async fn receiver_within(
        &self,
        transaction: &DatabaseTransaction,
        account_id: Uuid,
        member: Uuid,
    ) -> Result<Member, MemberError> {
        match self.lock_within(transaction, account_id, member).await {
            Ok(Member { role: Role::Viewer, .. }) | Err(MemberError::Unknown) => {
                let owner = store::first_owner(transaction, account_id).await?.ok_or(MemberError::Unknown)?;
                self.lock_within(transaction, account_id, owner).await
            }
            found => found,
        }
    }

    /// The member, with a new password that they may choose.
    async fn fit_password(
        &self,
        member: Uuid,
        new: &SecretString,
    ) -> Result<(store::MemberRow, NewPassword), MemberError> {
        let row = found(within_limit(store::find(&self.db, member)).await?)?;
        let account = within_limit(store::account_name(&self.db, row.account_id))
            .await?
            .ok_or(MemberError::UnknownAccount)?;
        let fit = NewPassword::check(new, &[&row.email, &row.name, &account])?;
        Ok((row, fit))
    }

    /// With the old password, everything ends that it opened or that could replace it.
    async fn replace_password(
        &self,
        transaction: &DatabaseTransaction,
        row: &store::MemberRow,
        (deed, change): (Deed, store::Change),
        keep: Option<&SessionKey>,
        (from, outbox): (IpAddr, &Outbox),
        trail: &mut Trail,
    ) -> Result<(), MemberError> {
        let (person, now) = (Person::Member(row.id), self.clock.now());
        store::change(transaction, row.id, change).await?;
        end_sessions(transaction, person, keep).await?;
        withdraw_links(transaction, person, &Purpose::CHOOSING_A_PASSWORD, now).await?;
        if row.password_hash.is_some() {
            let to: EmailAddress = row.email.parse()?;
            outbox
                .enqueue(transaction, &to, &Message::PasswordChanged { at: now, to: person.into() })
                .await?;
        }
        let (account_id, subject_id) = (Some(row.account_id), Some(row.id));
        let event = Event { deed, account_id, subject_id, detail: &row.email };
        trail.note(&Actor::person(person, from), &event);
        Ok(())
    }

    /// The member, with the account locked: nobody else changes who its owners are until the transaction ends.
    async fn present_member(
        &self,
        transaction: &DatabaseTransaction,
        account_id: Uuid,
        member: Uuid,
    ) -> Result<store::MemberRow, MemberError> {
        lock_account(transaction, account_id).await?.ok_or(MemberError::Unknown)?;
        let row = found(store::find_to_change(transaction, member).await?)?;
        if row.account_id == account_id { Ok(row) } else { Err(MemberError::Unknown) }
    }

    /// Whether one owner may go.
    async fn leave_an_owner(
        &self,
        transaction: &DatabaseTransaction,
        account_id: Uuid,
    ) -> Result<(), MemberError> {
        let owners = store::owners(transaction, account_id).await?;
        if owners > 1 { Ok(()) } else { Err(MemberError::LastOwner) }
    }

    async fn log(
        &self,
        transaction: &DatabaseTransaction,
        actor: &Actor,
        deed: Deed,
        (account_id, member): (Uuid, Uuid),
        detail: &str,
    ) -> Result<(), MemberError> {
        let event = Event { deed, account_id: Some(account_id), subject_id: Some(member), detail };
        Ok(audit::append(transaction, self.clock.as_ref(), actor, event).await?)
    }
}

/// Who opens an account.
#[derive(Clone, Copy, Debug)]
pub enum OpenedBy {
    /// Its owner, at a client's address.
    SignedUp(IpAddr),
    /// One of the support staff.
    Support(Actor),
}

impl FirstOwner {
    /// Somebody who is to choose a password by a link; everything as it was typed.
    ///
    /// # Errors
    /// Something that was typed cannot be used.
    pub fn without_password(company: &str, email: &str, name: &str) -> Result<Self, MemberError> {
        Ok(Self {
            email: email.parse()?,
            name: checked_person_name(name)?.to_owned(),
            company: checked_company(company)?.to_owned(),
            password_hash: None,
        })
    }

    /// The account's name.
    #[must_use]
    pub fn company(&self) -> &str {
        &self.company
    }

    /// The owner's address.
    #[must_use]
    pub const fn email(&self) -> &EmailAddress {
        &self.email
    }
}

impl Member {
    fn of(row: store::MemberRow) -> Self {
        Self {
            id: row.id,
            account_id: row.account_id,
            email: row.shown_email(),
            name: row.name,
            role: row.role,
            has_password: row.password_hash.is_some(),
            confirmed_at: row.confirmed_at,
            created_at: row.created_at,
            removed_at: row.removed_at,
        }
    }
}

impl Role {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Member => "member",
            Self::Viewer => "viewer",
        }
    }
}

/// With the account locked, so that nobody else adds the same person to it.
async fn insert_row(
    transaction: &DatabaseTransaction,
    row: store::NewRow<'_>,
    actor: &Actor,
    trail: &mut Trail,
) -> Result<Uuid, MemberError> {
    lock_account(transaction, row.account_id).await?.ok_or(MemberError::UnknownAccount)?;
    let detail = &format!("{} <{}>, {}", row.name, row.email, row.role.as_str());
    let account_id = Some(row.account_id);
    let id = store::insert(transaction, row).await?;
    trail.note(actor, &Event { deed: Deed::MemberAdded, account_id, subject_id: Some(id), detail });
    Ok(id)
}

/// Who was removed is nobody.
fn found(row: Option<store::MemberRow>) -> Result<store::MemberRow, MemberError> {
    row.filter(|row| row.removed_at.is_none()).ok_or(MemberError::Unknown)
}
