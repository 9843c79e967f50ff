//! Codes and names that callers rely on.

use std::collections::HashSet;

use vat::{AdviceCode, Prefix, Registry, Status, UnresolvedReason, VatNumber};

#[test]
fn prefixes_are_found_by_their_exact_code_only() {
    for prefix in Prefix::ALL {
        assert_eq!(Prefix::from_code(prefix.as_str()), Some(prefix));
        assert_eq!(Prefix::from_code(&prefix.as_str().to_lowercase()), None);
        assert_eq!(prefix.to_string(), prefix.as_str());
        let registry = if prefix == Prefix::Gb { Registry::Hmrc } else { Registry::Vies };
        assert_eq!(prefix.registry(), registry);
    }
    for code in ["GR", "UK", "CH", "EU", "IM", "", "D", "DEU", "1E", "0E", "\u{c4}"] {
        assert_eq!(Prefix::from_code(code), None, "{code:?}");
    }
    assert_eq!(Prefix::El.country_name(), "Greece");
    assert_eq!(Prefix::Xi.country_name(), "Northern Ireland");
    assert_eq!(Prefix::Gb.country_name(), "United Kingdom");
    let names: HashSet<&str> = Prefix::ALL.into_iter().map(Prefix::country_name).collect();
    assert_eq!(names.len(), 29);
}

#[test]
fn registries_are_named_as_the_interface_names_them() {
    assert_eq!((Registry::Hmrc.name(), Registry::Hmrc.routing()), ("HMRC", "HMRC API"));
    assert_eq!((Registry::Vies.name(), Registry::Vies.routing()), ("VIES", "European Commission VIES API"));
}

#[test]
fn statuses_have_a_code_and_a_word() {
    let words: Vec<(&str, &str)> =
        Status::ALL.into_iter().map(|status| (status.as_str(), status.word())).collect();
    assert_eq!(
        words,
        [
            ("valid", "Valid"),
            ("not_registered", "Not registered"),
            ("malformed", "Malformed"),
            ("unsupported", "Unsupported"),
            ("unavailable", "Unavailable"),
        ]
    );
}

#[test]
fn advice_codes_are_those_of_the_interface() {
    let codes: Vec<&str> = AdviceCode::ALL.into_iter().map(AdviceCode::as_str).collect();
    let (own, unresolved) = codes.split_at(12);
    assert_eq!(
        own,
        [
            "check_digits_do_not_fit",
            "prefix_repeated",
            "prefix_replaced",
            "lookalike_character",
            "separators_removed",
            "did_you_mean",
            "refused_by_registry",
            "xi_covers_goods_only",
            "new_registrations_take_time",
            "not_disclosed_by_member_state",
            "national_registration_may_exist",
            "requester_not_accepted",
        ]
    );
    let reasons: Vec<&str> = UnresolvedReason::ALL.into_iter().map(UnresolvedReason::as_str).collect();
    assert_eq!(unresolved, reasons);
    assert_eq!(
        reasons,
        [
            "registry_unavailable",
            "member_state_unavailable",
            "timeout",
            "throttled",
            "blocked",
            "registry_unreadable",
            "not_configured",
            "deadline",
        ]
    );
}

#[test]
fn numbers_are_grouped_as_people_print_them() {
    for (text, groups) in [
        ("ATU13585627", "U 1358 5627"),
        ("BE0428759497", "0428 759 497"),
        ("CY10259033P", "1025 9033 P"),
        ("CZ7103192745", "710319 2745"),
        ("DE136695976", "136 695 976"),
        ("DK13585628", "13 58 56 28"),
        ("ESB58378431", "B58 378 431"),
        ("FR40303265045", "40 303 265 045"),
        ("GB123456782", "123 4567 82"),
        ("GB242338087388", "242 3380 87 388"),
        ("HR33392005961", "333 9200 5961"),
        ("IE6433435F", "6433 435F"),
        ("IE6433435OA", "6433 435OA"),
        ("NL004495445B01", "004 495 445 B01"),
        ("PL8567346215", "856 734 62 15"),
        ("RO19", "19"),
        ("RO18547290", "185 472 90"),
        ("SE556464687401", "556464 6874 01"),
        ("XI110305878", "110 3058 78"),
    ] {
        let number = VatNumber::parse(text).number().unwrap();
        assert_eq!(number.groups().collect::<Vec<_>>().join(" "), groups);
    }
}

#[test]
fn a_number_prints_its_canonical_form() {
    let number = VatNumber::parse("gr 094 259 216").number().unwrap();
    assert_eq!(number.to_string(), "EL094259216");
    assert_eq!(format!("{number:>12}|"), " EL094259216|");
    assert_eq!(format!("{number:?}"), "VatNumber(EL094259216)");
}
