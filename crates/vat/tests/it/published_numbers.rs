//! Every row of the table of published and computed numbers.

use vat::{CheckDigits, MalformedReason, Prefix, Reading, Shape, UnsupportedReason, VatNumber};

/// A row of `data/vat-number-examples.csv`.
pub struct Row {
    pub number: String,
    pub prefix: String,
    pub national: String,
    pub expected: String,
}

pub fn rows() -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(include_str!("../data/vat-number-examples.csv").as_bytes());
    let row = |record: csv::StringRecord| Row {
        number: record[0].to_owned(),
        prefix: record[1].to_owned(),
        national: record[2].to_owned(),
        expected: record[3].to_owned(),
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// The numbers of the table that fit and can be asked about.
pub fn fitting_numbers() -> Vec<VatNumber> {
    let rows = rows().into_iter().filter(|row| row.expected == "pass");
    rows.filter_map(|row| VatNumber::parse(&row.number).number()).collect()
}

fn is_as_expected(reading: &Reading, row: &Row) -> bool {
    let government_or_health_body = row.national.starts_with("GD") || row.national.starts_with("HA");
    match (row.expected.as_str(), reading.shape()) {
        ("pass", Shape::Unsupported(UnsupportedReason::GovernmentOrHealthBody)) => government_or_health_body,
        ("pass", Shape::Number(number)) => number.check_digits() != CheckDigits::DoNotFit,
        ("bad_check_digit", Shape::Number(number)) => number.check_digits() == CheckDigits::DoNotFit,
        ("malformed", Shape::Malformed(reason)) => *reason == MalformedReason::Structure,
        _ => false,
    }
}

#[test]
fn every_row_is_read_as_expected() {
    let rows = rows();
    assert_eq!(rows.len(), 183);
    for row in rows {
        let reading = VatNumber::parse(&row.number);
        assert!(is_as_expected(&reading, &row), "{} should be {}: {reading:?}", row.number, row.expected);
        assert_eq!(reading.canonical(), row.number);
        assert_eq!(reading.country_code(), row.prefix);
        assert_eq!(reading.repairs().count(), 0, "{}", row.number);
        if let Some(number) = reading.number() {
            assert_eq!((number.prefix().as_str(), number.national()), (&*row.prefix, &*row.national));
        }
    }
}

#[test]
fn every_row_is_read_the_same_with_its_country_beside_it() {
    for row in rows() {
        let country = Prefix::from_code(&row.prefix).unwrap();
        assert_eq!(VatNumber::parse_in(&row.number, country), VatNumber::parse(&row.number));
        // Two letters of another country are no national part.
        if row.national.starts_with("XX") {
            continue;
        }
        let alone = VatNumber::parse_in(&row.national, country);
        assert_eq!(alone.shape(), VatNumber::parse(&row.number).shape(), "{}", row.number);
    }
}

#[test]
fn every_prefix_has_numbers_of_each_kind() {
    for prefix in Prefix::ALL {
        for expected in ["pass", "bad_check_digit", "malformed"] {
            let found =
                rows().into_iter().any(|row| row.prefix == prefix.as_str() && row.expected == expected);
            assert!(found, "no {expected} number of {prefix}");
        }
    }
}

#[test]
fn sandbox_numbers_can_be_asked_though_they_do_not_fit() {
    // Three of the mock numbers in HMRC's public test data (repository hmrc/vat-registered-companies-api).
    for (text, expected) in [
        ("GB166804280212", CheckDigits::DoNotFit),
        ("GB948561936944", CheckDigits::DoNotFit),
        ("GB726129090", CheckDigits::Fit),
    ] {
        assert_eq!(VatNumber::parse(text).check_digits(), Some(expected), "{text}");
    }
}
