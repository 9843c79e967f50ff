//! Limits that this process counts alone.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use tokio::time::Instant;
use vat::Prefix;

use super::limit::{Full, HeldPlace, MostPlaces, Pace, SharedPacer, SharedPlaces};

/// Timers are late. So much of it the next lookup makes up for, which costs no more than this of the margin.
pub const CATCH_UP: Duration = Duration::from_millis(3);
/// Places are given back here and nowhere else, and that is told; more may be allowed by itself.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Paces the lookups of this process.
#[derive(Debug, Default)]
pub struct MemoryPacer {
    begun: Mutex<Begun>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Begun {
    latest: Option<Instant>,
    before: Option<Instant>,
}

#[async_trait]
impl SharedPacer for MemoryPacer {
    async fn begin(&self, pace: Pace) -> Result<(), Duration> {
        let now = Instant::now();
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let due = begun.latest.map_or(now, |latest| latest + pace.interval());
        if due > now {
            return Err(due - now);
        }
        begun.before = begun.latest;
        begun.latest = Some(due.max(now.checked_sub(CATCH_UP).unwrap_or(now)));
        Ok(())
    }

    fn begun(&self) {
        let now = Instant::now();
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.latest = begun.latest.max(now.checked_sub(CATCH_UP));
    }

    fn give_back(&self) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.latest = begun.before;
    }
}

/// Counts the places that this process has taken.
#[derive(Debug, Default)]
pub struct MemoryPlaces {
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
struct Taken {
    in_all: usize,
    of_lanes: [usize; Prefix::ALL.len()],
}

/// Gives a place back.
struct Place {
    taken: Arc<Mutex<Taken>>,
    lane: Prefix,
}

#[async_trait]
impl SharedPlaces for MemoryPlaces {
    async fn take(&self, lane: Prefix, most: MostPlaces) -> Result<HeldPlace, Full> {
        {
            let mut taken = lock(&self.taken);
            if taken.of_lanes[lane as usize] >= most.of_lane {
                return Err(Full::Lane { look_again: LOOK_AGAIN });
            }
            if taken.in_all >= most.in_all {
                return Err(Full::All { look_again: LOOK_AGAIN });
            }
            taken.in_all += 1;
            taken.of_lanes[lane as usize] += 1;
        }
        Ok(Box::new(Place { taken: Arc::clone(&self.taken), lane }))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.in_all -= 1;
        taken.of_lanes[self.lane as usize] -= 1;
    }
}

fn lock(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}
