//! Texts with many numbers: which are taken from a list, a copied column, a table and the content of a file.

use proptest::prelude::*;
use vat::pasted::{MAX_PASTED, Pasted, PastedError, numbers};

fn taken(text: &str) -> Vec<(usize, String)> {
    let found = numbers(text).unwrap_or_default();
    found.into_iter().map(|Pasted { line, text }| (line, text.into_owned())).collect()
}

#[track_caller]
fn takes(text: &str, expected: &[(usize, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(line, number)| (*line, (*number).to_owned())).collect();
    assert_eq!(taken(text), expected, "{text:?}");
}

#[test]
fn lists_in_every_way_that_people_write_them() {
    for (text, expected) in [
        ("DE136695976", &[(1, "DE136695976")][..]),
        ("DE 136 695 976\nBE 0428.759.497\n", &[(1, "DE 136 695 976"), (2, "BE 0428.759.497")]),
        ("DE1\r\nFR2\r\n\r\nIE3", &[(1, "DE1"), (2, "FR2"), (4, "IE3")]),
        ("DE1\rFR2\r\rIE3", &[(1, "DE1"), (2, "FR2"), (4, "IE3")]),
        ("DE1, FR2;IE3\tIT4,", &[(1, "DE1"), (1, "FR2"), (1, "IE3"), (1, "IT4")]),
        ("DE1,\nFR2,\nIE3", &[(1, "DE1"), (2, "FR2"), (3, "IE3")]),
        ("\u{feff}DE1\n", &[(1, "DE1")]),
        ("\"DE1\"\n\" FR2 \"", &[(1, "DE1"), (2, "FR2")]),
        (
            "DE136695976 FR40303265045\nIE6388047V",
            &[(1, "DE136695976"), (1, "FR40303265045"), (2, "IE6388047V")],
        ),
        ("GB VAT 980 7806 84", &[(1, "GB VAT 980 7806 84")]),
        ("136695976 DE", &[(1, "136695976 DE")]),
        ("VAT number\nDE136695976", &[(2, "DE136695976")]),
        ("USt-IdNr.\nDE136695976\nUSt-IdNr.", &[(2, "DE136695976"), (3, "USt-IdNr.")]),
        ("hello\nDE136695976", &[(1, "hello"), (2, "DE136695976")]),
        // Two numbers a line are two columns of numbers: a list.
        (
            "DE136695976;FR40303265045\nIE6388047V;GB980780684",
            &[(1, "DE136695976"), (1, "FR40303265045"), (2, "IE6388047V"), (2, "GB980780684")],
        ),
    ] {
        takes(text, expected);
    }
}

#[test]
fn tables_and_the_column_that_holds_the_numbers() {
    for (text, expected) in [
        ("Acme\tDE136695976\nBolt\tFR40303265045", &[(1, "DE136695976"), (2, "FR40303265045")][..]),
        ("Name;VAT number\nAcme;DE 136695976\n;\nBolt;\n", &[(2, "DE 136695976")]),
        // Below a heading even what is no number is taken.
        ("Kunde;USt-IdNr.;Ort\nAcme;136695976;Bonn\nBolt;12;Kiel", &[(2, "136695976"), (3, "12")]),
        ("Numéro de TVA,Société\nFR40303265045,\"Kerguelen, Ateliers\"\n", &[(2, "FR40303265045")]),
        ("Nome,P.IVA\nRossi,IT00743110157\n", &[(2, "IT00743110157")]),
        ("Firma;NIP\nKowalski;PL8567346215", &[(2, "PL8567346215")]),
        ("Asiakas;ALV-numero\nOy;FI20774740", &[(2, "FI20774740")]),
        // What the cells read as goes before what the heading says.
        (
            "Customer;Tax;VAT rate\nAcme;DE136695976;19\nBolt;FR40303265045;20",
            &[(2, "DE136695976"), (3, "FR40303265045")],
        ),
        // Of two columns with numbers it is the one whose heading says so.
        (
            "Konto,VAT\nDE136695976,IE6388047V\nFR40303265045,GB980780684",
            &[(2, "IE6388047V"), (3, "GB980780684")],
        ),
        // A cell in quotes may hold a separator, a line end and quotes.
        (
            "\"Acme\n\"\"West\"\" ; Co\";\"DE136695976\"\nBolt;FR40303265045",
            &[(1, "DE136695976"), (3, "FR40303265045")],
        ),
        // A quote that nothing closes takes nothing with it.
        ("\"Acme;DE136695976\nBolt;FR40303265045", &[(1, "DE136695976"), (2, "FR40303265045")]),
        // A few records of another width do not matter.
        (
            "a;DE136695976\nb;FR40303265045\nc;IE6388047V\nd;GB980780684\nTotal",
            &[(1, "DE136695976"), (2, "FR40303265045"), (3, "IE6388047V"), (4, "GB980780684")],
        ),
        // A cell that is no number stays in the column, to be told so.
        (
            "a;DE136695976\nb;DE136695976\nc;unknown 1",
            &[(1, "DE136695976"), (2, "DE136695976"), (3, "unknown 1")],
        ),
    ] {
        takes(text, expected);
    }
}

#[test]
fn nothing_and_too_much_are_told() {
    for nothing in ["", " \n\t, ;\r\n", "\u{feff}", "\"\"", "VAT number\n", ";;;\n;;;"] {
        assert_eq!(numbers(nothing), Err(PastedError::Nothing), "{nothing:?}");
    }
    let lines = |count: usize| "DE136695976\n".repeat(count);
    assert_eq!(numbers(&lines(MAX_PASTED)).map(|found| found.len()), Ok(MAX_PASTED));
    let too_many = PastedError::TooMany { found: MAX_PASTED + 1 };
    assert_eq!(numbers(&lines(MAX_PASTED + 1)), Err(too_many));
    assert_eq!(too_many.to_string(), "there are 10001 numbers in it; 10000 are taken at most");
    assert_eq!(PastedError::Nothing.to_string(), "there are no numbers in it");
}

proptest! {
    #[test]
    fn a_list_comes_back_whatever_stands_between(
        list in prop::collection::vec("[A-Z]{2}[0-9]( ?[.0-9]){0,10}[0-9]", 1..40),
        between in prop::sample::select(&["\n", "\r\n", "\r", "\n\n", "\n ", ",\n"][..]),
    ) {
        let found: Vec<String> = taken(&list.join(between)).into_iter().map(|(_, text)| text).collect();
        prop_assert_eq!(found, list);
    }

    #[test]
    fn nothing_but_blanks_and_separators_is_lost_of_any_text(text in "[DEFR0-9 .;,\t\n\r\"]{0,200}") {
        // A text that is no table keeps every other character, in order.
        let kept = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let found = taken(&text);
        if !text.contains([';', ',', '\t']) {
            let joined: String = found.iter().map(|(_, text)| kept(text)).collect();
            prop_assert_eq!(joined, kept(&text));
        }
        let lines = text.matches(['\n', '\r']).count() + 1;
        prop_assert!(found.iter().all(|(line, text)| (1..=lines).contains(line) && !text.is_empty()));
    }
}
