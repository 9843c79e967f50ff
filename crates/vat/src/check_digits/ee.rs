//! Estonia: nine digits that begin with 10, the last a check digit.

use super::{National, Places, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if !national.places.starts_with(b"10") {
        return Verdict::Unusual(Places { first: 0, last: 1 });
    }
    Verdict::check_character(national.weighted(0, [3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10), 8)
}
