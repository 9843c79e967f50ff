//! Latvia: eleven digits; the first is above 3 for companies. Dates of birth are not looked at.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let fits = if national.places[0] > b'3' {
        national.weighted(0, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 == 3
    } else {
        (1 + national.weighted(0, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11 % 10 == national.digit(10)
    };
    Verdict::check_character(fits, 10)
}
