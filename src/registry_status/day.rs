//! The last day of a registry or member state, slice by slice, and since when it has been as it is. Pure.

use chrono::{DateTime, TimeDelta, Utc};

use crate::verification::gateway::{RegistryState, SLICE, SliceCounts, slice_of};

/// How long is looked back.
pub const DAY: TimeDelta = TimeDelta::hours(24);
/// The slices of a day, the present one with them.
pub const SLICES: usize = 288;

/// How one was in a slice of time, by the worst that a lookup said of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SliceState {
    /// Nobody asked, or nothing that came of it tells.
    #[default]
    NotMeasured,
    /// It answered.
    Answering,
    /// It answered slowly.
    Slow,
    /// It did not answer.
    Refusing,
}

impl SliceState {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Answering, Self::Slow, Self::Refusing, Self::NotMeasured];

    /// By counts of lookups.
    #[must_use]
    pub const fn of(counts: SliceCounts) -> Self {
        match counts {
            SliceCounts { refusing: 1.., .. } => Self::Refusing,
            SliceCounts { slow: 1.., .. } => Self::Slow,
            SliceCounts { answering: 1.., .. } => Self::Answering,
            SliceCounts { .. } => Self::NotMeasured,
        }
    }

    /// What is known now, in the same words.
    #[must_use]
    pub const fn of_now(state: RegistryState) -> Self {
        match state {
            RegistryState::Answering { .. } => Self::Answering,
            RegistryState::Slow { .. } => Self::Slow,
            RegistryState::Refusing { .. } => Self::Refusing,
            RegistryState::NotMeasured { .. } => Self::NotMeasured,
        }
    }

    /// In the API: `answering`, `slow`, `refusing`, `not_measured`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotMeasured => "not_measured",
            Self::Answering => "answering",
            Self::Slow => "slow",
            Self::Refusing => "refusing",
        }
    }
}

/// The last 24 hours, oldest first; the last slice is the present one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    begins: DateTime<Utc>,
    slices: Vec<SliceState>,
}

/// A stretch of a day in which nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first of its slices.
    pub first: usize,
    /// How many there are.
    pub slices: usize,
    /// How it was.
    pub state: SliceState,
}

/// Since when one has been as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// From then on.
    At(DateTime<Utc>),
    /// For all of the last day at least.
    OverADay,
}

impl Day {
    /// A day that ends now, in which nothing is known yet.
    #[must_use]
    pub fn ending(now: DateTime<Utc>) -> Self {
        Self { begins: slice_of(now) - DAY + SLICE, slices: vec![SliceState::NotMeasured; SLICES] }
    }

    /// The beginning of its first slice.
    #[must_use]
    pub const fn begins(&self) -> DateTime<Utc> {
        self.begins
    }

    /// Notes how it was in the slice that begins then, if it is one of this day's.
    pub fn note(&mut self, starts_at: DateTime<Utc>, state: SliceState) {
        if let Some(slice) = self.place(starts_at).and_then(|place| self.slices.get_mut(place)) {
            *slice = state;
        }
    }

    /// The slices, oldest first.
    #[must_use]
    pub fn slices(&self) -> &[SliceState] {
        &self.slices
    }

    /// As few stretches as say the same.
    #[must_use]
    pub fn stretches(&self) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        for (first, state) in self.slices.iter().copied().enumerate() {
            match stretches.last_mut() {
                Some(last) if last.state == state => last.slices += 1,
                _ => stretches.push(Stretch { first, slices: 1, state }),
            }
        }
        stretches
    }

    /// How much of the day it was so.
    #[must_use]
    pub fn lasted(&self, state: SliceState) -> TimeDelta {
        self.slices.iter().filter(|slice| **slice == state).map(|_| SLICE).sum()
    }

    /// Since when it has been in `state`, which this server knows from `since` on: earlier where the slices before say the
    /// same without a gap.
    #[must_use]
    pub fn since(&self, state: SliceState, since: DateTime<Utc>) -> Since {
        let Some(place) = self.place(slice_of(since)) else {
            return if since < self.begins { Since::OverADay } else { Since::At(since) };
        };
        let before = self.slices.iter().take(place + 1).rev().take_while(|slice| **slice == state).count();
        match (place + 1).checked_sub(before) {
            Some(0) => Since::OverADay,
            Some(first) if first < place => Since::At(self.moment(first)),
            _ => Since::At(since),
        }
    }

    /// The latest slice that ended at most `ago` before `now` and is known, and since when it has been like that.
    #[must_use]
    pub fn latest(&self, now: DateTime<Utc>, ago: TimeDelta) -> Option<(SliceState, Since)> {
        let known = self.slices.iter().rposition(|slice| *slice != SliceState::NotMeasured)?;
        let starts_at = self.moment(known);
        let state = *self.slices.get(known)?;
        (now - (starts_at + SLICE) <= ago).then(|| (state, self.since(state, starts_at)))
    }

    fn place(&self, starts_at: DateTime<Utc>) -> Option<usize> {
        let slices = (starts_at - self.begins).num_seconds().checked_div_euclid(SLICE.num_seconds())?;
        usize::try_from(slices).ok().filter(|place| *place < SLICES)
    }

    fn moment(&self, place: usize) -> DateTime<Utc> {
        self.begins + SLICE * i32::try_from(place).unwrap_or(i32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use SliceState::{Answering, NotMeasured, Refusing, Slow};

    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a moment")
    }

    const NOW: &str = "2026-09-03T08:41:07Z";

    /// A day whose last slices are these, the present one last.
    fn day(last: &[SliceState]) -> Day {
        let mut day = Day::ending(at(NOW));
        for (place, state) in last.iter().rev().enumerate() {
            let ago = SLICE * i32::try_from(place).expect("few");
            day.note(slice_of(at(NOW)) - ago, *state);
        }
        day
    }

    #[test]
    fn the_worst_that_was_said_is_what_a_slice_was() {
        let counts = |answering, slow, refusing| SliceCounts { answering, slow, refusing };
        for (counts, state) in [
            (counts(0, 0, 0), NotMeasured),
            (counts(9, 0, 0), Answering),
            (counts(9, 1, 0), Slow),
            (counts(9, 1, 1), Refusing),
            (counts(0, 0, 3), Refusing),
        ] {
            assert_eq!(SliceState::of(counts), state);
        }
    }

    #[test]
    fn a_day_ends_with_the_present_slice_and_knows_no_other() {
        let mut day = Day::ending(at(NOW));
        assert_eq!((day.begins(), day.slices().len()), (at("2026-09-02T08:45:00Z"), SLICES));
        day.note(at("2026-09-02T08:40:00Z"), Refusing);
        day.note(at("2026-09-03T08:45:00Z"), Refusing);
        assert_eq!(day.lasted(Refusing), TimeDelta::zero());
        day.note(at("2026-09-02T08:45:00Z"), Slow);
        day.note(at("2026-09-03T08:40:00Z"), Refusing);
        assert_eq!((day.slices()[0], day.slices()[SLICES - 1]), (Slow, Refusing));
        let stretch = |first, slices, state| Stretch { first, slices, state };
        assert_eq!(
            day.stretches(),
            [stretch(0, 1, Slow), stretch(1, SLICES - 2, NotMeasured), stretch(SLICES - 1, 1, Refusing)]
        );
        assert_eq!(day.lasted(Slow), TimeDelta::minutes(5));
    }

    #[test]
    fn what_lasts_began_where_the_slices_say_so_without_a_gap() {
        let known = at("2026-09-03T08:40:30Z");
        for (slices, since) in [
            (&[][..], Since::At(known)),
            (&[Answering], Since::At(known)),
            (&[Answering, Answering, Answering], Since::At(at("2026-09-03T08:30:00Z"))),
            (&[Answering, NotMeasured, Answering], Since::At(known)),
            // It stumbled within the present slice, so it lasts from after that.
            (&[Answering, Refusing], Since::At(known)),
            (&[Answering; SLICES], Since::OverADay),
        ] {
            assert_eq!(day(slices).since(Answering, known), since, "{} slices", slices.len());
        }
        assert_eq!(day(&[]).since(Answering, at("2026-09-01T00:00:00Z")), Since::OverADay);
    }

    #[test]
    fn what_other_servers_saw_lately_counts() {
        let minutes = TimeDelta::minutes(15);
        let since = Since::At(at("2026-09-03T08:30:00Z"));
        assert_eq!(day(&[Slow, Slow, NotMeasured]).latest(at(NOW), minutes), Some((Slow, since)));
        assert_eq!(
            day(&[Slow, NotMeasured, NotMeasured, NotMeasured, NotMeasured]).latest(at(NOW), minutes),
            None
        );
        assert_eq!(day(&[]).latest(at(NOW), minutes), None);
    }
}
