//! The history of one account: what a registry was asked for it and what it said, newest first, by page or as a whole. A
//! page begins at a row and not at a number of rows, so that what is added meanwhile moves nothing.

mod cursor;
mod store;

use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::{DatabaseConnection, DbErr};
use uuid::Uuid;
use vat::Registry;

pub use self::cursor::{BadCursor, Cursor};
use super::{CallerName, Evidence, EvidenceOutcome, EvidenceRow};
use crate::db::{CallerNames, Listed, Place, days, within_limit};
pub use crate::db::{Start, Total};

/// Found rows that are counted one by one; more are too many to look through anyway, and counting them takes long.
const MOST_FOUND: u64 = 1000;
/// Rows that an export reads at once.
const PART: u64 = 500;

/// What of an account's history is asked for. By default all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// Part of a number, a name or a consultation number as somebody typed it; small and capital letters are the same.
    pub find: Option<String>,
    /// The first moment.
    pub from: Option<DateTime<Utc>>,
    /// The first moment after.
    pub until: Option<DateTime<Utc>>,
    /// What was said.
    pub outcome: Option<EvidenceOutcome>,
    /// Who said it.
    pub registry: Option<Registry>,
    /// Which key or member asked.
    pub caller: Option<Uuid>,
}

impl HistoryFilter {
    /// The same, from the beginning of one day to the end of another, UTC.
    #[must_use]
    pub fn on_days(self, first: Option<NaiveDate>, last: Option<NaiveDate>) -> Self {
        let (from, until) = days(first, last);
        Self { from, until, ..self }
    }
}

/// One question to a registry with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Everything that is kept of it.
    pub evidence: EvidenceRow,
    /// Who asked.
    pub caller: CallerName,
}

/// A page of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryPage {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
    /// The place of its first row among all, from 1 on, as it was when the first page was read.
    pub first: u64,
    /// Rows on all pages, now.
    pub total: Total,
    /// Where the page before ends, if there is one.
    pub newer: Option<Cursor>,
    /// Where the page after begins, if there is one.
    pub older: Option<Cursor>,
}

impl Evidence {
    /// A page of up to `size` rows of an account's history.
    ///
    /// # Errors
    /// The database failed.
    pub async fn history(
        &self,
        account: Uuid,
        filter: &HistoryFilter,
        start: Start<Cursor>,
        size: u64,
    ) -> Result<HistoryPage, DbErr> {
        within_limit(page(&self.db, account, filter, start, size.max(1))).await
    }

    /// How many rows of an account's history `filter` asks for; of what is found by a text no more than are counted there.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count(&self, account: Uuid, filter: &HistoryFilter) -> Result<u64, DbErr> {
        let total = within_limit(store::count(&self.db, account, filter, MOST_FOUND)).await?;
        Ok(match total {
            Total::Exactly(rows) | Total::MoreThan(rows) => rows,
        })
    }

    /// One row of an account's history; that of another account is as unknown as one that is not there.
    ///
    /// # Errors
    /// The database failed.
    pub async fn find(&self, account: Uuid, id: Uuid) -> Result<Option<HistoryEntry>, DbErr> {
        within_limit(async {
            let Some(row) = store::one(&self.db, account, id).await? else { return Ok(None) };
            Ok(entries(&self.db, account, vec![row]).await?.pop())
        })
        .await
    }

    /// All of an account's history that `filter` asks for, newest first, in parts. What is added after the first part is
    /// left out.
    #[must_use]
    pub fn export(&self, account: Uuid, filter: HistoryFilter) -> HistoryExport {
        HistoryExport { db: self.db.clone(), account, filter, next: Some(Start::Newest) }
    }
}

/// A history that is read part by part, so that nobody holds it as a whole.
pub struct HistoryExport {
    db: DatabaseConnection,
    account: Uuid,
    filter: HistoryFilter,
    /// `None` once all is read.
    next: Option<Start<Cursor>>,
}

impl HistoryExport {
    /// The next part, never an empty one; `None` after the last.
    ///
    /// # Errors
    /// The database failed. The same part can be asked for again.
    pub async fn next_part(&mut self) -> Result<Option<Vec<HistoryEntry>>, DbErr> {
        let Some(start) = self.next else { return Ok(None) };
        let read = async {
            let rows = store::rows(&self.db, self.account, &self.filter, start, PART).await?;
            entries(&self.db, self.account, rows).await
        };
        let part = within_limit(read).await?;
        self.next = part
            .last()
            .filter(|_| part.len() as u64 == PART)
            .map(|last| Start::OlderThan(Cursor::at(&last.evidence, 0)));
        Ok(Some(part).filter(|part| !part.is_empty()))
    }
}

async fn page(
    db: &DatabaseConnection,
    account: Uuid,
    filter: &HistoryFilter,
    mut start: Start<Cursor>,
    size: u64,
) -> Result<HistoryPage, DbErr> {
    let most = size.saturating_add(1);
    let mut rows = store::rows(db, account, filter, start, most).await?;
    if start.is_too_near(rows.len(), size) {
        start = Start::Newest;
        rows = store::rows(db, account, filter, start, most).await?;
    }
    let Listed { rows, first, newer, older, is_all } = Listed::of(start, rows, size);
    let total = if is_all {
        Total::Exactly(rows.len() as u64)
    } else {
        store::count(db, account, filter, MOST_FOUND).await?
    };
    Ok(HistoryPage { entries: entries(db, account, rows).await?, first, total, newer, older })
}

async fn entries(
    db: &DatabaseConnection,
    account: Uuid,
    rows: Vec<EvidenceRow>,
) -> Result<Vec<HistoryEntry>, DbErr> {
    let names = CallerNames::read(db, account, rows.iter().map(|row| row.caller_id)).await?;
    let entry = |row: EvidenceRow| HistoryEntry { caller: names.of(row.caller_id), evidence: row };
    Ok(rows.into_iter().map(entry).collect())
}
