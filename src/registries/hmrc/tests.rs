//! HMRC's recorded answers, and readings that no recorded answer covers.

use std::time::Duration;

use vat::VatNumber;

use super::wire::{read_lookup as read, read_token};
use crate::{
    registries::{
        body::Body,
        recorded::{is_as_expected, recorded},
    },
    verification::registry::{RegistryError, TroubleKind, Verdict},
};

/// The number that the request's path asks about; any, where the path holds none that can be asked.
fn asked(path: &str) -> VatNumber {
    let target = path.split("/lookup/").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    VatNumber::parse(&format!("GB{target}")).number().unwrap_or_else(|| number("GB553557881"))
}

fn number(text: &str) -> VatNumber {
    VatNumber::parse(text).number().expect("a number")
}

#[test]
fn every_recorded_answer_has_the_outcome_its_index_states() {
    let mut seen = 0;
    for answer in recorded("hmrc") {
        let path = answer.request["path"].as_str().expect("text");
        seen += 1;
        let right = match answer.expected.as_str() {
            "token" => read_token(&answer.body).is_ok_and(|token| token.life == Duration::from_hours(4)),
            "refresh_token_then_retry_once" => {
                read(&answer.body, &asked(path)) == Err(RegistryError::CredentialsRefused)
            }
            _ if path == "/oauth/token" => {
                let result = read_token(&answer.body).map(|_| unreachable!("a fault"));
                is_as_expected(&answer, &result.map_err(RegistryError::from))
            }
            _ => is_as_expected(&answer, &read(&answer.body, &asked(path))),
        };
        assert!(right, "{}: expected {}", answer.file, answer.expected);
    }
    assert_eq!(seen, 32, "27 of HMRC's and 5 of anybody's");
}

#[test]
fn name_address_and_proof_are_read_whole() {
    let find =
        |file: &str| recorded("hmrc").into_iter().find(|answer| answer.file == file).expect("recorded");
    let twelve = read(&find("hmrc-200-12-digit.json").body, &number("GB948561936944")).expect("an answer");
    let Verdict::Registered(trader) = &twelve.verdict else { panic!("{twelve:?}") };
    assert_eq!(trader.name.as_deref(), Some("Quillfeather Joinery (Northern Depot)"));
    assert_eq!(
        trader.address.as_deref(),
        Some("Unit 3, Old Ropeworks, Saltmarsh Lane, Farrowby, Nethershire, ZZ4 7HB")
    );
    assert_eq!(twelve.dated.as_deref(), Some("2026-02-03T08:05:00+00:00"));
    let foreign =
        read(&find("hmrc-200-minimal-address.json").body, &number("GB436189915")).expect("an answer");
    let Verdict::Registered(trader) = &foreign.verdict else { panic!("{foreign:?}") };
    assert_eq!(trader.address.as_deref(), Some("Rue des Essais 7, FR"));
    for (file, proof) in
        [("hmrc-200-requester.json", 9), ("hmrc-200-requester-hyphens.json", 11), ("hmrc-200.json", 0)]
    {
        let answer = read(&find(file).body, &number("GB553557881")).expect("an answer");
        assert_eq!(answer.consultation_number.map_or(0, |number| number.len()), proof, "{file}");
    }
}

#[test]
fn an_answer_about_another_number_is_none() {
    let body =
        recorded("hmrc").into_iter().find(|answer| answer.file == "hmrc-200.json").expect("recorded").body;
    let result = read(&body, &number("GB436189915"));
    assert!(
        matches!(&result, Err(RegistryError::Trouble(t)) if t.kind == TroubleKind::Unreadable),
        "{result:?}"
    );
}

#[test]
fn only_not_found_is_a_negative_among_all_404s() {
    for (body, negative) in [
        (r#"{"code":"NOT_FOUND","message":"targetVrn does not match a registered company"}"#, true),
        (r#"{"code":"MATCHING_RESOURCE_NOT_FOUND","message":"x"}"#, false),
        (r#"{"code":"not_found","message":"x"}"#, false),
        (r#"{"statusCode":404,"message":"URI not found"}"#, false),
        (r#"{"code":"NOT_FOUND"}"#, false),
        (r#"["NOT_FOUND","x"]"#, false),
        ("", false),
        ("<html>NOT_FOUND</html>", false),
    ] {
        let result = read(&Body::recorded(404, body.into()), &number("GB980780684"));
        let said_no = result.is_ok_and(|answer| answer.verdict == Verdict::NotRegistered);
        assert_eq!(said_no, negative, "{body}");
    }
    for status in [200, 400, 403, 410, 500, 503] {
        let body = Body::recorded(status, br#"{"code":"NOT_FOUND","message":"x"}"#.to_vec());
        assert!(read(&body, &number("GB980780684")).is_err(), "{status}");
    }
}

#[test]
fn no_lifetime_of_a_token_is_believed_without_bounds() {
    for (seconds, life) in
        [(0, Duration::ZERO), (60, Duration::from_mins(1)), (u64::MAX, Duration::from_hours(24))]
    {
        let body = format!(r#"{{"access_token":"x","token_type":"bearer","expires_in":{seconds}}}"#);
        let issued = read_token(&Body::recorded(200, body.into())).expect("a token");
        assert_eq!(issued.life, life);
    }
}

#[test]
fn too_many_is_no_fault_of_configuration_at_the_token_endpoint() {
    for body in [r#"{"code":"MESSAGE_THROTTLED_OUT","message":"x"}"#, r#"{"error":"slow_down"}"#, ""] {
        let trouble = read_token(&Body::recorded(429, body.into())).err().expect("trouble");
        assert_eq!(trouble.kind, TroubleKind::RegistryBusy, "{body}");
    }
}

#[test]
fn what_stands_for_a_code_reaches_no_log_unless_it_is_one() {
    for (code, logged) in
        [("SERVER_ERROR", "SERVER_ERROR"), ("<b>GB980780684</b>", "no known code"), ("", "no known code")]
    {
        let body = format!(r#"{{"code":"{code}","message":"x"}}"#);
        let result = read(&Body::recorded(500, body.into()), &number("GB980780684"));
        let Err(RegistryError::Trouble(trouble)) = result else { panic!("{result:?}") };
        assert_eq!(trouble.detail, format!("HTTP 500, {logged}"));
    }
}
