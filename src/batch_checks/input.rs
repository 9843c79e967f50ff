//! What a member gives to be checked, as numbers in order.

use thiserror::Error;
use vat::pasted::{PastedError, numbers};

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

/// The numbers of a text that was typed or pasted.
///
/// # Errors
/// Nothing is in it, or too much.
pub fn numbers_of_text(text: &str) -> Result<Vec<String>, InputError> {
    Ok(numbers(text)?.into_iter().map(|pasted| pasted.text.into_owned()).collect())
}

/// The numbers of a file, in whatever encoding a spreadsheet wrote it.
///
/// # Errors
/// It is not text, nothing is in it, or too much.
pub fn numbers_of_file(bytes: &[u8]) -> Result<Vec<String>, InputError> {
    numbers_of_text(&text_of(bytes)?)
}
