//! The Netherlands: nine digits, `B` and two digits. Numbers of companies fit a test by 11; those that sole
//! traders have had since 2020 fit only one by 97, over the whole number with its prefix.

use super::{National, Places, Verdict};

/// `NL` and `B` as the test by 97 writes letters: A is 10, Z is 35.
const NL: u64 = 2321;
const B: u64 = 11;

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if let Some(place) = (0..9).find(|&place| !national.places[place].is_ascii_digit()) {
        return Verdict::unusual(place);
    }
    if national.places[9] != b'B' {
        return Verdict::unusual(9);
    }
    if national.places.ends_with(b"00") {
        return Verdict::Unusual(Places { first: 10, last: 11 });
    }
    if by_11(national) || by_97(national) { Verdict::Fits } else { Verdict::Whole }
}

#[inline]
fn by_11(national: National<'_>) -> bool {
    national.weighted(0, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 == national.digit(8)
}

fn by_97(national: National<'_>) -> bool {
    let mut number = NL * 1_000_000_000 + u64::from(national.value(0, 9));
    number = (number * 100 + B) * 100 + u64::from(national.value(10, 2));
    number % 97 == 1
}
