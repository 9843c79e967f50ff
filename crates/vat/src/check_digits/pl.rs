//! Poland: ten digits, the last a check digit.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    // A rest of 10 has no digit, so no number has it.
    let rest = national.weighted(0, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11;
    Verdict::check_character(national.digit(9) == rest, 9)
}
