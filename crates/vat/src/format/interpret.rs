//! What a normalised text means: label, prefix and structure, and the repairs that need no question.

use super::lookalike::latin_in_prefix;
use super::{Text, labels};
use crate::reading::{Repair, Repairs};
use crate::{CheckDigits, MalformedReason, Prefix, Reading, UnsupportedReason, VatNumber};

/// Reads a text without separators, its ASCII letters in capitals.
pub(crate) fn interpret(text: &str, country: Option<Prefix>, mut repairs: Repairs) -> Reading {
    let text = without_labels(text, &mut repairs);
    if text.is_empty() {
        return Reading::malformed(MalformedReason::Empty, repairs, Text::EMPTY);
    }
    if let Some(country) = country
        && !has_own_prefix(text, country)
    {
        repairs.insert(Repair::PrefixFromCountry);
        return with_prefix(country, text, repairs);
    }
    let Some((code, national)) = text.split_at_checked(2).filter(|(code, _)| is_letters(code)) else {
        return no_number(MalformedReason::MissingPrefix, "", text, repairs);
    };
    match Typed::of(code) {
        Some(typed) => with_typed_prefix(typed, national, repairs),
        None if !text.bytes().all(may_stand) => no_number(MalformedReason::Characters, "", text, repairs),
        // Words such as "none" are no country's number.
        None if !text.bytes().any(|byte| byte.is_ascii_digit()) => {
            no_number(MalformedReason::MissingPrefix, "", text, repairs)
        }
        None => Reading::unsupported(not_covered(code, national), repairs, Text::new(text)),
    }
}

/// The text without the words before the number.
pub(super) fn without_labels<'a>(mut text: &'a str, repairs: &mut Repairs) -> &'a str {
    // No label begins like a prefix, and most texts begin with one.
    while text.get(..2).and_then(Typed::of).is_none()
        && let Some(rest) = labels::strip(text)
    {
        repairs.insert(Repair::LabelRemoved);
        text = rest;
    }
    text
}

/// Whether the first two letters are a prefix, or look like one.
pub(super) fn begins_with_prefix(text: &str) -> bool {
    let letters = text.chars().take(2).map(|letter| latin_in_prefix(letter).unwrap_or(letter));
    Typed::of(&letters.collect::<String>()).is_some()
}

/// A prefix as it was typed.
#[derive(Clone, Copy)]
struct Typed {
    prefix: Prefix,
    /// Whether the letters were not those of the prefix itself.
    replaced: bool,
}

impl Typed {
    fn of(code: &str) -> Option<Self> {
        match code {
            "GR" => Some(Self { prefix: Prefix::El, replaced: true }),
            "UK" => Some(Self { prefix: Prefix::Gb, replaced: true }),
            _ => Prefix::from_code(code).map(|prefix| Self { prefix, replaced: false }),
        }
    }
}

/// Whether a text goes by the two letters it begins with, not by the country beside it. A French key may be two
/// letters, as are `GD` and `HA`: what has such a form is of another country only where its check digits fit.
fn has_own_prefix(text: &str, country: Prefix) -> bool {
    let Some(code) = text.get(..2).filter(|code| is_letters(code)) else { return false };
    if !matches!(country, Prefix::Fr | Prefix::Gb | Prefix::Xi) || code == country.as_str() {
        return true;
    }
    let own = interpret(text, None, Repairs::default());
    if own.check_digits() == Some(CheckDigits::Fit) {
        return true;
    }
    number(country, text).is_none() && !is_government_or_health_body(country, text)
}

fn with_typed_prefix(typed: Typed, national: &str, mut repairs: Repairs) -> Reading {
    if typed.replaced {
        repairs.insert(Repair::PrefixReplaced);
    }
    if let Some(number) = number(typed.prefix, national) {
        return Reading::of_number(number, repairs);
    }
    let mut last = typed;
    let mut rest = national;
    // One at a time, since a French key may itself be the letters FR.
    while let Some((next, after)) = repeated_prefix(typed.prefix, rest) {
        let same = next.replaced == last.replaced;
        repairs.insert(if same { Repair::PrefixRepeated } else { Repair::PrefixReplaced });
        (last, rest) = (next, after);
        if let Some(number) = number(typed.prefix, rest) {
            return Reading::of_number(number, repairs);
        }
    }
    without_words_within(typed.prefix, rest, repairs)
        .unwrap_or_else(|| not_as_it_stands(typed.prefix, rest, repairs))
}

/// What follows the prefix when it stands there again.
fn repeated_prefix(prefix: Prefix, rest: &str) -> Option<(Typed, &str)> {
    // Many take the U for a part of the Austrian prefix.
    let again = match rest.strip_prefix('U') {
        Some(again) if prefix == Prefix::At && again.starts_with("ATU") => again,
        _ => rest,
    };
    let (code, after) = again.split_at_checked(2)?;
    Typed::of(code).filter(|next| next.prefix == prefix).map(|next| (next, after))
}

/// The number behind words that stand after the prefix, and perhaps behind the prefix once more.
fn without_words_within(prefix: Prefix, national: &str, mut repairs: Repairs) -> Option<Reading> {
    // Mostly there is a digit or two missing, which need not wait for the table of words.
    if national.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let unlabelled = labels::strip(national)?;
    repairs.insert(Repair::LabelRemoved);
    let behind_prefix = repeated_prefix(prefix, unlabelled).map(|(_, after)| after);
    [Some(unlabelled), behind_prefix]
        .into_iter()
        .flatten()
        .map(|national| with_prefix(prefix, national, repairs))
        .find(|reading| reading.number().is_some())
}

fn with_prefix(prefix: Prefix, national: &str, repairs: Repairs) -> Reading {
    match number(prefix, national) {
        Some(number) => Reading::of_number(number, repairs),
        None => not_as_it_stands(prefix, national, repairs),
    }
}

/// For a national part that has not the structure of its prefix.
fn not_as_it_stands(prefix: Prefix, national: &str, mut repairs: Repairs) -> Reading {
    if let Some(number) = with_leading_zero(prefix, national) {
        repairs.insert(Repair::LeadingZeroAdded);
        return Reading::of_number(number, repairs);
    }
    if is_government_or_health_body(prefix, national) {
        let text = Text::joined(prefix.as_str(), national);
        return Reading::unsupported(UnsupportedReason::GovernmentOrHealthBody, repairs, text);
    }
    no_number(MalformedReason::Structure, prefix.as_str(), national, repairs)
}

/// Malformed for this reason, unless a character stands in the way first. The text comes in two parts.
fn no_number(reason: MalformedReason, start: &str, end: &str, repairs: Repairs) -> Reading {
    let reason = if end.bytes().all(may_stand) { reason } else { MalformedReason::Characters };
    Reading::malformed(reason, repairs, Text::joined(start, end))
}

/// A number of this prefix and national part, if they have its structure.
fn number(prefix: Prefix, national: &str) -> Option<VatNumber> {
    let mut text = [0_u8; 16];
    let [first, second, places @ .., _, _] = &mut text;
    [*first, *second] = *prefix.as_str().as_bytes().first_chunk()?;
    places.get_mut(..national.len())?.copy_from_slice(national.as_bytes());
    let mut digits = 0;
    for (place, byte) in text.iter().enumerate() {
        digits |= u64::from(byte.is_ascii_digit()) << place;
    }
    VatNumber::of_structure(prefix, text, u8::try_from(2 + national.len()).ok()?, digits)
}

/// Belgian numbers of the older style have nine digits, Greek ones eight.
fn with_leading_zero(prefix: Prefix, national: &str) -> Option<VatNumber> {
    match (prefix, national.len()) {
        (Prefix::Be, 9) | (Prefix::El, 8) => number(prefix, &["0", national].concat()),
        _ => None,
    }
}

fn is_government_or_health_body(prefix: Prefix, national: &str) -> bool {
    matches!(prefix, Prefix::Gb | Prefix::Xi)
        && matches!(national.as_bytes(), [b'G', b'D', digits @ ..] | [b'H', b'A', digits @ ..]
            if digits.len() == 3 && digits.iter().all(u8::is_ascii_digit))
}

/// Why a code that is no prefix is not covered.
fn not_covered(code: &str, national: &str) -> UnsupportedReason {
    let digits = national.bytes().all(|byte| byte.is_ascii_digit());
    match (code, national.len()) {
        ("EU", 9) if digits => UnsupportedReason::OneStopShop,
        ("IM", 10) if digits => UnsupportedReason::ImportScheme,
        _ => UnsupportedReason::CountryNotCovered,
    }
}

fn is_letters(code: &str) -> bool {
    code.bytes().all(|byte| byte.is_ascii_uppercase())
}

const fn may_stand(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'*')
}
