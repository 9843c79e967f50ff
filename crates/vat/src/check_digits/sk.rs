//! Slovakia: ten digits, together a multiple of 11.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    match national.places {
        [b'0', ..] => return Verdict::unusual(0),
        [_, _, b'0' | b'1' | b'5', ..] => return Verdict::unusual(2),
        _ => {}
    }
    // A power of ten leaves 1 or 10 by 11, so this sum stands for the number itself.
    let sum = national.weighted(0, [10, 1, 10, 1, 10, 1, 10, 1, 10, 1]);
    Verdict::check_character(sum.is_multiple_of(11), 9)
}
