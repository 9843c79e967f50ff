//! The arithmetic of an exact sliding window. Pure: the caller says what time it is.

use std::{collections::VecDeque, time::Duration};

use super::RateStatus;

/// The span in which requests are counted.
const WINDOW: Duration = Duration::from_mins(1);

/// When the requests that still count were served, oldest first.
#[derive(Debug, Default)]
pub(super) struct SlidingWindow(VecDeque<Duration>);

impl SlidingWindow {
    pub(super) fn admit(&mut self, limit: u32, now: Duration) -> Result<RateStatus, RateStatus> {
        while self.0.front().is_some_and(|served| now.saturating_sub(*served) >= WINDOW) {
            self.0.pop_front();
        }
        let served = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        if served >= limit {
            return Err(self.status(limit, now));
        }
        self.0.push_back(now);
        Ok(self.status(limit, now))
    }

    fn status(&self, limit: u32, now: Duration) -> RateStatus {
        let served = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        let resets_in =
            self.0.front().map_or(Duration::ZERO, |oldest| (*oldest + WINDOW).saturating_sub(now));
        RateStatus { limit, remaining: limit.saturating_sub(served), resets_in }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn the_limit_is_served_and_one_more_is_refused_until_the_oldest_leaves() {
        let mut window = SlidingWindow::default();
        for second in 0..3 {
            assert_eq!(
                window.admit(3, at(second)).map(|status| status.remaining),
                Ok(2 - u32::try_from(second).unwrap())
            );
        }
        let refused = RateStatus { limit: 3, remaining: 0, resets_in: at(50) };
        assert_eq!(window.admit(3, at(10)), Err(refused));
        assert!(window.admit(3, at(59)).is_err());
        assert_eq!(window.admit(3, at(60)), Ok(RateStatus { limit: 3, remaining: 0, resets_in: at(1) }));
    }

    proptest! {
        #[test]
        fn never_more_than_the_limit_and_never_a_refusal_below_it(
            limit in 1_u32..6,
            pauses in vec(0_u64..30_000, 1..200),
        ) {
            let mut window = SlidingWindow::default();
            let mut served: Vec<Duration> = Vec::new();
            let mut now = Duration::ZERO;
            for pause in pauses {
                now += Duration::from_millis(pause);
                let counted = served.iter().filter(|then| now.saturating_sub(**then) < WINDOW).count();
                match window.admit(limit, now) {
                    Ok(status) => {
                        prop_assert!(counted < limit as usize);
                        prop_assert_eq!(status.remaining as usize, limit as usize - counted - 1);
                        served.push(now);
                    }
                    Err(status) => {
                        prop_assert_eq!(counted, limit as usize);
                        // Honest: a moment before, still refused; then, served.
                        let counted_at = |then: Duration| {
                            served.iter().filter(|served| then.saturating_sub(**served) < WINDOW).count()
                        };
                        let open_at = now + status.resets_in;
                        prop_assert!(counted_at(open_at) < limit as usize);
                        prop_assert_eq!(counted_at(open_at.saturating_sub(Duration::from_millis(1))), limit as usize);
                    }
                }
            }
        }
    }
}
