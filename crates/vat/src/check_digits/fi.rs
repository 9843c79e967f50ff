//! Finland: eight digits, the last a check digit.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let sum = national.weighted(0, [7, 9, 10, 5, 8, 4, 2]) + national.digit(7);
    Verdict::check_character(sum.is_multiple_of(11), 7)
}
