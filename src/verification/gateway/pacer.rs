//! HMRC's limit: so many lookups a second. They are spaced evenly rather than sent in bursts, so that a newcomer
//! waits for one interval and not for a whole second.

use std::{sync::PoisonError, time::Duration};

use tokio::{
    sync::Mutex,
    time::{Instant, sleep_until},
};

use super::line::Limit;
use crate::verification::registry::Lookup;

/// Lets one lookup start every so often, in the order of asking.
pub(super) struct Pacer {
    interval: Duration,
    /// When the next lookup may start. Whoever holds the lock is next; whoever gives up leaves no gap.
    next: Mutex<Instant>,
    /// Set by a refusal; read by whoever is next.
    held_until: std::sync::Mutex<Option<Instant>>,
}

/// Intervals are this much longer than the limit allows, since the network squeezes them: three spaced lookups
/// must never arrive as four in a second. Costs 1.5 % of the rate.
const MARGIN: f64 = 1.015;

impl Pacer {
    pub(super) fn new(per_second: f64) -> Self {
        Self {
            interval: Duration::from_secs_f64(MARGIN / per_second),
            next: Mutex::new(Instant::now()),
            held_until: std::sync::Mutex::new(None),
        }
    }
}

impl Limit for Pacer {
    type Turn = ();

    async fn turn(&self, _lookup: Lookup) {
        let mut next = self.next.lock().await;
        sleep_until(*next).await;
        // A refusal may arrive while we sleep.
        while let Some(end) = self.held_until().filter(|end| *end > Instant::now()) {
            sleep_until(end).await;
        }
        *next = Instant::now() + self.interval;
    }

    fn hold(&self, pause: Duration) {
        let mut held_until = self.held_until.lock().unwrap_or_else(PoisonError::into_inner);
        *held_until = (*held_until).max(Some(Instant::now() + pause));
    }

    fn held_until(&self) -> Option<Instant> {
        *self.held_until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
