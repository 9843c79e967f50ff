//! What a member gives to be checked, as numbers in order, each with its line.

use thiserror::Error;
use vat::pasted::{Pasted, PastedError, numbers};

use crate::spreadsheet::{NotText, text_of};

/// Nothing can be checked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    /// The file is not text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// Nothing is in it, or too much.
    #[error(transparent)]
    Pasted(#[from] PastedError),
}

/// A number that is to be checked. Nothing else of what it was taken from is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenNumber {
    /// The line of the text or the file, as a spreadsheet shows it, from 1.
    pub line: u32,
    /// As typed.
    pub text: String,
}

impl From<Pasted<'_>> for GivenNumber {
    fn from(pasted: Pasted<'_>) -> Self {
        Self { line: u32::try_from(pasted.line).unwrap_or(u32::MAX), text: pasted.text.into_owned() }
    }
}

/// The numbers of a text that was typed or pasted.
///
/// # Errors
/// Nothing is in it, or too much.
pub fn numbers_of_text(text: &str) -> Result<Vec<GivenNumber>, InputError> {
    Ok(numbers(text)?.into_iter().map(GivenNumber::from).collect())
}

/// The numbers of a file, in whatever encoding a spreadsheet wrote it.
///
/// # Errors
/// It is not text, nothing is in it, or too much.
pub fn numbers_of_file(bytes: &[u8]) -> Result<Vec<GivenNumber>, InputError> {
    numbers_of_text(&text_of(bytes)?)
}
