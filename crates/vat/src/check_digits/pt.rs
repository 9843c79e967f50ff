//! Portugal: nine digits, the last a check digit.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if national.places[0] == b'0' {
        return Verdict::unusual(0);
    }
    let check = match national.weighted(0, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    };
    Verdict::check_character(national.digit(8) == check, 8)
}
