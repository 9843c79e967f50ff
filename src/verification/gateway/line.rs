//! The line to one registry: its adapter, the desk where lookups wait for their turn, and the time limit of one try.

use std::{sync::Arc, time::Duration};

use metrics::counter;
use tokio::time::{Instant, timeout};
use vat::{Prefix, UnresolvedReason};

use super::{
    asking::Asking,
    availability::Availability,
    breakers::{Breakers, Said},
    desk::{Clerk, Desk, NoTurn, Turn, Urgency},
    latest::{Latest, LatestTries, Tried},
    limit::Limit,
};
use crate::verification::registry::{Lookup, RegistryError, Trouble, TroubleKind, VatRegistry};

/// One registry, asked within its limit.
pub(super) struct Line<L: Limit> {
    registry: Arc<dyn VatRegistry>,
    desk: Arc<Desk<L>>,
    try_limit: Duration,
    availability: Arc<Availability>,
    latest: Latest,
    _clerk: Clerk,
}

impl<L: Limit> Line<L> {
    pub(super) fn new(
        registry: Arc<dyn VatRegistry>,
        try_limit: Duration,
        limit: L,
        breakers: Breakers,
        (availability, latest): (Arc<Availability>, Latest),
    ) -> Self {
        let (desk, clerk) = Desk::open(limit, breakers);
        Self { registry, desk, try_limit, availability, latest, _clerk: clerk }
    }

    pub(super) const fn try_limit(&self) -> Duration {
        self.try_limit
    }

    pub(super) const fn desk(&self) -> &Arc<Desk<L>> {
        &self.desk
    }

    /// What the latest tries were like, of all or of one member state.
    pub(super) fn latest(&self, lane: Option<Prefix>) -> LatestTries {
        self.latest.of(lane)
    }

    /// For how long the registry's credentials are good.
    pub(super) fn ready_for(&self) -> Option<Duration> {
        self.registry.ready_for()
    }

    /// Waits for a turn and asks once.
    pub(super) async fn ask(
        &self,
        lookup: Lookup,
        asking: &mut Asking,
        urgency: Urgency,
    ) -> Result<Said, NoTurn> {
        let prefix = lookup.number.prefix();
        let came = Instant::now();
        let mut turn = self.desk.turn(prefix, asking, urgency).await?;
        let mut begun = turn.begin();
        if !self.registry.is_ready() {
            if let Err(error) = self.in_time(self.registry.make_ready()).await {
                return Ok(self.noted(lookup, Err(error), turn, (came, begun)));
            }
            drop(turn);
            turn = self.desk.turn(prefix, asking, urgency).await?;
            begun = turn.begin();
        }
        let said = self.in_time(self.registry.look_up(lookup)).await;
        Ok(self.noted(lookup, said, turn, (came, begun)))
    }

    fn noted(&self, lookup: Lookup, said: Said, turn: Turn<L>, (came, begun): (Instant, Instant)) -> Said {
        let (waited, took) = (begun - came, begun.elapsed());
        self.availability.note(lookup.number.prefix(), took, in_vain(&said));
        self.latest.note(&Tried { lookup, waited, took, said: &said });
        turn.end(lookup.number, &said);
        count(lookup, &said, begun);
        said
    }

    async fn in_time<T>(
        &self,
        question: impl Future<Output = Result<T, RegistryError>> + Send,
    ) -> Result<T, RegistryError> {
        let too_slow = || Trouble::new(TroubleKind::TimedOut, "no answer within the time of one try").into();
        timeout(self.try_limit, question).await.unwrap_or_else(|_| Err(too_slow()))
    }
}

/// Why a try got no answer. What a registry says of the number or the requester alone is one.
fn in_vain(said: &Said) -> Option<UnresolvedReason> {
    match said {
        Ok(_) | Err(RegistryError::RequesterRefused { .. }) => None,
        Err(RegistryError::CredentialsRefused) => Some(UnresolvedReason::NotConfigured),
        Err(RegistryError::Trouble(trouble)) if trouble.kind == TroubleKind::NumberBlocked => None,
        Err(RegistryError::Trouble(trouble)) => Some(trouble.kind.reason()),
    }
}

fn count(lookup: Lookup, said: &Said, begun: Instant) {
    let outcome = match said {
        Ok(_) => "answered",
        Err(RegistryError::RequesterRefused { .. }) => "requester_refused",
        Err(RegistryError::CredentialsRefused) => "credentials_refused",
        Err(RegistryError::Trouble(trouble)) => trouble.kind.reason().as_str(),
    };
    let (registry, prefix) = (lookup.number.registry().name(), lookup.number.prefix().as_str());
    counter!("crossvat_registry_tries_total", "registry" => registry, "prefix" => prefix, "outcome" => outcome)
        .increment(1);
    metrics::histogram!("crossvat_registry_try_seconds", "registry" => registry, "prefix" => prefix)
        .record(begun.elapsed());
}
