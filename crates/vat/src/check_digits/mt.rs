//! Malta: eight digits, the last two check digits from 01 to 37.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if national.places[0] == b'0' {
        return Verdict::unusual(0);
    }
    let sum = national.weighted(0, [3, 4, 6, 7, 8, 9]);
    Verdict::check_characters(national.value(6, 2) == 37 - sum % 37, 6, 7)
}
