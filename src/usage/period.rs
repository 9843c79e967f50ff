//! Days and hours that a report is about, UTC. Pure.

use chrono::{DateTime, Datelike, Days, DurationRound, NaiveDate, NaiveTime, TimeDelta, Utc};
use thiserror::Error;

use super::Month;

/// Days of the longest report.
pub const MOST_DAYS: u64 = 92;
/// Before that nothing was counted.
const FIRST_YEAR: i32 = 2000;
const LAST_YEAR: i32 = 9998;

/// Days in a row, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    first: NaiveDate,
    last: NaiveDate,
}

/// No report can be about these days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadPeriod {
    /// The last day is before the first.
    #[error("the last day is before the first")]
    Backwards,
    /// There are too many days.
    #[error("a report is about {MOST_DAYS} days at most")]
    TooLong,
    /// They are far in the past or in the future.
    #[error("the days are of years before {FIRST_YEAR} or after {LAST_YEAR}")]
    OutOfReach,
}

impl Period {
    /// From one day to another, both included.
    ///
    /// # Errors
    /// Why no report can be about them.
    pub fn new(first: NaiveDate, last: NaiveDate) -> Result<Self, BadPeriod> {
        let period = Self { first, last };
        if last < first {
            Err(BadPeriod::Backwards)
        } else if first.year() < FIRST_YEAR || last.year() > LAST_YEAR {
            Err(BadPeriod::OutOfReach)
        } else if period.days().nth(usize::try_from(MOST_DAYS).unwrap_or(usize::MAX)).is_some() {
            Err(BadPeriod::TooLong)
        } else {
            Ok(period)
        }
    }

    /// All days of a month.
    #[must_use]
    pub fn of_month(month: Month) -> Self {
        let first = month.first_day();
        Self { first, last: month.end().date_naive().pred_opt().unwrap_or(first) }
    }

    /// The day of a moment and those before it, `days` in all, but no more than [`MOST_DAYS`] and no less than one.
    #[must_use]
    pub fn up_to(moment: DateTime<Utc>, days: u64) -> Self {
        let last = moment.date_naive();
        let before = Days::new(days.clamp(1, MOST_DAYS) - 1);
        Self { first: last.checked_sub_days(before).unwrap_or(last), last }
    }

    /// The first day.
    #[must_use]
    pub const fn first(self) -> NaiveDate {
        self.first
    }

    /// The last day.
    #[must_use]
    pub const fn last(self) -> NaiveDate {
        self.last
    }

    /// Every day of it.
    pub(super) fn days(self) -> impl Iterator<Item = NaiveDate> {
        self.first.iter_days().take_while(move |day| *day <= self.last)
    }
}

/// Twenty-four hours in a row, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwentyFourHours {
    first: DateTime<Utc>,
}

impl TwentyFourHours {
    /// Those of a day.
    ///
    /// # Errors
    /// No report can be about it.
    pub fn of(day: NaiveDate) -> Result<Self, BadPeriod> {
        let first = Period::new(day, day)?.first.and_time(NaiveTime::MIN).and_utc();
        Ok(Self { first })
    }

    /// The hour of a moment and the twenty-three before it.
    #[must_use]
    pub fn up_to(moment: DateTime<Utc>) -> Self {
        let last = moment.duration_trunc(TimeDelta::hours(1)).unwrap_or(moment);
        Self { first: last - TimeDelta::hours(23) }
    }

    /// The start of the first.
    #[must_use]
    pub const fn first(self) -> DateTime<Utc> {
        self.first
    }

    /// The start of each.
    pub(super) fn hours(self) -> impl Iterator<Item = DateTime<Utc>> {
        (0..24).filter_map(move |hour| self.first.checked_add_signed(TimeDelta::hours(hour)))
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_period_has_between_one_and_ninety_two_days() {
        for (first, last, expected) in [
            ("2026-09-03", "2026-09-03", Ok(1)),
            ("2026-07-01", "2026-09-30", Ok(92)),
            ("2026-07-01", "2026-10-01", Err(BadPeriod::TooLong)),
            ("2000-01-01", "9998-12-31", Err(BadPeriod::TooLong)),
            ("2026-09-03", "2026-09-02", Err(BadPeriod::Backwards)),
            ("1999-12-31", "2000-01-01", Err(BadPeriod::OutOfReach)),
            ("9998-12-31", "9999-01-01", Err(BadPeriod::OutOfReach)),
        ] {
            let period = Period::new(day(first), day(last));
            assert_eq!(period.map(|period| period.days().count()), expected, "{first} to {last}");
        }
    }

    #[test]
    fn months_end_where_they_end_and_days_are_counted_back() {
        let noon = |text: &str| day(text).and_hms_opt(12, 0, 0).unwrap().and_utc();
        for (of, first, last) in [
            ("2026-02-10", "2026-02-01", "2026-02-28"),
            ("2028-02-29", "2028-02-01", "2028-02-29"),
            ("2026-12-31", "2026-12-01", "2026-12-31"),
        ] {
            let month = Period::of_month(Month::of(noon(of)));
            assert_eq!((month.first(), month.last()), (day(first), day(last)), "{of}");
        }
        for (days, first) in [(0, "2026-03-01"), (1, "2026-03-01"), (2, "2026-02-28"), (1000, "2025-11-30")] {
            let period = Period::up_to(noon("2026-03-01"), days);
            assert_eq!((period.first(), period.last()), (day(first), day("2026-03-01")), "{days}");
        }
    }

    #[test]
    fn twenty_four_hours_end_with_the_present_one() {
        let at = |h, m| Utc.with_ymd_and_hms(2026, 9, 3, h, m, 59).unwrap();
        let hours: Vec<_> = TwentyFourHours::up_to(at(8, 41)).hours().collect();
        let hour = |d, h| Utc.with_ymd_and_hms(2026, 9, d, h, 0, 0).unwrap();
        assert_eq!((hours.len(), hours[0], hours[23]), (24, hour(2, 9), hour(3, 8)));
        let of_the_day = TwentyFourHours::of(day("2026-09-03")).unwrap();
        assert_eq!(of_the_day.hours().last(), Some(hour(3, 23)));
        assert_eq!(TwentyFourHours::of(NaiveDate::MIN), Err(BadPeriod::OutOfReach));
    }
}
