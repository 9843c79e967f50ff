//! Texts that hold many numbers: a list as people type it, a column or a table as a spreadsheet copies it, the content
//! of a CSV file. What each number is read as is `format`'s; how the bytes of a file become text is the server's.

mod columns;
mod countries;
mod records;

use std::{borrow::Cow, error::Error, fmt};

use self::{
    columns::{Column, is_heading},
    countries::joined,
    records::Records,
};
use crate::VatNumber;

/// Most numbers that are taken from one text.
pub const MAX_PASTED: usize = 10_000;

/// What may stand between two fields of a table.
const SEPARATORS: [char; 3] = ['\t', ';', ','];
/// What may stand between two numbers of a list. Blanks and dots are parts of numbers.
const BETWEEN_NUMBERS: [char; 5] = ['\n', '\r', '\t', ';', ','];
/// Written at the beginning of a file to say how it is encoded.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// One number of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pasted<'a> {
    /// The line it stands in, from 1: the row, as a spreadsheet shows it, when the text is a table.
    pub line: usize,
    /// As typed, without blanks and quotes around it, behind the country of its row where the number has none. Never empty;
    /// whether it is a number is not known.
    pub text: Cow<'a, str>,
    /// The piece of the text that the number itself was typed as, where it is one.
    pub typed: Option<&'a str>,
}

/// A text from which nothing is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PastedError {
    /// Nothing is in it.
    Nothing,
    /// More than [`MAX_PASTED`] numbers are in it.
    TooMany {
        /// How many.
        found: usize,
    },
}

impl fmt::Display for PastedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("there are no numbers in it"),
            Self::TooMany { found } => {
                write!(f, "there are {found} numbers in it; {MAX_PASTED} are taken at most")
            }
        }
    }
}

impl Error for PastedError {}

/// The numbers of a text, in order. Of a table it is the column in which most cells read as numbers, by themselves or with
/// the country in another column, or else the one whose heading says so; of anything else, what stands between line ends,
/// commas, semicolons and tabs.
///
/// # Errors
/// Nothing is in it, or too much.
pub fn numbers(text: &str) -> Result<Vec<Pasted<'_>>, PastedError> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let table = SEPARATORS
        .into_iter()
        .filter(|separator| text.contains(*separator))
        .find_map(|separator| Some((separator, Column::of_table(Records::of(text, separator))?)));
    let found = match table {
        Some((separator, column)) => of_column(text, separator, &column),
        None => of_list(text),
    };
    match found.len() {
        0 => Err(PastedError::Nothing),
        found if found > MAX_PASTED => Err(PastedError::TooMany { found }),
        _ => Ok(found),
    }
}

fn of_column<'a>(text: &'a str, separator: char, column: &Column) -> Vec<Pasted<'a>> {
    let skipped = usize::from(column.has_heading);
    Records::of(text, separator)
        .skip(skipped)
        .filter_map(|record| {
            let joined = joined(&record, column.index, &column.countries);
            let cell = trimmed(record.cells.into_iter().nth(column.index)?);
            let typed = if let Cow::Borrowed(cell) = cell { Some(cell) } else { None };
            let text = joined.map_or(cell, Cow::Owned);
            Some(Pasted { line: record.line, text, typed }).filter(|cell| !cell.text.is_empty())
        })
        .collect()
}

fn of_list(text: &str) -> Vec<Pasted<'_>> {
    let mut found: Vec<Pasted<'_>> = Vec::new();
    let mut line = 1;
    // A line ends with `\r`, `\n` or both.
    let mut after_return = false;
    for piece in text.split_inclusive(BETWEEN_NUMBERS) {
        let end = piece.chars().next_back().filter(|end| BETWEEN_NUMBERS.contains(end));
        let entry = unquoted(end.map_or(piece, |end| &piece[..piece.len() - end.len_utf8()]));
        if after_return && piece != "\n" {
            line += 1;
        }
        after_return = end == Some('\r');
        let is_left_out = entry.is_empty() || found.is_empty() && is_heading(entry);
        if !is_left_out {
            let pasted = |text| Pasted { line, text: Cow::Borrowed(text), typed: Some(text) };
            if is_several(entry) {
                found.extend(entry.split_whitespace().map(pasted));
            } else {
                found.push(pasted(entry));
            }
        }
        if end == Some('\n') {
            line += 1;
        }
    }
    found
}

/// Whether blanks stand between numbers, and not inside one.
fn is_several(entry: &str) -> bool {
    let is_number = |text| VatNumber::parse(text).number().is_some();
    entry.split_whitespace().nth(1).is_some() && !is_number(entry) && entry.split_whitespace().all(is_number)
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '"')
}

fn trimmed(cell: Cow<'_, str>) -> Cow<'_, str> {
    match cell {
        Cow::Borrowed(cell) => Cow::Borrowed(cell.trim()),
        Cow::Owned(cell) => Cow::Owned(cell.trim().to_owned()),
    }
}
