//! What must be had before a registry may be asked: a moment at HMRC, places at VIES. How much there is of it is learnt
//! from what the registry says; who counts it, this process alone or all instances together, is behind two ports.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use tokio::time::Instant;
use vat::Prefix;

use super::throttle::{Refused, Throttle};
use crate::verification::registry::{Trouble, TroubleKind};

/// Lets lookups begin so far apart, over everybody who shares it.
#[async_trait]
pub trait SharedPacer: Send + Sync {
    /// Lets one begin now, unless another began less than the pace's interval ago.
    ///
    /// # Errors
    /// The time after which it is worth another look.
    async fn begin(&self, pace: Pace) -> Result<(), Duration>;

    /// The latest, which was let begin a moment ago, begins now: a busy machine takes its time. The next must not come closer
    /// to it for that.
    fn begun(&self);

    /// The latest did not begin after all, and nobody need wait for it.
    fn give_back(&self);
}

/// Places at VIES and at each member state behind it, over everybody who shares them.
#[async_trait]
pub trait SharedPlaces: Send + Sync {
    /// Takes a place at the member state and one of all, if fewer than so many are taken.
    ///
    /// # Errors
    /// One of the two is full.
    async fn take(&self, lane: Prefix, most: MostPlaces) -> Result<HeldPlace, Full>;
}

/// How often something may begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    per_second: f64,
}

impl Pace {
    /// So often in any second.
    #[must_use]
    pub const fn per_second(per_second: f64) -> Self {
        Self { per_second }
    }

    /// From one to the next.
    #[must_use]
    pub fn interval(self) -> Duration {
        Duration::from_secs_f64(MARGIN / self.per_second)
    }

    /// One of so many parts that know nothing of each other. In no second do all of them together begin more than the whole,
    /// unless they are more than it has in a second.
    #[must_use]
    pub fn share(self, parts: usize) -> Self {
        if parts <= 1 {
            return self;
        }
        let part = self.per_second / f64::from(u32::try_from(parts).unwrap_or(u32::MAX));
        Self { per_second: if part >= 1.0 { part.floor() } else { part } }
    }
}

/// How many places may be taken, this one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MostPlaces {
    /// At the member state.
    pub of_lane: usize,
    /// In all.
    pub in_all: usize,
}

impl MostPlaces {
    /// One of so many parts. Together they are not more than the whole, unless they are more than it has places.
    #[must_use]
    pub fn share(self, parts: usize) -> Self {
        let part = |places: usize| (places / parts.max(1)).max(1);
        Self { of_lane: part(self.of_lane), in_all: part(self.in_all) }
    }
}

/// A place that is given back when it is dropped.
pub type HeldPlace = Box<dyn Held>;

/// Whatever gives a place back when it is dropped.
pub trait Held: Send + Sync {}

impl<T: Send + Sync> Held for T {}

/// There is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// At the member state. Others may have one.
    Lane {
        /// After so long another look is worth it, if none is given back here before.
        look_again: Duration,
    },
    /// At all.
    All {
        /// As above.
        look_again: Duration,
    },
}

/// Why nobody may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotNow {
    /// In this lane; another look is worth it at this moment, or when something is given back.
    Lane(Instant),
    /// In any.
    All(Instant),
}

/// How much of a registry may be used, and how much is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// What the registry allows at present: lookups a second, or lookups in flight.
    pub allowed: f64,
    /// What it allows when it has not refused any lately.
    pub full: f64,
}

/// What must be had before a registry may be asked.
pub(super) trait Limit: Send + Sync + 'static {
    /// Kept while the question is open.
    type Held: Send + Sync + 'static;

    /// Takes what is needed to ask about a number of `lane` now.
    fn take(&self, lane: Prefix) -> impl Future<Output = Result<Self::Held, NotNow>> + Send;

    /// What was taken is used now.
    fn begun(&self);

    /// What was taken was not used.
    fn give_back(&self);

    /// Until when nobody asks about numbers of `lane`, since the registry wants it so.
    fn silent_until(&self, lane: Prefix, now: Instant) -> Option<Instant>;

    /// A lookup of `lane` that began then met trouble, which may mean "too many".
    fn learn(&self, lane: Prefix, trouble: &Trouble, begun: Instant, now: Instant);

    /// Somebody says that all is well again, with all of it or in a lane.
    fn reset(&self, lane: Option<Prefix>);

    /// How much may be used: of all, or of a lane with a measure of its own.
    fn measure(&self, lane: Option<Prefix>, now: Instant) -> Measure;
}

/// Intervals are this much longer than the limit allows, since the network squeezes them: three spaced lookups must never
/// arrive as four in a second. Costs 1.5 % of the rate.
const MARGIN: f64 = 1.015;

/// HMRC's limit: so many lookups a second. They are spaced evenly rather than sent in bursts, so that a newcomer waits for
/// one interval and not for a whole second.
pub(super) struct Pacing {
    pacer: Arc<dyn SharedPacer>,
    rate: Mutex<Throttle>,
}

impl Pacing {
    pub(super) fn new(pacer: Arc<dyn SharedPacer>, per_second: f64) -> Self {
        Self { pacer, rate: Mutex::new(Throttle::rate(per_second)) }
    }

    fn rate(&self) -> MutexGuard<'_, Throttle> {
        self.rate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Limit for Pacing {
    type Held = ();

    async fn take(&self, _lane: Prefix) -> Result<(), NotNow> {
        let pace = Pace::per_second(self.rate().allowed(Instant::now()));
        self.pacer.begin(pace).await.map_err(|wait| NotNow::All(Instant::now() + wait))
    }

    fn begun(&self) {
        self.pacer.begun();
    }

    fn give_back(&self) {
        self.pacer.give_back();
    }

    fn silent_until(&self, _lane: Prefix, now: Instant) -> Option<Instant> {
        self.rate().silent_until(now)
    }

    fn learn(&self, _lane: Prefix, trouble: &Trouble, begun: Instant, now: Instant) {
        if let TroubleKind::RegistryBusy | TroubleKind::RegistryExhausted = trouble.kind {
            self.rate().refuse(Refused::InATime { wish: trouble.retry_after }, begun, now);
        }
    }

    fn reset(&self, _lane: Option<Prefix>) {
        self.rate().reset();
    }

    fn measure(&self, _lane: Option<Prefix>, now: Instant) -> Measure {
        let rate = self.rate();
        Measure { allowed: rate.allowed(now), full: rate.full() }
    }
}

/// VIES's limit: so many lookups in flight, in all and for each member state.
pub(super) struct Placing {
    places: Arc<dyn SharedPlaces>,
    throttles: Mutex<Throttles>,
}

struct Throttles {
    in_all: Throttle,
    /// In the order of [`Prefix::ALL`].
    of_lanes: Vec<Throttle>,
}

impl Placing {
    pub(super) fn new(places: Arc<dyn SharedPlaces>, most: MostPlaces) -> Self {
        let throttles = Throttles {
            in_all: Throttle::places(most.in_all),
            of_lanes: Prefix::ALL.iter().map(|_| Throttle::places(most.of_lane)).collect(),
        };
        Self { places, throttles: Mutex::new(throttles) }
    }

    fn throttles(&self) -> MutexGuard<'_, Throttles> {
        self.throttles.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Limit for Placing {
    type Held = HeldPlace;

    async fn take(&self, lane: Prefix) -> Result<HeldPlace, NotNow> {
        let now = Instant::now();
        let most = {
            let throttles = self.throttles();
            MostPlaces {
                of_lane: throttles.of_lanes[lane as usize].allowed_places(now),
                in_all: throttles.in_all.allowed_places(now),
            }
        };
        self.places.take(lane, most).await.map_err(|full| match full {
            Full::Lane { look_again } => NotNow::Lane(Instant::now() + look_again),
            Full::All { look_again } => NotNow::All(Instant::now() + look_again),
        })
    }

    /// A place is used as long as it is held.
    fn begun(&self) {}

    /// A place is given back by dropping it.
    fn give_back(&self) {}

    fn silent_until(&self, lane: Prefix, now: Instant) -> Option<Instant> {
        let throttles = self.throttles();
        throttles.in_all.silent_until(now).max(throttles.of_lanes[lane as usize].silent_until(now))
    }

    fn learn(&self, lane: Prefix, trouble: &Trouble, begun: Instant, now: Instant) {
        let wish = trouble.retry_after;
        let refused = match (trouble.kind, wish) {
            (TroubleKind::RegistryBusy | TroubleKind::MemberStateBusy, None) => Refused::AtOnce,
            (TroubleKind::RegistryBusy | TroubleKind::MemberStateBusy, wish) => Refused::InATime { wish },
            (TroubleKind::RegistryExhausted | TroubleKind::MemberStateExhausted, wish) => {
                Refused::InATime { wish: Some(wish.unwrap_or_else(|| trouble.kind.usual_wait())) }
            }
            _ => return,
        };
        let mut throttles = self.throttles();
        match trouble.kind {
            TroubleKind::MemberStateBusy | TroubleKind::MemberStateExhausted => {
                throttles.of_lanes[lane as usize].refuse(refused, begun, now);
            }
            _ => throttles.in_all.refuse(refused, begun, now),
        }
    }

    fn reset(&self, lane: Option<Prefix>) {
        let mut throttles = self.throttles();
        match lane {
            None => throttles.in_all.reset(),
            Some(lane) => throttles.of_lanes[lane as usize].reset(),
        }
    }

    fn measure(&self, lane: Option<Prefix>, now: Instant) -> Measure {
        let throttles = self.throttles();
        let throttle = lane.map_or(&throttles.in_all, |lane| &throttles.of_lanes[lane as usize]);
        Measure { allowed: throttle.allowed(now).floor(), full: throttle.full() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_together_are_never_more_than_the_whole() {
        for (parts, per_second) in [(1, 3.0), (2, 1.0), (3, 1.0), (4, 0.75), (0, 3.0)] {
            let share = Pace::per_second(3.0).share(parts);
            assert_eq!(share, Pace::per_second(per_second), "{parts}");
        }
        assert_eq!(Pace::per_second(7.5).share(2), Pace::per_second(3.0));
        assert_eq!(Pace::per_second(1.5).share(1), Pace::per_second(1.5), "nobody to share with");
        let whole = MostPlaces { of_lane: 3, in_all: 8 };
        for (parts, of_lane, in_all) in [(0, 3, 8), (1, 3, 8), (2, 1, 4), (3, 1, 2), (20, 1, 1)] {
            assert_eq!(whole.share(parts), MostPlaces { of_lane, in_all }, "{parts}");
        }
    }
}
