//! The way for text in ASCII: one pass that drops separators and raises letters, without an allocation.

use super::{MAX_CHARACTERS, interpret};
use crate::reading::{Repair, Repairs};
use crate::{Prefix, Reading, VatNumber};

/// Set in [`CLASSES`] for what cannot stand in a number.
const FOREIGN: u8 = 0x80;

/// What becomes of each byte: 0 for a separator, else the byte as a capital, with [`FOREIGN`] where it cannot
/// stand in a number.
static CLASSES: [u8; 256] = {
    let mut classes = [FOREIGN; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'\t'..=b'\r'
            | b' '
            | b'-'
            | b'.'
            | b'/'
            | b':'
            | b','
            | b'\''
            | b'`'
            | b'"'
            | b'_'
            | b'('
            | b')' => 0,
            b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'*' => byte,
            b'a'..=b'z' => byte.to_ascii_uppercase(),
            _ => byte | FOREIGN,
        };
        byte += 1;
    }
    classes
};

/// Whether this character is dropped wherever it stands.
pub(super) fn is_separator(byte: u8) -> bool {
    CLASSES[usize::from(byte)] == 0
}

/// Reads a text of at most [`MAX_CHARACTERS`] bytes, or nothing where it is longer or not ASCII.
#[inline]
pub(super) fn read(submitted: &str, country: Option<Prefix>) -> Option<Reading> {
    if submitted.len() > MAX_CHARACTERS {
        return None;
    }
    let mut bytes = [0_u8; MAX_CHARACTERS];
    let mut length = 0_u8;
    let mut digits = 0_u64;
    let mut seen = 0_u8;
    for &byte in submitted.as_bytes() {
        let class = CLASSES[usize::from(byte)];
        // The remainder is never needed; it spares the check of the bounds.
        bytes[usize::from(length) % MAX_CHARACTERS] = class;
        digits |= u64::from(class.wrapping_sub(b'0') < 10) << (length % 64);
        seen |= class;
        length += u8::from(class != 0);
    }
    let mut repairs = Repairs::default();
    if usize::from(length) != submitted.len() && submitted.trim().len() != usize::from(length) {
        repairs.insert(Repair::SeparatorsRemoved);
    }
    if country.is_none()
        && seen & FOREIGN == 0
        && let Some(number) = number(&bytes, length, digits)
    {
        return Some(Reading::of_number(number, repairs));
    }
    if seen & FOREIGN == 0 {
        let text = str::from_utf8(bytes.get(..usize::from(length))?).ok()?;
        return Some(interpret(text, country, repairs));
    }
    submitted.is_ascii().then(|| foreign(&mut bytes[..usize::from(length)], country, repairs))
}

#[inline]
fn number(bytes: &[u8; MAX_CHARACTERS], length: u8, digits: u64) -> Option<VatNumber> {
    let prefix = Prefix::from_letters(bytes[0], bytes[1])?;
    VatNumber::of_structure(prefix, *bytes.first_chunk()?, length, digits)
}

/// A text in ASCII with characters that cannot stand in a number.
#[cold]
fn foreign(bytes: &mut [u8], country: Option<Prefix>, repairs: Repairs) -> Reading {
    for byte in &mut *bytes {
        *byte &= !FOREIGN;
    }
    // Always ASCII by now.
    interpret(str::from_utf8(bytes).unwrap_or_default(), country, repairs)
}
