//! The sentence for check digits that do not fit: which characters, and that only the registry can decide.

use super::words;
use super::{Advice, AdviceCode};
use crate::VatNumber;
use crate::check_digits::{Places, Verdict};

/// Nothing where the check digits fit.
pub(super) fn advice(number: VatNumber) -> Option<Advice> {
    let what = match number.verdict() {
        Verdict::Fits | Verdict::NothingToCheck => return None,
        Verdict::CheckCharacters(places) => {
            let (characters, verb, place) =
                named(number.national(), places, "check character", ("does", "do"));
            format!("The {characters} {place} {verb} not fit the rest")
        }
        Verdict::Unusual(places) => {
            let (characters, verb, place) = named(number.national(), places, "character", ("is", "are"));
            let country = words::country(number.prefix());
            format!("The {characters} {place} {verb} not known to occur there in numbers of {country}")
        }
        Verdict::Whole => "The characters after the country letters do not fit together".to_owned(),
    };
    let registry = number.registry();
    Some(Advice::new(
        AdviceCode::CheckDigitsDoNotFit,
        format!("{what}, which is often a slip; only {registry} can decide."),
    ))
}

/// The characters with their noun, the verb for one or several, and where they stand.
fn named(
    national: &str,
    places: Places,
    noun: &str,
    verbs: (&'static str, &'static str),
) -> (String, &'static str, String) {
    let characters = national.get(places.first..=places.last).unwrap_or_default();
    let first = words::ordinal(places.first + 1);
    if places.first == places.last {
        let place = format!("in the {first} place after the country letters");
        return (format!("{noun} {characters}"), verbs.0, place);
    }
    let joint = if places.first + 1 == places.last { "and" } else { "to" };
    let last = words::ordinal(places.last + 1);
    let place = format!("in the {first} {joint} {last} places after the country letters");
    (format!("{noun}s {characters}"), verbs.1, place)
}
