//! What may have been meant by a text that is no number, or by a number that does not fit. Everything here is a
//! question to the person who wrote it: nothing of it is asked at a registry unless they say yes.

use super::{Advice, AdviceCode};
use crate::check_digits::first_series_check_digits;
use crate::format::{forms, interpret, latin_letter, national_digit};
use crate::reading::Repairs;
use crate::{CheckDigits, MalformedReason, Prefix, Reading, Shape, UnsupportedReason, VatNumber};

/// A number that may have been meant, and the sentence that says why, to which the question is added.
struct Candidate {
    number: VatNumber,
    why: String,
    /// Whether it is worth saying only where the check digits fit.
    only_if_it_fits: bool,
}

impl Candidate {
    fn fits(&self) -> bool {
        self.number.check_digits() == CheckDigits::Fit
    }

    fn advice(self) -> Advice {
        let Self { number, why, .. } = self;
        Advice::did_you_mean(number, format!("{why}: did you mean {number}?"))
    }
}

/// For a text that is malformed or unsupported.
pub(super) fn instead_of_text(reading: &Reading) -> Option<Advice> {
    let text = reading.canonical();
    let candidates = match reading.shape() {
        Shape::Malformed(
            MalformedReason::MissingPrefix | MalformedReason::Characters | MalformedReason::Structure,
        ) => {
            if is_scientific_notation(text) {
                return Some(Advice::new(
                    AdviceCode::DidYouMean,
                    "A spreadsheet turned the number into scientific notation and its digits are lost: format \
                     the cell as text and enter the number again.",
                ));
            }
            for_malformed(text)
        }
        Shape::Unsupported(UnsupportedReason::GovernmentOrHealthBody) => {
            government_or_health_body(text).into_iter().collect()
        }
        Shape::Unsupported(UnsupportedReason::CountryNotCovered) => same_registry(text).into_iter().collect(),
        _ => Vec::new(),
    };
    best(candidates)
}

/// For a number whose check digits do not fit.
pub(super) fn instead_of_number(number: VatNumber) -> Option<Advice> {
    let mut candidates = confused(number.prefix(), number.national());
    candidates.extend(of_another_country(number.national()));
    candidates.retain(Candidate::fits);
    best(candidates)
}

/// The first whose check digits fit, else the first.
fn best(candidates: Vec<Candidate>) -> Option<Advice> {
    let index = candidates
        .iter()
        .position(Candidate::fits)
        .or_else(|| candidates.iter().position(|candidate| !candidate.only_if_it_fits))?;
    candidates.into_iter().nth(index).map(Candidate::advice)
}

fn for_malformed(text: &str) -> Vec<Candidate> {
    let Some(plain) = in_plain_characters(text) else { return Vec::new() };
    let reading = interpret(&plain, None, Repairs::default());
    if let Some(number) = reading.number() {
        let why = "Some characters only look like plain digits or letters".to_owned();
        return vec![Candidate { number, why, only_if_it_fits: false }];
    }
    let canonical = reading.canonical();
    let Some((code, national)) = canonical.split_at_checked(2) else { return Vec::new() };
    let Some(prefix) = Prefix::from_code(code) else { return confused_prefix(code, national) };
    let mut candidates = confused(prefix, national);
    candidates.extend(parts_forgotten_or_added(prefix, national));
    candidates.extend(leading_zeros_lost(prefix, national));
    candidates.extend(of_another_country(national));
    candidates
}

/// A number with its own prefix behind that of another country.
fn of_another_country(national: &str) -> Option<Candidate> {
    let reading = interpret(national, None, Repairs::default());
    let number = reading.number().or_else(|| {
        let (code, national) = reading.canonical().split_at_checked(2)?;
        parts_forgotten_or_added(Prefix::from_code(code)?, national).map(|candidate| candidate.number)
    })?;
    Some(Candidate {
        number,
        why: "The letters of two countries stand in front".to_owned(),
        only_if_it_fits: true,
    })
}

/// The text with digits of other scripts and look-alike letters as the plain characters they stand for.
fn in_plain_characters(text: &str) -> Option<String> {
    let plain = |character: char| {
        if character.is_ascii() {
            return Some(character);
        }
        national_digit(character).or_else(|| latin_letter(character))
    };
    text.chars().map(plain).collect()
}

fn number(prefix: Prefix, national: &str) -> Option<VatNumber> {
    let text = [prefix.as_str(), national].concat();
    VatNumber::parse(&text).number().filter(|number| number.national() == national)
}

fn candidate(number: Option<VatNumber>, why: impl Into<String>) -> Option<Candidate> {
    number.map(|number| Candidate { number, why: why.into(), only_if_it_fits: false })
}

/// Digits, `E+` and digits, as a spreadsheet writes a number that is too long for its cell. The point is gone
/// by now, and a prefix may stand before it.
fn is_scientific_notation(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let rest = text.strip_prefix(|letter: char| letter.is_ascii_uppercase()).unwrap_or(text);
    let rest = rest.strip_prefix(|letter: char| letter.is_ascii_uppercase()).unwrap_or(rest);
    rest.split_once("E+").is_some_and(|(mantissa, exponent)| digits(mantissa) && digits(exponent))
}

/// Letters where the country has digits and the other way round.
fn confused(prefix: Prefix, national: &str) -> Vec<Candidate> {
    forms(prefix).iter().filter_map(|form| confused_in_form(prefix, national, form)).collect()
}

fn confused_in_form(prefix: Prefix, national: &str, form: &str) -> Option<Candidate> {
    if national.len() != form.len() {
        return None;
    }
    let mut meant = String::with_capacity(form.len());
    let mut wrong: Vec<char> = Vec::new();
    for (typed, kind) in national.chars().zip(form.chars()) {
        let character = as_kind(typed, kind)?;
        if character != typed && !wrong.contains(&typed) {
            wrong.push(typed);
        }
        meant.push(character);
    }
    let why = match wrong[..] {
        [] => return None,
        [digit] if digit.is_ascii_digit() => format!("The digit {digit} stands where a letter belongs"),
        [letter] => format!("The letter {letter} stands where a digit belongs"),
        _ if wrong.iter().all(char::is_ascii_uppercase) => "Letters stand where digits belong".to_owned(),
        _ => "Letters and digits that look alike were mixed up".to_owned(),
    };
    candidate(number(prefix, &meant), why)
}

/// The character of a kind of place that this one is or looks like. A French key (`X`) has neither O nor I.
const fn as_kind(typed: char, kind: char) -> Option<char> {
    match (kind, typed) {
        ('9' | 'X', 'O') => Some('0'),
        ('9' | 'X', 'I') | ('9', 'L') => Some('1'),
        ('A', '0') => Some('O'),
        ('A', '1') => Some('I'),
        ('B', '8') => Some('B'),
        ('9' | 'X', '0'..='9') | ('A' | 'X', 'A'..='Z') | ('U', 'U') | ('B', 'B') => Some(typed),
        _ => None,
    }
}

/// A prefix of which one letter was typed as a digit. So little is known that the check digits must fit.
fn confused_prefix(code: &str, national: &str) -> Vec<Candidate> {
    let letters: Option<String> = code.chars().map(|typed| as_kind(typed, 'A')).collect();
    let Some(prefix) = letters.filter(|letters| letters != code).and_then(|code| Prefix::from_code(&code))
    else {
        return Vec::new();
    };
    let why = "A digit stands where one of the country letters belongs".to_owned();
    let number = number(prefix, national);
    number.map(|number| Candidate { number, why, only_if_it_fits: true }).into_iter().collect()
}

/// Parts that belong to the number and are often left out, and one that does not and is often put in.
fn parts_forgotten_or_added(prefix: Prefix, national: &str) -> Option<Candidate> {
    let digits = national.bytes().all(|byte| byte.is_ascii_digit());
    match (prefix, national.len()) {
        (Prefix::At, 8) if digits => candidate(
            number(prefix, &["U", national].concat()),
            "Austrian numbers have the letter U after AT",
        ),
        (Prefix::Se, 10) if digits => candidate(
            number(prefix, &[national, "01"].concat()),
            "Swedish numbers have 01 after the ten digits",
        ),
        (Prefix::Hu, 11) if digits => number(prefix, national.get(..8)?).map(|number| Candidate {
            number,
            why: "The last three digits of a Hungarian tax number are no part of the VAT number".to_owned(),
            only_if_it_fits: true,
        }),
        (Prefix::Cz, 11..=13) if digits => candidate(
            number(prefix, national.get(3..)?),
            "The first three digits may be the code of a tax office, which is no part of the number",
        ),
        _ => None,
    }
}

/// How many zeros a spreadsheet is taken to have dropped at most.
const MOST_ZEROS_LOST: usize = 3;

/// Zeros that a spreadsheet drops from the front of what it takes for an amount.
fn leading_zeros_lost(prefix: Prefix, national: &str) -> Vec<Candidate> {
    // Czech numbers of nine digits mostly have no check digit that could tell.
    let lengths = forms(prefix).iter().map(|form| form.len());
    let lengths = lengths.filter(|&length| (prefix, length) != (Prefix::Cz, 9));
    let padded =
        lengths.filter(|&length| national.len() < length && length <= national.len() + MOST_ZEROS_LOST);
    padded
        .filter_map(|length| number(prefix, &format!("{national:0>length$}")))
        .map(|number| {
            let why = "Zeros in front seem to be missing, which a spreadsheet drops".to_owned();
            Candidate { number, why, only_if_it_fits: true }
        })
        .collect()
}

/// The nine digits by which HMRC knows a government department or health authority: 8888, the three digits, and
/// check digits of the first series (HMRC, VAT Government and Public Bodies manual, VATGPB9400).
fn government_or_health_body(text: &str) -> Option<Candidate> {
    let [_, _, kind, _, digits @ ..] = text.as_bytes() else { return None };
    let [one, two, three] = *digits else { return None };
    let body = match (kind, one) {
        (b'G', b'0'..=b'4') => "a government department",
        (b'H', b'5'..=b'9') => "a health authority",
        _ => return None,
    };
    let seven = [8, 8, 8, 8, one - b'0', two - b'0', three - b'0'];
    let check = first_series_check_digits(seven);
    let national = format!("8888{}{check:02}", text.get(4..)?);
    candidate(number(Prefix::Gb, &national), format!("HMRC knows {body} by nine digits that begin with 8888"))
}

/// Two territories without a prefix of their own whose traders have the numbers of a larger neighbour, in a range
/// that begins with zeros.
fn same_registry(text: &str) -> Option<Candidate> {
    let (code, national) = text.split_at_checked(2)?;
    match code {
        "IM" if national.starts_with("00") => {
            candidate(number(Prefix::Gb, national), "Numbers of the Isle of Man begin with GB")
        }
        "MC" if national.get(2..).is_some_and(|siren| siren.starts_with("000")) => {
            candidate(number(Prefix::Fr, national), "Numbers of Monaco begin with FR")
        }
        _ => None,
    }
}
