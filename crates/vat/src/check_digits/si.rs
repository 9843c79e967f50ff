//! Slovenia: eight digits, the last a check digit.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if national.places[0] == b'0' {
        return Verdict::unusual(0);
    }
    let fits = match national.weighted(0, [8, 7, 6, 5, 4, 3, 2]) % 11 {
        0 => false,
        rest => national.digit(7) == (11 - rest) % 10,
    };
    Verdict::check_character(fits, 7)
}
