//! Small words for sentences: countries with their article, places in a row.

use std::borrow::Cow;

use crate::Prefix;

/// The country within a sentence: `the Netherlands`.
pub(super) fn country(prefix: Prefix) -> Cow<'static, str> {
    match prefix {
        Prefix::Gb | Prefix::Nl => Cow::Owned(format!("the {}", prefix.country_name())),
        _ => Cow::Borrowed(prefix.country_name()),
    }
}

/// The country at the start of a sentence: `The Netherlands`.
pub(super) fn country_at_start(prefix: Prefix) -> Cow<'static, str> {
    match prefix {
        Prefix::Gb | Prefix::Nl => Cow::Owned(format!("The {}", prefix.country_name())),
        _ => Cow::Borrowed(prefix.country_name()),
    }
}

/// The word for nine or ten things, and otherwise the number.
pub(super) fn count(things: usize) -> Cow<'static, str> {
    match things {
        9 => Cow::Borrowed("nine"),
        10 => Cow::Borrowed("ten"),
        _ => Cow::Owned(things.to_string()),
    }
}

const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

/// The word for a place counted from 1, and from the thirteenth on the number.
pub(super) fn ordinal(position: usize) -> Cow<'static, str> {
    if let Some(word) = position.checked_sub(1).and_then(|index| ORDINALS.get(index)) {
        return Cow::Borrowed(word);
    }
    let ending = match (position % 10, position % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    Cow::Owned(format!("{position}{ending}"))
}
