//! The quickest way, for what programs mostly send: a number of letters and digits alone. Eight bytes are
//! looked at in one step, each in its own eighth of a 64-bit word.

use crate::{Prefix, VatNumber};

/// The highest bit of every byte of a word, where the answers to questions about the bytes are given.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Reads a number of 8 to 14 letters and digits. Nothing for any other text: that says nothing about it.
#[inline]
pub(super) fn read(text: &[u8]) -> Option<VatNumber> {
    let length = u8::try_from(text.len()).ok().filter(|length| (8..=14).contains(length))?;
    let low = Word(u64::from_le_bytes(*text.first_chunk()?));
    // The last eight bytes, less those that the first word has.
    let last = u64::from_le_bytes(*text.last_chunk()?);
    let high = Word(last.checked_shr(8 * (16 - u32::from(length))).unwrap_or(0));

    let (low_digits, low_letters) = (low.digits(), low.letters());
    let (high_digits, high_letters) = (high.digits(), high.letters());
    let of_high = HIGH & ((1 << (8 * (length - 8))) - 1);
    if (low.0 | high.0) & HIGH != 0
        || low_digits | low_letters != HIGH
        || high_digits | high_letters != of_high
    {
        return None;
    }
    let capitals = u128::from(high.capitals(high_letters)) << 64 | u128::from(low.capitals(low_letters));
    let capitals = capitals.to_le_bytes();
    let prefix = Prefix::from_letters(capitals[0], capitals[1])?;
    let digits = bits(high_digits) << 8 | bits(low_digits);
    VatNumber::of_structure(prefix, capitals, length, digits)
}

/// Eight bytes, the first the lowest. What is asked of them is right for ASCII.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    /// Which bytes are digits.
    #[inline]
    const fn digits(self) -> u64 {
        at_least(self.0, b'0') & !at_least(self.0, b'9' + 1)
    }

    /// Which bytes are letters, small or capital.
    #[inline]
    const fn letters(self) -> u64 {
        let raised = self.0 & !repeated(0x20);
        at_least(raised, b'A') & !at_least(raised, b'Z' + 1)
    }

    /// The bytes with their letters as capitals.
    #[inline]
    const fn capitals(self, letters: u64) -> u64 {
        self.0 & !(letters >> 2)
    }
}

/// Which bytes are at least `least`; both are ASCII, so that no sum reaches the next byte.
#[inline]
const fn at_least(bytes: u64, least: u8) -> u64 {
    (bytes & !HIGH).wrapping_add(repeated(0x80 - least)) & HIGH
}

const fn repeated(byte: u8) -> u64 {
    0x0101_0101_0101_0101 * byte as u64
}

/// The highest bits of the eight bytes next to each other, the first byte's the lowest.
#[inline]
const fn bits(highest: u64) -> u64 {
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
