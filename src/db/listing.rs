//! Lists that are read page by page, newest first. A page begins at a row and not at a number of rows, so that what is added
//! meanwhile moves nothing. Which rows there are is the services' business.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

/// Where a page begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start<P> {
    /// With the newest row.
    #[default]
    Newest,
    /// With the row after this one, which is the next older.
    OlderThan(P),
    /// So that it ends with the row before this one.
    NewerThan(P),
}

/// How many rows there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// So many.
    Exactly(u64),
    /// Not counted further.
    MoreThan(u64),
}

/// A row as a place from which to read on.
pub(crate) trait Place: Copy {
    /// What is listed.
    type Row;

    /// At `row`, which is the one of that number, counted from 1 on.
    fn at(row: &Self::Row, nth: u64) -> Self;

    /// Which one of those that are listed.
    fn nth(&self) -> u64;
}

/// The rows of one page, and where it stands among the others.
pub(crate) struct Listed<P: Place> {
    /// Newest first.
    pub(crate) rows: Vec<P::Row>,
    /// The number of its first row.
    pub(crate) first: u64,
    /// Where the page before ends, if there is one.
    pub(crate) newer: Option<P>,
    /// Where the page after begins, if there is one.
    pub(crate) older: Option<P>,
    /// Whether these are all there are.
    pub(crate) is_all: bool,
}

impl<P> Start<P> {
    /// Whether so few rows are newer that the newest page is to be read instead: it is always a full one.
    pub(crate) const fn is_too_near(&self, newer: usize, size: u64) -> bool {
        matches!(self, Self::NewerThan(_)) && newer as u64 <= size
    }
}

impl<P: Place> Listed<P> {
    /// The page of up to `size` rows that begins at `start`, of up to one row more: it tells whether there is a further page.
    pub(crate) fn of(start: Start<P>, mut rows: Vec<P::Row>, size: u64) -> Self {
        let more = rows.len() as u64 > size;
        if more {
            let surplus = if matches!(start, Start::NewerThan(_)) { 0 } else { rows.len() - 1 };
            rows.remove(surplus);
        }
        let (first, has_newer, has_older) = match start {
            Start::Newest => (1, false, more),
            Start::OlderThan(place) => (place.nth().saturating_add(1), true, more),
            Start::NewerThan(place) => (place.nth().saturating_sub(size).max(1), more, true),
        };
        let last = first.saturating_add(rows.len() as u64).saturating_sub(1);
        Self {
            newer: rows.first().filter(|_| has_newer).map(|row| P::at(row, first)),
            older: rows.last().filter(|_| has_older).map(|row| P::at(row, last)),
            is_all: !has_newer && !has_older,
            rows,
            first,
        }
    }
}

/// From the beginning of one day to the end of another, UTC: the first moment, and the first after.
pub(crate) fn days(
    first: Option<NaiveDate>,
    last: Option<NaiveDate>,
) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
    let start = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
    // The last day of all has no next.
    (first.map(start), last.and_then(|day| day.succ_opt()).map(start))
}
