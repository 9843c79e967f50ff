//! Luxembourg: eight digits, the last two the rest of the others by 89.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    Verdict::check_characters(national.value(0, 6) % 89 == national.value(6, 2), 6, 7)
}
