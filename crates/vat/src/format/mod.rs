//! From a typed text to a reading: normalising, then finding prefix and structure. The rules follow what
//! python-stdnum, jsvat and valvat strip and the structures of the VIES FAQ. What is said about the reading
//! is in `advice`.

mod ascii;
mod forms;
mod interpret;
mod labels;
mod lookalike;
mod plain;
mod structure;
mod text;
mod unicode;

pub(crate) use forms::forms;
pub(crate) use interpret::interpret;
pub(crate) use lookalike::{Lookalike, latin_letter, national_digit};
pub(crate) use structure::has_structure;
pub(crate) use text::Text;

use crate::reading::Repairs;
use crate::{MalformedReason, Prefix, Reading};

/// How many Unicode characters a text may have, counted before trimming.
pub const MAX_CHARACTERS: usize = 64;

/// Reads a text, beside which a country may have been given.
#[inline]
pub(crate) fn read(submitted: &str, country: Option<Prefix>) -> Reading {
    if country.is_none()
        && let Some(number) = plain::read(submitted.as_bytes())
    {
        return Reading::of_number(number, Repairs::default());
    }
    read_with_care(submitted, country)
}

fn read_with_care(submitted: &str, country: Option<Prefix>) -> Reading {
    if submitted.len() > MAX_CHARACTERS
        && let Some((end, _)) = submitted.char_indices().nth(MAX_CHARACTERS)
    {
        let beginning = Text::new(&unicode::normalise(&submitted[..end]));
        return Reading::malformed(MalformedReason::TooLong, Repairs::default(), beginning);
    }
    ascii::read(submitted, country).unwrap_or_else(|| unicode::read(submitted, country))
}
