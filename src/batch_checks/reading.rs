//! The rows of a new run: each read, equal numbers folded, and what is no number answered. Pure.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use vat::{Registry, Shape, VatNumber};

use super::{GivenNumber, RowOutcome};

/// Longest text of a row that is kept, in characters. A number has far fewer, so what is cut off makes it none the more.
const MAX_TEXT: usize = 200;

/// A row that nobody was asked about yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NewRow {
    /// From 1.
    pub(super) place: i32,
    /// Of what it was taken from, from 1.
    pub(super) line: i32,
    pub(super) submitted: String,
    pub(super) vat_number: String,
    pub(super) country: String,
    /// The place of the first row with the same number.
    pub(super) first_place: i32,
    pub(super) outcome: RowOutcome,
    pub(super) registry: Option<Registry>,
}

/// Reads every text, in order.
pub(super) fn read(given: Vec<GivenNumber>) -> Vec<NewRow> {
    let mut first_places: HashMap<VatNumber, i32, RandomState> = HashMap::default();
    (1..)
        .zip(given)
        .map(|(place, given)| {
            let submitted = kept(given.text);
            let reading = VatNumber::parse(&submitted);
            let (outcome, number) = match reading.shape() {
                Shape::Number(number) => (RowOutcome::Waiting, Some(*number)),
                Shape::Malformed(_) => (RowOutcome::Malformed, None),
                Shape::Unsupported(_) => (RowOutcome::Unsupported, None),
            };
            NewRow {
                place,
                line: i32::try_from(given.line).unwrap_or(i32::MAX),
                vat_number: without_nul(reading.canonical()),
                country: reading.country_code().to_owned(),
                first_place: number.map_or(place, |number| *first_places.entry(number).or_insert(place)),
                outcome,
                registry: number.map(|number| number.registry()),
                submitted: without_nul(&submitted),
            }
        })
        .collect()
}

/// How many rows have this outcome.
pub(super) fn count(rows: &[NewRow], outcome: RowOutcome) -> u32 {
    u32::try_from(rows.iter().filter(|row| row.outcome == outcome).count()).unwrap_or(u32::MAX)
}

fn kept(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_TEXT) {
        text.truncate(end);
    }
    text
}

/// PostgreSQL stores no NUL. Nothing that holds one is a number, and nothing that holds its replacement.
fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_are_folded_and_what_is_no_number_is_answered() {
        let long = "9".repeat(MAX_TEXT + 50);
        let typed =
            ["DE136695976", "ie6388047v", "de 136.695.976", "CHE116281710", "DE1", "DE1", "D\0E", &long];
        let given = (2..).zip(typed).map(|(line, text)| GivenNumber { line, text: text.to_owned() });
        let rows = read(given.collect());
        let seen: Vec<_> =
            rows.iter().map(|row| (row.place, row.first_place, &*row.country, row.outcome)).collect();
        assert_eq!(
            seen,
            [
                (1, 1, "DE", RowOutcome::Waiting),
                (2, 2, "IE", RowOutcome::Waiting),
                (3, 1, "DE", RowOutcome::Waiting),
                (4, 4, "CH", RowOutcome::Unsupported),
                (5, 5, "DE", RowOutcome::Malformed),
                (6, 6, "DE", RowOutcome::Malformed),
                (7, 7, "ZZ", RowOutcome::Malformed),
                (8, 8, "ZZ", RowOutcome::Malformed),
            ]
        );
        assert_eq!((&*rows[2].submitted, &*rows[2].vat_number), ("de 136.695.976", "DE136695976"));
        assert_eq!((rows[2].line, rows[2].registry), (4, Some(Registry::Vies)));
        assert_eq!(rows[6].submitted, "D\u{fffd}E");
        assert_eq!(rows[7].submitted.len(), MAX_TEXT);
    }
}
