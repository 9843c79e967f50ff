//! The use case that asks a registry about the own number of a company that asks for keys. What comes of it stands with the
//! request, for support. Nobody waits for it but support who asks again; an outage says nothing of the number and holds no
//! request up. It costs no account's allowance and leaves no evidence: nobody's customer is checked.

use std::{net::IpAddr, sync::Arc, time::Duration};

use thiserror::Error;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use uuid::Uuid;
use vat::VatNumber;

use crate::{
    early_access::{EarlyAccess, KeyRequestError, NumberCheck, NumberOutcome},
    limits::{LimitedAction, RateLimiter, RateStatus},
    verification::{
        gateway::{Asking, Resolution, Resolve},
        registry::{Lookup, Verdict},
    },
};

/// A registry that takes longer is not waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// Whoever asks for keys has no account yet: all of them together take turns with the accounts as one does.
const WHO_ASKS: Uuid = Uuid::nil();

/// Asks registries about own numbers.
#[derive(Clone)]
pub struct CheckOwnNumber {
    registries: Arc<dyn Resolve>,
    early_access: EarlyAccess,
    limiter: RateLimiter,
    /// What nobody waits for.
    open: TaskTracker,
}

/// It was not asked, or what came of it is not kept.
#[derive(Debug, Error)]
pub enum CheckError {
    /// There is no such request, or the database failed.
    #[error(transparent)]
    Request(#[from] KeyRequestError),
    /// Too many were asked in a short time.
    #[error("too many own numbers are being asked about")]
    TooMany(RateStatus),
}

impl CheckOwnNumber {
    /// The use case over its parts.
    #[must_use]
    pub fn new(registries: Arc<dyn Resolve>, early_access: EarlyAccess, limiter: RateLimiter) -> Self {
        Self { registries, early_access, limiter, open: TaskTracker::new() }
    }

    /// Asks about the number of a request that was just made from an address, while nobody waits. So often only: what
    /// strangers type is no way to a registry, and support can ask.
    pub async fn begin(&self, request: Uuid, number: VatNumber, from: IpAddr) {
        for action in [LimitedAction::OwnNumberFrom(from), LimitedAction::OwnNumber] {
            if self.limiter.admit(&action).await.is_err() {
                return;
            }
        }
        let check = self.clone();
        self.open.spawn(async move {
            if let Err(error) = check.ask(request, number).await {
                tracing::warn!(%error, "what came of asking about an own number is not kept");
            }
        });
    }

    /// Asks about the number of a request once more, for support, and waits for it. Nothing is asked where the request has
    /// no number.
    ///
    /// # Errors
    /// There is no such request, too many are being asked, or the database failed.
    pub async fn again(&self, request: Uuid) -> Result<(), CheckError> {
        let Some(number) = self.early_access.find(request).await?.vat_number else { return Ok(()) };
        self.limiter.admit(&LimitedAction::OwnNumber).await.map_err(CheckError::TooMany)?;
        Ok(self.ask(request, number).await?)
    }

    /// Waits until nothing is asked any more; nothing may be begun meanwhile.
    pub async fn finish(&self) {
        self.open.close();
        self.open.wait().await;
    }

    async fn ask(&self, request: Uuid, number: VatNumber) -> Result<(), KeyRequestError> {
        let lookup = Lookup { number, requester: None };
        let asking = Asking::alone(WHO_ASKS, Instant::now() + PATIENCE);
        let resolution = self.registries.resolve(lookup, asking).await;
        self.early_access.note_check(request, number, &noted(resolution)).await
    }
}

/// What is kept of it.
fn noted(resolution: Resolution) -> NumberCheck {
    let (outcome, trader, asked_at) = match resolution {
        Resolution::Unresolved(unresolved) => (NumberOutcome::Unavailable, None, unresolved.decided_at),
        Resolution::Answered(answered) => match &answered.answer.verdict {
            Verdict::Registered(trader) => (NumberOutcome::Valid, trader.name.clone(), answered.received_at),
            Verdict::NotRegistered => (NumberOutcome::NotRegistered, None, answered.received_at),
            Verdict::FormRefused => (NumberOutcome::Malformed, None, answered.received_at),
        },
    };
    NumberCheck { outcome, trader, asked_at }
}
