//! Sweden: the ten digits of an organisation number, the last a Luhn check digit, and 01.

use super::{National, Places, Verdict, luhn};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if !national.places.ends_with(b"01") {
        return Verdict::Unusual(Places { first: 10, last: 11 });
    }
    Verdict::check_character(luhn::sum(national, 0, 10).is_multiple_of(10), 9)
}
