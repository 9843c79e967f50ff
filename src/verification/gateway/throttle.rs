//! How much of its full measure one may be asked for after it said "too many": half after each time, or a step less the
//! first time where a rate is kept; and step by step more again. Pure: times are given.

use std::time::Duration;

use tokio::time::Instant;

/// So often another step is given back.
const STEP_EVERY: Duration = Duration::from_secs(10);
/// The first silence, where one is asked for; it doubles each time.
const FIRST_SILENCE: Duration = Duration::from_secs(1);
/// Longer wishes are passed on to callers but are not obeyed beyond this: then one lookup finds out how things are.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// A measure that shrinks and grows again.
#[derive(Debug)]
pub(super) struct Throttle {
    full: f64,
    least: f64,
    step: f64,
    /// Whether the first refusal takes a step and not half: lookups that left well spaced can arrive together.
    is_patient: bool,
    /// What was left after the last refusal, and when that was.
    left: f64,
    refused_at: Option<Instant>,
    silence: Duration,
    silent_until: Option<Instant>,
}

/// How a refusal is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Too many at once: less suffices, unless it is the least already.
    AtOnce,
    /// Too many in a time: nobody asks for a while.
    InATime {
        /// For so long, if that was said.
        wish: Option<Duration>,
    },
}

impl Throttle {
    /// Steps are eighths of the full measure, or one where that is more.
    pub(super) fn places(full: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "places are few")]
        let full = full as f64;
        Self::new(full, 1.0, (full / 8.0).max(1.0), false)
    }

    /// Never below an eighth of the full rate.
    pub(super) fn rate(full: f64) -> Self {
        Self::new(full, full / 8.0, full / 8.0, true)
    }

    const fn new(full: f64, least: f64, step: f64, is_patient: bool) -> Self {
        let (silence, silent_until) = (FIRST_SILENCE, None);
        Self { full, least, step, is_patient, left: full, refused_at: None, silence, silent_until }
    }

    pub(super) const fn full(&self) -> f64 {
        self.full
    }

    /// What may be asked for now.
    pub(super) fn allowed(&self, now: Instant) -> f64 {
        let Some(refused_at) = self.refused_at else { return self.full };
        // The time of a silence is none of recovery.
        let from = self.silent_until.map_or(refused_at, |until| until.max(refused_at));
        let steps = now.saturating_duration_since(from).as_secs_f64() / STEP_EVERY.as_secs_f64();
        steps.floor().mul_add(self.step, self.left).min(self.full)
    }

    /// The same in whole places, one at least.
    pub(super) fn allowed_places(&self, now: Instant) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "places are few and never negative"
        )]
        let places = self.allowed(now) as usize;
        places.max(1)
    }

    /// Until when nobody may ask at all.
    pub(super) fn silent_until(&self, now: Instant) -> Option<Instant> {
        self.silent_until.filter(|until| *until > now)
    }

    /// Forgets every refusal.
    pub(super) const fn reset(&mut self) {
        (self.left, self.refused_at) = (self.full, None);
        (self.silence, self.silent_until) = (FIRST_SILENCE, None);
    }

    /// A lookup that began then was refused. Those that were on their way when it shrank say nothing new.
    pub(super) fn refuse(&mut self, refused: Refused, begun: Instant, now: Instant) {
        if let Refused::InATime { wish: Some(wish) } = refused {
            self.silent_until = self.silent_until.max(Some(now + wish.min(LONGEST_SILENCE)));
        }
        if self.refused_at.is_some_and(|last| begun < last) {
            return;
        }
        let allowed = self.allowed(now);
        let is_first = allowed >= self.full;
        if is_first {
            self.silence = FIRST_SILENCE;
        }
        let is_least = allowed < self.least + self.step;
        let left = if is_first && self.is_patient { allowed - self.step } else { allowed / 2.0 };
        self.left = left.max(self.least);
        self.refused_at = Some(now);
        if is_least || refused != Refused::AtOnce {
            self.silent_until = self.silent_until.max(Some(now + self.silence));
            self.silence = (self.silence * 2).min(LONGEST_SILENCE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_refusal_halves_and_every_ten_seconds_a_step_comes_back() {
        let now = Instant::now();
        let mut places = Throttle::places(8);
        places.refuse(Refused::AtOnce, now, now);
        let at = |seconds| places.allowed_places(now + SECOND * seconds);
        assert_eq!([0, 9, 10, 20, 39, 40, 400].map(at), [4, 4, 5, 6, 7, 8, 8]);
        let mut rate = Throttle::rate(3.0);
        rate.refuse(Refused::InATime { wish: None }, now, now);
        assert_eq!(rate.silent_until(now), Some(now + SECOND));
        let allowed = |seconds| rate.allowed(now + SECOND * seconds);
        for (after, expected) in [(0, 2.625), (10, 2.625), (11, 3.0)] {
            assert!((allowed(after) - expected).abs() < f64::EPSILON, "{after}: {}", allowed(after));
        }
    }

    #[test]
    fn a_rate_that_is_refused_again_before_it_has_recovered_is_halved() {
        let now = Instant::now();
        let mut rate = Throttle::rate(3.0);
        for seconds in [0, 2] {
            rate.refuse(Refused::InATime { wish: None }, now + SECOND * seconds, now + SECOND * seconds);
        }
        assert_eq!(rate.silent_until(now + SECOND * 2), Some(now + SECOND * 4));
        for (after, expected) in [(2, 1.3125), (13, 1.3125), (14, 1.6875), (54, 3.0)] {
            let allowed = rate.allowed(now + SECOND * after);
            assert!((allowed - expected).abs() < f64::EPSILON, "{after}: {allowed}");
        }
    }

    #[test]
    fn what_was_on_its_way_says_nothing_new() {
        let now = Instant::now();
        let mut places = Throttle::places(8);
        for _ in 0..8 {
            places.refuse(Refused::AtOnce, now - SECOND, now);
        }
        assert_eq!(places.allowed_places(now), 4);
        places.refuse(Refused::AtOnce, now + SECOND, now + SECOND * 2);
        assert_eq!(places.allowed_places(now + SECOND * 2), 2);
    }

    #[test]
    fn at_the_least_nobody_asks_for_a_while_and_for_longer_each_time() {
        let mut now = Instant::now();
        let mut places = Throttle::places(3);
        let mut silences = Vec::new();
        for _ in 0..8 {
            places.refuse(Refused::AtOnce, now, now);
            silences.push(places.silent_until(now).map_or(0, |until| (until - now).as_secs()));
            now = places.silent_until(now).unwrap_or(now) + SECOND;
        }
        assert_eq!(silences, [0, 1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(places.allowed_places(now), 1);
        now += SECOND * 60;
        places.refuse(Refused::AtOnce, now, now);
        assert_eq!(places.silent_until(now), None, "after it had recovered the row begins anew");
    }

    #[test]
    fn a_wish_is_obeyed_within_bounds() {
        let now = Instant::now();
        for (wish, silence) in [(0, 1), (7, 7), (3600, 30)] {
            let mut rate = Throttle::rate(3.0);
            rate.refuse(Refused::InATime { wish: Some(SECOND * wish) }, now, now);
            assert_eq!(rate.silent_until(now), Some(now + SECOND * silence), "{wish}");
        }
    }
}
