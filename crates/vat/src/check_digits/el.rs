//! Greece: nine digits, the last a check digit.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let sum = national.weighted(0, [256, 128, 64, 32, 16, 8, 4, 2]);
    Verdict::check_character(national.digit(8) == sum % 11 % 10, 8)
}
