//! Points in time in a reader's words. UTC throughout: only the browser knows the reader's zone, and says them anew.

use chrono::{DateTime, Datelike, Utc};
use crossvat_app::portal::Instant;

/// `at` as somebody says it who reads at `now`: with the time of day as long as the day has a name, such as today.
pub(super) fn instant(at: DateTime<Utc>, now: DateTime<Utc>) -> Instant {
    in_words(at, now, named_day(at, now).is_some())
}

/// The same, always with the time of day.
pub(super) fn instant_to_the_minute(at: DateTime<Utc>, now: DateTime<Utc>) -> Instant {
    in_words(at, now, true)
}

/// With the day of the week, the date and the time of day, where something depends on it.
pub(super) fn instant_in_full(at: DateTime<Utc>, now: DateTime<Utc>) -> Instant {
    let full = at.format("%A %-d %B, %H:%M UTC");
    let words = match named_day(at, now) {
        Some("today") => at.format("%H:%M UTC today").to_string(),
        Some(name) => format!("{name}, {full}"),
        None => full.to_string(),
    };
    Instant { words, ..in_words(at, now, true) }
}

/// The time of day alone, where the day is said beside it.
pub(super) fn time_of_day(at: DateTime<Utc>, now: DateTime<Utc>) -> Instant {
    Instant { words: at.format("%H:%M UTC").to_string(), ..in_words(at, now, true) }
}

/// To the second as long as it is today: of what may have changed a moment later.
pub(super) fn second_of_day(at: DateTime<Utc>, now: DateTime<Utc>) -> Instant {
    let words = match named_day(at, now) {
        Some("today") => at.format("%H:%M:%S UTC").to_string(),
        _ => return instant(at, now),
    };
    Instant { words, ..in_words(at, now, true) }
}

fn in_words(at: DateTime<Utc>, now: DateTime<Utc>, with_time: bool) -> Instant {
    let day = at.format(if at.year() == now.year() { "%-d %B" } else { "%-d %B %Y" });
    let time = at.format("%H:%M UTC");
    Instant {
        datetime: at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        exact: at.format("%-d %B %Y at %H:%M:%S UTC").to_string(),
        words: match named_day(at, now) {
            Some(name) => format!("{time} {name}"),
            None if with_time => format!("{day}, {time}"),
            None => day.to_string(),
        },
    }
}

fn named_day(at: DateTime<Utc>, now: DateTime<Utc>) -> Option<&'static str> {
    match (at.date_naive() - now.date_naive()).num_days() {
        0 => Some("today"),
        -1 => Some("yesterday"),
        1 => Some("tomorrow"),
        _ => None,
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
    use chrono::{TimeDelta, TimeZone, Utc};

    use super::{instant, instant_in_full, instant_to_the_minute, second_of_day, to_the_second};

    #[test]
    fn what_something_depends_on_is_said_in_full() {
        let now = Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap();
        for (hours, words) in [
            (1, "09:41 UTC today"),
            (24, "tomorrow, Friday 4 September, 08:41 UTC"),
            (24 * 7, "Thursday 10 September, 08:41 UTC"),
        ] {
            assert_eq!(instant_in_full(now + TimeDelta::hours(hours), now).words, words);
        }
    }

    #[test]
    fn days_around_today_have_names() {
        let now = Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap();
        for (at, words, to_the_minute) in [
            (Utc.with_ymd_and_hms(2026, 9, 3, 0, 0, 0).unwrap(), "00:00 UTC today", None),
            (Utc.with_ymd_and_hms(2026, 9, 2, 23, 59, 59).unwrap(), "23:59 UTC yesterday", None),
            (Utc.with_ymd_and_hms(2026, 9, 4, 9, 0, 0).unwrap(), "09:00 UTC tomorrow", None),
            (
                Utc.with_ymd_and_hms(2026, 9, 1, 18, 1, 44).unwrap(),
                "1 September",
                Some("1 September, 18:01 UTC"),
            ),
            (
                Utc.with_ymd_and_hms(2027, 1, 4, 9, 0, 0).unwrap(),
                "4 January 2027",
                Some("4 January 2027, 09:00 UTC"),
            ),
        ] {
            assert_eq!(instant(at, now).words, words);
            assert_eq!(instant_to_the_minute(at, now).words, to_the_minute.unwrap_or(words));
        }
    }

    #[test]
    fn what_may_have_changed_a_moment_later_is_told_to_the_second() {
        let now = Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap();
        assert_eq!(second_of_day(now, now).words, "08:41:07 UTC");
        assert_eq!(second_of_day(now - TimeDelta::hours(24), now).words, "08:41 UTC yesterday");
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
