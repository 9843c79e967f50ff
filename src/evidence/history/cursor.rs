//! A row of the history as a place from which to read on, written so that it fits into an address.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use thiserror::Error;
use uuid::Uuid;

use super::EvidenceRow;
use crate::db::Place;

/// Microseconds of the year 9999's end; no database keeps what is later.
const LATEST: i64 = 253_402_300_799_999_999;

/// A place in a history. It says where, not whose: whoever makes one up reads no other account with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    received_at: DateTime<Utc>,
    id: Uuid,
    nth: u64,
}

/// No place in a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this is no place in the history")]
pub struct BadCursor;

impl Place for Cursor {
    type Row = EvidenceRow;

    fn at(row: &EvidenceRow, nth: u64) -> Self {
        Self { received_at: row.received_at, id: row.id, nth }
    }

    fn nth(&self) -> u64 {
        self.nth
    }
}

impl Cursor {
    /// What rows are ordered by.
    pub(super) const fn key(&self) -> (DateTime<Utc>, Uuid) {
        (self.received_at, self.id)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.received_at.timestamp_micros(), self.id.simple(), self.nth)
    }
}

impl FromStr for Cursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.splitn(3, '.');
        let mut part = || parts.next().ok_or(BadCursor);
        let microseconds =
            part()?.parse().ok().filter(|time| (0..=LATEST).contains(time)).ok_or(BadCursor)?;
        Ok(Self {
            received_at: DateTime::from_timestamp_micros(microseconds).ok_or(BadCursor)?,
            id: part()?.parse().map_err(|_| BadCursor)?,
            nth: part()?.parse().map_err(|_| BadCursor)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_is_written() {
        let written = "1788424867123456.01991f3a6c1e7d209a510c6be2f4a7d3.51";
        assert_eq!(written.parse::<Cursor>().map(|cursor| cursor.to_string()).as_deref(), Ok(written));
        let (time, rest) = written.split_at(16);
        for other in [
            "",
            time,
            "newest",
            &written[1..12],
            &format!("-1{rest}"),
            &format!("{}{rest}", LATEST + 1),
            &format!("{written}.1"),
            &written.replace(".51", ".-1"),
        ] {
            assert_eq!(other.parse::<Cursor>(), Err(BadCursor), "{other}");
        }
    }
}
