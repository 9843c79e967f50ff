//! The breakers of one registry: its own, and one for each member state behind it. What a try says of which is judged here;
//! changes are told to whoever reads logs and metrics.

use std::time::Duration;

use chrono::{DateTime, Utc};
use metrics::{counter, gauge};
use tokio::time::Instant;
use vat::{Prefix, Registry, UnresolvedReason, VatNumber};

use super::breaker::{Breaker, Change, Failure, Permit, Position, Shut, Sign, Subject};
use crate::{
    clock::SharedClock,
    verification::registry::{RegistryAnswer, RegistryError, Trouble, TroubleKind},
};

/// A breaker that somebody opened until it is closed by hand: callers may look again so often.
const WAIT_FOR_A_HAND: Duration = Duration::from_mins(5);
/// A wait is never told as none.
const LEAST_WAIT: Duration = Duration::from_secs(1);

/// How the breakers of a registry work.
#[derive(Clone, Copy, Debug)]
pub(super) struct BreakerTimes {
    /// How long one is left alone.
    pub(super) pause: Duration,
    /// A try is over after this time.
    pub(super) try_limit: Duration,
}

/// The breakers of one registry.
pub(super) struct Breakers {
    registry: Registry,
    whole: Watched,
    /// In the order of [`Prefix::ALL`]; none behind HMRC, which is its own.
    lanes: Vec<Watched>,
    clock: SharedClock,
}

struct Watched {
    breaker: Breaker,
    /// Since when it has not been closed.
    since: Option<DateTime<Utc>>,
}

/// How a breaker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakerState {
    /// Whether lookups pass.
    pub position: Position,
    /// Why not; `None` when it is closed, or was opened by hand.
    pub cause: Option<TroubleKind>,
    /// Since when it is not closed.
    pub since: Option<DateTime<Utc>>,
    /// When one lookup will find out how things are; `None` when it is closed, or until somebody closes it.
    pub next_try_in: Option<Duration>,
}

/// Why a lookup is not asked, told at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeftAlone {
    pub(super) reason: UnresolvedReason,
    pub(super) wait: Duration,
}

/// Which breakers find out by a lookup.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Probes {
    whole: bool,
    lane: bool,
}

/// What came of a try.
pub(super) type Said = Result<RegistryAnswer, RegistryError>;

impl Breakers {
    pub(super) fn new(registry: Registry, times: BreakerTimes, clock: SharedClock) -> Self {
        let watched = || Watched { breaker: Breaker::new(times.pause, times.try_limit), since: None };
        let lanes = match registry {
            Registry::Hmrc => Vec::new(),
            Registry::Vies => Prefix::ALL.iter().map(|_| watched()).collect(),
        };
        Self { registry, whole: watched(), lanes, clock }
    }

    pub(super) const fn registry(&self) -> Registry {
        self.registry
    }

    /// Whether lookups of `lane` may begin.
    pub(super) fn is_open_for(&self, lane: Prefix, now: Instant) -> bool {
        self.all(lane).all(|breaker| matches!(breaker.permit(now), Permit::Free | Permit::Probe))
    }

    /// Why lookups of `lane` need not even wait.
    pub(super) fn left_alone(&self, lane: Prefix, now: Instant) -> Option<LeftAlone> {
        let shut = |breaker: &Breaker| match breaker.permit(now) {
            Permit::Shut(shut) => Some(shut),
            Permit::Free | Permit::Probe | Permit::Wait => None,
        };
        let told = |Shut { cause, wait }, by_hand| LeftAlone {
            reason: cause.map_or(by_hand, TroubleKind::reason),
            wait: wait.unwrap_or(WAIT_FOR_A_HAND).max(LEAST_WAIT),
        };
        let lane = self.lanes.get(lane as usize);
        shut(&self.whole.breaker).map(|shut| told(shut, UnresolvedReason::RegistryUnavailable)).or_else(
            || {
                let shut = shut(&lane?.breaker)?;
                Some(told(shut, UnresolvedReason::MemberStateUnavailable))
            },
        )
    }

    /// The next moment when one of them lets a lookup find out, or those who wait for one have waited enough.
    pub(super) fn change_after(&self, now: Instant) -> Option<Instant> {
        let all = std::iter::once(&self.whole).chain(&self.lanes);
        all.filter_map(|watched| watched.breaker.changes_at()).filter(|at| *at > now).min()
    }

    /// A lookup of `lane` begins.
    pub(super) fn begin(&mut self, lane: Prefix, now: Instant) -> Probes {
        let whole = self.whole.breaker.begin(now);
        let of_lane = self.lanes.get_mut(lane as usize).is_some_and(|lane| lane.breaker.begin(now));
        for (target, probes) in [(None, whole), (Some(lane), of_lane)] {
            if probes {
                self.show(target, Position::HalfOpen);
            }
        }
        Probes { whole, lane: of_lane }
    }

    /// A lookup of `lane` that had begun was given up.
    pub(super) fn give_up(&mut self, lane: Prefix, probes: Probes, now: Instant) {
        self.whole.breaker.give_up(probes.whole, now);
        if let Some(lane) = self.lanes.get_mut(lane as usize) {
            lane.breaker.give_up(probes.lane, now);
        }
    }

    /// Notes what came of a lookup that had begun.
    pub(super) fn note(&mut self, number: VatNumber, said: &Said, probes: Probes, now: Instant) {
        let lane = number.prefix();
        let (of_registry, of_state) = match self.registry {
            Registry::Hmrc => (sign_of_hmrc(said, Subject::Number(number)), Sign::Nothing),
            Registry::Vies => {
                (sign_of_vies(said, Subject::MemberState(lane)), sign_of_state(said, Subject::Number(number)))
            }
        };
        let change = self.whole.breaker.note(of_registry, probes.whole, now);
        self.tell(None, change);
        let of_lane = self.lanes.get_mut(lane as usize);
        let change = of_lane.and_then(|state| state.breaker.note(of_state, probes.lane, now));
        self.tell(Some(lane), change);
    }

    /// Leaves the registry, or one member state, alone; `None`: until somebody closes the breaker.
    pub(super) fn open_by_hand(&mut self, target: Option<Prefix>, lasting: Option<Duration>, now: Instant) {
        let at = self.clock.now();
        if let Some(watched) = self.watched(target) {
            watched.breaker.open_by_hand(lasting, now);
            watched.since = watched.since.or(Some(at));
            self.show(target, Position::Open);
        }
    }

    /// What somebody wanted left alone for a time is asked by one lookup, which finds out.
    pub(super) fn end_hold(&mut self, target: Option<Prefix>, now: Instant) {
        if let Some(watched) = self.watched(target) {
            watched.breaker.end_hold(now);
        }
    }

    /// Has it asked again, whatever was before.
    pub(super) fn close_by_hand(&mut self, target: Option<Prefix>) {
        if let Some(watched) = self.watched(target) {
            watched.breaker.close();
            watched.since = None;
            self.show(target, Position::Closed);
        }
    }

    /// How the breaker of the registry, or of a member state, stands; the registry's where it is its own only one.
    pub(super) fn state(&self, target: Option<Prefix>, now: Instant) -> BreakerState {
        let watched = target.and_then(|lane| self.lanes.get(lane as usize)).unwrap_or(&self.whole);
        let position = watched.breaker.position(now);
        BreakerState {
            position,
            cause: watched.breaker.cause(),
            since: watched.since,
            next_try_in: watched
                .breaker
                .changes_at()
                .filter(|_| position == Position::Open)
                .map(|at| at.saturating_duration_since(now)),
        }
    }

    fn all(&self, lane: Prefix) -> impl Iterator<Item = &Breaker> {
        std::iter::once(&self.whole).chain(self.lanes.get(lane as usize)).map(|watched| &watched.breaker)
    }

    fn watched(&mut self, target: Option<Prefix>) -> Option<&mut Watched> {
        match target {
            None => Some(&mut self.whole),
            Some(lane) => self.lanes.get_mut(lane as usize),
        }
    }

    fn tell(&mut self, target: Option<Prefix>, change: Option<Change>) {
        let (registry, prefix) = (self.registry.name(), target.map_or("", Prefix::as_str));
        let at = self.clock.now();
        let Some((change, watched)) = change.zip(self.watched(target)) else { return };
        match change {
            Change::Closed => {
                watched.since = None;
                tracing::info!(registry, prefix, "it answers again");
                self.show(target, Position::Closed);
            }
            Change::Opened(kind) => {
                watched.since = watched.since.or(Some(at));
                let reason = kind.reason().as_str();
                if kind.needs_a_person() {
                    counter!("crossvat_registry_alarms_total", "registry" => registry, "reason" => reason)
                        .increment(1);
                    tracing::error!(
                        registry,
                        reason,
                        "the registry refuses us and is asked nothing: look into it"
                    );
                } else {
                    tracing::warn!(registry, prefix, reason, "it does not answer and is left alone");
                }
                self.show(target, Position::Open);
            }
            Change::StillOpen => self.show(target, Position::Open),
        }
    }

    fn show(&self, target: Option<Prefix>, position: Position) {
        let figure = match position {
            Position::Closed => 0.0,
            Position::HalfOpen => 1.0,
            Position::Open => 2.0,
        };
        let prefix = target.map_or("", Prefix::as_str);
        gauge!("crossvat_registry_breaker", "registry" => self.registry.name(), "prefix" => prefix)
            .set(figure);
    }
}

fn failed(trouble: &Trouble, about: Option<Subject>) -> Sign {
    Sign::Failed(Failure { kind: trouble.kind, about, retry_after: trouble.retry_after })
}

/// What everybody who asks is told the same way, by the registry or the member state.
fn trouble(said: &Said) -> Result<&Trouble, Sign> {
    match said {
        Ok(_) | Err(RegistryError::RequesterRefused { .. }) => Err(Sign::Alive),
        Err(RegistryError::CredentialsRefused) => Err(Sign::Nothing),
        Err(RegistryError::Trouble(trouble)) => match trouble.kind {
            TroubleKind::NumberBlocked => Err(Sign::Alive),
            // Fewer questions help here, not none.
            TroubleKind::RegistryBusy | TroubleKind::RegistryExhausted => Err(Sign::Nothing),
            _ => Ok(trouble),
        },
    }
}

fn sign_of_hmrc(said: &Said, about: Subject) -> Sign {
    match trouble(said) {
        Err(sign) => sign,
        Ok(trouble) => match trouble.kind {
            TroubleKind::RegistryClosed | TroubleKind::CallerBlocked | TroubleKind::NotConfigured => {
                failed(trouble, None)
            }
            _ => failed(trouble, Some(about)),
        },
    }
}

/// Only what several member states fail in alike is VIES's own failure: some of its errors are about a number or a state
/// although they do not say so.
fn sign_of_vies(said: &Said, about: Subject) -> Sign {
    match trouble(said) {
        Err(sign) => sign,
        Ok(trouble) => match trouble.kind {
            // That a member state does not work, or is busy, is an answer of VIES's own.
            TroubleKind::MemberStateUnavailable
            | TroubleKind::MemberStateBusy
            | TroubleKind::MemberStateExhausted => Sign::Alive,
            TroubleKind::CallerBlocked | TroubleKind::NotConfigured => failed(trouble, None),
            _ => failed(trouble, Some(about)),
        },
    }
}

fn sign_of_state(said: &Said, about: Subject) -> Sign {
    match trouble(said) {
        Err(sign) => sign,
        Ok(trouble) => match trouble.kind {
            TroubleKind::MemberStateUnavailable => failed(trouble, None),
            TroubleKind::RegistryUnavailable | TroubleKind::TimedOut | TroubleKind::Unreadable => {
                failed(trouble, Some(about))
            }
            _ => Sign::Nothing,
        },
    }
}
