//! Czechia: eight digits for companies; nine or ten for persons, mostly with a date of birth.

use super::{National, Verdict, birth};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    match (national.length, national.places[0]) {
        (8, b'9') => Verdict::unusual(0),
        (8, _) => Verdict::check_character(national.digit(7) == company(national), 7),
        (9, b'6') => Verdict::check_character(national.digit(8) == special(national), 8),
        // A birth number issued before 1954 has no check digit.
        (9, _) if birth::begins_plausibly(national, &[0, 50]) => Verdict::NothingToCheck,
        (9, _) => birth::IMPLAUSIBLE,
        _ if !birth::begins_plausibly(national, &[0, 20, 50, 70]) => birth::IMPLAUSIBLE,
        _ => Verdict::check_character(national.digit(9) == national.value(0, 9) % 11 % 10, 9),
    }
}

#[inline]
fn company(national: National<'_>) -> u32 {
    match national.weighted(0, [8, 7, 6, 5, 4, 3, 2]) % 11 {
        0 | 10 => 1,
        1 => 0,
        rest => 11 - rest,
    }
}

/// A person without a birth number: nine digits of which the first is 6.
fn special(national: National<'_>) -> u32 {
    match national.weighted(1, [8, 7, 6, 5, 4, 3, 2]) % 11 {
        0 => 8,
        1 => 9,
        rest => rest - 2,
    }
}
