//! Belgium: ten digits, the last two 97 less the rest of the others by 97.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    Verdict::check_characters(national.value(8, 2) == 97 - national.value(0, 8) % 97, 8, 9)
}
