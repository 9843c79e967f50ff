//! HMRC's rate limit: never more than so many lookups in any one second.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

const SECOND: Duration = Duration::from_secs(1);

/// The moments of the last second.
#[derive(Debug, Default)]
pub(super) struct Window(VecDeque<Instant>);

impl Window {
    /// Adds a moment and says how many the second up to it holds.
    pub(super) fn add(&mut self, now: Instant) -> usize {
        self.0.push_back(now);
        self.count(now)
    }

    fn count(&mut self, now: Instant) -> usize {
        while self.0.front().is_some_and(|moment| now.saturating_duration_since(*moment) >= SECOND) {
            self.0.pop_front();
        }
        self.0.len()
    }
}

/// One application's limit; refused lookups do not count against it.
#[derive(Debug, Default)]
pub(super) struct RateLimit(Window);

impl RateLimit {
    pub(super) fn admit(&mut self, now: Instant, limit: Option<u32>) -> bool {
        let used = self.0.count(now);
        let admitted = limit.is_none_or(|limit| used < limit as usize);
        if admitted {
            self.0.add(now);
        }
        admitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_second_holds_more_than_the_limit() {
        let start = Instant::now();
        let mut limit = RateLimit::default();
        let table =
            [(0, true), (10, true), (900, true), (950, false), (999, false), (1000, true), (1005, false)];
        for (at, expected) in table {
            assert_eq!(limit.admit(start + Duration::from_millis(at), Some(3)), expected, "{at} ms");
        }
    }

    #[test]
    fn without_a_limit_everything_is_admitted() {
        let now = Instant::now();
        let mut limit = RateLimit::default();
        assert!((0..50).all(|_| limit.admit(now, None)));
    }
}
