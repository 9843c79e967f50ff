//! The rows of a run as they are shown: in pages, filtered, searched and sorted, and all of them as a file.

mod export;
mod row;
mod store;

use sea_orm::DbErr;
use uuid::Uuid;
use vat::SupplierCountry;

pub use self::row::{FirstRow, Row};
use super::{BatchChecks, BatchError, RowOutcome};
use crate::{
    db::within_limit,
    spreadsheet::{CsvWriter, Separator},
};

/// Rows that are read at once for a file.
const ROWS_AT_ONCE: u64 = 1000;

/// Which rows are shown, and how.
#[derive(Clone, Debug, Default)]
pub struct RowQuery {
    /// Only those with this outcome.
    pub outcome: Option<RowOutcome>,
    /// Only those whose text was repaired to be read, or is perhaps a slip.
    pub advised: bool,
    /// Only those whose number begins with these two letters, in capitals; `ZZ`: with none.
    pub country: Option<String>,
    /// Only those with this in the text as typed, the number or the name, whatever the case.
    pub search: String,
    /// By what they are sorted.
    pub order: RowOrder,
    /// The other way round.
    pub descending: bool,
    /// So many are left out.
    pub offset: u64,
    /// At most so many are shown.
    pub limit: u64,
}

/// By what rows are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOrder {
    /// As pasted.
    #[default]
    Place,
    /// By number.
    Number,
    /// What needs a look comes first.
    Outcome,
    /// By name; those without one come last either way.
    Name,
}

/// Some rows of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPage {
    /// In the order that was asked for.
    pub rows: Vec<Row>,
    /// How many there are on all pages.
    pub total: u64,
}

/// How many rows of a run have numbers of a country.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountryCount {
    /// The first two letters of the numbers; `ZZ` where there are none.
    pub country: String,
    /// How many.
    pub rows: u64,
}

impl BatchChecks {
    /// Rows of a run.
    ///
    /// # Errors
    /// The account has no such run, or the database failed.
    pub async fn rows(&self, account_id: Uuid, run: Uuid, query: &RowQuery) -> Result<RowPage, BatchError> {
        let supplier = self.supplier_country(account_id, run).await?;
        let (rows, total) = within_limit(store::page(&self.db, run, query)).await?;
        let lines = within_limit(store::lines_of_first(&self.db, run, &rows)).await?;
        let shown = |row| Row::of(row, supplier, |place| lines.get(&place).copied());
        Ok(RowPage { rows: rows.into_iter().map(shown).collect(), total })
    }

    /// How many rows of a run there are whose text was repaired to be read, or is perhaps a slip.
    ///
    /// # Errors
    /// The account has no such run, or the database failed.
    pub async fn advised(&self, account_id: Uuid, run: Uuid) -> Result<u64, BatchError> {
        self.supplier_country(account_id, run).await?;
        Ok(within_limit(store::advised(&self.db, run)).await?)
    }

    /// How many rows of a run there are of each country, most first: all of them, or those with one outcome.
    ///
    /// # Errors
    /// The account has no such run, or the database failed.
    pub async fn countries(
        &self,
        account_id: Uuid,
        run: Uuid,
        outcome: Option<RowOutcome>,
    ) -> Result<Vec<CountryCount>, BatchError> {
        self.supplier_country(account_id, run).await?;
        Ok(within_limit(store::countries(&self.db, run, outcome)).await?)
    }

    /// All rows of a run, as pasted, as the content of a CSV file of some megabytes at most.
    ///
    /// # Errors
    /// The account has no such run, or the database failed.
    pub async fn csv(&self, account_id: Uuid, run: Uuid, separator: Separator) -> Result<String, BatchError> {
        let supplier = self.supplier_country(account_id, run).await?;
        let mut file = CsvWriter::separated(separator, &export::HEADINGS);
        let mut place = 0;
        loop {
            let rows = within_limit(store::after(&self.db, run, place, ROWS_AT_ONCE)).await?;
            let Some(last) = rows.last() else { return Ok(file.finish()) };
            place = last.place;
            for row in rows {
                // What it repeats is no column of the file.
                file.row(export::cells(&Row::of(row, supplier, |_| None)));
            }
        }
    }

    /// Where the account of a run sells from; it is told to nobody else.
    async fn supplier_country(
        &self,
        account_id: Uuid,
        run: Uuid,
    ) -> Result<Option<SupplierCountry>, BatchError> {
        let found: Result<_, DbErr> = within_limit(store::supplier_country(&self.db, account_id, run)).await;
        let country = found?.ok_or(BatchError::Unknown)?;
        Ok(country.as_deref().and_then(SupplierCountry::parse))
    }
}
