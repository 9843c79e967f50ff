//! What holds for every text.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use vat::{MAX_CHARACTERS, Prefix, Reading, VatNumber};

use crate::published_numbers::fitting_numbers;

/// Texts of characters that people and programs send, the odd ones much more often than in life.
fn any_text(limit: usize) -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        '\0',
        '\u{7f}',
        '\u{ad}',
        '\u{200b}',
        '\u{200f}',
        '\u{202e}',
        '\u{2060}',
        '\u{feff}',
        '\u{301}',
        '\u{338}',
        '\u{391}',
        '\u{395}',
        '\u{3b1}',
        '\u{41e}',
        '\u{412}',
        '\u{661}',
        '\u{b2}',
        '\u{2460}',
        '\u{246c}',
        '\u{bd}',
        '\u{fdfa}',
        '\u{ff24}',
        '\u{1d7cf}',
        '\u{df}',
        '\u{131}',
        '\u{130}',
        '\u{17f}',
        '\u{212a}',
        '\u{fb01}',
        '\u{1100}',
        '\u{1161}',
        '\u{2126}',
        '\u{37e}',
        '\u{387}',
        '\u{10ffff}',
        '\u{1f468}',
        '\u{a0}',
        '\u{2028}',
    ]);
    let character = prop_oneof![
        4 => prop::sample::select(('0'..='9').collect::<Vec<_>>()),
        4 => prop::sample::select(('A'..='Z').chain('a'..='z').collect::<Vec<_>>()),
        2 => prop::sample::select(" -./:,'_()+*;#\t\r\n".chars().collect::<Vec<_>>()),
        2 => odd,
        1 => any::<char>(),
    ];
    let start = prop_oneof![
        Just(String::new()),
        prop::sample::select(Prefix::ALL.to_vec()).prop_map(|prefix| prefix.as_str().to_owned()),
        prop::sample::select(vec!["GR", "UK", "VAT ", "FRFR", "BEBE", "GRGR", "EU", "IM", "GBGD", "DIČ "])
            .prop_map(str::to_owned),
    ];
    (start, prop::collection::vec(character, 0..100))
        .prop_map(move |(start, characters)| start.chars().chain(characters).take(limit).collect())
}

/// What a person does to a number on its way.
#[derive(Clone, Debug)]
enum Slip {
    Replace(usize, char),
    Insert(usize, char),
    Delete(usize),
}

impl Slip {
    fn make(self, text: &mut Vec<char>) {
        match self {
            Self::Replace(place, by) => {
                let place = place % text.len();
                text[place] = by;
            }
            Self::Insert(place, new) => text.insert(place % (text.len() + 1), new),
            Self::Delete(place) => {
                text.remove(place % text.len());
            }
        }
    }
}

fn slips() -> impl Strategy<Value = Vec<Slip>> {
    let character = || {
        prop::sample::select(
            "0123456789OILBSUABEXGRNFD+*\u{391}\u{395}\u{39b}\u{415}\u{661}".chars().collect::<Vec<_>>(),
        )
    };
    let slip = prop_oneof![
        3 => (0_usize..20, character()).prop_map(|(place, by)| Slip::Replace(place, by)),
        2 => (0_usize..20, character()).prop_map(|(place, new)| Slip::Insert(place, new)),
        3 => (0_usize..20).prop_map(Slip::Delete),
    ];
    prop::collection::vec(slip, 0..=3)
}

/// Numbers that fit, as they come back after people had them: with slips, words and other letters in front.
fn mistyped() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "",
        "",
        "",
        "",
        "VAT ",
        "VAT No. ",
        "USt-IdNr. ",
        "TVA: ",
        "DI\u{10c} ",
        "EU VAT number ",
        "DE",
        "FR",
        "NL ",
        "GB",
        "XI-",
    ]);
    let separator = prop::sample::select(vec!["", "", "", " ", "-", ".", "\u{a0}", "\u{200b}"]);
    (prop::sample::select(fitting_numbers()), slips(), words, 1_usize..=3, separator, any::<bool>()).prop_map(
        |(number, slips, words, prefixes, separator, small)| {
            let mut text: Vec<char> =
                number.prefix().as_str().repeat(prefixes).chars().chain(number.national().chars()).collect();
            for slip in slips {
                slip.make(&mut text);
            }
            let text: Vec<String> = text.into_iter().map(String::from).collect();
            let text = [words, &text.join(separator)].concat();
            if small { text.to_lowercase() } else { text }
        },
    )
}

fn keeps_its_promises(reading: &Reading) -> Result<(), TestCaseError> {
    let canonical = reading.canonical();
    let code = reading.country_code();
    prop_assert!(code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()));
    prop_assert!(code == "ZZ" || canonical.starts_with(code));
    for advice in reading.advice() {
        if let Some(suggestion) = &advice.suggestion {
            let suggested = VatNumber::parse(suggestion);
            prop_assert!(suggested.number().is_some_and(|number| number.as_str() == suggestion));
            prop_assert_ne!(suggestion, canonical);
            prop_assert!(advice.message.contains(suggestion));
        }
    }
    if let Some(number) = reading.number() {
        prop_assert_eq!(canonical, format!("{}{}", number.prefix(), number.national()));
        prop_assert!((2..=12).contains(&number.national().len()));
        prop_assert_eq!(number.groups().collect::<String>(), number.national());
        if number.prefix().registry() == vat::Registry::Hmrc {
            prop_assert!(number.national().bytes().all(|byte| byte.is_ascii_digit()));
        }
    }
    Ok(())
}

fn reads_its_canonical_form_the_same(text: &str) -> Result<(), TestCaseError> {
    let once = VatNumber::parse(text);
    let canonical = once.canonical();
    // Compatibility forms can be longer than what was sent.
    if canonical.chars().count() > MAX_CHARACTERS {
        return Ok(());
    }
    let twice = VatNumber::parse(canonical);
    prop_assert_eq!(twice.canonical(), canonical);
    prop_assert_eq!(twice.number(), once.number());
    Ok(())
}

#[test]
fn mistyped_numbers_are_of_every_kind() {
    let mut runner = TestRunner::deterministic();
    let texts = mistyped();
    let (mut numbers, mut suggestions, mut others) = (0, 0, 0);
    for _ in 0..1000 {
        let reading = VatNumber::parse(&texts.new_tree(&mut runner).unwrap().current());
        numbers += usize::from(reading.number().is_some());
        others += usize::from(reading.number().is_none());
        suggestions += usize::from(reading.advice().iter().any(|advice| advice.suggestion.is_some()));
    }
    assert!(numbers > 150 && suggestions > 50 && others > 200, "{numbers} {suggestions} {others}");
}

/// What people put between the characters of a number.
const MARKS: [&str; 7] = [" ", "-", ".", "/", "\u{a0}", "\u{200b}", "\u{2013}"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_is_read(
        text in any_text(100),
        country in prop::option::of(prop::sample::select(Prefix::ALL.to_vec())),
    ) {
        keeps_its_promises(&VatNumber::parse(&text))?;
        if let Some(country) = country {
            keeps_its_promises(&VatNumber::parse_in(&text, country))?;
        }
    }

    #[test]
    fn a_mistyped_number_is_read(
        text in mistyped(),
        country in prop::option::of(prop::sample::select(Prefix::ALL.to_vec())),
    ) {
        keeps_its_promises(&VatNumber::parse(&text))?;
        if let Some(country) = country {
            keeps_its_promises(&VatNumber::parse_in(&text, country))?;
        }
        reads_its_canonical_form_the_same(&text)?;
    }

    #[test]
    fn any_bytes_that_are_text_are_read(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        keeps_its_promises(&VatNumber::parse(&String::from_utf8_lossy(&bytes)))?;
    }

    #[test]
    fn reading_twice_changes_nothing(text in any_text(MAX_CHARACTERS)) {
        reads_its_canonical_form_the_same(&text)?;
    }

    #[test]
    fn a_number_survives_what_people_do_to_it(
        number in prop::sample::select(fitting_numbers()),
        breaks in prop::collection::vec((0_usize..15, prop::sample::select(&MARKS[..])), 0..6),
        small in any::<bool>(),
    ) {
        let mut typed: Vec<String> = number.as_str().chars().map(String::from).collect();
        for (place, mark) in breaks {
            let place = place.min(typed.len());
            typed.insert(place, mark.to_owned());
        }
        let typed = typed.concat();
        let typed = if small { typed.to_lowercase() } else { typed };
        let reading = VatNumber::parse(&typed);
        prop_assert_eq!(reading.number(), Some(number));
        prop_assert_eq!(reading, VatNumber::parse(&format!("  {typed}\n")));
    }
}
