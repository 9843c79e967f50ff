//! Which column of a table holds the VAT numbers, and which say of what country they are.

use super::countries::{country_columns, joined};
use super::records::{Record, Records};
use crate::{CheckDigits, VatNumber};

/// Records that are looked at; those after them are like them.
const SAMPLE: usize = 500;
/// Columns that are looked at.
const MOST_COLUMNS: usize = 200;

/// Words and abbreviations for value added tax and its numbers as they head columns in the member states: whole words,
/// in lower case, without dots.
const WORDS: [&str; 45] = [
    "vat",
    "vatno",
    "vatnr",
    "vatid",
    "vatin",
    "vatnumber",
    "vatregno",
    "ust",
    "ustid",
    "ustidnr",
    "ustidnummer",
    "uid",
    "mwst",
    "mwstnr",
    "tva",
    "tvanr",
    "iva",
    "piva",
    "partitaiva",
    "btw",
    "btwnr",
    "btwnummer",
    "moms",
    "momsnr",
    "momsnummer",
    "momsregnr",
    "alv",
    "alvnumero",
    "ytunnus",
    "dph",
    "dič",
    "nip",
    "áfa",
    "adószám",
    "αφμ",
    "φπα",
    "pvn",
    "pvm",
    "pdv",
    "ddv",
    "kmkr",
    "oib",
    "cif",
    "nif",
    "ддс",
];
/// Beginnings of words that are written in one, as German and the Nordic languages do.
const BEGINNINGS: [&str; 5] =
    ["umsatzsteuer", "mehrwertsteuer", "momsregistrering", "arvonlisävero", "käibemaks"];

/// The column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// From 0.
    pub(super) index: usize,
    /// The first record is no number but says what stands below it.
    pub(super) has_heading: bool,
    /// The columns of countries beside it.
    pub(super) countries: Vec<usize>,
}

/// What was seen in a column.
#[derive(Clone, Copy, Default)]
struct Seen {
    cells: usize,
    numbers: usize,
    is_headed: bool,
    begins_with_number: bool,
}

impl Seen {
    const fn is_mostly_numbers(self) -> bool {
        self.numbers * 2 > self.cells
    }
}

impl Column {
    /// The column with the numbers, if the records are a table that has exactly one.
    pub(super) fn of_table(records: Records<'_>) -> Option<Self> {
        let sample: Vec<Record<'_>> = records.take(SAMPLE).collect();
        let width = sample.first()?.cells.len();
        let as_wide = sample.iter().filter(|record| record.cells.len() == width).count();
        if sample.len() < 2 || !(2..=MOST_COLUMNS).contains(&width) || as_wide * 5 < sample.len() * 4 {
            return None;
        }
        let columns: Vec<Seen> = (0..width).map(|index| seen(&sample, index)).collect();
        let of_numbers = only(&columns, |column| column.is_mostly_numbers());
        let headed_numbers = || only(&columns, |column| column.is_headed && column.is_mostly_numbers());
        let none_of_numbers = !columns.iter().any(|column| column.is_mostly_numbers());
        let beside_countries = || none_of_numbers.then(|| beside_countries(&sample, &columns)).flatten();
        let headed = || only(&columns, |column| column.is_headed && none_of_numbers);
        let index = of_numbers.or_else(headed_numbers).or_else(beside_countries).or_else(headed)?;
        Some(Self {
            index,
            has_heading: !columns[index].begins_with_number && first_is_heading(&sample, index),
            countries: country_columns(&sample, index),
        })
    }
}

/// The only column in which most cells are numbers, by themselves or of the country in another column of their row. Where no
/// heading says so, the check digits of the latter have to fit: customers have telephones too.
fn beside_countries(sample: &[Record<'_>], columns: &[Seen]) -> Option<usize> {
    let joined: Vec<Seen> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| Seen {
            numbers: column.numbers + joined_numbers(sample, index, *column),
            ..*column
        })
        .collect();
    only(&joined, |column| column.is_headed && column.is_mostly_numbers())
        .or_else(|| only(&joined, |column| column.is_mostly_numbers()))
}

fn joined_numbers(sample: &[Record<'_>], index: usize, column: Seen) -> usize {
    let countries = country_columns(sample, index);
    let is_number = |record: &&Record<'_>| {
        let number = joined(record, index, &countries).and_then(|text| VatNumber::parse(&text).number());
        number.is_some_and(|number| column.is_headed || number.check_digits() != CheckDigits::DoNotFit)
    };
    sample.iter().filter(is_number).count()
}

fn seen(sample: &[Record<'_>], index: usize) -> Seen {
    let mut seen = Seen::default();
    for (row, record) in sample.iter().enumerate() {
        let Some(cell) = record.cells.get(index).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
        else {
            continue;
        };
        let is_number = VatNumber::parse(cell).number().is_some();
        if row == 0 {
            seen.is_headed = is_heading(cell);
            seen.begins_with_number = is_number;
            if seen.is_headed {
                continue;
            }
        }
        seen.cells += 1;
        seen.numbers += usize::from(is_number);
    }
    seen
}

/// A cell without a digit above numbers is their heading in whatever language.
fn first_is_heading(sample: &[Record<'_>], index: usize) -> bool {
    let first = sample.first().and_then(|record| record.cells.get(index));
    first.is_some_and(|cell| is_heading(cell) || !cell.contains(|c: char| c.is_ascii_digit()))
}

/// The index of the only column that is so.
fn only(columns: &[Seen], is_so: impl Fn(&Seen) -> bool) -> Option<usize> {
    let mut found = columns.iter().enumerate().filter(|(_, column)| is_so(column)).map(|(index, _)| index);
    found.next().filter(|_| found.next().is_none())
}

/// Whether a text says that VAT numbers stand below it.
pub(super) fn is_heading(text: &str) -> bool {
    // No number has so few digits, and "VAT 2" is a heading all the same.
    if text.len() > 200 || text.chars().filter(char::is_ascii_digit).count() > 1 {
        return false;
    }
    let text: String = text.chars().filter(|c| *c != '.').map(lower).collect();
    text.split(|c: char| !is_of_word(c))
        .any(|word| WORDS.contains(&word) || BEGINNINGS.iter().any(|beginning| word.starts_with(beginning)))
}

/// The small letter, as far as the words above need it: the tables for all letters are a good part of what a browser would
/// have to load.
const fn lower(c: char) -> char {
    match c {
        'A'..='Z' => c.to_ascii_lowercase(),
        'Ä' => 'ä',
        'Á' => 'á',
        'Ó' => 'ó',
        'Č' => 'č',
        'Α' => 'α',
        'Φ' => 'φ',
        'Μ' => 'μ',
        'Π' => 'π',
        'Д' => 'д',
        'С' => 'с',
        _ => c,
    }
}

/// Whether it is no blank or mark between words.
const fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii() && !matches!(c, '\u{80}'..='\u{bf}' | '\u{2000}'..='\u{206f}')
}
