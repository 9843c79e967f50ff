//! The one way to the registries. It keeps their limits, gives each try a time limit, retries what can heal and
//! stops at the call's deadline. Which registry answers what is the adapters' business.

mod availability;
mod line;
mod pacer;
mod places;
mod refusals;
mod retry;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use metrics::{counter, histogram};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;
use vat::{Registry, Status, UnresolvedReason};

pub use self::availability::{Availability, RegistryState};
use self::{
    line::Line,
    pacer::Pacer,
    places::Places,
    refusals::Refusals,
    retry::{MAX_TRIES, Pauses},
};
use super::registry::{Lookup, RegistryAnswer, Trouble, TroubleKind, VatRegistry, Verdict};
use crate::clock::SharedClock;

/// The way to an answer: through the gateway to the registries, or to what stands in their place.
#[async_trait]
pub trait Resolve: Send + Sync {
    /// What becomes of `lookup`, by `deadline`.
    async fn resolve(&self, lookup: Lookup, deadline: Instant) -> Resolution;
}

#[async_trait]
impl<R: Resolve + ?Sized> Resolve for Arc<R> {
    async fn resolve(&self, lookup: Lookup, deadline: Instant) -> Resolution {
        self.as_ref().resolve(lookup, deadline).await
    }
}

/// What became of one lookup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The registry answered.
    Answered(Arc<Answered>),
    /// Nobody answered. Says nothing about the number.
    Unresolved(Unresolved),
}

impl Resolution {
    /// The call's time was over before anything was known.
    #[must_use]
    pub const fn past_deadline(decided_at: DateTime<Utc>) -> Self {
        let reason = UnresolvedReason::Deadline;
        Self::Unresolved(Unresolved { reason, retry_after: WAIT_AFTER_DEADLINE, decided_at })
    }

    /// The same, proved by the evidence `id` if it is an answer.
    #[must_use]
    pub fn proved_by(mut self, id: Uuid) -> Self {
        if let Self::Answered(answered) = &mut self {
            Arc::make_mut(answered).evidence_id = Some(id);
        }
        self
    }

    /// What it says of the number, in one word.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Self::Unresolved(_) => Status::Unavailable,
            Self::Answered(answered) => match answered.answer.verdict {
                Verdict::Registered(_) => Status::Valid,
                Verdict::NotRegistered => Status::NotRegistered,
                Verdict::FormRefused => Status::Malformed,
            },
        }
    }
}

/// A registry's answer and how it was got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The registry's word.
    pub answer: RegistryAnswer,
    /// When we received it.
    pub received_at: DateTime<Utc>,
    /// The registry refused the requester, so it was asked again without one.
    pub requester_refused: bool,
    /// The evidence of it, once there is any.
    pub evidence_id: Option<Uuid>,
}

/// Why a lookup has no answer, and when asking again can bring one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// What the caller is told.
    pub reason: UnresolvedReason,
    /// A wait after which asking again makes sense.
    pub retry_after: Duration,
    /// When we gave up.
    pub decided_at: DateTime<Utc>,
}

/// How a registry wants to be asked.
#[derive(Clone, Copy, Debug)]
pub struct HmrcLimits {
    /// Lookups started in any second.
    pub requests_per_second: f64,
    /// Time limit of one try.
    pub try_limit: Duration,
}

/// How the EU exchange wants to be asked.
#[derive(Clone, Copy, Debug)]
pub struct ViesLimits {
    /// Lookups in flight in all.
    pub in_flight: usize,
    /// Lookups in flight towards one member state.
    pub in_flight_per_member_state: usize,
    /// Time limit of one try.
    pub try_limit: Duration,
}

/// Both registries behind their limits.
pub struct RegistryGateway {
    hmrc: Line<Pacer>,
    vies: Line<Places>,
    availability: Arc<Availability>,
    clock: SharedClock,
}

impl RegistryGateway {
    /// A gateway that nobody else shares.
    pub fn new(
        hmrc: (Arc<dyn VatRegistry>, HmrcLimits),
        vies: (Arc<dyn VatRegistry>, ViesLimits),
        clock: SharedClock,
    ) -> Self {
        let (hmrc, hmrc_limits) = hmrc;
        let (vies, vies_limits) = vies;
        let availability = Arc::new(Availability::new(Arc::clone(&clock)));
        let pacer = Pacer::new(hmrc_limits.requests_per_second);
        let places = Places::new(vies_limits.in_flight, vies_limits.in_flight_per_member_state);
        Self {
            hmrc: Line::new(hmrc, pacer, hmrc_limits.try_limit, Arc::clone(&availability)),
            vies: Line::new(vies, places, vies_limits.try_limit, Arc::clone(&availability)),
            availability,
            clock,
        }
    }

    /// How the registries are, by what this gateway asked them.
    #[must_use]
    pub fn availability(&self) -> Arc<Availability> {
        Arc::clone(&self.availability)
    }

    async fn work_through<L: line::Limit>(
        &self,
        line: &Line<L>,
        mut lookup: Lookup,
        deadline: Instant,
    ) -> Resolution {
        let mut refusals = Refusals::default();
        let mut last_trouble: Option<Trouble> = None;
        let mut pauses = Pauses::default();
        for tries in 1..=MAX_TRIES {
            if let Some(rest) = line.held_beyond(deadline) {
                return self.unresolved_because(TroubleKind::RegistryBusy, rest);
            }
            let Ok(result) = timeout_at(deadline, line.ask(lookup)).await else {
                return self.unresolved(last_trouble.as_ref());
            };
            let trouble = match result.and_then(|answer| refusals.judge(answer)) {
                Ok(answer) => {
                    return Resolution::Answered(Arc::new(Answered {
                        answer,
                        received_at: self.clock.now(),
                        requester_refused: refusals.requester,
                        evidence_id: None,
                    }));
                }
                Err(error) => match refusals.note(error, &mut lookup) {
                    None => continue,
                    Some(trouble) => trouble,
                },
            };
            report(lookup, &trouble, tries);
            let pause = pauses.after(&trouble).filter(|_| tries < MAX_TRIES);
            // A registry that was silent for a whole try is asked again only if another whole try fits.
            let needed =
                if trouble.kind == TroubleKind::TimedOut { line.try_limit() } else { Duration::ZERO };
            match pause {
                Some(pause) if Instant::now() + pause + needed < deadline => {
                    last_trouble = Some(trouble);
                    tokio::time::sleep(pause).await;
                }
                _ => return self.unresolved(Some(&trouble)),
            }
        }
        self.unresolved(last_trouble.as_ref())
    }

    /// Trouble that was met says more than the deadline that came after it.
    fn unresolved(&self, trouble: Option<&Trouble>) -> Resolution {
        match trouble {
            Some(trouble) => self.unresolved_because(
                trouble.kind,
                trouble.retry_after.unwrap_or_else(|| trouble.kind.usual_wait()),
            ),
            None => Resolution::past_deadline(self.clock.now()),
        }
    }

    fn unresolved_because(&self, kind: TroubleKind, retry_after: Duration) -> Resolution {
        Resolution::Unresolved(Unresolved {
            reason: kind.reason(),
            retry_after,
            decided_at: self.clock.now(),
        })
    }
}

#[async_trait]
impl Resolve for RegistryGateway {
    /// Asks the number's registry, until it answers, retrying is useless or `deadline` comes.
    async fn resolve(&self, lookup: Lookup, deadline: Instant) -> Resolution {
        let started = Instant::now();
        let resolution = match lookup.number.registry() {
            Registry::Hmrc => self.work_through(&self.hmrc, lookup, deadline).await,
            Registry::Vies => self.work_through(&self.vies, lookup, deadline).await,
        };
        let prefix = lookup.number.prefix().as_str();
        let outcome = match &resolution {
            Resolution::Answered(_) => "answered",
            Resolution::Unresolved(unresolved) => unresolved.reason.as_str(),
        };
        counter!("crossvat_lookups_total", "prefix" => prefix, "outcome" => outcome).increment(1);
        histogram!("crossvat_lookup_seconds", "prefix" => prefix).record(started.elapsed());
        resolution
    }
}

/// The queue moves on all the time, so a call that found it too long may come back soon.
const WAIT_AFTER_DEADLINE: Duration = Duration::from_secs(5);

fn report(lookup: Lookup, trouble: &Trouble, tries: u32) {
    let registry = lookup.number.registry().name();
    let prefix = lookup.number.prefix().as_str();
    counter!("crossvat_registry_troubles_total", "prefix" => prefix, "reason" => trouble.kind.reason().as_str())
        .increment(1);
    if trouble.kind.needs_a_person() {
        tracing::error!(registry, prefix, tries, detail = %trouble.detail, "registry refuses us: look into it");
    } else {
        tracing::warn!(registry, prefix, tries, detail = %trouble.detail, "no answer from the registry");
    }
}

#[cfg(test)]
mod tests;
