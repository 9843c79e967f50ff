//! Texts with many numbers: which are taken from a list, a copied column, a table and the content of a file.

use proptest::prelude::*;
use vat::pasted::{MAX_PASTED, Pasted, PastedError, numbers};

fn taken(text: &str) -> Vec<(usize, String)> {
    let found = numbers(text).unwrap_or_default();
    found.into_iter().map(|Pasted { line, text, .. }| (line, text.into_owned())).collect()
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
            &[(1, "DE136695976"), (2, "FR40303265045")],
        ),
        // A quote that nothing closes takes nothing with it.
        ("\"Acme;DE136695976\nBolt;FR40303265045", &[(1, "DE136695976"), (2, "FR40303265045")]),
        // A spreadsheet counts lines without content, and a cell of several lines as one.
        (
            "Name;VAT number\r\n\r\n;\r\n\"Acme\nWest\";DE136695976\r\nBolt;FR40303265045",
            &[(4, "DE136695976"), (5, "FR40303265045")],
        ),
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
fn a_number_without_a_prefix_is_joined_with_the_country_in_its_row() {
    for (text, expected) in [
        // Bookkeeping writes the two in columns of their own, in whatever order.
        (
            "Country,VAT number\nDE,136695976\nFR,40303265045\nAT,U13585627",
            &[(2, "DE 136695976"), (3, "FR 40303265045"), (4, "AT U13585627")][..],
        ),
        (
            "VAT number;Name;Country\n136695976;Acme;DE\n40303265045;Bolt;FR",
            &[(2, "DE 136695976"), (3, "FR 40303265045")],
        ),
        // Of numbers whose check digits fit, no heading has to say what they are.
        (
            "Customer\tCountry\tTax ID\tPhone\nAcme\tDE\t136695976\t228123456\nBolt\tIE\t6388047V\t1612345\n",
            &[(2, "DE 136695976"), (3, "IE 6388047V")],
        ),
        ("DE;136695976\nFR;40303265045", &[(1, "DE 136695976"), (2, "FR 40303265045")]),
        // ISO 3166 has another code for Greece than its numbers.
        (
            "Country;VAT number\nGR;094259216\nEL;094259216\nGB;980780684\nXI;110305878",
            &[(2, "EL 094259216"), (3, "EL 094259216"), (4, "GB 980780684"), (5, "XI 110305878")],
        ),
        // What is too short is told to be too short for its country; what has no digit stays what it is.
        (
            "Country;VAT number\nDE;136695976\nDE;13\nDE;n/a\nDE;?\nDE;",
            &[(2, "DE 136695976"), (3, "DE 13"), (4, "n/a"), (5, "?")],
        ),
        // A prefix goes before the country beside it, even one that could be a French key.
        (
            "Country;VAT number\nDE;136695976\nFR;DE136695976\nFR;IT303265045\nDE;FR1\nGR;GR094259216\nFR;XX303265045\nGB;UK980780684",
            &[
                (2, "DE 136695976"),
                (3, "DE136695976"),
                (4, "IT303265045"),
                (5, "FR1"),
                (6, "GR094259216"),
                (7, "FR XX303265045"),
                (8, "UK980780684"),
            ],
        ),
        // Letters that are no country of ours stay a country that is not covered.
        ("Country;VAT number\nDE;136695976\nDE;CHE116281710", &[(2, "DE 136695976"), (3, "CHE116281710")]),
        // Numbers with a prefix in most rows, and one without.
        (
            "Country;Tax ID\nDE;DE136695976\nIE;IE6388047V\nFR;40303265045",
            &[(2, "DE136695976"), (3, "IE6388047V"), (4, "FR 40303265045")],
        ),
        // Two countries in one row: nobody knows which is meant. Two codes for one country are one.
        (
            "Country;Ship to;VAT number\nDE;DE;136695976\nDE;FR;136695976\nGR;EL;094259216\nDE;;136695976",
            &[(2, "DE 136695976"), (3, "136695976"), (4, "EL 094259216"), (5, "DE 136695976")],
        ),
        // Countries that no registry of ours covers, small letters and names are none.
        (
            "Country;VAT number\nDE;136695976\nCH;116281710\nde;136695976\nGermany;136695976\nUK;980780684\nIE;6388047V",
            &[
                (2, "DE 136695976"),
                (3, "116281710"),
                (4, "136695976"),
                (5, "136695976"),
                (6, "GB 980780684"),
                (7, "IE 6388047V"),
            ],
        ),
        // Rows without a number say nothing about the column.
        (
            "Country;VAT number\nUS;\nUS;\nUS;\nDE;136695976\nIE;6388047V",
            &[(5, "DE 136695976"), (6, "IE 6388047V")],
        ),
        (
            "Paese;Provincia;P.IVA\nIT;RM;00743110157\nIT;MI;00743110157\nIT;BG;00743110157\nIT;NA;00743110157",
            &[(2, "IT 00743110157"), (3, "IT 00743110157"), (4, "IT 00743110157"), (5, "IT 00743110157")],
        ),
        // Provinces are countries by chance: Frosinone is not France, nor Bergamo Bulgaria.
        (
            "Provincia;P.IVA\nRM;00743110157\nFR;00743110157\nMI;00743110157\nNA;00743110157\nBG;00743110157",
            &[
                (2, "00743110157"),
                (3, "00743110157"),
                (4, "00743110157"),
                (5, "00743110157"),
                (6, "00743110157"),
            ],
        ),
    ] {
        takes(text, expected);
    }
    // Telephone numbers have the structure of German numbers, but not the check digits.
    let phones = "Name;Country;Phone\nAcme;DE;228123456\nBolt;DE;301234567\nCoil;DE;891234567";
    assert!(taken(phones).iter().all(|(_, text)| !text.starts_with("DE ")), "{:?}", taken(phones));
}

#[test]
fn what_a_number_was_typed_as_is_a_piece_of_the_text() {
    let text = "Country;VAT number\nDE; 136695976 \nIE;\"6388047V\"\nFR;\"4030\"\"3265045\"";
    let found = numbers(text).expect("numbers");
    let typed: Vec<_> = found.iter().map(|pasted| pasted.typed).collect();
    assert_eq!(typed, [Some("136695976"), Some("6388047V"), None]);
    assert_eq!(numbers("DE1, FR2").expect("numbers")[1].typed, Some("FR2"));
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
