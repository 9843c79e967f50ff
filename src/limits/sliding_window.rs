//! The arithmetic of an exact sliding window. Pure: the caller says what time it is.

use std::{collections::VecDeque, time::Duration};

use super::{Quota, RateStatus};

/// Microseconds of [`crate::clock::Clock::elapsed`]: what Redis can hold exactly.
pub(super) type Micros = u64;

/// A request that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Served {
    /// When it was served.
    pub(super) at: Micros,
    /// Its name among all requests of this instance, so that telling Redis twice counts it once.
    pub(super) number: u64,
}

/// What counts towards one quota.
#[derive(Debug, Default)]
pub(super) struct SlidingWindow {
    /// Oldest first.
    served: VecDeque<Served>,
    /// Requests that Redis is being asked about.
    asking: usize,
    /// Redis said that all instances together have served `limit` until then.
    full: Option<FullUntil>,
}

#[derive(Clone, Copy, Debug)]
struct FullUntil {
    at: Micros,
    limit: u32,
}

impl SlidingWindow {
    /// Counts a request, unless the quota is used up.
    pub(super) fn admit(
        &mut self,
        quota: Quota,
        now: Micros,
        number: u64,
    ) -> Result<(RateStatus, Served), RateStatus> {
        // Requests that Redis may have admitted by now count, lest more than the limit are served when it fails.
        self.room(quota, now, self.asking)?;
        let served = Served { at: self.latest(now), number };
        self.served.push_back(served);
        Ok((self.status(quota, now, 0, 0), served))
    }

    /// As [`SlidingWindow::admit`], but only asks; what Redis decides is told by [`SlidingWindow::answered`] and one
    /// of the methods that follow it.
    pub(super) fn ask(&mut self, quota: Quota, now: Micros) -> Result<(), RateStatus> {
        self.room(quota, now, 0)?;
        self.asking += 1;
        Ok(())
    }

    /// Redis is no longer being asked about one of the requests.
    pub(super) fn answered(&mut self) {
        self.asking = self.asking.saturating_sub(1);
    }

    /// Counts what Redis admitted. Answers may overtake each other.
    pub(super) fn count(&mut self, served: Served) {
        let later = self.served.iter().rev().take_while(|other| other.at > served.at).count();
        self.served.insert(self.served.len() - later, served);
    }

    /// Nothing is served before `at` as long as the quota is no larger than `limit`.
    pub(super) fn refuse_until(&mut self, at: Micros, limit: u32) {
        self.full = Some(FullUntil { at, limit });
    }

    /// Nothing counts any more and nothing will by itself.
    pub(super) fn is_idle(&self, window: Micros, now: Micros) -> bool {
        self.asking == 0
            && self.served.back().is_none_or(|newest| now.saturating_sub(newest.at) >= window)
            && self.full.is_none_or(|full| full.at <= now)
    }

    /// What counts now.
    pub(super) fn live(&self, window: Micros, now: Micros) -> impl Iterator<Item = Served> {
        self.served.iter().copied().filter(move |served| now.saturating_sub(served.at) < window)
    }

    /// Forgets what left the window; an error when the quota is used up by what counts and `besides`.
    fn room(&mut self, quota: Quota, now: Micros, besides: usize) -> Result<(), RateStatus> {
        let latest = self.latest(now);
        while self.served.front().is_some_and(|oldest| latest - oldest.at >= quota.window) {
            self.served.pop_front();
        }
        if let Some(full) = self.full.filter(|full| now < full.at && quota.limit <= full.limit) {
            let resets_in = Duration::from_micros(full.at - now);
            return Err(RateStatus { limit: quota.limit, remaining: 0, resets_in });
        }
        // More than the limit may count: the quota was lowered. Then one is served when all too many have left.
        match (self.served.len() + besides).checked_sub(quota.limit as usize) {
            Some(too_many) => Err(self.status(quota, now, besides, too_many)),
            None => Ok(()),
        }
    }

    /// Mirrored times of Redis may be a little ahead of this instance's; within a window time never goes back.
    fn latest(&self, now: Micros) -> Micros {
        self.served.back().map_or(now, |newest| newest.at.max(now))
    }

    /// `resets_in` tells when the request with `before` older ones leaves.
    fn status(&self, quota: Quota, now: Micros, besides: usize, before: usize) -> RateStatus {
        let counted = u32::try_from(self.served.len() + besides).unwrap_or(u32::MAX);
        let leaves = self.served.get(before).map_or(now, |served| served.at) + quota.window;
        RateStatus {
            limit: quota.limit,
            remaining: quota.limit.saturating_sub(counted),
            resets_in: Duration::from_micros(leaves.saturating_sub(now)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    const WINDOW: Micros = 60_000_000;

    const fn quota(limit: u32) -> Quota {
        Quota { limit, window: WINDOW }
    }

    const fn seconds(seconds: u64) -> Micros {
        seconds * 1_000_000
    }

    fn admit(window: &mut SlidingWindow, limit: u32, now: Micros) -> Result<RateStatus, RateStatus> {
        window.admit(quota(limit), now, 0).map(|(status, _)| status)
    }

    #[test]
    fn the_limit_is_served_and_one_more_is_refused_until_the_oldest_leaves() {
        let mut window = SlidingWindow::default();
        for second in 0..3 {
            assert_eq!(
                admit(&mut window, 3, seconds(second)).map(|status| status.remaining),
                Ok(2 - u32::try_from(second).unwrap())
            );
        }
        let status = |left| RateStatus { limit: 3, remaining: 0, resets_in: Duration::from_secs(left) };
        assert_eq!(admit(&mut window, 3, seconds(10)), Err(status(50)));
        assert!(admit(&mut window, 3, seconds(59)).is_err());
        assert_eq!(admit(&mut window, 3, seconds(60)), Ok(status(1)));
    }

    #[test]
    fn under_a_lowered_limit_one_is_served_when_all_too_many_have_left() {
        let mut window = SlidingWindow::default();
        for second in 0..5 {
            assert!(admit(&mut window, 5, seconds(second)).is_ok());
        }
        let refused = admit(&mut window, 2, seconds(10)).expect_err("five are more than two");
        assert_eq!(refused.resets_in, Duration::from_secs(53));
        assert!(admit(&mut window, 2, seconds(63) - 1).is_err());
        assert!(admit(&mut window, 2, seconds(63)).is_ok());
    }

    #[test]
    fn what_redis_is_asked_about_counts_when_it_fails() {
        let mut window = SlidingWindow::default();
        for _ in 0..3 {
            window.ask(quota(2), 0).expect("nothing was served yet");
        }
        // Redis admitted one, then failed for the others.
        window.answered();
        window.count(Served { at: 0, number: 0 });
        window.answered();
        assert!(admit(&mut window, 2, 0).is_err(), "the third may be served");
        window.answered();
        assert!(admit(&mut window, 2, 0).is_ok());
        assert!(admit(&mut window, 2, 0).is_err());
    }

    #[test]
    fn a_refusal_by_redis_holds_until_its_time_and_not_for_a_larger_quota() {
        let mut window = SlidingWindow::default();
        window.refuse_until(seconds(30), 5);
        let refused = RateStatus { limit: 5, remaining: 0, resets_in: Duration::from_secs(10) };
        assert_eq!(window.ask(quota(5), seconds(20)), Err(refused));
        assert!(window.ask(quota(6), seconds(20)).is_ok());
        assert!(window.ask(quota(5), seconds(30)).is_ok());
    }

    #[test]
    fn a_window_is_idle_when_nothing_counts_and_nothing_is_asked() {
        let mut window = SlidingWindow::default();
        assert!(window.is_idle(WINDOW, 0));
        window.ask(quota(1), 0).expect("served");
        assert!(!window.is_idle(WINDOW, seconds(600)));
        window.answered();
        window.count(Served { at: 0, number: 0 });
        assert!(!window.is_idle(WINDOW, WINDOW - 1));
        assert!(window.is_idle(WINDOW, WINDOW));
        window.refuse_until(WINDOW + 1, 1);
        assert!(!window.is_idle(WINDOW, WINDOW));
        assert!(window.is_idle(WINDOW, WINDOW + 1));
    }

    proptest! {
        #[test]
        fn never_more_than_the_limit_and_never_a_refusal_below_it(
            limit in 1_u32..6,
            pauses in vec(0_u64..30_000, 1..200),
        ) {
            let mut window = SlidingWindow::default();
            let mut served: Vec<Micros> = Vec::new();
            let mut now = 0;
            for pause in pauses {
                now += pause * 1000;
                let counted = served.iter().filter(|then| now - **then < WINDOW).count();
                match admit(&mut window, limit, now) {
                    Ok(status) => {
                        prop_assert!(counted < limit as usize);
                        prop_assert_eq!(status.remaining as usize, limit as usize - counted - 1);
                        served.push(now);
                    }
                    Err(status) => {
                        prop_assert_eq!(counted, limit as usize);
                        // Honest: a moment before, still refused; then, served.
                        let counted_at =
                            |then: Micros| served.iter().filter(|served| then - **served < WINDOW).count();
                        let open_at = now + u64::try_from(status.resets_in.as_micros()).unwrap();
                        prop_assert!(counted_at(open_at) < limit as usize);
                        prop_assert_eq!(counted_at(open_at - 1), limit as usize);
                    }
                }
            }
        }

        #[test]
        fn answers_that_overtake_each_other_leave_in_the_order_of_their_times(
            times in vec(0_u64..1000, 1..30),
        ) {
            let mut window = SlidingWindow::default();
            for at in &times {
                window.count(Served { at: *at, number: 0 });
            }
            let mut sorted = times;
            sorted.sort_unstable();
            prop_assert_eq!(window.served.iter().map(|served| served.at).collect::<Vec<_>>(), sorted);
        }
    }
}
