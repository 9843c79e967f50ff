//! The hard structures of the national parts, after the table of the VIES FAQ. A text without its country's
//! structure is malformed. The forms in which numbers are really seen are in `forms`.

use crate::Prefix;

/// Whether a national part has the structure of its prefix. `national` is filled up with zeros, and `digits`
/// has a bit for every one of its bytes that is a digit, the lowest first.
#[inline]
pub(crate) fn has_structure(prefix: Prefix, national: &[u8; 12], length: u8, digits: u64) -> bool {
    if !(2..=12).contains(&length) {
        return false;
    }
    let all = (1 << length) - 1;
    if digits == all {
        return digit_lengths(prefix) >> length & 1 == 1
            && (prefix != Prefix::Be || matches!(national[0], b'0' | b'1'));
    }
    has_structure_with_letters(prefix, national, length, digits)
}

/// The lengths a national part of digits alone may have: bit 9 stands for nine digits.
const fn digit_lengths(prefix: Prefix) -> u16 {
    match prefix {
        Prefix::At | Prefix::Cy | Prefix::Es | Prefix::Ie => 0,
        Prefix::Dk | Prefix::Fi | Prefix::Hu | Prefix::Lu | Prefix::Mt | Prefix::Si => 1 << 8,
        Prefix::De | Prefix::Ee | Prefix::El | Prefix::Pt => 1 << 9,
        Prefix::Be | Prefix::Pl | Prefix::Sk => 1 << 10,
        Prefix::Fr | Prefix::Hr | Prefix::It | Prefix::Lv => 1 << 11,
        Prefix::Nl | Prefix::Se => 1 << 12,
        Prefix::Bg => 1 << 9 | 1 << 10,
        Prefix::Cz => 1 << 8 | 1 << 9 | 1 << 10,
        Prefix::Gb | Prefix::Lt | Prefix::Xi => 1 << 9 | 1 << 12,
        Prefix::Ro => (1 << 11) - (1 << 2),
    }
}

#[inline]
fn has_structure_with_letters(prefix: Prefix, national: &[u8; 12], length: u8, digits: u64) -> bool {
    let letter = |place: usize| national[place].is_ascii_uppercase();
    match (prefix, length) {
        (Prefix::At, 9) => national[0] == b'U' && digits == 0b1_1111_1110,
        (Prefix::Cy, 9) => digits == 0b0_1111_1111 && letter(8),
        // A letter at either end or at both.
        (Prefix::Es, 9) => match digits {
            0b1_1111_1110 => letter(0),
            0b0_1111_1111 => letter(8),
            0b0_1111_1110 => letter(0) && letter(8),
            _ => false,
        },
        (Prefix::Fr, 11) => {
            digits >> 2 == 0b1_1111_1111
                && national[..2].iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        }
        // The second place of the old form may hold a letter, `+` or `*`.
        (Prefix::Ie, 8) => digits | 0b10 == 0b0111_1111 && free(national[1]) && letter(7),
        (Prefix::Ie, 9) => digits == 0b0_0111_1111 && letter(7) && letter(8),
        (Prefix::Nl, 12) => {
            digits >> 10 == 0b11
                && national[..10].iter().all(|&byte| free(byte))
                && !is_dutch_by_accident(national, digits)
        }
        _ => false,
    }
}

/// Whether twelve characters only happen to be within the loose structure of the Netherlands: behind a prefix
/// typed twice, or in scientific notation, which a spreadsheet made of a number.
#[inline]
fn is_dutch_by_accident(national: &[u8; 12], digits: u64) -> bool {
    national.starts_with(b"NL") || digits == 0b1100_1111_1111 && &national[8..10] == b"E+"
}

/// Capital letters, digits, `+` and `*`.
#[inline]
const fn free(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'*')
}
