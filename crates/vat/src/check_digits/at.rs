//! Austria: `U` and eight digits, the last a check digit.

use super::{National, Verdict, luhn};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let digit = |place| national.digit(place);
    let plain = digit(1) + digit(3) + digit(5) + digit(7);
    let doubled = luhn::doubled(digit(2)) + luhn::doubled(digit(4)) + luhn::doubled(digit(6));
    Verdict::check_character((plain + doubled + 4 + digit(8)).is_multiple_of(10), 8)
}
