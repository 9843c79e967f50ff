//! How long something has waited, in words, and whether that is longer than it should.

use chrono::{DateTime, Datelike, Days, NaiveTime, TimeDelta, Utc, Weekday};

/// How long ago `at` was.
pub(super) fn ago(at: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let minutes = (now - at).num_minutes().max(0);
    let (days, hours) = (minutes / (24 * 60), minutes / 60 % 24);
    match (days, hours, minutes) {
        (0, 0, 0) => "just now".to_owned(),
        (0, 0, minutes) => format!("{minutes} min ago"),
        (0, hours, _) => format!("{hours} h ago"),
        (1, 0, _) => "1 day ago".to_owned(),
        (1, hours, _) => format!("1 day {hours} h ago"),
        (days, ..) => format!("{days} days ago"),
    }
}

/// Whether more than one working day has gone by since `at`: 24 hours, of which none lies in a weekend (UTC).
pub(super) fn is_late(at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    let start = out_of_weekend(at);
    let day_later = start + TimeDelta::days(1);
    // A day that would end in the weekend goes on after it.
    let end = if is_weekend(day_later) { day_later + TimeDelta::days(2) } else { day_later };
    now > end
}

/// The moment itself, or the beginning of the Monday after it.
fn out_of_weekend(at: DateTime<Utc>) -> DateTime<Utc> {
    let days = match at.weekday() {
        Weekday::Sat => 2,
        Weekday::Sun => 1,
        _ => return at,
    };
    at.date_naive().checked_add_days(Days::new(days)).map_or(at, |day| day.and_time(NaiveTime::MIN).and_utc())
}

fn is_weekend(at: DateTime<Utc>) -> bool {
    matches!(at.weekday(), Weekday::Sat | Weekday::Sun)
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta, Utc};

    use super::{ago, is_late};

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    #[test]
    fn how_long_ago_is_told_as_exactly_as_it_matters() {
        let now = at("2026-09-03T08:41:00Z");
        for (minutes, words) in [
            (-5, "just now"),
            (0, "just now"),
            (1, "1 min ago"),
            (46, "46 min ago"),
            (60, "1 h ago"),
            (22 * 60 + 1, "22 h ago"),
            (24 * 60, "1 day ago"),
            (41 * 60, "1 day 17 h ago"),
            (48 * 60, "2 days ago"),
            (9 * 24 * 60, "9 days ago"),
        ] {
            assert_eq!(ago(now - TimeDelta::minutes(minutes), now), words);
        }
    }

    #[test]
    fn a_working_day_has_24_hours_and_no_weekend() {
        for (asked, due) in [
            // A Tuesday.
            ("2026-09-01T15:05:00Z", "2026-09-02T15:05:00Z"),
            // A Thursday, a Friday, and the weekend.
            ("2026-09-03T23:59:00Z", "2026-09-04T23:59:00Z"),
            ("2026-09-04T00:00:00Z", "2026-09-07T00:00:00Z"),
            ("2026-09-04T15:05:00Z", "2026-09-07T15:05:00Z"),
            ("2026-09-05T00:00:00Z", "2026-09-08T00:00:00Z"),
            ("2026-09-06T23:00:00Z", "2026-09-08T00:00:00Z"),
        ] {
            assert!(!is_late(at(asked), at(due)), "{asked}");
            assert!(is_late(at(asked), at(due) + TimeDelta::seconds(1)), "{asked}");
        }
    }
}
