//! Romania: two to ten digits, the last a check digit.

use super::{National, Verdict};

/// Weights of the digits before the check digit, from the right.
const WEIGHTS: [u32; 9] = [2, 3, 5, 7, 1, 2, 3, 5, 7];

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if national.places[0] == b'0' {
        return Verdict::unusual(0);
    }
    let last = national.last();
    let sum: u32 = (0..last).rev().zip(WEIGHTS).map(|(place, weight)| weight * national.digit(place)).sum();
    Verdict::check_character(national.digit(last) == 10 * sum % 11 % 10, last)
}
