//! How the registries are, by our own lookups of the last minutes and nothing else: of each it is remembered what came
//! lately, and since when that has been so. Pure of the registries themselves; the gateway tells what it learned.
//!
//! Not here: a history. What is older than [`WINDOW`] is forgotten, but for the moment since when a state lasts; what lookups
//! said is counted for whoever keeps it.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use vat::{Prefix, Registry, UnresolvedReason};

use super::{
    part::RegistryPart,
    slices::{Slice, Slices},
};
use crate::clock::SharedClock;

/// What is older says nothing about now.
pub const WINDOW: TimeDelta = TimeDelta::minutes(15);
/// A usual answer that takes longer is slow.
pub const SLOW: Duration = Duration::from_secs(3);
/// Lookups that are remembered of each registry and member state.
const REMEMBERED: usize = 20;
/// So many in a row without an answer are no chance.
const IN_A_ROW: usize = 3;

/// How a registry or a member state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistryState {
    /// It answers.
    Answering {
        /// The first answer since it did not, or since nothing was known.
        since: DateTime<Utc>,
        /// What an answer takes: the middle one of the latest.
        usual: Duration,
    },
    /// It answers, but an answer usually takes longer than three seconds.
    Slow {
        /// From this answer on.
        since: DateTime<Utc>,
        /// What an answer takes.
        usual: Duration,
    },
    /// It gives no answer.
    Refusing {
        /// The first lookup in vain after its last answer.
        since: DateTime<Utc>,
        /// Why, by the latest.
        reason: UnresolvedReason,
    },
    /// Nobody asked within the last 15 minutes, or nothing that came of it tells: of VIES, that one member state was waited for
    /// in vain.
    NotMeasured {
        /// When it was last asked, if ever since the start.
        last: Option<DateTime<Utc>>,
    },
}

/// How the registries and the member states behind VIES are. Knows only what this instance asked.
pub struct Availability {
    clock: SharedClock,
    records: Mutex<Records>,
}

struct Records {
    /// In the order of [`Prefix::ALL`].
    of_prefixes: Vec<Record>,
    vies: Record,
    slices: Slices,
}

/// What is remembered of one.
#[derive(Default)]
struct Record {
    /// Oldest first.
    latest: VecDeque<Measured>,
    last_answer: Option<Measured>,
    /// What it is now, if that is known, and since when.
    lasting: Option<(Kind, DateTime<Utc>)>,
}

/// What came of one try.
#[derive(Clone, Copy)]
struct Measured {
    at: DateTime<Utc>,
    prefix: Prefix,
    took: Duration,
    /// Why there was no answer, if there was none.
    in_vain: Option<UnresolvedReason>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Answering,
    Slow,
    Refusing,
}

impl Availability {
    pub(super) fn new(clock: SharedClock) -> Self {
        let of_prefixes = Prefix::ALL.iter().map(|_| Record::default()).collect();
        Self {
            clock,
            records: Mutex::new(Records { of_prefixes, vies: Record::default(), slices: Slices::default() }),
        }
    }

    /// How a registry as a whole is.
    #[must_use]
    pub fn of_registry(&self, registry: Registry) -> RegistryState {
        match registry {
            Registry::Hmrc => self.of(Prefix::Gb),
            Registry::Vies => self.records().vies.state(self.clock.now()),
        }
    }

    /// How lookups of numbers with `prefix` go: behind VIES, how its member state is.
    #[must_use]
    pub fn of(&self, prefix: Prefix) -> RegistryState {
        self.records().of_prefixes[prefix as usize].state(self.clock.now())
    }

    /// Notes that a try took so long and brought an answer, whatever it said, or none for a reason.
    pub(super) fn note(&self, prefix: Prefix, took: Duration, in_vain: Option<UnresolvedReason>) {
        let measured = Measured { at: self.clock.now(), prefix, took, in_vain };
        let mut records = self.records();
        let kind = records.of_prefixes[prefix as usize].add(measured, false);
        records.count(measured.at, RegistryPart::of(prefix), kind);
        if prefix.registry() == Registry::Vies {
            // That a member state does not work is an answer of VIES's own.
            let in_vain = in_vain.filter(|reason| *reason != UnresolvedReason::MemberStateUnavailable);
            let kind = records.vies.add(Measured { in_vain, ..measured }, true);
            records.count(measured.at, RegistryPart::Whole(Registry::Vies), kind);
        }
    }

    /// How one of them is.
    #[must_use]
    pub fn of_part(&self, part: RegistryPart) -> RegistryState {
        match part {
            RegistryPart::Whole(registry) => self.of_registry(registry),
            RegistryPart::Behind(prefix) => self.of(prefix),
        }
    }

    /// What was counted and not taken yet.
    pub fn take_slices(&self) -> Vec<Slice> {
        self.records().slices.take()
    }

    /// Gives back what was taken and could not be kept.
    pub fn put_back(&self, slices: Vec<Slice>) {
        self.records().slices.put_back(slices);
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Records {
    fn count(&mut self, at: DateTime<Utc>, part: RegistryPart, kind: Option<Kind>) {
        let Some(kind) = kind else { return };
        self.slices.count(at, part, |counts| match kind {
            Kind::Answering => counts.answering += 1,
            Kind::Slow => counts.slow += 1,
            Kind::Refusing => counts.refusing += 1,
        });
    }
}

impl Record {
    /// Adds the latest, of one that stands before several member states or not. What it is since then, if that is known.
    fn add(&mut self, measured: Measured, before_several: bool) -> Option<Kind> {
        let now = measured.at;
        let is_recent = |one: &Measured| now - one.at <= WINDOW;
        if !self.latest.back().is_some_and(is_recent) {
            // Nobody knows how it was meanwhile.
            self.lasting = None;
        }
        self.latest.retain(is_recent);
        if self.latest.len() == REMEMBERED {
            self.latest.pop_front();
        }
        self.latest.push_back(measured);
        if measured.in_vain.is_none() {
            self.last_answer = Some(measured);
        }
        let answered_lately = self.last_answer.as_ref().is_some_and(is_recent);
        let kind = if self.has_stopped(before_several, answered_lately) {
            Kind::Refusing
        } else if !answered_lately {
            self.lasting = None;
            return None;
        } else if self.usual() > SLOW {
            Kind::Slow
        } else {
            Kind::Answering
        };
        if self.lasting.is_none_or(|(before, _)| before != kind) {
            let first = self.in_vain_lately().last();
            self.lasting =
                Some((kind, first.filter(|_| kind == Kind::Refusing).map_or(now, |first| first.at)));
        }
        Some(kind)
    }

    fn state(&self, now: DateTime<Utc>) -> RegistryState {
        let Some(last) = self.latest.back() else { return RegistryState::NotMeasured { last: None } };
        let Some((kind, since)) = self.lasting.filter(|_| now - last.at <= WINDOW) else {
            return RegistryState::NotMeasured { last: Some(last.at) };
        };
        match (kind, last.in_vain) {
            (Kind::Refusing, Some(reason)) => RegistryState::Refusing { since, reason },
            (Kind::Slow, _) => RegistryState::Slow { since, usual: self.usual() },
            _ => RegistryState::Answering { since, usual: self.usual() },
        }
    }

    /// There was no answer several times in a row, or once where none came lately; before several member states, not only
    /// because one of them was waited for in vain.
    fn has_stopped(&self, before_several: bool, answered_lately: bool) -> bool {
        let Some(latest) = self.in_vain_lately().next() else { return false };
        let is_more_than_a_wait = !before_several
            || self
                .in_vain_lately()
                .any(|one| one.prefix != latest.prefix || one.in_vain != Some(UnresolvedReason::Timeout));
        is_more_than_a_wait && (!answered_lately || self.in_vain_lately().count() >= IN_A_ROW)
    }

    /// Those after the last answer, latest first.
    fn in_vain_lately(&self) -> impl Iterator<Item = &Measured> {
        self.latest.iter().rev().take_while(|one| one.in_vain.is_some())
    }

    /// The middle one of what the latest answers took.
    fn usual(&self) -> Duration {
        let answers = self.latest.iter().filter(|one| one.in_vain.is_none()).map(|one| one.took);
        let mut took: Vec<Duration> = answers.collect();
        took.sort_unstable();
        // As many others may have come after the last answer as are remembered.
        let last = || self.last_answer.map(|answer| answer.took).unwrap_or_default();
        took.get(took.len() / 2).copied().unwrap_or_else(last)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::clock::{Clock, ManualClock};

    const QUICK: Duration = Duration::from_millis(240);
    const MINUTE: Duration = Duration::from_mins(1);

    struct Bench {
        clock: Arc<ManualClock>,
        availability: Availability,
    }

    fn bench() -> Bench {
        let clock = Arc::new(ManualClock::starting_at(DateTime::UNIX_EPOCH));
        Bench { availability: Availability::new(clock.clone()), clock }
    }

    impl Bench {
        fn answers(&self, prefix: Prefix, took: Duration) {
            self.availability.note(prefix, took, None);
        }

        fn refuses(&self, prefix: Prefix, reason: UnresolvedReason) {
            self.availability.note(prefix, QUICK, Some(reason));
        }

        fn after_a_minute(&self) -> DateTime<Utc> {
            self.clock.advance(MINUTE);
            self.clock.now()
        }

        fn vies(&self) -> RegistryState {
            self.availability.of_registry(Registry::Vies)
        }

        fn of(&self, prefix: Prefix) -> RegistryState {
            self.availability.of(prefix)
        }
    }

    #[test]
    fn what_nobody_asked_is_not_measured() {
        let bench = bench();
        assert_eq!(bench.vies(), RegistryState::NotMeasured { last: None });
        let asked = bench.after_a_minute();
        bench.answers(Prefix::De, QUICK);
        assert_eq!(bench.of(Prefix::De), RegistryState::Answering { since: asked, usual: QUICK });
        assert_eq!(bench.vies(), RegistryState::Answering { since: asked, usual: QUICK });
        for other in [bench.of(Prefix::Fr), bench.availability.of_registry(Registry::Hmrc)] {
            assert_eq!(other, RegistryState::NotMeasured { last: None });
        }
        bench.clock.advance(MINUTE * 15);
        assert_eq!(bench.of(Prefix::De), RegistryState::Answering { since: asked, usual: QUICK });
        bench.clock.advance(Duration::from_millis(1));
        assert_eq!(bench.of(Prefix::De), RegistryState::NotMeasured { last: Some(asked) });
    }

    #[test]
    fn three_in_a_row_in_vain_are_a_refusal_and_one_answer_ends_it() {
        let bench = bench();
        bench.answers(Prefix::Pl, QUICK);
        let first = bench.after_a_minute();
        for in_vain in 1..=3 {
            assert!(matches!(bench.of(Prefix::Pl), RegistryState::Answering { .. }), "{in_vain}");
            bench.refuses(Prefix::Pl, UnresolvedReason::MemberStateUnavailable);
            bench.after_a_minute();
        }
        let reason = UnresolvedReason::MemberStateUnavailable;
        assert_eq!(bench.of(Prefix::Pl), RegistryState::Refusing { since: first, reason });
        assert!(matches!(bench.vies(), RegistryState::Answering { .. }), "VIES itself has said so");
        // An hour of it: what is remembered is bounded, since when is not.
        for _ in 0..60 {
            bench.refuses(Prefix::Pl, UnresolvedReason::Throttled);
            bench.after_a_minute();
        }
        assert_eq!(
            bench.of(Prefix::Pl),
            RegistryState::Refusing { since: first, reason: UnresolvedReason::Throttled }
        );
        let back = bench.clock.now();
        bench.answers(Prefix::Pl, QUICK);
        assert_eq!(bench.of(Prefix::Pl), RegistryState::Answering { since: back, usual: QUICK });
    }

    #[test]
    fn where_nothing_else_is_known_the_first_in_vain_tells() {
        let bench = bench();
        let first = bench.after_a_minute();
        bench.refuses(Prefix::Gb, UnresolvedReason::NotConfigured);
        let reason = UnresolvedReason::NotConfigured;
        assert_eq!(
            bench.availability.of_registry(Registry::Hmrc),
            RegistryState::Refusing { since: first, reason }
        );
        // After a silence nobody knows how it was meanwhile.
        bench.clock.advance(MINUTE * 20);
        let again = bench.clock.now();
        bench.refuses(Prefix::Gb, UnresolvedReason::Timeout);
        assert_eq!(
            bench.of(Prefix::Gb),
            RegistryState::Refusing { since: again, reason: UnresolvedReason::Timeout }
        );
    }

    #[test]
    fn slow_is_what_usually_takes_long() {
        let bench = bench();
        let long = Duration::from_millis(4200);
        bench.answers(Prefix::De, QUICK);
        bench.answers(Prefix::De, QUICK);
        let since = bench.after_a_minute();
        for _ in 0..2 {
            bench.answers(Prefix::De, long);
        }
        assert_eq!(bench.of(Prefix::De), RegistryState::Slow { since, usual: long });
        for _ in 0..3 {
            bench.answers(Prefix::De, QUICK);
        }
        assert!(matches!(bench.of(Prefix::De), RegistryState::Answering { usual: QUICK, .. }));
    }

    #[test]
    fn a_silent_member_state_does_not_silence_vies_but_two_do() {
        let bench = bench();
        bench.answers(Prefix::Fr, QUICK);
        for _ in 0..2 * REMEMBERED {
            bench.refuses(Prefix::De, UnresolvedReason::Timeout);
        }
        assert!(matches!(bench.of(Prefix::De), RegistryState::Refusing { .. }));
        assert_eq!(bench.vies(), RegistryState::Answering { since: DateTime::UNIX_EPOCH, usual: QUICK });
        bench.refuses(Prefix::It, UnresolvedReason::Timeout);
        assert!(matches!(bench.vies(), RegistryState::Refusing { .. }));
        bench.answers(Prefix::Fr, QUICK);
        assert!(matches!(bench.vies(), RegistryState::Answering { .. }));
        for _ in 0..3 {
            bench.refuses(Prefix::De, UnresolvedReason::RegistryUnavailable);
        }
        assert!(matches!(bench.vies(), RegistryState::Refusing { .. }), "it says so of itself");
    }

    #[test]
    fn nor_does_it_when_nobody_else_was_asked_for_long() {
        let bench = bench();
        bench.answers(Prefix::Fr, QUICK);
        bench.clock.advance(MINUTE * 16);
        let asked = bench.clock.now();
        for _ in 0..REMEMBERED {
            bench.refuses(Prefix::De, UnresolvedReason::Timeout);
            assert!(matches!(bench.of(Prefix::De), RegistryState::Refusing { .. }));
            assert_eq!(bench.vies(), RegistryState::NotMeasured { last: Some(asked) });
        }
        bench.refuses(Prefix::It, UnresolvedReason::Timeout);
        let reason = UnresolvedReason::Timeout;
        assert_eq!(bench.vies(), RegistryState::Refusing { since: asked, reason });
        bench.clock.advance(MINUTE * 16);
        let since = bench.clock.now();
        bench.refuses(Prefix::De, UnresolvedReason::RegistryUnavailable);
        let reason = UnresolvedReason::RegistryUnavailable;
        assert_eq!(bench.vies(), RegistryState::Refusing { since, reason }, "it says so of itself");
    }

    #[test]
    fn one_member_state_that_falls_silent_for_long_leaves_vies_unknown() {
        let bench = bench();
        bench.answers(Prefix::De, QUICK);
        for _ in 0..15 {
            bench.after_a_minute();
            bench.refuses(Prefix::De, UnresolvedReason::Timeout);
            assert!(matches!(bench.vies(), RegistryState::Answering { .. }));
        }
        let last = bench.after_a_minute();
        bench.refuses(Prefix::De, UnresolvedReason::Timeout);
        assert_eq!(bench.vies(), RegistryState::NotMeasured { last: Some(last) });
        assert!(matches!(bench.of(Prefix::De), RegistryState::Refusing { .. }));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let bench = bench();
        for place in 0..10_000 {
            let prefix = Prefix::ALL[place % Prefix::ALL.len()];
            bench.answers(prefix, QUICK);
        }
        let records = bench.availability.records();
        for record in records.of_prefixes.iter().chain([&records.vies]) {
            assert!(record.latest.len() <= REMEMBERED);
        }
    }
}
