//! Hungary: eight digits, the last a check digit.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    Verdict::check_character(national.weighted(0, [9, 7, 3, 1, 9, 7, 3, 1]).is_multiple_of(10), 7)
}
