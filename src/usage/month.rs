//! Calendar months in UTC, in which allowances are counted.

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveTime, Utc};

/// A calendar month, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(NaiveDate);

impl Month {
    /// The month of a moment.
    #[must_use]
    pub fn of(moment: DateTime<Utc>) -> Self {
        let day = moment.date_naive();
        // The first of a month that has the day exists.
        Self(day.with_day(1).unwrap_or(day))
    }

    /// Its first day.
    #[must_use]
    pub const fn first_day(self) -> NaiveDate {
        self.0
    }

    /// Its first moment.
    #[must_use]
    pub fn start(self) -> DateTime<Utc> {
        self.0.and_time(NaiveTime::MIN).and_utc()
    }

    /// The first moment after it.
    #[must_use]
    pub fn end(self) -> DateTime<Utc> {
        self.0.checked_add_months(Months::new(1)).unwrap_or(NaiveDate::MAX).and_time(NaiveTime::MIN).and_utc()
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    #[test]
    fn a_month_begins_and_ends_at_midnight_utc() {
        let at = |y, m, d, h| Utc.with_ymd_and_hms(y, m, d, h, 0, 0).unwrap();
        for moment in [at(2026, 12, 1, 0), at(2026, 12, 31, 23)] {
            let month = Month::of(moment);
            assert_eq!((month.start(), month.end()), (at(2026, 12, 1, 0), at(2027, 1, 1, 0)));
        }
        assert_eq!(Month::of(at(2028, 2, 29, 12)).end(), at(2028, 3, 1, 0));
    }
}
