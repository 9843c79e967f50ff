//! Cyprus: eight digits and a check letter.

use super::{National, Places, Verdict};

/// What the digits at the first, third, fifth and seventh place count.
const ODD_PLACES: [u32; 10] = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    match national.places {
        [b'7' | b'8', ..] => return Verdict::unusual(0),
        [b'1', b'2', ..] => return Verdict::Unusual(Places { first: 0, last: 1 }),
        _ => {}
    }
    let mut sum = 0;
    for place in [0, 2, 4, 6] {
        sum += ODD_PLACES[(national.digit(place) % 10) as usize] + national.digit(place + 1);
    }
    Verdict::check_character(u32::from(national.places[8] - b'A') == sum % 26, 8)
}
