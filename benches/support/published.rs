//! The numbers that are published as examples, for benchmarks that ask about them.

use std::{fs, path::PathBuf};

use vat::{Registry, VatNumber};

/// The published numbers that go to VIES, in the order of their file; some have check digits that do not fit.
pub fn eu_numbers() -> Vec<VatNumber> {
    let file =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("crates/vat/tests/data/vat-number-examples.csv");
    fs::read_to_string(file)
        .expect("the numbers")
        .lines()
        .filter_map(|line| VatNumber::parse(line.split(',').next()?).number())
        .filter(|number| number.registry() == Registry::Vies)
        .collect()
}
