//! Latvia: eleven digits; the first is above 3 for companies. Numbers of persons begin with the day and month
//! of birth, and with 32 where they were issued since July 2017.

use super::{National, Places, Verdict, birth};

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let fits = if national.places[0] > b'3' {
        national.weighted(0, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 == 3
    } else {
        let (day, month) = (national.value(0, 2), national.value(2, 2));
        if day != 32 && !birth::is_plausible(day, month, &[0]) {
            return Verdict::Unusual(Places { first: 0, last: 3 });
        }
        (1 + national.weighted(0, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11 % 10 == national.digit(10)
    };
    Verdict::check_character(fits, 10)
}
