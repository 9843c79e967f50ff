//! Early access: an account asks for keys, support looks at it and approves, with the limits that were agreed, or declines
//! and says why. Which accounts need this, and the keys themselves, are others' business: nobody here sees a key.

mod request;
mod similar;
mod store;

use sea_orm::{DatabaseTransaction, DbErr};
use thiserror::Error;
use uuid::Uuid;
use vat::VatNumber;

pub use self::{
    request::{Asker, KeyRequest, NumberCheck},
    similar::{Likeness, Similar},
};
pub use crate::db::{
    Limits,
    entities::{
        evidence::EvidenceOutcome as NumberOutcome,
        key_request::{ExpectedVolume, KeyRequestState},
    },
};
use crate::{
    audit::{self, Actor, ActorKind, Deed, Event, Trail},
    clock::SharedClock,
    db::{Database, StoredLimits, lock_account, new_id, set_limits, within_limit, write},
    email::{Line, Message, Outbox},
    people::{EmailAddress, checked_line, checked_text},
};

/// Longest name a company may have, in characters.
const MAX_COMPANY: usize = 200;
/// Longest text about a use or a reason, in characters.
const MAX_TEXT: usize = 2000;

/// The requests for keys.
#[derive(Clone)]
pub struct EarlyAccess {
    db: Database,
    clock: SharedClock,
    /// Who hears of each new request.
    told: Option<(EmailAddress, Outbox)>,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct NewKeyRequest<'a> {
    /// For this account.
    pub account_id: Uuid,
    /// By this member of it.
    pub member_id: Uuid,
    /// The company, as it was typed.
    pub company: &'a str,
    /// The company's own number.
    pub vat_number: Option<VatNumber>,
    /// What will be checked and when, as it was typed.
    pub intended_use: &'a str,
    /// About how much.
    pub expected_volume: ExpectedVolume,
}

/// A request cannot be filed or decided.
#[derive(Debug, Error)]
pub enum KeyRequestError {
    /// The company's name cannot be used.
    #[error("a company's name needs 1 to {MAX_COMPANY} characters, not counting blanks around it")]
    BadCompany,
    /// The use cannot be read.
    #[error("say what you will check and when, in {MAX_TEXT} characters at most")]
    BadUse,
    /// The reason cannot be read.
    #[error("say why, in {MAX_TEXT} characters at most")]
    BadReason,
    /// The account has no such member.
    #[error("there is no such member")]
    UnknownMember,
    /// The account has asked already, and waits.
    #[error("the account has a request that was not answered yet")]
    AlreadyOpen,
    /// There is no such request.
    #[error("there is no such request")]
    Unknown,
    /// Somebody was quicker.
    #[error("the request is {} already", .0.as_str())]
    Decided(KeyRequestState),
    /// There is no such plan.
    #[error("there is no such plan")]
    UnknownPlan,
    /// A limit cannot be used.
    #[error("a limit is a whole number from 1 to {}", i32::MAX)]
    BadLimit,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

/// What somebody typed of the use, as it is kept.
///
/// # Errors
/// It is empty, too long or holds control characters.
pub fn checked_use(typed: &str) -> Result<&str, KeyRequestError> {
    checked_text(typed, MAX_TEXT).ok_or(KeyRequestError::BadUse)
}

/// What somebody typed of the reason to decline, as it is kept.
///
/// # Errors
/// It is empty, too long or holds control characters.
pub fn checked_reason(typed: &str) -> Result<&str, KeyRequestError> {
    checked_text(typed, MAX_TEXT).ok_or(KeyRequestError::BadReason)
}

/// How far an account has come with asking: what its latest word or support's was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has not asked: somebody else let it in.
    NeverAsked,
    /// A request waits.
    Waiting,
    /// One was approved, whatever came after it.
    Approved,
    /// The latest was declined.
    Declined,
    /// The latest was taken back.
    Withdrawn,
}

impl Standing {
    /// Of an account that has asked so, the latest first.
    #[must_use]
    pub fn of(mut states: impl Iterator<Item = KeyRequestState> + Clone) -> Self {
        if states.clone().any(|state| state == KeyRequestState::Approved) {
            return Self::Approved;
        }
        match states.next() {
            None => Self::NeverAsked,
            Some(KeyRequestState::Open) => Self::Waiting,
            Some(KeyRequestState::Approved) => Self::Approved,
            Some(KeyRequestState::Declined) => Self::Declined,
            Some(KeyRequestState::Withdrawn) => Self::Withdrawn,
        }
    }
}

/// A request that was just decided: who is to hear of it.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The account.
    pub account_id: Uuid,
    /// Who asked for it.
    pub member_id: Uuid,
    /// The company's name, as it stands in the request.
    pub company: String,
}

impl EarlyAccess {
    /// The requests kept in `db`.
    #[must_use]
    pub const fn new(db: Database, clock: SharedClock) -> Self {
        Self { db, clock, told: None }
    }

    /// Has each new request told to this address, by a letter that is there when the request is.
    #[must_use]
    pub fn telling(self, to: EmailAddress, outbox: Outbox) -> Self {
        Self { told: Some((to, outbox)), ..self }
    }

    /// Asks support for keys. An account has one open request at most.
    ///
    /// # Errors
    /// A text cannot be used, the account has no such member, it has an open request, or the database failed.
    pub async fn file(&self, new: NewKeyRequest<'_>, actor: &Actor) -> Result<Uuid, KeyRequestError> {
        write(&self.db.main, async |transaction| {
            let mut trail = Trail::default();
            let id = self.file_within(transaction, new, actor, &mut trail).await?;
            trail.write(transaction, self.clock.as_ref()).await?;
            Ok(id)
        })
        .await
    }

    /// As [`EarlyAccess::file`], as a part of a transaction.
    ///
    /// # Errors
    /// As [`EarlyAccess::file`].
    pub async fn file_within(
        &self,
        transaction: &DatabaseTransaction,
        new: NewKeyRequest<'_>,
        actor: &Actor,
        trail: &mut Trail,
    ) -> Result<Uuid, KeyRequestError> {
        let company = checked_line(new.company, MAX_COMPANY).ok_or(KeyRequestError::BadCompany)?;
        let intended_use = checked_use(new.intended_use)?;
        let row = store::RequestRow {
            id: new_id(self.clock.as_ref()),
            account_id: new.account_id,
            member_id: new.member_id,
            company: company.to_owned(),
            vat_number: new.vat_number.map(|number| number.to_string()),
            intended_use: intended_use.to_owned(),
            expected_volume: new.expected_volume,
            state: KeyRequestState::Open,
            created_at: self.clock.now(),
            decided_at: None,
            decided_by: None,
            reason: None,
            number_outcome: None,
            number_trader: None,
            number_asked_at: None,
        };
        let (id, account_id) = (row.id, row.account_id);
        lock_account(transaction, account_id).await?.ok_or(KeyRequestError::UnknownMember)?;
        if !store::is_member(transaction, account_id, row.member_id).await? {
            return Err(KeyRequestError::UnknownMember);
        }
        if store::has_open(transaction, account_id).await? {
            return Err(KeyRequestError::AlreadyOpen);
        }
        store::insert(transaction, row).await?;
        trail.note(actor, &event(Deed::KeyRequested, (account_id, id), company));
        if let Some((to, outbox)) = &self.told {
            let message = Message::KeyRequestFiled { company: Line::from(company) };
            outbox.enqueue(transaction, to, &message).await?;
        }
        Ok(id)
    }

    /// What waits for support, oldest first: `most` at most, and how many there are in all.
    ///
    /// # Errors
    /// The database failed.
    pub async fn open_requests(&self, most: u64) -> Result<(Vec<KeyRequest>, u64), KeyRequestError> {
        let (rows, total) = within_limit(store::open_requests(&self.db.main, most)).await?;
        Ok((rows.into_iter().map(KeyRequest::of).collect::<Result<_, _>>()?, total))
    }

    /// The latest request that support has approved or declined.
    ///
    /// # Errors
    /// The database failed.
    pub async fn last_decided(&self) -> Result<Option<KeyRequest>, KeyRequestError> {
        let row = within_limit(store::last_decided(&self.db.main)).await?;
        Ok(row.map(KeyRequest::of).transpose()?)
    }

    /// What an account has asked, newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of_account(&self, account_id: Uuid) -> Result<Vec<KeyRequest>, KeyRequestError> {
        let rows = within_limit(store::of_account(&self.db.main, account_id)).await?;
        Ok(rows.into_iter().map(KeyRequest::of).collect::<Result<_, _>>()?)
    }

    /// How far an account has come with asking, as a part of a transaction.
    ///
    /// # Errors
    /// The database failed.
    pub async fn standing_within(
        &self,
        transaction: &DatabaseTransaction,
        account_id: Uuid,
    ) -> Result<Standing, KeyRequestError> {
        Ok(Standing::of(store::states(transaction, account_id).await?.into_iter()))
    }

    /// One request.
    ///
    /// # Errors
    /// There is no such request, or the database failed.
    pub async fn find(&self, request: Uuid) -> Result<KeyRequest, KeyRequestError> {
        let row = within_limit(store::find(&self.db.main, request)).await?;
        Ok(KeyRequest::of(row.ok_or(KeyRequestError::Unknown)?)?)
    }

    /// The accounts that each of these requests resembles: the same company may have one already.
    ///
    /// # Errors
    /// The database failed.
    pub async fn similar(&self, requests: &[KeyRequest]) -> Result<Vec<Vec<Similar>>, KeyRequestError> {
        let traits: Vec<_> = requests.iter().map(similar::Traits::of).collect();
        let candidates = within_limit(store::candidates(&self.db.main, &traits)).await?;
        Ok(traits.iter().map(|traits| traits.similar_among(&candidates)).collect())
    }

    /// Notes what came of asking a registry about the number of a request, if that is its number still. What was known stays
    /// where the registry did not answer or has answered since.
    ///
    /// # Errors
    /// The database failed.
    pub async fn note_check(
        &self,
        request: Uuid,
        number: VatNumber,
        check: &NumberCheck,
    ) -> Result<(), KeyRequestError> {
        Ok(within_limit(store::note_check(&self.db.main, request, number.as_str(), check)).await?)
    }

    /// Says yes, and gives the account the limits that were agreed, as a part of a transaction. Every instance is to hear of
    /// them.
    ///
    /// # Errors
    /// There is no such request, it was decided, there is no such plan, a limit cannot be used, or the database failed.
    pub async fn approve_within(
        &self,
        transaction: &DatabaseTransaction,
        request: Uuid,
        limits: &Limits,
        actor: &Actor,
        trail: &mut Trail,
    ) -> Result<Decided, KeyRequestError> {
        let agreed = StoredLimits::of(limits).ok_or(KeyRequestError::BadLimit)?;
        let row = open_request(transaction, request, None).await?;
        let decision = self.decision(KeyRequestState::Approved, None, actor);
        store::decide(transaction, request, decision).await?;
        if !set_limits(transaction, row.account_id, agreed).await? {
            return Err(KeyRequestError::UnknownPlan);
        }
        let detail = &limits.to_string();
        trail.note(actor, &event(Deed::KeyRequestApproved, (row.account_id, request), detail));
        Ok(Decided { account_id: row.account_id, member_id: row.member_id, company: row.company })
    }

    /// Says no, as a part of a transaction. The reason is for the account to read.
    ///
    /// # Errors
    /// The reason cannot be read, there is no such request, it was decided, or the database failed.
    pub async fn decline_within(
        &self,
        transaction: &DatabaseTransaction,
        request: Uuid,
        reason: &str,
        actor: &Actor,
        trail: &mut Trail,
    ) -> Result<Decided, KeyRequestError> {
        let reason = checked_reason(reason)?;
        let row = open_request(transaction, request, None).await?;
        let decision = self.decision(KeyRequestState::Declined, Some(reason), actor);
        store::decide(transaction, request, decision).await?;
        trail.note(actor, &event(Deed::KeyRequestDeclined, (row.account_id, request), reason));
        Ok(Decided { account_id: row.account_id, member_id: row.member_id, company: row.company })
    }

    /// Takes an account's request back.
    ///
    /// # Errors
    /// The account has no such request, it was decided, or the database failed.
    pub async fn withdraw(
        &self,
        account_id: Uuid,
        request: Uuid,
        actor: &Actor,
    ) -> Result<(), KeyRequestError> {
        write(&self.db.main, async |transaction| {
            let row = open_request(transaction, request, Some(account_id)).await?;
            let decision = self.decision(KeyRequestState::Withdrawn, None, actor);
            store::decide(transaction, request, decision).await?;
            let withdrawn = event(Deed::KeyRequestWithdrawn, (account_id, request), &row.company);
            Ok(audit::append(transaction, self.clock.as_ref(), actor, withdrawn).await?)
        })
        .await
    }

    fn decision<'a>(
        &self,
        state: KeyRequestState,
        reason: Option<&'a str>,
        actor: &Actor,
    ) -> store::Decision<'a> {
        let decided_by = actor.id().filter(|_| actor.kind() == ActorKind::Support);
        store::Decision { state, reason, decided_by, decided_at: self.clock.now() }
    }
}

const fn event(deed: Deed, (account_id, request): (Uuid, Uuid), detail: &str) -> Event<'_> {
    Event { deed, account_id: Some(account_id), subject_id: Some(request), detail }
}

/// The request, which nobody else decides until the transaction ends; only if it is the account's, where one is given.
async fn open_request(
    transaction: &DatabaseTransaction,
    request: Uuid,
    account_id: Option<Uuid>,
) -> Result<store::RequestRow, KeyRequestError> {
    let row = store::find_to_change(transaction, request)
        .await?
        .filter(|row| account_id.is_none_or(|account| row.account_id == account))
        .ok_or(KeyRequestError::Unknown)?;
    match row.state {
        KeyRequestState::Open => Ok(row),
        decided => Err(KeyRequestError::Decided(decided)),
    }
}
