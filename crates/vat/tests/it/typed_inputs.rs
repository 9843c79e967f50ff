//! Every case of the list of inputs as people type them.

use serde_json::Value;
use vat::{
    CheckDigits, MalformedReason, Prefix, Reading, Registry, Repair, Shape, UnsupportedReason, VatNumber,
};

fn cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../data/vat-input-cases.json")).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn read(case: &Value) -> Reading {
    let input = case["input"].as_str().unwrap();
    match case["country_hint"].as_str() {
        Some(country) => VatNumber::parse_in(input, Prefix::from_code(country).unwrap()),
        None => VatNumber::parse(input),
    }
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).map(|text| text.as_str().unwrap())
}

/// The list's words for the repairs that it names; it does not name separators.
fn named_repairs(reading: &Reading) -> Vec<&'static str> {
    let named = |repair| match repair {
        Repair::LabelRemoved => Some("label_removed"),
        Repair::SeparatorsRemoved => None,
        Repair::PrefixFromCountry => Some("prefix_from_hint"),
        Repair::PrefixRepeated => Some("doubled_prefix"),
        Repair::PrefixReplaced if reading.country_code() == "EL" => Some("gr_to_el"),
        Repair::PrefixReplaced => Some("uk_to_gb"),
        Repair::LeadingZeroAdded => Some("padded"),
        Repair::LookalikeReplaced => Some("lookalike_letter"),
    };
    reading.repairs().filter_map(named).collect()
}

fn expect_number(reading: &Reading, expected: &Value) {
    let number = reading.number().unwrap();
    let prefix = text(expected, "prefix").unwrap();
    let national = text(expected, "national").unwrap();
    assert_eq!(number.prefix().as_str(), prefix);
    assert_eq!(number.national(), national);
    assert_eq!(reading.canonical(), [prefix, national].concat());
    let registry = if number.registry() == Registry::Hmrc { "hmrc" } else { "vies" };
    assert_eq!(registry, text(expected, "registry").unwrap());
    let fits = if number.check_digits() == CheckDigits::Fit { "pass" } else { "fail" };
    assert_eq!(fits, text(expected, "check_digit").unwrap());
}

fn expect_no_number(reading: &Reading, expected: &Value) {
    match (reading.shape(), text(expected, "reason"), text(expected, "prefix")) {
        (Shape::Malformed(MalformedReason::MissingPrefix), Some("missing_prefix"), None)
        | (Shape::Malformed(MalformedReason::Structure), Some("structure"), Some(_))
        | (Shape::Malformed(MalformedReason::Characters), Some("characters"), None)
        | (
            Shape::Malformed(MalformedReason::Empty | MalformedReason::TooLong),
            Some("empty_or_too_long"),
            None,
        )
        | (
            Shape::Unsupported(UnsupportedReason::GovernmentOrHealthBody),
            Some("gd_ha_not_queryable"),
            Some("GB"),
        )
        | (Shape::Unsupported(UnsupportedReason::OneStopShop), None, Some("EU"))
        | (Shape::Unsupported(UnsupportedReason::ImportScheme), None, Some("IM"))
        | (Shape::Unsupported(UnsupportedReason::CountryNotCovered), None, Some("CH" | "NO" | "XX")) => {}
        other => panic!("not as expected: {other:?}"),
    }
    if let Some(normalised) = text(expected, "normalised") {
        assert_eq!(reading.canonical(), normalised);
    }
    if let Some(prefix) = text(expected, "prefix") {
        assert_eq!(reading.country_code(), prefix);
        if let Some(national) = text(expected, "national") {
            assert_eq!(reading.canonical(), [prefix, national].concat());
        }
    }
}

#[test]
fn every_case_is_read_as_expected() {
    let cases = cases();
    assert_eq!(cases.len(), 65);
    for case in &cases {
        println!("{case}");
        let reading = read(case);
        let expected = &case["expected"];
        match text(expected, "level").unwrap() {
            "ok" => expect_number(&reading, expected),
            level => {
                let status =
                    if matches!(reading.shape(), Shape::Malformed(_)) { "malformed" } else { "unsupported" };
                assert_eq!(status, level);
                expect_no_number(&reading, expected);
            }
        }
        let repairs: Vec<&str> = expected["repairs"]
            .as_array()
            .map(|repairs| repairs.iter().map(|repair| repair.as_str().unwrap()).collect())
            .unwrap_or_default();
        assert_eq!(named_repairs(&reading), repairs);
    }
}

#[test]
fn reported_inputs_are_understood() {
    for (input, canonical, check_digits) in [
        ("nl 8598.35.832.b01", "NL859835832B01", CheckDigits::Fit),
        ("BEBEBE0477472701", "BE0477472701", CheckDigits::Fit),
        ("BE BE 0477.472.701", "BE0477472701", CheckDigits::Fit),
        ("GR094019245", "EL094019245", CheckDigits::Fit),
        ("GREL094259216", "EL094259216", CheckDigits::Fit),
        ("ELGR094259216", "EL094259216", CheckDigits::Fit),
        ("GRGR094259216", "EL094259216", CheckDigits::Fit),
        ("GB245719348", "GB245719348", CheckDigits::Fit),
        ("NL000099998B57", "NL000099998B57", CheckDigits::Fit),
        ("IE3706224MH", "IE3706224MH", CheckDigits::Fit),
        ("FR4Z123456782", "FR4Z123456782", CheckDigits::Fit),
        ("GB199999982", "GB199999982", CheckDigits::Fit),
        ("ESB27471977", "ESB27471977", CheckDigits::DoNotFit),
        ("GB123456789", "GB123456789", CheckDigits::DoNotFit),
        ("DE987654321", "DE987654321", CheckDigits::DoNotFit),
        ("DE811569869", "DE811569869", CheckDigits::Fit),
        ("ie 6388047 v", "IE6388047V", CheckDigits::Fit),
        ("IE-6388047-V", "IE6388047V", CheckDigits::Fit),
        ("DK28866984", "DK28866984", CheckDigits::Fit),
        ("FR83404833048", "FR83404833048", CheckDigits::Fit),
        ("DE136\u{2008}695976", "DE136695976", CheckDigits::Fit),
        ("VAT Reg. No. GB 980 7806 84", "GB980780684", CheckDigits::Fit),
        ("P.IVA IT00743110157", "IT00743110157", CheckDigits::Fit),
        ("NIP: PL 856-734-62-15", "PL8567346215", CheckDigits::Fit),
        ("DIČ: CZ25123891", "CZ25123891", CheckDigits::Fit),
        ("dič cz25123891", "CZ25123891", CheckDigits::Fit),
        ("ΑΦΜ: EL094259216", "EL094259216", CheckDigits::Fit),
        ("TVA: VAT: FR 40 303 265 045", "FR40303265045", CheckDigits::Fit),
        ("FRFR53000004605", "FR53000004605", CheckDigits::Fit),
        ("VAT Registration: GB980780684", "GB980780684", CheckDigits::Fit),
        ("VAT Reg Number GB980780684", "GB980780684", CheckDigits::Fit),
        ("EU VAT number DE136695976", "DE136695976", CheckDigits::Fit),
        ("EU VAT ID DE136695976", "DE136695976", CheckDigits::Fit),
        ("btw-id NL004495445B01", "NL004495445B01", CheckDigits::Fit),
        ("TVA intracommunautaire FR40303265045", "FR40303265045", CheckDigits::Fit),
        ("VAT identification number DE136695976", "DE136695976", CheckDigits::Fit),
        ("USt-ID-Nummer DE136695976", "DE136695976", CheckDigits::Fit),
        ("UID-Nummer ATU13585627", "ATU13585627", CheckDigits::Fit),
        ("Momsnummer SE556464687401", "SE556464687401", CheckDigits::Fit),
        ("P.IVA/C.F. IT00743110157", "IT00743110157", CheckDigits::Fit),
        ("DIC: CZ25123891", "CZ25123891", CheckDigits::Fit),
        ("DIC\u{30c} CZ25123891", "CZ25123891", CheckDigits::Fit),
        ("IC DPH SK2022749619", "SK2022749619", CheckDigits::Fit),
        ("CUI RO18547290", "RO18547290", CheckDigits::Fit),
        ("CVR DK13585628", "DK13585628", CheckDigits::Fit),
        ("Tax ID DE136695976", "DE136695976", CheckDigits::Fit),
        ("n\u{b0} TVA FR40303265045", "FR40303265045", CheckDigits::Fit),
        ("TVA n\u{b0} FR40303265045", "FR40303265045", CheckDigits::Fit),
        ("VAT# GB980780684", "GB980780684", CheckDigits::Fit),
        ("VAT \u{2116} GB980780684", "GB980780684", CheckDigits::Fit),
        ("VAT UK980780684", "GB980780684", CheckDigits::Fit),
        ("Umsatzsteuer-Identifikationsnummer: DE 136695976", "DE136695976", CheckDigits::Fit),
        // The words after the prefix.
        ("GB VAT No 980 7806 84", "GB980780684", CheckDigits::Fit),
        ("GB VAT 980780684", "GB980780684", CheckDigits::Fit),
        ("NL BTW 004495445B01", "NL004495445B01", CheckDigits::Fit),
        ("DE USt-IdNr. DE136695976", "DE136695976", CheckDigits::Fit),
        ("AT UID ATU13585627", "ATU13585627", CheckDigits::Fit),
        ("AT UID U13585627", "ATU13585627", CheckDigits::Fit),
        ("BE BTW 403019261", "BE0403019261", CheckDigits::Fit),
        ("\u{395}\u{39b}094259216", "EL094259216", CheckDigits::Fit),
        ("\u{391}\u{3a6}\u{39c} \u{395}\u{39b} 094259216", "EL094259216", CheckDigits::Fit),
        // Prefixes typed twice.
        ("ATUATU13585627", "ATU13585627", CheckDigits::Fit),
        ("NLNL004495445B01", "NL004495445B01", CheckDigits::Fit),
        ("FRFRFR123456789", "FRFR123456789", CheckDigits::DoNotFit),
    ] {
        let reading = VatNumber::parse(input);
        assert_eq!(reading.canonical(), canonical, "{input}");
        assert_eq!(reading.check_digits(), Some(check_digits), "{input}");
    }
}

#[test]
fn what_was_put_right_is_kept() {
    for (input, repairs) in [
        ("ATUATU13585627", &[Repair::PrefixRepeated][..]),
        ("FRFRFR123456789", &[Repair::PrefixRepeated]),
        ("FRFR5300000460", &[Repair::PrefixRepeated]),
        ("NLNL4495445B01", &[Repair::PrefixRepeated]),
        ("GB VAT 980780684", &[Repair::LabelRemoved, Repair::SeparatorsRemoved]),
        ("DEUSTIDNRDE136695976", &[Repair::LabelRemoved]),
        ("VAT#GB980780684", &[Repair::LabelRemoved]),
        ("GBVAT98078068", &[]),
    ] {
        assert_eq!(VatNumber::parse(input).repairs().collect::<Vec<_>>(), repairs, "{input}");
    }
}

#[test]
fn a_country_beside_the_number_stands_in_for_the_prefix() {
    for (input, country, canonical) in [
        ("136 695 976", Prefix::De, "DE136695976"),
        ("980 7806 84", Prefix::Gb, "GB980780684"),
        ("U13585627", Prefix::At, "ATU13585627"),
        ("B58378431", Prefix::Es, "ESB58378431"),
        ("94259216", Prefix::El, "EL094259216"),
        ("K7399859412", Prefix::Fr, "FRK7399859412"),
        ("VAT 136695976", Prefix::De, "DE136695976"),
        // Two letters that are a French key and not a country.
        ("AB123456789", Prefix::Fr, "FRAB123456789"),
        ("GD100", Prefix::Gb, "GBGD100"),
        // A French key that is a prefix too: the check digits tell.
        ("DE136695976", Prefix::Fr, "DE136695976"),
        ("DE136695978", Prefix::Fr, "FRDE136695978"),
        ("EL094259216", Prefix::Fr, "EL094259216"),
        // The prefix goes before the country.
        ("DE136695976", Prefix::At, "DE136695976"),
        ("ATU13585627", Prefix::Fr, "ATU13585627"),
        ("BE0403019261", Prefix::Nl, "BE0403019261"),
        ("GR094259216", Prefix::El, "EL094259216"),
        ("UK980780684", Prefix::Gb, "GB980780684"),
        ("CHE116281710", Prefix::Nl, "CHE116281710"),
        // What is malformed keeps the country, so that it is known whose number it was to be.
        ("1234", Prefix::De, "DE1234"),
    ] {
        assert_eq!(VatNumber::parse_in(input, country).canonical(), canonical, "{input} in {country}");
    }
}

#[test]
fn marks_and_separators_of_every_kind_are_left_out() {
    for mark in [
        '\u{ad}',
        '\u{34f}',
        '\u{61c}',
        '\u{115f}',
        '\u{1160}',
        '\u{180b}',
        '\u{180e}',
        '\u{200b}',
        '\u{202e}',
        '\u{2061}',
        '\u{2064}',
        '\u{206a}',
        '\u{206f}',
        '\u{3164}',
        '\u{fe00}',
        '\u{fe0f}',
        '\u{feff}',
        '\u{ffa0}',
        '\u{fff0}',
        '\u{1bca0}',
        '\u{1d173}',
        '\u{e0001}',
        '\u{e007f}',
        '\u{e01ef}',
        '\u{2800}',
        '\u{22c5}',
        '\u{2219}',
        '\u{2032}',
        '\u{2033}',
        '\u{2043}',
        '\u{2215}',
        '\u{2e3a}',
        '\u{2e3b}',
        '\u{201c}',
        '\u{201d}',
        '\u{2018}',
        '\u{2019}',
        '\u{2013}',
        '\u{2026}',
        '\u{b4}',
        '\u{60}',
    ] {
        for input in
            [format!("D{mark}E136695976"), format!("DE1{mark}36695976"), format!("DE136695976{mark}")]
        {
            let reading = VatNumber::parse(&input);
            assert_eq!(reading.canonical(), "DE136695976", "{input:?}");
            assert!(reading.has_repair(Repair::SeparatorsRemoved), "{input:?}");
        }
    }
}

#[test]
fn only_more_than_surrounding_blanks_is_called_left_out() {
    for (input, left_out) in [
        ("DE136695976", false),
        ("de136695976", false),
        (" \tDE136695976\r\n", false),
        ("\u{a0}DE136695976\u{3000}", false),
        ("DE 136695976", true),
        ("DE136695976.", true),
        (" DE136695976 -", true),
        ("(DE)136695976", true),
        ("DE136695976\u{feff}", true),
        ("DE\u{2019}136695976", true),
        ("\u{ff24}E136695976", false),
        ("`DE136695976`", true),
        ("\"DE136695976\"", true),
        ("DE136695976\u{fe0f}", true),
        ("DE\u{b4}136695976", true),
        ("DE\u{a8}136695976", true),
        ("DE\u{b8}136695976", true),
        ("DE\u{af}136695976", true),
        ("DE\u{384}136695976", true),
    ] {
        let reading = VatNumber::parse(input);
        assert_eq!(reading.canonical(), "DE136695976", "{input:?}");
        assert_eq!(reading.has_repair(Repair::SeparatorsRemoved), left_out, "{input:?}");
    }
}
