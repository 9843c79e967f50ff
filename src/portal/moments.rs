//! Points in time in a reader's words. UTC throughout: only the browser knows the reader's zone.

use chrono::{DateTime, Utc};
use crossvat_app::portal::Instant;

/// `at` as somebody says it who reads at `now`.
pub(super) fn instant(at: DateTime<Utc>, now: DateTime<Utc>) -> Instant {
    let days = (at.date_naive() - now.date_naive()).num_days();
    let time = at.format("%H:%M UTC");
    let words = match days {
        0 => format!("today, {time}"),
        -1 => format!("yesterday, {time}"),
        1 => format!("tomorrow, {time}"),
        _ => at.format("%-d %B %Y").to_string(),
    };
    Instant {
        datetime: at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        exact: at.format("%-d %B %Y at %H:%M:%S UTC").to_string(),
        words,
    }
}

/// The same, to the second: of an entry in a log.
pub(super) fn to_the_second(at: DateTime<Utc>, now: DateTime<Utc>) -> Instant {
    let words = match (at.date_naive() - now.date_naive()).num_days() {
        0 => at.format("today, %H:%M:%S UTC"),
        -1 => at.format("yesterday, %H:%M:%S UTC"),
        _ => at.format("%-d %B %Y, %H:%M:%S UTC"),
    };
    Instant { words: words.to_string(), ..instant(at, now) }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};

    use super::{instant, to_the_second};

    #[test]
    fn days_around_today_have_names() {
        let now = Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap();
        for (at, words) in [
            (Utc.with_ymd_and_hms(2026, 9, 3, 0, 0, 0).unwrap(), "today, 00:00 UTC"),
            (Utc.with_ymd_and_hms(2026, 9, 2, 23, 59, 59).unwrap(), "yesterday, 23:59 UTC"),
            (Utc.with_ymd_and_hms(2026, 9, 4, 9, 0, 0).unwrap(), "tomorrow, 09:00 UTC"),
            (Utc.with_ymd_and_hms(2027, 1, 4, 9, 0, 0).unwrap(), "4 January 2027"),
        ] {
            assert_eq!(instant(at, now).words, words);
        }
    }

    #[test]
    fn entries_of_a_log_have_a_time_on_every_day() {
        let now = Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap();
        for (at, words) in [
            (now, "today, 08:41:07 UTC"),
            (Utc.with_ymd_and_hms(2026, 9, 2, 23, 59, 59).unwrap(), "yesterday, 23:59:59 UTC"),
            (Utc.with_ymd_and_hms(2026, 8, 1, 9, 0, 0).unwrap(), "1 August 2026, 09:00:00 UTC"),
        ] {
            let told = to_the_second(at, now);
            assert_eq!((told.words.as_str(), told.datetime), (words, instant(at, now).datetime));
        }
    }
}
