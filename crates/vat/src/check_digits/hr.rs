//! Croatia: eleven digits, the last a check digit. Persons and companies have the same form.

use super::{National, Verdict, iso_7064};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    Verdict::check_character(iso_7064::fits(national, 11), 10)
}
