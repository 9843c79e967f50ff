//! The line to one registry: its adapter, its limit on our calls and the time limit of one try.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, timeout};
use vat::UnresolvedReason;

use super::availability::Availability;
use crate::verification::registry::{
    Lookup, RegistryAnswer, RegistryError, Trouble, TroubleKind, VatRegistry,
};

/// What must be had before a registry may be asked.
pub(super) trait Limit: Send + Sync {
    /// Held while the question is open.
    type Turn: Send;

    /// Waits for a turn to ask about `lookup`, first come, first served. Dropping the future leaves the queue.
    fn turn(&self, lookup: Lookup) -> impl Future<Output = Self::Turn> + Send;

    /// The registry said "too many": nobody asks for `pause`.
    fn hold(&self, pause: Duration);

    /// Until when nobody asks, if a hold is on.
    fn held_until(&self) -> Option<Instant>;
}

/// One registry, asked within its limit.
pub(super) struct Line<L> {
    registry: Arc<dyn VatRegistry>,
    limit: L,
    try_limit: Duration,
    availability: Arc<Availability>,
}

impl<L: Limit> Line<L> {
    pub(super) fn new(
        registry: Arc<dyn VatRegistry>,
        limit: L,
        try_limit: Duration,
        availability: Arc<Availability>,
    ) -> Self {
        Self { registry, limit, try_limit, availability }
    }

    pub(super) const fn try_limit(&self) -> Duration {
        self.try_limit
    }

    /// How long nobody may ask yet, when that is beyond `deadline`: then waiting is no use.
    pub(super) fn held_beyond(&self, deadline: Instant) -> Option<Duration> {
        let end = self.limit.held_until().filter(|end| *end >= deadline)?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// Waits for a turn and asks once.
    pub(super) async fn ask(&self, lookup: Lookup) -> Result<RegistryAnswer, RegistryError> {
        let turn = self.limit.turn(lookup).await;
        let started = Instant::now();
        let result = timeout(self.try_limit, self.registry.look_up(lookup)).await;
        drop(turn);
        let result = result.unwrap_or_else(|_| {
            Err(Trouble::new(TroubleKind::TimedOut, "no answer within the time of one try").into())
        });
        self.availability.note(lookup.number.prefix(), started.elapsed(), in_vain(&result));
        if let Err(RegistryError::Trouble(trouble)) = &result
            && trouble.kind == TroubleKind::RegistryBusy
        {
            self.limit.hold(trouble.retry_after.unwrap_or(PAUSE_WHEN_BUSY).min(LONGEST_PAUSE));
        }
        result
    }
}

/// Why a try got no answer. What a registry says of the number or the requester alone is one.
fn in_vain(result: &Result<RegistryAnswer, RegistryError>) -> Option<UnresolvedReason> {
    match result {
        Ok(_) | Err(RegistryError::RequesterRefused { .. }) => None,
        Err(RegistryError::CredentialsRefused) => Some(UnresolvedReason::NotConfigured),
        Err(RegistryError::Trouble(trouble)) if trouble.kind == TroubleKind::NumberBlocked => None,
        Err(RegistryError::Trouble(trouble)) => Some(trouble.kind.reason()),
    }
}

/// HMRC asks clients that were refused to stop for a short time (Developer Hub, Reference guide, Rate limiting).
const PAUSE_WHEN_BUSY: Duration = Duration::from_secs(1);
/// Longer wishes are passed on to callers but do not close the line: after this one lookup finds out how things are.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
