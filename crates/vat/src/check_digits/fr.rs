//! France and Monaco: a key of two characters and the nine digits of a SIREN. The SIREN's own check digit is
//! not looked at: at least one real one fails it, and Monaco's are not SIRENs.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let siren = national.value(2, 9);
    let [first, second, ..] = *national.places;
    let fits = if first.is_ascii_digit() && second.is_ascii_digit() {
        national.value(0, 2) == (12 + 3 * (siren % 97)) % 97
    } else {
        let Some(one) = key_character(first) else { return Verdict::unusual(0) };
        let Some(two) = key_character(second) else { return Verdict::unusual(1) };
        let key = if one < 10 { 24 * one + two - 10 } else { 34 * one + two - 100 };
        (siren + 1 + key / 11) % 11 == key % 11
    };
    Verdict::check_characters(fits, 0, 1)
}

/// The place of a key's character among the digits and the letters but I and O, from 0.
const fn key_character(byte: u8) -> Option<u32> {
    Some(match byte {
        b'0'..=b'9' => (byte - b'0') as u32,
        b'A'..=b'H' => (byte - b'A') as u32 + 10,
        b'J'..=b'N' => (byte - b'J') as u32 + 18,
        b'P'..=b'Z' => (byte - b'P') as u32 + 23,
        _ => return None,
    })
}
