//! Bulgaria: nine digits for companies; ten for persons, foreigners and others, whose kind is not to be seen.

use super::{National, Verdict, birth};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    if national.length == 9 {
        Verdict::check_character(company(national), 8)
    } else if foreigner(national) || other(national) {
        Verdict::Fits
    } else if person(national) && !birth::begins_plausibly(national, &[0, 20, 40]) {
        birth::IMPLAUSIBLE
    } else {
        Verdict::check_character(person(national), 9)
    }
}

#[inline]
fn company(national: National<'_>) -> bool {
    let mut rest = national.weighted(0, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
    if rest == 10 {
        rest = national.weighted(0, [3, 4, 5, 6, 7, 8, 9, 10]) % 11 % 10;
    }
    national.digit(8) == rest
}

/// Begins with the date of birth.
fn person(national: National<'_>) -> bool {
    national.digit(9) == national.weighted(0, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11 % 10
}

fn foreigner(national: National<'_>) -> bool {
    national.digit(9) == national.weighted(0, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10
}

fn other(national: National<'_>) -> bool {
    (national.weighted(0, [4, 3, 2, 7, 6, 5, 4, 3, 2]) + national.digit(9)).is_multiple_of(11)
}
