//! Lithuania: nine digits for companies, twelve for persons and temporary registrations.

use super::{National, Verdict};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let check = national.last();
    if national.places[check - 1] != b'1' {
        return Verdict::unusual(check - 1);
    }
    let fits = if national.length == 9 {
        let first = national.weighted(0, [1, 2, 3, 4, 5, 6, 7, 8]);
        fits(national.digit(8), first, || national.weighted(0, [3, 4, 5, 6, 7, 8, 9, 1]))
    } else {
        let first = national.weighted(0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2]);
        fits(national.digit(11), first, || national.weighted(0, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4]))
    };
    Verdict::check_character(fits, check)
}

/// The second sum counts where the first has no digit for its rest.
#[inline]
fn fits(check: u32, first: u32, second: impl Fn() -> u32) -> bool {
    let mut rest = first % 11;
    if rest == 10 {
        rest = second() % 11 % 10;
    }
    check == rest
}
