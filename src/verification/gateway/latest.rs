//! What the latest tries at a registry were like: how long they waited for their turn, what an answer took, and the last one
//! in vain with what was said to it. For whoever watches the registries; nothing is decided by it.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use vat::Prefix;

use super::breakers::Said;
use crate::{
    clock::SharedClock,
    verification::registry::{Lookup, RawAnswer, RegistryError, TroubleKind},
};

/// What is older says nothing about now.
const WINDOW: TimeDelta = TimeDelta::minutes(15);
/// Over so long it is told how many tries there are in a second.
const LATELY: TimeDelta = TimeDelta::seconds(10);
/// Tries that are remembered of the registry and of each member state.
const REMEMBERED: usize = 200;

/// What the latest tries were like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LatestTries {
    /// How long they waited for their turn; `None` when nothing was asked in the last 15 minutes.
    pub waited: Option<Times>,
    /// What the answers took; `None` when there was none in the last 15 minutes.
    pub took: Option<Times>,
    /// Tries a second, over the last ten.
    pub a_second: f64,
    /// The last try in vain, however long ago.
    pub in_vain: Option<InVain>,
}

/// How long something took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The middle one.
    pub usual: Duration,
    /// One in a hundred takes as long or longer.
    pub slowest: Duration,
}

/// A try that brought no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InVain {
    /// When that was known.
    pub at: DateTime<Utc>,
    /// What was asked about.
    pub prefix: Prefix,
    /// What went wrong.
    pub kind: TroubleKind,
    /// The registry's own code, or ours. Holds no number, name or secret.
    pub detail: String,
    /// What the registry sent. Not for logs: it may hold anything.
    pub raw: Option<RawAnswer>,
}

/// One try that has ended.
pub(super) struct Tried<'a> {
    pub(super) lookup: Lookup,
    pub(super) waited: Duration,
    pub(super) took: Duration,
    pub(super) said: &'a Said,
}

/// Remembers the latest tries at one registry.
pub(super) struct Latest {
    clock: SharedClock,
    records: Mutex<Records>,
}

struct Records {
    whole: Record,
    /// In the order of [`Prefix::ALL`].
    of_lanes: Vec<Record>,
}

#[derive(Default)]
struct Record {
    waited: Recent,
    took: Recent,
    in_vain: Option<InVain>,
}

/// Oldest first.
#[derive(Default)]
struct Recent(VecDeque<(DateTime<Utc>, Duration)>);

impl Latest {
    pub(super) fn new(clock: SharedClock) -> Self {
        let of_lanes = Prefix::ALL.iter().map(|_| Record::default()).collect();
        Self { clock, records: Mutex::new(Records { whole: Record::default(), of_lanes }) }
    }

    pub(super) fn note(&self, tried: &Tried<'_>) {
        let (now, prefix) = (self.clock.now(), tried.lookup.number.prefix());
        let in_vain = match tried.said {
            Err(RegistryError::Trouble(trouble)) => Some(InVain {
                at: now,
                prefix,
                kind: trouble.kind,
                detail: trouble.detail.clone(),
                raw: trouble.raw.clone(),
            }),
            Err(RegistryError::CredentialsRefused) => Some(InVain {
                at: now,
                prefix,
                kind: TroubleKind::NotConfigured,
                detail: "the credentials were refused".to_owned(),
                raw: None,
            }),
            Ok(_) | Err(RegistryError::RequesterRefused { .. }) => None,
        };
        let mut records = self.records();
        let Records { whole, of_lanes } = &mut *records;
        for record in [whole, &mut of_lanes[prefix as usize]] {
            record.waited.add(now, tried.waited);
            match &in_vain {
                None => record.took.add(now, tried.took),
                Some(in_vain) => record.in_vain = Some(in_vain.clone()),
            }
        }
    }

    /// Of the registry, or of one member state.
    pub(super) fn of(&self, lane: Option<Prefix>) -> LatestTries {
        let now = self.clock.now();
        let records = self.records();
        let record = lane.map_or(&records.whole, |lane| &records.of_lanes[lane as usize]);
        LatestTries {
            waited: record.waited.times(now),
            took: record.took.times(now),
            a_second: record.waited.a_second(now),
            in_vain: record.in_vain.clone(),
        }
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recent {
    fn add(&mut self, at: DateTime<Utc>, took: Duration) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back((at, took));
    }

    /// How many there were in a second. Of more than are remembered, as many as the time tells that these took.
    fn a_second(&self, now: DateTime<Utc>) -> f64 {
        let lately = self.0.iter().filter(|(at, _)| now - *at < LATELY);
        let count = u32::try_from(lately.count()).unwrap_or(u32::MAX);
        let oldest = self.0.front().filter(|_| self.0.len() == REMEMBERED).map(|(at, _)| now - *at);
        let span = oldest.unwrap_or(LATELY).clamp(TimeDelta::seconds(1), LATELY);
        f64::from(count) / span.as_seconds_f64()
    }

    fn times(&self, now: DateTime<Utc>) -> Option<Times> {
        let lately = self.0.iter().filter(|(at, _)| now - *at <= WINDOW);
        let mut all: Vec<Duration> = lately.map(|(_, took)| *took).collect();
        all.sort_unstable();
        let slowest = (all.len() * 99 / 100).min(all.len().saturating_sub(1));
        Some(Times { usual: *all.get(all.len() / 2)?, slowest: *all.get(slowest)? })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use vat::VatNumber;

    use super::*;
    use crate::{
        clock::{Clock, ManualClock},
        verification::{fake_registry::registered, registry::Trouble},
    };

    const MILLISECOND: Duration = Duration::from_millis(1);

    struct Bench {
        clock: Arc<ManualClock>,
        latest: Latest,
    }

    fn bench() -> Bench {
        let clock = Arc::new(ManualClock::starting_at(DateTime::UNIX_EPOCH));
        Bench { latest: Latest::new(clock.clone()), clock }
    }

    impl Bench {
        fn tried(&self, number: &str, (waited, took): (u32, u32), said: &Said) {
            let lookup =
                Lookup { number: VatNumber::parse(number).number().expect("a number"), requester: None };
            let (waited, took) = (MILLISECOND * waited, MILLISECOND * took);
            self.latest.note(&Tried { lookup, waited, took, said });
        }
    }

    #[test]
    fn the_middle_and_the_slowest_in_a_hundred_of_the_last_quarter_of_an_hour_are_told() {
        let bench = bench();
        assert_eq!(bench.latest.of(None), LatestTries::default());
        bench.tried("DE136695976", (9000, 9000), &Ok(registered()));
        bench.clock.advance(Duration::from_mins(16));
        for took in 1..=100 {
            bench.tried("DE136695976", (took, took * 10), &Ok(registered()));
        }
        let times =
            |usual, slowest| Some(Times { usual: MILLISECOND * usual, slowest: MILLISECOND * slowest });
        let (waited, took) = (times(51, 100), times(510, 1000));
        let expected = LatestTries { waited, took, a_second: 10.0, in_vain: None };
        assert_eq!(bench.latest.of(None), expected);
        assert_eq!(bench.latest.of(Some(Prefix::De)), expected);
        assert_eq!(bench.latest.of(Some(Prefix::Fr)), LatestTries::default());
        for _ in 0..10 * REMEMBERED {
            bench.tried("DE136695976", (7, 7), &Ok(registered()));
        }
        assert_eq!(bench.latest.of(None).took, times(7, 7), "bounded, the oldest are forgotten");
        assert!((bench.latest.of(None).a_second - 200.0).abs() < f64::EPSILON, "as many as are remembered");
        bench.clock.advance(Duration::from_mins(16));
        assert_eq!(bench.latest.of(None), LatestTries::default());
    }

    #[test]
    fn the_last_one_in_vain_is_remembered_with_what_was_sent_and_took_no_time() {
        let bench = bench();
        let raw = RawAnswer::new("HTTP 503", b"<html>closed</html>");
        let trouble =
            Trouble::new(TroubleKind::Unreadable, "HTTP 503 with 19 bytes").with_raw(Some(raw.clone()));
        bench.tried("PL5260001246", (20, 4000), &Err(trouble.into()));
        let in_vain = InVain {
            at: bench.clock.now(),
            prefix: Prefix::Pl,
            kind: TroubleKind::Unreadable,
            detail: "HTTP 503 with 19 bytes".to_owned(),
            raw: Some(raw),
        };
        bench.tried("DE136695976", (20, 30), &Ok(registered()));
        bench.tried("DE136695976", (20, 30), &Err(RegistryError::RequesterRefused { number_is_known: true }));
        for lane in [None, Some(Prefix::Pl)] {
            assert_eq!(bench.latest.of(lane).in_vain, Some(in_vain.clone()));
        }
        assert_eq!(bench.latest.of(Some(Prefix::De)).in_vain, None);
        assert_eq!(bench.latest.of(Some(Prefix::Pl)).took, None);
        assert_eq!(bench.latest.of(None).took.map(|took| took.slowest), Some(MILLISECOND * 30));
        assert!(!format!("{in_vain:?}").contains("closed"), "not for logs");
        bench.tried("GB980780684", (0, 0), &Err(RegistryError::CredentialsRefused));
        assert_eq!(bench.latest.of(None).in_vain.map(|last| last.kind), Some(TroubleKind::NotConfigured));
    }
}
