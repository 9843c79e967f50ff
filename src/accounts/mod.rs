//! Accounts: the tenants, with their plan, their state and what they have set. Their keys are in `api_keys`, what they use
//! in `usage`.

mod detail;
mod search;
mod settings;
mod store;

use sea_orm::DbErr;
use thiserror::Error;
use uuid::Uuid;

pub use self::{
    detail::{AccountDetail, Plan},
    search::{AccountList, AccountRow, SearchedFor},
    settings::{AccountSettings, SettingsError},
};
pub use crate::db::{Limits, STANDARD_PLAN};
use crate::{
    audit::{self, Actor, Deed, Event},
    clock::SharedClock,
    db::{
        AccountMade, AccountTerms, Database, MAX_ACCOUNT_NAME, NewAccount, StoredLimits, bump_access_version,
        insert_account, new_id, within_limit, write,
    },
    people::{checked_line, checked_text},
};

/// Longest reason, in characters.
const MAX_REASON: usize = 500;

/// The accounts.
#[derive(Clone)]
pub struct Accounts {
    db: Database,
    clock: SharedClock,
}

/// An account cannot be found, made or changed.
#[derive(Debug, Error)]
pub enum AccountError {
    /// The name cannot be used.
    #[error("an account's name needs 1 to {MAX_ACCOUNT_NAME} characters, not counting blanks around it")]
    BadName,
    /// Another account has the name.
    #[error("there is an account of this name already")]
    NameTaken,
    /// There is no such account.
    #[error("there is no such account")]
    Unknown,
    /// There is no such plan.
    #[error("there is no such plan")]
    UnknownPlan,
    /// A limit cannot be used.
    #[error("a limit is a whole number from 1 to {}", i32::MAX)]
    BadLimit,
    /// A reason cannot be used.
    #[error("say why, in {MAX_REASON} characters at most")]
    BadReason,
    /// What was set does not fit.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its identifier.
    pub id: Uuid,
    /// What it may use and wants.
    pub terms: AccountTerms,
}

impl Accounts {
    /// The accounts kept in `db`.
    #[must_use]
    pub const fn new(db: Database, clock: SharedClock) -> Self {
        Self { db, clock }
    }

    /// Makes an account.
    ///
    /// # Errors
    /// The name cannot be used or is taken, there is no such plan, a limit cannot be used, or the database failed.
    pub async fn create(&self, name: &str, limits: &Limits, actor: &Actor) -> Result<Uuid, AccountError> {
        let name = checked_name(name)?;
        let row = NewAccount {
            id: new_id(self.clock.as_ref()),
            name,
            limits: StoredLimits::of(limits).ok_or(AccountError::BadLimit)?,
            created_at: self.clock.now(),
        };
        let id = row.id;
        write(&self.db.main, async |transaction| {
            match insert_account(transaction, row).await? {
                AccountMade::Made => {}
                AccountMade::NameTaken => return Err(AccountError::NameTaken),
                AccountMade::UnknownPlan => return Err(AccountError::UnknownPlan),
            }
            let event =
                Event { deed: Deed::AccountCreated, account_id: Some(id), subject_id: None, detail: name };
            audit::append(transaction, self.clock.as_ref(), actor, event).await?;
            Ok(id)
        })
        .await
    }

    /// The account of that name, made with the standard plan when there is none.
    ///
    /// # Errors
    /// The name is empty or too long, or the database failed.
    pub async fn find_or_create(&self, name: &str, actor: &Actor) -> Result<Uuid, AccountError> {
        if let Some(account) = self.named(name).await? {
            return Ok(account.id);
        }
        match self.create(name, &Limits::default(), actor).await {
            // Somebody else was quicker.
            Err(AccountError::NameTaken) => Ok(self.named(name).await?.ok_or(AccountError::Unknown)?.id),
            made => made,
        }
    }

    /// The account.
    ///
    /// # Errors
    /// The database failed.
    pub async fn find(&self, account: Uuid) -> Result<Option<Account>, AccountError> {
        Ok(within_limit(store::find(&self.db.main, account)).await?)
    }

    /// The account of that name.
    ///
    /// # Errors
    /// The name cannot be one, or the database failed.
    pub async fn named(&self, name: &str) -> Result<Option<Account>, AccountError> {
        within_limit(async { Ok(store::named(&self.db.main, checked_name(name)?).await?) }).await
    }

    /// Serves the account no more. What is being answered is answered. One that is suspended stays so.
    ///
    /// # Errors
    /// The reason cannot be used, there is no such account, or the database failed.
    pub async fn suspend(&self, account: Uuid, reason: &str, actor: &Actor) -> Result<(), AccountError> {
        self.change(account, store::Change::Suspend, (Deed::AccountSuspended, checked_reason(reason)?), actor)
            .await
    }

    /// Serves the account again, if it was suspended.
    ///
    /// # Errors
    /// The reason cannot be used, there is no such account, or the database failed.
    pub async fn restore(&self, account: Uuid, reason: &str, actor: &Actor) -> Result<(), AccountError> {
        self.change(account, store::Change::Restore, (Deed::AccountRestored, checked_reason(reason)?), actor)
            .await
    }

    /// Gives the account another plan or other limits.
    ///
    /// # Errors
    /// The reason or a limit cannot be used, there is no such account or plan, or the database failed.
    pub async fn change_limits(
        &self,
        account: Uuid,
        limits: &Limits,
        reason: &str,
        actor: &Actor,
    ) -> Result<(), AccountError> {
        let change = store::Change::Limits(StoredLimits::of(limits).ok_or(AccountError::BadLimit)?);
        let detail = format!("{limits}: {}", checked_reason(reason)?);
        self.change(account, change, (Deed::PlanChanged, &detail), actor).await
    }

    /// Sets a part of what the account's calls assume unless they say otherwise.
    ///
    /// # Errors
    /// A requester is for another registry, an age is out of range, there is no such account, or the database failed.
    pub async fn change_settings(
        &self,
        account: Uuid,
        settings: &AccountSettings,
        actor: &Actor,
    ) -> Result<(), AccountError> {
        settings.check()?;
        let detail = settings.to_string();
        self.change(
            account,
            store::Change::Settings(*settings),
            (Deed::AccountSettingsChanged, &detail),
            actor,
        )
        .await
    }

    /// Gives an account another name, which stands on its evidence from then on, on what was asked before as well.
    ///
    /// # Errors
    /// The name cannot be used or is another account's, there is no such account, or the database failed.
    pub async fn rename(&self, account: Uuid, name: &str, actor: &Actor) -> Result<(), AccountError> {
        let name = checked_name(name)?;
        let deed = (Deed::AccountSettingsChanged, &*format!("name {name}"));
        self.change(account, store::Change::Name(name.to_owned()), deed, actor).await
    }

    /// A change of the account's row, with its audit event, in one transaction that every instance hears of.
    async fn change(
        &self,
        account: Uuid,
        change: store::Change,
        (deed, detail): (Deed, &str),
        actor: &Actor,
    ) -> Result<(), AccountError> {
        write(&self.db.main, async |transaction| {
            if !store::change(transaction, account, change).await? {
                return Ok(());
            }
            let event = Event { deed, account_id: Some(account), subject_id: None, detail };
            audit::append(transaction, self.clock.as_ref(), actor, event).await?;
            Ok::<_, AccountError>(bump_access_version(transaction).await?)
        })
        .await?;
        self.db.access.changed();
        Ok(())
    }
}

/// Why something is done to an account, as it is kept.
///
/// # Errors
/// It is empty, too long or holds control characters.
pub fn checked_reason(typed: &str) -> Result<&str, AccountError> {
    checked_text(typed, MAX_REASON).ok_or(AccountError::BadReason)
}

fn checked_name(name: &str) -> Result<&str, AccountError> {
    checked_line(name, MAX_ACCOUNT_NAME).ok_or(AccountError::BadName)
}
