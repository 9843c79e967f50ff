//! The Luhn sum (ISO/IEC 7812-1, annex B), which Italy, Spain and Sweden use.

use super::National;

/// The Luhn sum of `count` digits from `first` on, the last of them the check digit. A multiple of 10 fits.
#[inline]
pub(super) fn sum(national: National<'_>, first: usize, count: usize) -> u32 {
    let mut sum = 0;
    for offset in 0..count {
        let digit = national.digit(first + offset);
        sum += if (count - offset).is_multiple_of(2) { doubled(digit) } else { digit };
    }
    sum
}

/// The decimal digits of twice a digit, added up.
#[inline]
pub(super) const fn doubled(digit: u32) -> u32 {
    if digit > 4 { 2 * digit - 9 } else { 2 * digit }
}
