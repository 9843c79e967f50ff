//! How often an account may call. Counted exactly: in any 60 seconds at most the limit is served, and nothing is
//! refused while fewer were.

mod sliding_window;

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use uuid::Uuid;

use self::sliding_window::SlidingWindow;
use crate::clock::SharedClock;

/// The rate limit of every account, in this process's memory.
pub struct RateLimiter {
    requests_per_minute: u32,
    windows: Mutex<HashMap<Uuid, SlidingWindow>>,
    clock: SharedClock,
}

/// Where an account stands after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateStatus {
    /// Requests served in any 60 seconds.
    pub limit: u32,
    /// Requests that would be served now.
    pub remaining: u32,
    /// Until the oldest counted request leaves the window; zero when none is counted.
    pub resets_in: Duration,
}

impl RateLimiter {
    /// A limiter that has seen nothing.
    #[must_use]
    pub fn new(requests_per_minute: u32, clock: SharedClock) -> Self {
        Self { requests_per_minute, windows: Mutex::default(), clock }
    }

    /// Counts a request of `account`.
    ///
    /// # Errors
    /// The limit is used up: the request is not counted, and after `resets_in` one will be served.
    pub fn admit(&self, account: Uuid) -> Result<RateStatus, RateStatus> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        // Under the lock, so that requests enter their window in the order of their times.
        let now = self.clock.elapsed();
        windows.entry(account).or_default().admit(self.requests_per_minute, now)
    }
}
