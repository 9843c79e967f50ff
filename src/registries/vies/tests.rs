//! VIES's recorded answers, and readings that no recorded answer covers.

use serde_json::json;
use vat::{Prefix, Shape, VatNumber};

use super::{MemberStateAvailability, status::read_status, wire::read_answer};
use crate::{
    registries::{
        body::Body,
        recorded::{Recorded, is_as_expected, recorded},
    },
    verification::registry::{RegistryAnswer, RegistryError, TroubleKind, Verdict},
};

/// Country and national part that the recorded request asks about.
fn asked(answer: &Recorded) -> (String, String) {
    let body = &answer.request["body"];
    if let (Some(country), Some(number)) = (body["countryCode"].as_str(), body["vatNumber"].as_str()) {
        return (country.to_owned(), number.to_owned());
    }
    let path = answer.request["path"].as_str().expect("text");
    let mut parts = path.split("/ms/").nth(1).unwrap_or("DE/vat/136695976").split(['/', '?']);
    let country = parts.next().expect("a country").to_owned();
    let number = parts.nth(1).expect("a number");
    let number = number.strip_prefix(&country).unwrap_or(number).to_owned();
    (country, number)
}

fn read(value: &serde_json::Value) -> Result<RegistryAnswer, RegistryError> {
    read_answer(&Body::recorded(200, value.to_string().into_bytes()), "DE", "136695976")
}

fn is_unreadable(result: &Result<RegistryAnswer, RegistryError>) -> bool {
    matches!(result, Err(RegistryError::Trouble(trouble)) if trouble.kind == TroubleKind::Unreadable)
}

#[test]
fn every_recorded_answer_has_the_outcome_its_index_states() {
    let mut seen = 0;
    for answer in recorded("vies") {
        seen += 1;
        let (country, number) = asked(&answer);
        let right = match answer.expected.as_str() {
            "status" => read_status(&answer.body).is_ok(),
            "must_not_be_sent" => {
                let reading = VatNumber::parse(&format!("{country}{number}"));
                matches!(reading.shape(), Shape::Unsupported(_))
            }
            _ => is_as_expected(&answer, &read_answer(&answer.body, &country, &number)),
        };
        assert!(right, "{}: expected {}", answer.file, answer.expected);
    }
    assert_eq!(seen, 56, "51 of VIES's and 5 of anybody's");
}

#[test]
fn names_and_addresses_are_read_or_not_there() {
    let trader = |file: &str| {
        let answer = recorded("vies").into_iter().find(|answer| answer.file == file).expect("recorded");
        let (country, number) = asked(&answer);
        match read_answer(&answer.body, &country, &number).expect("an answer").verdict {
            Verdict::Registered(trader) => (trader.name, trader.address),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(trader("vies-200-dashes.json"), (None, None));
    assert_eq!(trader("vies-ms-200-dashes.json"), (None, None));
    assert_eq!(
        trader("vies-200-xi.json"),
        (Some("CAUSEWAY CANDLE CO".into()), Some("1 QUAY STREET, BELFAST, ZZ1 1ZZ".into()))
    );
    assert_eq!(
        trader("vies-ms-200-valid.json"),
        (Some("OFICINA DO FAROL LDA".into()), Some("RUA DO ENSAIO 57, 9999-384 LISBOA".into()))
    );
}

#[test]
fn what_discloses_nothing_is_dropped_and_what_does_is_tidied() {
    for (sent, read_as) in [
        ("---", None),
        ("", None),
        ("  \n ", None),
        ("—", None),
        ("- - -", None),
        ("<html><body>Bad gateway</body></html>", None),
        ("</div>", None),
        ("ACME  LTD \n\n  UNIT 1 \n", Some("ACME LTD, UNIT 1")),
        ("---\nMADRID", Some("MADRID")),
        ("A < B & C", Some("A < B & C")),
        ("ΦΑΡΟΣ ΑΕ", Some("ΦΑΡΟΣ ΑΕ")),
    ] {
        let answer =
            read(&json!({"countryCode": "DE", "vatNumber": "136695976", "valid": true, "name": sent}));
        let Ok(RegistryAnswer { verdict: Verdict::Registered(trader), .. }) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(trader.name.as_deref(), read_as, "{sent:?}");
    }
}

#[test]
fn an_error_always_beats_a_boolean() {
    for valid in [true, false] {
        for error in [
            json!({"userError": "MS_UNAVAILABLE"}),
            json!({"userError": "MS_UNAVAILABLE        "}),
            json!({"userError": "SOMETHING_NEW"}),
            json!({"userError": ""}),
            json!({"errorWrappers": [{"error": "TIMEOUT"}]}),
            json!({"errorWrappers": [null]}),
            json!({"errorWrappers": [{}]}),
            json!({"actionSucceed": false}),
        ] {
            for member in ["valid", "isValid"] {
                let mut reply = error.clone();
                reply["countryCode"] = json!("DE");
                reply["vatNumber"] = json!("136695976");
                reply[member] = json!(valid);
                let result = read(&reply);
                assert!(matches!(result, Err(RegistryError::Trouble(_))), "{reply}: {result:?}");
            }
        }
    }
}

#[test]
fn an_outage_beats_a_refusal_of_our_input_whatever_their_order() {
    for codes in [["INVALID_INPUT", "MS_UNAVAILABLE"], ["MS_UNAVAILABLE", "INVALID_INPUT"]] {
        let wrappers: Vec<_> = codes.iter().map(|code| json!({ "error": code })).collect();
        let result = read(&json!({"actionSucceed": false, "errorWrappers": wrappers}));
        assert!(
            matches!(&result, Err(RegistryError::Trouble(t)) if t.kind == TroubleKind::MemberStateUnavailable),
            "{result:?}"
        );
    }
    let both = json!({"errorWrappers": [{"error": "VOW-ERR-2500"}, {"error": "VOW-ERR-2600"}]});
    assert!(read(&both).is_ok_and(|answer| answer.verdict == Verdict::FormRefused));
}

#[test]
fn contradictions_and_other_echoes_are_unreadable() {
    for reply in [
        json!({}),
        json!({"valid": true}),
        json!({"countryCode": "DE", "vatNumber": "136695976"}),
        json!({"countryCode": "DE", "vatNumber": "136695976", "valid": null}),
        json!({"countryCode": "DE", "vatNumber": "136695976", "valid": 1}),
        json!({"countryCode": "DE", "vatNumber": "111111125", "valid": false}),
        json!({"countryCode": "AT", "vatNumber": "136695976", "valid": true}),
        json!({"vatNumber": "136695976", "valid": true}),
        json!({"vatNumber": "136695976", "isValid": true}),
        json!({"vatNumber": "136695976", "isValid": false, "userError": "VALID"}),
        json!({"vatNumber": "136695976", "isValid": true, "userError": "INVALID"}),
        json!({"countryCode": "DE", "vatNumber": "136695976", "valid": true, "isValid": true, "userError": "VALID"}),
    ] {
        let result = read(&reply);
        assert!(is_unreadable(&result), "{reply}: {result:?}");
    }
    assert!(is_unreadable(&read(&json!([true, true, true]))));
}

#[test]
fn a_byte_order_mark_is_tolerated() {
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(json!({"countryCode": "DE", "vatNumber": "136695976", "valid": false}).to_string().bytes());
    let answer = read_answer(&Body::recorded(200, bytes), "DE", "136695976");
    assert!(answer.is_ok_and(|answer| answer.verdict == Verdict::NotRegistered));
}

#[test]
fn the_status_names_every_member_state_and_survives_new_words() {
    let find = |file: &str| {
        let answer = recorded("vies").into_iter().find(|answer| answer.file == file).expect("recorded");
        read_status(&answer.body).expect("a status")
    };
    let degraded = find("vies-check-status-200-degraded.json");
    assert!(degraded.available);
    assert!(degraded.member_states.contains(&(Prefix::De, MemberStateAvailability::Unavailable)));
    assert!(degraded.member_states.contains(&(Prefix::At, MemberStateAvailability::Available)));
    assert!(!find("vies-check-status-200-down.json").available);
    let odd = json!({"vow": {"available": true}, "countries": [
        {"countryCode": "EL", "availability": "Monitored"},
        {"countryCode": "FR", "availability": "Monitoring Disabled"},
        {"countryCode": "QQ", "availability": "Available"},
    ]});
    let status = read_status(&Body::recorded(200, odd.to_string().into_bytes())).expect("a status");
    assert_eq!(
        status.member_states,
        [(Prefix::El, MemberStateAvailability::Unknown), (Prefix::Fr, MemberStateAvailability::Unknown)]
    );
    assert!(read_status(&Body::recorded(500, b"{}".to_vec())).is_err());
}
