//! Denmark: eight digits, the last a check digit.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if national.places[0] == b'0' {
        return Verdict::unusual(0);
    }
    Verdict::check_character(national.weighted(0, [2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11), 7)
}
