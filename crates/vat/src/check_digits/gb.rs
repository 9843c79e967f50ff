//! The United Kingdom and Northern Ireland: nine digits, the last two check digits, and for branches three
//! more. The ranges that some libraries block are not looked at.

use super::{National, Verdict};

const WEIGHTS: [u32; 7] = [8, 7, 6, 5, 4, 3, 2];

/// The first series fits 97 as it is; that issued since November 2009 does with 55 added ("9755").
#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let sum = national.weighted(0, WEIGHTS) + national.value(7, 2);
    let fits = sum != 0 && (sum.is_multiple_of(97) || (sum + 55).is_multiple_of(97));
    Verdict::check_characters(fits, 7, 8)
}

/// The check digits, 0 to 96, with which seven digits make a number of the first series.
pub(crate) fn first_series_check_digits(digits: [u8; 7]) -> u32 {
    let sum: u32 = WEIGHTS.iter().zip(digits).map(|(weight, digit)| weight * u32::from(digit)).sum();
    (97 - sum % 97) % 97
}
