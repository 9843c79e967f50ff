//! The one way to the registries. It shares them out fairly, keeps their limits, gives each try a time limit, retries what
//! can heal, leaves alone what does not answer, and stops at the call's deadline. Which registry answers what is the
//! adapters' business.

mod asking;
mod availability;
mod breaker;
mod breakers;
mod desk;
mod doubt;
mod fair_queue;
mod latest;
mod limit;
mod line;
mod memory;
mod part;
mod refusals;
mod resolution;
mod retry;
mod slices;
mod throttle;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use metrics::{counter, histogram};
use tokio::time::{Instant, sleep, timeout_at};
use vat::{Registry, UnresolvedReason};

pub use self::{
    asking::{Asking, CallSize, SizeOfCalls, SoFar},
    availability::{Availability, RegistryState, WINDOW},
    breaker::Position,
    breakers::BreakerState,
    desk::DeskState,
    latest::{InVain, LatestTries, Times},
    limit::{Full, Held, HeldPlace, Measure, MostPlaces, Pace, SharedPacer, SharedPlaces},
    memory::{CATCH_UP, MemoryPacer, MemoryPlaces},
    part::RegistryPart,
    resolution::{Answered, Resolution, Unresolved},
    slices::{SLICE, Slice, SliceCounts, slice_of},
};
use self::{
    breakers::{BreakerTimes, Breakers},
    desk::{NoTurn, Urgency},
    doubt::Doubts,
    latest::Latest,
    limit::{Limit, Pacing, Placing},
    line::Line,
    refusals::Refusals,
    retry::{MAX_TRIES, Pauses},
};
use super::registry::{Lookup, RegistryAnswer, RegistryError, Trouble, TroubleKind, VatRegistry, Verdict};
use crate::clock::SharedClock;

/// The way to an answer: through the gateway to the registries, or to what stands in their place.
#[async_trait]
pub trait Resolve: Send + Sync {
    /// What becomes of `lookup`. Who cannot wait as long as [`Asking::until`] need not.
    async fn resolve(&self, lookup: Lookup, asking: Asking) -> Resolution;
}

/// How HMRC is asked.
pub struct HmrcLine {
    /// The adapter.
    pub registry: Arc<dyn VatRegistry>,
    /// Who counts the lookups.
    pub pacer: Arc<dyn SharedPacer>,
    /// Lookups started in any second.
    pub requests_per_second: f64,
    /// Time limit of one try.
    pub try_limit: Duration,
}

/// How the EU exchange is asked.
pub struct ViesLine {
    /// The adapter.
    pub registry: Arc<dyn VatRegistry>,
    /// Who counts the lookups in flight.
    pub places: Arc<dyn SharedPlaces>,
    /// Lookups in flight, in all and towards one member state.
    pub most: MostPlaces,
    /// Time limit of one try.
    pub try_limit: Duration,
}

/// Both registries behind their limits.
pub struct RegistryGateway {
    hmrc: Line<Pacing>,
    vies: Line<Placing>,
    doubts: Doubts,
    availability: Arc<Availability>,
    clock: SharedClock,
}

/// There was no room in the queue: it is much longer than what is answered in this time.
const WAIT_WHEN_FULL: Duration = Duration::from_mins(1);

impl RegistryGateway {
    /// A gateway that leaves alone for `pause` what does not answer. Must be made within a runtime.
    #[must_use]
    pub fn new(hmrc: HmrcLine, vies: ViesLine, pause: Duration, clock: SharedClock) -> Self {
        let times = |try_limit| BreakerTimes { pause, try_limit };
        let a_second = Pacing::new(hmrc.pacer, hmrc.requests_per_second);
        let at_once = Placing::new(vies.places, vies.most);
        let availability = Arc::new(Availability::new(Arc::clone(&clock)));
        let notes = || (Arc::clone(&availability), Latest::new(Arc::clone(&clock)));
        let of_hmrc = Breakers::new(Registry::Hmrc, times(hmrc.try_limit), Arc::clone(&clock));
        let of_vies = Breakers::new(Registry::Vies, times(vies.try_limit), Arc::clone(&clock));
        Self {
            hmrc: Line::new(hmrc.registry, hmrc.try_limit, a_second, of_hmrc, notes()),
            vies: Line::new(vies.registry, vies.try_limit, at_once, of_vies, notes()),
            doubts: Doubts::default(),
            availability,
            clock,
        }
    }

    /// How the registries are, by what this gateway asked them.
    #[must_use]
    pub fn availability(&self) -> Arc<Availability> {
        Arc::clone(&self.availability)
    }

    /// How it stands with a registry or a member state.
    #[must_use]
    pub fn state(&self, part: RegistryPart) -> DeskState {
        match part.line() {
            (Registry::Hmrc, lane) => self.hmrc.desk().state(lane),
            (Registry::Vies, lane) => self.vies.desk().state(lane),
        }
    }

    /// What the latest tries at it were like: how long they waited and took, and the last one in vain.
    #[must_use]
    pub fn latest(&self, part: RegistryPart) -> LatestTries {
        match part.line() {
            (Registry::Hmrc, lane) => self.hmrc.latest(lane),
            (Registry::Vies, lane) => self.vies.latest(lane),
        }
    }

    /// For how long the access token at hand can be used by which HMRC is asked; `None`: there is none.
    #[must_use]
    pub fn token_good_for(&self) -> Option<Duration> {
        self.hmrc.ready_for()
    }

    /// What does not answer, or nobody knows yet whether it does again.
    #[must_use]
    pub fn left_alone(&self) -> Vec<RegistryPart> {
        RegistryPart::all().filter(|part| self.state(*part).breaker.position != Position::Closed).collect()
    }

    /// Leaves it alone, whatever lookups that are under way may say; `None`: until [`close_by_hand`](Self::close_by_hand).
    /// Whoever waits for it is told at once.
    pub fn open_by_hand(&self, part: RegistryPart, lasting: Option<Duration>) {
        match part.line() {
            (Registry::Hmrc, lane) => self.hmrc.desk().leave_alone(lane, lasting),
            (Registry::Vies, lane) => self.vies.desk().leave_alone(lane, lasting),
        }
    }

    /// The time for which it was opened by hand is over, by the clock of whoever opened it: the next lookup finds out how it
    /// is. Nothing changes where it is not open by hand.
    pub fn end_hold(&self, part: RegistryPart) {
        match part.line() {
            (Registry::Hmrc, lane) => self.hmrc.desk().end_hold(lane),
            (Registry::Vies, lane) => self.vies.desk().end_hold(lane),
        }
    }

    /// Has it asked again, as if it had never failed or refused anything.
    pub fn close_by_hand(&self, part: RegistryPart) {
        match part.line() {
            (Registry::Hmrc, lane) => self.hmrc.desk().ask_again(lane),
            (Registry::Vies, lane) => self.vies.desk().ask_again(lane),
        }
    }

    async fn work_through<L: Limit>(
        &self,
        line: &Line<L>,
        mut lookup: Lookup,
        mut asking: Asking,
    ) -> Resolution {
        let mut refusals = Refusals::default();
        let mut last_trouble: Option<Trouble> = None;
        let mut pauses = Pauses::default();
        for tries in 1..=MAX_TRIES {
            if let Some(rest) = line.desk().silent_beyond(lookup.number.prefix(), asking.limit()) {
                return self.unresolved_because(TroubleKind::RegistryBusy.reason(), rest);
            }
            let until = asking.until;
            let asked = line.ask(lookup, &mut asking, Urgency::Usual);
            let Ok(asked) = timeout_at(until, asked).await else {
                return self.unresolved(last_trouble.as_ref());
            };
            let said = match asked {
                Ok(said) => said,
                Err(no_turn) => return self.without_turn(no_turn, last_trouble.as_ref()),
            };
            let trouble = match said.and_then(|answer| refusals.judge(answer)) {
                Ok(answer) => {
                    let may_ask_again = tries < MAX_TRIES;
                    return self
                        .confirmed(line, lookup, asking, (answer, may_ask_again), refusals.requester)
                        .await;
                }
                Err(error) => {
                    let credentials = error == RegistryError::CredentialsRefused;
                    let Some(trouble) = refusals.note(error, &mut lookup) else { continue };
                    if credentials {
                        // A single refusal is what an expired token looks like; the second says that the credentials are.
                        line.desk().learn(lookup.number, &Err(trouble.clone().into()));
                    }
                    trouble
                }
            };
            report(lookup, &trouble, tries);
            let is_silent = trouble.kind == TroubleKind::TimedOut;
            // For whoever may ask again one silence is enough.
            let may_try = tries < MAX_TRIES && !(is_silent && asking.is_answered());
            let pause = pauses.after(&trouble).filter(|_| may_try);
            // A registry that was silent for a whole try is asked again only if another whole try fits.
            let needed = if is_silent { line.try_limit() } else { Duration::ZERO };
            match pause {
                Some(pause) if Instant::now() + pause + needed < asking.limit() => {
                    asking.so_far.met(self.trouble(&trouble));
                    last_trouble = Some(trouble);
                    sleep(pause).await;
                }
                _ => return self.unresolved(Some(&trouble)),
            }
        }
        self.unresolved(last_trouble.as_ref())
    }

    /// An answer as it is given to callers: asked once more where HMRC's word alone is doubtful.
    async fn confirmed<L: Limit>(
        &self,
        line: &Line<L>,
        lookup: Lookup,
        mut asking: Asking,
        (first, may_ask_again): (RegistryAnswer, bool),
        requester_refused: bool,
    ) -> Resolution {
        let first_at = self.clock.now();
        let doubt = self.doubts.about(lookup, &first, asking.limit());
        let Some(doubt) = doubt else {
            self.doubts.note(lookup, &first, false);
            return answered(first, first_at, requester_refused);
        };
        let again = async {
            sleep(doubt::PAUSE).await;
            line.ask(lookup, &mut asking, doubt.urgency).await
        };
        let second = if may_ask_again && Instant::now() + doubt::PAUSE < doubt.until {
            timeout_at(doubt.until, again).await
        } else {
            Ok(Err(NoTurn::Full))
        };
        let (outcome, resolution) = match second {
            Ok(Ok(Ok(second))) => {
                let outcome = if second.verdict == Verdict::NotRegistered { "confirmed" } else { "reversed" };
                self.doubts.note(lookup, &second, true);
                (outcome, answered(second, self.clock.now(), requester_refused))
            }
            Ok(Ok(Err(RegistryError::Trouble(trouble)))) if doubt::confirms_doubt(trouble.kind) => {
                ("trouble", self.unresolved(Some(&trouble)))
            }
            _ if doubt.contradicts => ("contradicts", Resolution::past_deadline(self.clock.now())),
            _ => ("not_asked_again", answered(first, first_at, requester_refused)),
        };
        counter!("crossvat_hmrc_doubtful_negatives_total", "outcome" => outcome).increment(1);
        resolution
    }

    fn without_turn(&self, no_turn: NoTurn, last_trouble: Option<&Trouble>) -> Resolution {
        match no_turn {
            NoTurn::LeftAlone(left_alone) => self.unresolved_because(left_alone.reason, left_alone.wait),
            NoTurn::Full if last_trouble.is_none() => {
                self.unresolved_because(UnresolvedReason::Deadline, WAIT_WHEN_FULL)
            }
            NoTurn::Full | NoTurn::GivenUp => self.unresolved(last_trouble),
        }
    }

    /// Trouble that was met says more than the deadline that came after it.
    fn unresolved(&self, trouble: Option<&Trouble>) -> Resolution {
        match trouble {
            Some(trouble) => Resolution::Unresolved(self.trouble(trouble)),
            None => Resolution::past_deadline(self.clock.now()),
        }
    }

    fn trouble(&self, trouble: &Trouble) -> Unresolved {
        Unresolved {
            reason: trouble.kind.reason(),
            retry_after: trouble.retry_after.unwrap_or_else(|| trouble.kind.usual_wait()),
            decided_at: self.clock.now(),
        }
    }

    fn unresolved_because(&self, reason: UnresolvedReason, retry_after: Duration) -> Resolution {
        Resolution::Unresolved(Unresolved { reason, retry_after, decided_at: self.clock.now() })
    }
}

#[async_trait]
impl Resolve for RegistryGateway {
    /// Asks the number's registry, until it answers, retrying is useless or the time is over.
    async fn resolve(&self, lookup: Lookup, asking: Asking) -> Resolution {
        let started = Instant::now();
        let resolution = match lookup.number.registry() {
            Registry::Hmrc => self.work_through(&self.hmrc, lookup, asking).await,
            Registry::Vies => self.work_through(&self.vies, lookup, asking).await,
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

fn answered(
    answer: RegistryAnswer,
    received_at: chrono::DateTime<chrono::Utc>,
    requester_refused: bool,
) -> Resolution {
    Resolution::Answered(Arc::new(Answered { answer, received_at, requester_refused, evidence_id: None }))
}

/// What the breakers say of it comes on top.
fn report(lookup: Lookup, trouble: &Trouble, tries: u32) {
    let registry = lookup.number.registry().name();
    let prefix = lookup.number.prefix().as_str();
    if trouble.kind == TroubleKind::QuestionNotUnderstood {
        tracing::error!(registry, prefix, tries, detail = %trouble.detail, "registry does not understand us: look into it");
    } else {
        tracing::warn!(registry, prefix, tries, detail = %trouble.detail, "no answer from the registry");
    }
}

#[cfg(test)]
mod tests;
