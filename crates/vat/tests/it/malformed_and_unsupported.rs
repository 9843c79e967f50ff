//! What is no number that a registry can be asked about, and what is said instead of it.

use vat::{MAX_CHARACTERS, MalformedReason, Shape, UnsupportedReason, VatNumber};

#[test]
fn the_reason_is_the_first_that_applies() {
    use MalformedReason::{Characters, Empty, MissingPrefix, Structure, TooLong};
    for (input, reason, canonical, country_code) in [
        ("", Empty, "", "ZZ"),
        (" - ", Empty, "", "ZZ"),
        ("VAT no:", Empty, "", "ZZ"),
        ("136695976", MissingPrefix, "136695976", "ZZ"),
        ("VAT 136695976", MissingPrefix, "136695976", "ZZ"),
        ("D1", MissingPrefix, "D1", "ZZ"),
        ("+*", MissingPrefix, "+*", "ZZ"),
        ("DE13669597", Structure, "DE13669597", "DE"),
        ("GR1", Structure, "EL1", "EL"),
        ("UK1", Structure, "GB1", "GB"),
        ("DEDE13669597", Structure, "DE13669597", "DE"),
        ("FRFR12", Structure, "FR12", "FR"),
        ("FRFR5300000460", Structure, "FR5300000460", "FR"),
        ("NLNL4495445B01", Structure, "NL4495445B01", "NL"),
        ("NL1.2345678E+11", Structure, "NL12345678E+11", "NL"),
        ("GB VAT 98078068", Structure, "GBVAT98078068", "GB"),
        // A country is not made of words.
        ("n/a", MissingPrefix, "NA", "NA"),
        ("none", MissingPrefix, "NONE", "NO"),
        ("null", MissingPrefix, "NULL", "NU"),
        ("unknown", MissingPrefix, "UNKNOWN", "UN"),
        ("hello", MissingPrefix, "HELLO", "HE"),
        ("XX", MissingPrefix, "XX", "XX"),
        ("DE", Structure, "DE", "DE"),
        ("DE13669597;", Characters, "DE13669597;", "DE"),
        ("VAT DE13669597;", Characters, "DE13669597;", "DE"),
        ("gr 1;", Characters, "EL1;", "EL"),
        ("?", Characters, "?", "ZZ"),
        ("CH;1", Characters, "CH;1", "CH"),
        ("DE\u{0}136695976", Characters, "DE\u{0}136695976", "DE"),
        ("stra\u{df}e", Characters, "STRA\u{df}E", "ST"),
        ("F\u{131}20774740", Characters, "F\u{131}20774740", "ZZ"),
        ("DEe\u{301}", Characters, "DE\u{c9}", "DE"),
        ("DE\u{e9}", Characters, "DE\u{c9}", "DE"),
        ("DE\u{1100} \u{1161}", Characters, "DE\u{ac00}", "DE"),
        // Nothing of this is a letter place in a German number.
        ("DE13669597\u{391}", Characters, "DE13669597\u{391}", "DE"),
        ("DE\u{bd}36695976", Characters, "DE1\u{2044}236695976", "DE"),
        ("EL09425921\u{39b}", Characters, "EL09425921\u{39b}", "EL"),
        ("\u{395}L0942592", Structure, "EL0942592", "EL"),
    ] {
        let reading = VatNumber::parse(input);
        assert_eq!(reading.shape(), &Shape::Malformed(reason), "{input:?}");
        assert_eq!(reading.canonical(), canonical, "{input:?}");
        assert_eq!(reading.country_code(), country_code, "{input:?}");
    }
    let long = format!("DE136695976{}", " ".repeat(MAX_CHARACTERS));
    assert_eq!(VatNumber::parse(&long).shape(), &Shape::Malformed(TooLong));
}

#[test]
fn the_limit_counts_characters_and_not_bytes() {
    let spaces = "\u{2003}".repeat(MAX_CHARACTERS - 11);
    assert_eq!(VatNumber::parse(&format!("{spaces}DE136695976")).canonical(), "DE136695976");
    let one_more = VatNumber::parse(&format!("{spaces} DE136695976"));
    assert_eq!(one_more.shape(), &Shape::Malformed(MalformedReason::TooLong));
}

#[test]
fn what_neither_registry_covers_is_unsupported_and_never_malformed() {
    use UnsupportedReason::{CountryNotCovered, GovernmentOrHealthBody, ImportScheme, OneStopShop};
    for (input, reason, canonical) in [
        ("CHE-116.281.710 MWST", CountryNotCovered, "CHE116281710MWST"),
        ("NO974760673MVA", CountryNotCovered, "NO974760673MVA"),
        ("IS12345", CountryNotCovered, "IS12345"),
        ("XX1", CountryNotCovered, "XX1"),
        ("VAT CHE-116.281.710", CountryNotCovered, "CHE116281710"),
        ("EU372022452", OneStopShop, "EU372022452"),
        ("EU37202245", CountryNotCovered, "EU37202245"),
        ("IM3720000224", ImportScheme, "IM3720000224"),
        ("IM000472631", CountryNotCovered, "IM000472631"),
        ("gb gd 100", GovernmentOrHealthBody, "GBGD100"),
        ("UKHA501", GovernmentOrHealthBody, "GBHA501"),
        ("XIGD012", GovernmentOrHealthBody, "XIGD012"),
        // Greek capital Nu and Omicron.
        ("\u{39d}\u{39f}974760673", CountryNotCovered, "NO974760673"),
    ] {
        let reading = VatNumber::parse(input);
        assert_eq!(reading.shape(), &Shape::Unsupported(reason), "{input:?}");
        assert_eq!(reading.canonical(), canonical, "{input:?}");
        assert_eq!(reading.country_code(), &canonical[..2], "{input:?}");
        assert_eq!(reading.number(), None);
        assert_eq!(reading.check_digits(), None);
    }
}
