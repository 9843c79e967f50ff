//! The log for its readers: newest first, filtered, by page or as a whole, with names instead of identifiers. A page begins
//! at an event and not at a number of events, so that what is added meanwhile moves nothing.

mod names;
mod store;

use std::{fmt, str::FromStr};

use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::{ActiveEnum, DatabaseConnection, DbErr, Iterable};
use uuid::Uuid;

pub use self::names::EntryName;
use self::store::Whose;
use super::{AuditEvent, AuditLog, Deed};
use crate::db::{Listed, Place, Start, Total, days, within_limit};

/// Events that an export reads at once.
const PART: u64 = 500;

/// Everything that is noted when it is done.
pub fn every_deed() -> impl Iterator<Item = Deed> {
    Deed::iter()
}

/// The word that is stored for a deed.
#[must_use]
pub fn code_of(deed: Deed) -> String {
    deed.to_value()
}

/// What of the log is asked for. By default all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// What was done.
    pub deed: Option<Deed>,
    /// Part of the address of whoever did it, or to whom it was done.
    pub person: Option<String>,
    /// The account it concerns: its name or identifier; without one of that name, part of a name.
    pub account: Option<String>,
    /// The first moment.
    pub from: Option<DateTime<Utc>>,
    /// The first moment after.
    pub until: Option<DateTime<Utc>>,
}

impl LogFilter {
    /// What concerns one account.
    #[must_use]
    pub fn of_account(account: Uuid) -> Self {
        Self { account: Some(account.to_string()), ..Self::default() }
    }

    /// The same, from the beginning of one day to the end of another, UTC.
    #[must_use]
    pub fn on_days(self, first: Option<NaiveDate>, last: Option<NaiveDate>) -> Self {
        let (from, until) = days(first, last);
        Self { from, until, ..self }
    }
}

/// An event as a place from which to read on, written so that it fits into an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogPlace {
    pub(super) sequence: i64,
    /// Which one of those that are listed, from 1 on.
    nth: u64,
}

impl fmt::Display for LogPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.sequence, self.nth)
    }
}

impl FromStr for LogPlace {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (sequence, nth) = text.split_once('.').unwrap_or((text, ""));
        Ok(Self { sequence: sequence.parse()?, nth: nth.parse()? })
    }
}

impl Place for LogPlace {
    type Row = AuditEvent;

    fn at(row: &AuditEvent, nth: u64) -> Self {
        Self { sequence: row.sequence, nth }
    }

    fn nth(&self) -> u64 {
        self.nth
    }
}

/// An event with the names of everybody and everything in it, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Everything that is kept of it.
    pub event: AuditEvent,
    /// The account it concerns.
    pub account: Option<String>,
    /// Who did it.
    pub actor: Option<EntryName>,
    /// What or whom it was done to.
    pub subject: Option<EntryName>,
}

/// A page of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPage {
    /// Newest first.
    pub entries: Vec<LogEntry>,
    /// Which of all that are listed its first one is, from 1 on, as it was when the first page was read.
    pub first: u64,
    /// Events on all pages, now.
    pub total: Total,
    /// Where the page before ends, if there is one.
    pub newer: Option<LogPlace>,
    /// Where the page after begins, if there is one.
    pub older: Option<LogPlace>,
}

impl AuditLog {
    /// A page of up to `size` events.
    ///
    /// # Errors
    /// The database failed.
    pub async fn page(
        &self,
        filter: &LogFilter,
        start: Start<LogPlace>,
        size: u64,
    ) -> Result<LogPage, DbErr> {
        within_limit(page(&self.db, filter, start, size.max(1))).await
    }

    /// All that `filter` asks for, newest first, in parts. What is added after the first part is left out.
    #[must_use]
    pub fn export(&self, filter: LogFilter) -> LogExport {
        LogExport { db: self.db.clone(), filter, next: Some(Start::Newest) }
    }
}

/// A log that is read part by part, so that nobody holds it as a whole.
pub struct LogExport {
    db: DatabaseConnection,
    filter: LogFilter,
    /// `None` once all is read.
    next: Option<Start<LogPlace>>,
}

impl LogExport {
    /// The next part, never an empty one; `None` after the last.
    ///
    /// # Errors
    /// The database failed. The same part can be asked for again.
    pub async fn next_part(&mut self) -> Result<Option<Vec<LogEntry>>, DbErr> {
        let Some(start) = self.next else { return Ok(None) };
        let part = within_limit(async {
            let whose = whose(&self.db, &self.filter).await?;
            let rows = store::rows(&self.db, (&self.filter, whose), start, PART).await?;
            names::entries(&self.db, rows).await
        })
        .await?;
        self.next = part
            .last()
            .filter(|_| part.len() as u64 == PART)
            .map(|last| Start::OlderThan(LogPlace::at(&last.event, 0)));
        Ok(Some(part).filter(|part| !part.is_empty()))
    }
}

async fn whose(db: &DatabaseConnection, filter: &LogFilter) -> Result<Whose, DbErr> {
    let Some(typed) = filter.account.as_deref() else { return Ok(Whose::Any) };
    Ok(store::account_called(db, typed).await?.map_or(Whose::Named, Whose::One))
}

async fn page(
    db: &DatabaseConnection,
    filter: &LogFilter,
    mut start: Start<LogPlace>,
    size: u64,
) -> Result<LogPage, DbErr> {
    let of = (filter, whose(db, filter).await?);
    let most = size.saturating_add(1);
    let mut rows = store::rows(db, of, start, most).await?;
    if start.is_too_near(rows.len(), size) {
        start = Start::Newest;
        rows = store::rows(db, of, start, most).await?;
    }
    let Listed { rows, first, newer, older, is_all } = Listed::of(start, rows, size);
    let total = if is_all { Total::Exactly(rows.len() as u64) } else { store::count(db, of).await? };
    Ok(LogPage { entries: names::entries(db, rows).await?, first, total, newer, older })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        assert_eq!("118.51".parse::<LogPlace>().map(|place| place.to_string()), Ok("118.51".to_owned()));
        for other in ["", "118", ".", "118.", "newest", "118.51.1", "118.-1"] {
            assert!(other.parse::<LogPlace>().is_err(), "{other}");
        }
    }
}
