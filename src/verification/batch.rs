//! The strings of one call, read.

use vat::{Reading, VatNumber};

/// The entries of one call, in the order submitted, duplicates included.
#[derive(Clone, Debug)]
pub struct Batch(Vec<Entry>);

/// One submitted string and how it was read.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The string as sent.
    pub submitted: String,
    /// What it was taken for.
    pub reading: Reading,
}

impl Batch {
    /// Reads every string.
    #[must_use]
    pub fn read(submitted: Vec<String>) -> Self {
        Self(
            submitted
                .into_iter()
                .map(|submitted| Entry { reading: VatNumber::parse(&submitted), submitted })
                .collect(),
        )
    }

    /// The entries in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// The entries in order, without the batch.
    #[must_use]
    pub fn into_entries(self) -> Vec<Entry> {
        self.0
    }
}
