//! Words that people write in front of a VAT number.

use super::interpret::begins_with_prefix;
use super::lookalike::national_digit;

/// What a VAT number is called, without blanks and punctuation, in capitals. None begins like a prefix that a
/// registry covers.
const LABELS: &[&str] = &[
    "EUVAT",
    "VATIN",
    "VAT",
    "TAX",
    "NODETVA",
    "NOTVA",
    "NTVA",
    "N°TVA",
    "TVA",
    "BTW",
    "PARTITAIVA",
    "PIVA",
    "IVA",
    "UMSATZSTEUER",
    "UST",
    "UID",
    "MWST",
    "MOMS",
    "ALV",
    "NIP",
    "NIF",
    "CIF",
    "CUI",
    "CVR",
    "OIB",
    "IČDPH",
    "ICDPH",
    "DIČ",
    "DIC",
    "ΑΦΜ",
    "AFM",
];

/// What may follow such a word.
const FILLERS: &[&str] = &[
    "REGISTRATION",
    "REG",
    "IDENTIFICATION",
    "IDENTIFIKATIONS",
    "ID",
    "NUMBER",
    "NUMMER",
    "NUMERO",
    "NO",
    "NR",
    "N",
    "CODE",
    "CF",
    "INTRACOMMUNAUTAIRE",
    "INTRACOM",
    "INTRA",
    "#",
    "°",
];

/// How many words are looked for in a row, so that no text takes long.
const MOST_WORDS: usize = 6;

/// What follows the words that the text begins with, or nothing where it begins with none, or where what
/// follows could not be a number.
pub(super) fn strip(text: &str) -> Option<&str> {
    after(text, LABELS, MOST_WORDS).map(|(_, rest)| rest)
}

/// The likeliest rest behind words of which the first is one of these.
fn after<'a>(text: &'a str, words: &[&str], most: usize) -> Option<(Rest, &'a str)> {
    let mut best = None;
    for word in words {
        let Some(rest) = text.strip_prefix(word) else { continue };
        let further = [LABELS, FILLERS].into_iter().filter(|_| most > 1);
        let further = further.filter_map(|words| after(rest, words, most - 1));
        for found in further.chain(Rest::of(rest).map(|kind| (kind, rest))) {
            if best.is_none_or(|(kind, _)| found.0 < kind) {
                best = Some(found);
            }
        }
    }
    best
}

/// What a text behind a label may be, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rest {
    Prefix,
    DigitOrNothing,
    /// One to three letters before a digit: another country's code, or a number without its prefix.
    Letters,
}

impl Rest {
    fn of(text: &str) -> Option<Self> {
        let is_digit = |character: char| character.is_ascii_digit() || national_digit(character).is_some();
        let letters = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_uppercase()).len();
        match text.get(letters..).and_then(|rest| rest.chars().next()) {
            _ if begins_with_prefix(text) => Some(Self::Prefix),
            None if letters == 0 => Some(Self::DigitOrNothing),
            Some(next) if letters == 0 && is_digit(next) => Some(Self::DigitOrNothing),
            Some(next) if (1..=3).contains(&letters) && is_digit(next) => Some(Self::Letters),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_begins_like_a_prefix() {
        for word in LABELS.iter().chain(FILLERS) {
            assert!(!begins_with_prefix(word), "{word}");
        }
    }

    #[test]
    fn a_label_is_taken_off_only_before_what_could_be_a_number() {
        for (text, rest) in [
            ("VATDE136695976", Some("DE136695976")),
            ("VATNL004495445B01", Some("NL004495445B01")),
            ("VATNO136695976", Some("136695976")),
            ("VATCHE116281710", Some("CHE116281710")),
            ("NIFB58378431", Some("B58378431")),
            ("VATNUMBER", Some("")),
            ("VATICAN", None),
            ("NIPPON", None),
            ("DE136695976", None),
            ("ID136695976", None),
        ] {
            assert_eq!(strip(text), rest, "{text}");
        }
    }
}
