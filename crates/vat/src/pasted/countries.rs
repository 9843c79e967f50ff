//! Countries that stand in a column of their own, as bookkeeping writes them, beside numbers without a prefix.

use super::records::Record;
use crate::reading::Repair;
use crate::{Prefix, VatNumber};

/// The columns beside the one at `index` in which at least every other cell is a country, as far as there is something to
/// be joined with it. Codes of provinces and languages are countries by chance now and then.
pub(super) fn country_columns(sample: &[Record<'_>], index: usize) -> Vec<usize> {
    let mut seen: Vec<(usize, usize)> = Vec::new();
    for (row, record) in sample.iter().enumerate().filter(|(_, record)| !cell(record, index).is_empty()) {
        seen.resize(seen.len().max(record.cells.len()), (0, 0));
        for ((cells, countries), cell) in seen.iter_mut().zip(&record.cells) {
            let is_country = country_of(cell).is_some();
            // The first may be the heading.
            *cells += usize::from(is_country || row > 0 && !cell.trim().is_empty());
            *countries += usize::from(is_country);
        }
    }
    let is_of_countries = |(cells, countries): (usize, usize)| countries > 0 && countries * 2 >= cells;
    (0..seen.len()).filter(|column| *column != index && is_of_countries(seen[*column])).collect()
}

/// The text in the column at `index` behind the country of its row. `None` where it has a prefix of its own, or the columns
/// of `countries` hold none there, or more than one.
pub(super) fn joined(record: &Record<'_>, index: usize, countries: &[usize]) -> Option<String> {
    let mut found = countries.iter().filter_map(|column| country_of(cell(record, *column)));
    let country = found.next()?;
    if found.any(|other| other != country) {
        return None;
    }
    let text = cell(record, index);
    if Prefix::from_code(VatNumber::parse(text).country_code()).is_some() {
        return None;
    }
    let reading = VatNumber::parse_in(text, country);
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    (has_digit && reading.has_repair(Repair::PrefixFromCountry))
        .then(|| [country.as_str(), " ", text].concat())
}

fn cell<'a>(record: &'a Record<'_>, index: usize) -> &'a str {
    record.cells.get(index).map_or("", |cell| cell.trim())
}

/// The country of which a cell is the code, as a prefix or as people write it: in capitals, since small letters are a
/// language.
fn country_of(cell: &str) -> Option<Prefix> {
    match cell.trim() {
        "GR" => Some(Prefix::El),
        "UK" => Some(Prefix::Gb),
        code => Prefix::from_code(code),
    }
}
