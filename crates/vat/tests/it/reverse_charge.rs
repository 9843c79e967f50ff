//! The table of the reverse charge.

use vat::{Prefix, ReverseCharge, Status, SupplierCountry};

#[test]
fn every_case_of_the_table() {
    use ReverseCharge::{CrossBorder, Domestic, NotValid, SupplierCountryNotGiven, Unverified};
    for (status, customer, supplier, expected) in [
        (Status::NotRegistered, Some(Prefix::De), Some("FR"), NotValid),
        (Status::Malformed, None, Some("FR"), NotValid),
        (Status::Unsupported, None, None, NotValid),
        (Status::Unavailable, Some(Prefix::De), Some("FR"), Unverified),
        (Status::Unavailable, Some(Prefix::De), None, Unverified),
        (Status::Unavailable, Some(Prefix::De), Some("DE"), Unverified),
        (Status::Valid, Some(Prefix::De), None, SupplierCountryNotGiven),
        (Status::Valid, Some(Prefix::Dk), Some("DK"), Domestic),
        (Status::Valid, Some(Prefix::Gb), Some("GB"), Domestic),
        (Status::Valid, Some(Prefix::Gb), Some("XI"), Domestic),
        (Status::Valid, Some(Prefix::Xi), Some("GB"), Domestic),
        (Status::Valid, Some(Prefix::Xi), Some("UK"), Domestic),
        (Status::Valid, Some(Prefix::Xi), Some("XI"), Domestic),
        (Status::Valid, Some(Prefix::Gb), Some("IM"), Domestic),
        (Status::Valid, Some(Prefix::Xi), Some("IM"), Domestic),
        (Status::Valid, Some(Prefix::Fr), Some("MC"), Domestic),
        (Status::Valid, Some(Prefix::Fi), Some("AX"), Domestic),
        (Status::Valid, Some(Prefix::Fr), Some("GF"), Domestic),
        (Status::Valid, Some(Prefix::Fr), Some("GP"), Domestic),
        (Status::Valid, Some(Prefix::Fr), Some("MQ"), Domestic),
        (Status::Valid, Some(Prefix::Fr), Some("RE"), Domestic),
        (Status::Valid, Some(Prefix::Fr), Some("YT"), Domestic),
        (Status::Valid, Some(Prefix::De), Some("RE"), CrossBorder),
        (Status::Valid, Some(Prefix::Fr), Some("NC"), CrossBorder),
        (Status::Valid, Some(Prefix::El), Some("gr"), Domestic),
        (Status::Valid, Some(Prefix::El), Some("EL"), Domestic),
        (Status::Valid, Some(Prefix::De), Some("FR"), CrossBorder),
        (Status::Valid, Some(Prefix::Gb), Some("IE"), CrossBorder),
        (Status::Valid, Some(Prefix::Xi), Some("IE"), CrossBorder),
        (Status::Valid, Some(Prefix::De), Some("XI"), CrossBorder),
        (Status::Valid, Some(Prefix::De), Some("MC"), CrossBorder),
        (Status::Valid, Some(Prefix::Gb), Some("JE"), CrossBorder),
        (Status::Valid, Some(Prefix::De), Some("US"), CrossBorder),
    ] {
        let supplier = supplier.map(|code| SupplierCountry::parse(code).unwrap());
        let decided = ReverseCharge::decide(status, customer, supplier);
        assert_eq!(decided, expected, "{status:?}, customer {customer:?}, supplier {supplier:?}");
    }
}

#[test]
fn every_state_is_domestic_to_itself_and_to_no_other() {
    let union = |prefix| if prefix == Prefix::Xi { Prefix::Gb } else { prefix };
    for customer in Prefix::ALL {
        for supplier in Prefix::ALL {
            let country = SupplierCountry::parse(supplier.as_str());
            let decided = ReverseCharge::decide(Status::Valid, Some(customer), country);
            let domestic = union(customer) == union(supplier);
            assert_eq!(decided == ReverseCharge::Domestic, domestic, "{supplier} sells to {customer}");
            assert_eq!(decided.eligible(), !domestic);
        }
    }
}

#[test]
fn only_a_valid_number_across_a_border_or_of_an_unknown_supplier_is_eligible() {
    let eligible: Vec<&str> =
        ReverseCharge::ALL.into_iter().filter(|case| case.eligible()).map(ReverseCharge::as_str).collect();
    assert_eq!(eligible, ["supplier_country_not_given", "cross_border"]);
}

#[test]
fn supplier_countries_are_real_codes_in_either_case() {
    for (text, code) in [
        ("DE", Some("DE")),
        ("de", Some("DE")),
        ("Us", Some("US")),
        ("GR", Some("EL")),
        ("el", Some("EL")),
        ("UK", Some("GB")),
        ("xi", Some("XI")),
        ("IM", Some("IM")),
        ("MC", Some("MC")),
        ("ZW", Some("ZW")),
        ("AD", Some("AD")),
        // Two halves of neighbours in the table.
        ("DA", None),
        ("EU", None),
        ("ZZ", None),
        ("XX", None),
        ("AN", None),
        ("", None),
        ("D", None),
        ("DEU", None),
        ("\u{df}", None),
        ("12", None),
    ] {
        assert_eq!(SupplierCountry::parse(text).map(SupplierCountry::as_str), code, "{text:?}");
    }
}
