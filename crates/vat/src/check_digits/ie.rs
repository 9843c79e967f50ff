//! Ireland: seven digits and a check letter; since 2013 with a second letter; or the old form, whose second
//! character is a letter, `+` or `*` that counts nothing.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let Some(check) = letter(national.places[7]) else { return Verdict::unusual(7) };
    let sum = if national.places[1].is_ascii_digit() {
        national.weighted(0, [8, 7, 6, 5, 4, 3, 2])
    } else {
        national.weighted(2, [7, 6, 5, 4, 3]) + 2 * national.digit(0)
    };
    let second = if national.length == 9 {
        match national.places[8] {
            byte @ (b'A'..=b'I' | b'W') => letter(byte).unwrap_or_default(),
            _ => return Verdict::unusual(8),
        }
    } else {
        0
    };
    Verdict::check_character((sum + 9 * second) % 23 == check, 7)
}

/// What a letter counts: W nothing, A to V 1 to 22.
#[inline]
const fn letter(byte: u8) -> Option<u32> {
    match byte {
        b'W' => Some(0),
        b'A'..=b'V' => Some((byte - b'A') as u32 + 1),
        _ => None,
    }
}
