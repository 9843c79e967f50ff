//! Italy: eleven digits, the last a Luhn check digit. The office in the eighth to tenth is not looked at:
//! every library has another list.

use super::{National, Places, Verdict, luhn};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if national.places.starts_with(b"0000000") {
        return Verdict::Unusual(Places { first: 0, last: 6 });
    }
    Verdict::check_character(luhn::sum(national, 0, 11).is_multiple_of(10), 10)
}
