//! What time it is. Everything that depends on time is given a [`Clock`], so that tests can move it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};

/// A source of the time.
pub trait Clock: Send + Sync {
    /// The time of day, to the microsecond.
    fn now(&self) -> DateTime<Utc>;

    /// Time since some fixed moment. Unlike [`Clock::now`] it never jumps.
    fn elapsed(&self) -> Duration;
}

/// A clock that is shared.
pub type SharedClock = Arc<dyn Clock>;

/// The machine's clock.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one home of the system's time")]
    fn now(&self) -> DateTime<Utc> {
        // As exact as the databases store it: what is read back is what was written.
        Utc::now().trunc_subsecs(6)
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that moves only when told to.
#[derive(Debug)]
pub struct ManualClock {
    start: DateTime<Utc>,
    moved_milliseconds: AtomicI64,
}

impl ManualClock {
    /// A clock that stands at `start`.
    #[must_use]
    pub const fn starting_at(start: DateTime<Utc>) -> Self {
        Self { start, moved_milliseconds: AtomicI64::new(0) }
    }

    /// Moves the clock forward, to the millisecond.
    pub fn advance(&self, by: Duration) {
        self.moved_milliseconds
            .fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        self.start + TimeDelta::milliseconds(self.moved_milliseconds.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.moved_milliseconds.load(Ordering::SeqCst).unsigned_abs())
    }
}
