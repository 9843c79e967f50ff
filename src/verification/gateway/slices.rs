//! What lookups said of the registries, counted by slices of time, until somebody keeps it.

use std::collections::BTreeMap;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};

use super::part::RegistryPart;

/// How long a slice is.
pub const SLICE: TimeDelta = TimeDelta::minutes(5);
/// A day and a half of slices of everybody: what nobody takes for so long is not kept.
const AT_MOST: usize = 29 * 12 * 36;

/// The beginning of the slice in which a moment lies.
#[must_use]
pub fn slice_of(at: DateTime<Utc>) -> DateTime<Utc> {
    at.duration_trunc(SLICE).unwrap_or(at)
}

/// Lookups of one slice, by what they said of the one that was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceCounts {
    /// That it answers.
    pub answering: u32,
    /// That it answers slowly.
    pub slow: u32,
    /// That it does not answer.
    pub refusing: u32,
}

/// The counts of one of them in one slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The beginning.
    pub starts_at: DateTime<Utc>,
    /// Who was asked.
    pub part: RegistryPart,
    /// What came of it.
    pub counts: SliceCounts,
}

/// Counts that are not kept yet.
#[derive(Default)]
pub(super) struct Slices(BTreeMap<(DateTime<Utc>, RegistryPart), SliceCounts>);

impl Slices {
    /// Counts one lookup with `count`.
    pub(super) fn count(&mut self, at: DateTime<Utc>, part: RegistryPart, count: impl Fn(&mut SliceCounts)) {
        count(self.0.entry((slice_of(at), part)).or_default());
        self.stay_small();
    }

    /// Takes all there is.
    pub(super) fn take(&mut self) -> Vec<Slice> {
        let taken = std::mem::take(&mut self.0).into_iter();
        taken.map(|((starts_at, part), counts)| Slice { starts_at, part, counts }).collect()
    }

    /// Has them again, beside what was counted meanwhile.
    pub(super) fn put_back(&mut self, slices: Vec<Slice>) {
        for Slice { starts_at, part, counts } in slices {
            let there = self.0.entry((starts_at, part)).or_default();
            there.answering = there.answering.saturating_add(counts.answering);
            there.slow = there.slow.saturating_add(counts.slow);
            there.refusing = there.refusing.saturating_add(counts.refusing);
        }
        self.stay_small();
    }

    fn stay_small(&mut self) {
        while self.0.len() > AT_MOST {
            self.0.pop_first();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_begin_at_whole_five_minutes() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a moment");
        for (moment, slice) in [
            ("2026-09-03T08:40:00Z", "2026-09-03T08:40:00Z"),
            ("2026-09-03T08:44:59.999Z", "2026-09-03T08:40:00Z"),
            ("2026-09-03T08:45:00Z", "2026-09-03T08:45:00Z"),
        ] {
            assert_eq!(slice_of(at(moment)), at(slice));
        }
    }

    #[test]
    fn what_was_not_kept_is_taken_again_with_what_came_meanwhile() {
        let mut slices = Slices::default();
        let (at, part) = (DateTime::UNIX_EPOCH, RegistryPart::of(vat::Prefix::Pl));
        slices.count(at, part, |counts| counts.refusing += 1);
        let taken = slices.take();
        assert_eq!(slices.take(), []);
        slices.count(at, part, |counts| counts.answering += 1);
        slices.put_back(taken);
        let counts = SliceCounts { answering: 1, slow: 0, refusing: 1 };
        assert_eq!(slices.take(), [Slice { starts_at: at, part, counts }]);
    }

    #[test]
    fn what_nobody_takes_is_bounded_and_the_oldest_goes() {
        let mut slices = Slices::default();
        let part = RegistryPart::of(vat::Prefix::Gb);
        let last = i32::try_from(AT_MOST).expect("few");
        for slice in 0..=last {
            slices.count(DateTime::UNIX_EPOCH + SLICE * slice, part, |counts| counts.slow += 1);
        }
        let left = slices.take();
        assert_eq!((left.len(), left[0].starts_at), (AT_MOST, DateTime::UNIX_EPOCH + SLICE));
    }
}
