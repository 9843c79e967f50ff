//! Germany: nine digits, the last a check digit.

use super::{National, Verdict, iso_7064};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if national.places[0] == b'0' {
        return Verdict::unusual(0);
    }
    Verdict::check_character(iso_7064::fits(national, 9), 8)
}
