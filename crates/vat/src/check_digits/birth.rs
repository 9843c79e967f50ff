//! Days and months of birth, which the numbers of persons carry in several countries. Years are not looked at:
//! their two digits can stand for any century.

use super::{National, Places, Verdict};

/// Days in January, February and so on, in the longest year.
const DAYS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// Whether a month has such a day. Some of these are added to the month, for the sex or the century.
#[inline]
pub(super) fn is_plausible(day: u32, month: u32, added: &[u32]) -> bool {
    added.iter().any(|added| {
        let days = month.checked_sub(added + 1).and_then(|index| DAYS.get(index as usize));
        days.is_some_and(|days| (1..=*days).contains(&day))
    })
}

/// As [`is_plausible`], for a national part that begins with year, month and day.
#[inline]
pub(super) fn begins_plausibly(national: National<'_>, added: &[u32]) -> bool {
    is_plausible(national.value(4, 2), national.value(2, 2), added)
}

/// For a national part that begins with a year and a month and day that cannot be.
pub(super) const IMPLAUSIBLE: Verdict = Verdict::Unusual(Places { first: 2, last: 5 });
