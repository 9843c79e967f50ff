//! On whose behalf a call is made, whichever front end it came through.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    api_keys::{AccountTerms, Caller, KeyMode},
    evidence::CallerKind,
    limits::LimitedAction,
    usage::CallCount,
    verification::requesters::Requesters,
};

/// On whose behalf a call is made.
#[derive(Clone, Debug)]
pub struct Asker {
    pub(super) account_id: Uuid,
    pub(super) terms: AccountTerms,
    pub(super) mode: KeyMode,
    pub(super) kind: CallerKind,
    pub(super) id: Uuid,
}

impl From<&Caller> for Asker {
    fn from(caller: &Caller) -> Self {
        Self {
            account_id: caller.account_id,
            terms: caller.terms.clone(),
            mode: caller.mode,
            kind: CallerKind::ApiKey,
            id: caller.key_id,
        }
    }
}

impl Asker {
    /// A member of an account, who asks in the browser. Whether the member's role allows it is not looked at here.
    #[must_use]
    pub const fn member(account_id: Uuid, terms: AccountTerms, member_id: Uuid) -> Self {
        Self { account_id, terms, mode: KeyMode::Live, kind: CallerKind::Member, id: member_id }
    }

    /// What the account may use and wants.
    #[must_use]
    pub const fn terms(&self) -> &AccountTerms {
        &self.terms
    }

    /// The requesters that the account has set.
    #[must_use]
    pub fn requesters(&self) -> Requesters {
        let mut requesters = Requesters::default();
        for number in [self.terms.gb_requester, self.terms.eu_requester].into_iter().flatten() {
            // Each is another registry's, as the settings ensure.
            let _first_of_its_registry = requesters.add(number);
        }
        requesters
    }

    /// What the rate limit counts.
    pub(super) const fn action(&self) -> LimitedAction<'static> {
        let (account, per_minute) = (self.account_id, self.terms.requests_per_minute);
        match self.mode {
            KeyMode::Live => LimitedAction::LiveCall { account, per_minute },
            KeyMode::Test => LimitedAction::TestCall { account, per_minute },
        }
    }

    /// A call, to be counted.
    pub(super) const fn call(&self, at: DateTime<Utc>, answer: &'static str) -> CallCount {
        CallCount {
            account_id: self.account_id,
            caller_kind: self.kind,
            caller_id: self.id,
            mode: self.mode,
            at,
            answer,
            numbers: Vec::new(),
        }
    }
}
