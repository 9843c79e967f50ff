//! VIES's lookups in both shapes: verdicts, names, proofs, matching, refused questions, the test service.

use std::collections::HashSet;

use registry_simulator::{Answer, Script};
use serde_json::{Value, json};

use crate::support::{FRENCH, GERMAN, IRISH, World, json_of, vies_codes};

#[tokio::test]
async fn known_numbers_are_valid_in_both_shapes_and_others_are_not() {
    let world = World::start().await;
    let table = [
        (IRISH, true),
        (FRENCH, true),
        (GERMAN, true),
        (("EL", "094019245"), true),
        (("BE", "0477472701"), true),
        (("NL", "859835832B01"), true),
        (("XI", "980780684"), true),
        (("PT", "501964842"), false),
        (("CZ", "25123890"), false),
        (("XX", "123456"), false),
        (("GR", "094019245"), false),
        (("GB", "980780684"), false),
    ];
    for (asked, valid) in table {
        let (status, published) = json_of(world.vies(asked)).await;
        assert_eq!((status.as_u16(), &published["valid"]), (200, &Value::Bool(valid)), "{asked:?}");
        assert_eq!(
            (published["countryCode"].as_str(), published["vatNumber"].as_str()),
            (Some(asked.0), Some(asked.1))
        );
        let (status, web) = json_of(world.vies_web(asked)).await;
        assert_eq!((status.as_u16(), &web["isValid"]), (200, &Value::Bool(valid)), "{asked:?}");
        assert_eq!(web["userError"], if valid { "VALID" } else { "INVALID" });
        assert_eq!((&web["name"], &web["address"]), (&published["name"], &published["address"]));
    }
}

#[tokio::test]
async fn names_are_in_the_manner_of_their_country_and_some_states_tell_none() {
    let world = World::start().await;
    for asked in [GERMAN, ("ES", "A12345674")] {
        let (_, body) = json_of(world.vies(asked)).await;
        assert_eq!(
            (&body["valid"], &body["name"], &body["address"]),
            (&json!(true), &json!("---"), &json!("---"))
        );
    }
    let (_, danish) = json_of(world.vies(("DK", "13612870"))).await;
    assert_eq!(danish["name"], "Microsoft Danmark ApS");
    assert_eq!(danish["address"], "Kanalvej 7\n2800 Kongens Lyngby\n");
    let (_, greek) = json_of(world.vies(("EL", "094019245"))).await;
    assert!(greek["name"].as_str().unwrap().ends_with(" ΑΕ"), "{greek}");
    let (_, again) = json_of(world.vies(("EL", "094019245"))).await;
    assert_eq!(greek["name"], again["name"]);
    // A script's name is told even where the member state would not.
    world.simulator.vies().script("ES", "B75149773", Answer::valid("ENSAYO SL", "CALLE 1"));
    assert_eq!(json_of(world.vies(("ES", "B75149773"))).await.1["name"], "ENSAYO SL");
}

#[tokio::test]
async fn only_a_registered_requester_gets_a_proof_and_only_for_a_valid_number() {
    let world = World::start().await;
    let ask = |number: &str, requester: &str| {
        world.vies_body(&json!({
            "countryCode": "DK", "vatNumber": number,
            "requesterMemberStateCode": "DK", "requesterNumber": requester,
        }))
    };
    let mut seen = HashSet::new();
    for _ in 0..3 {
        let (_, body) = json_of(ask("13612870", "28866984")).await;
        let identifier = body["requestIdentifier"].as_str().unwrap().to_owned();
        assert!(identifier.starts_with("WAPI") && identifier.len() == 16, "{identifier}");
        assert!(seen.insert(identifier));
    }
    for (number, requester) in [("13612870", "12345678"), ("13585627", "28866984")] {
        assert_eq!(json_of(ask(number, requester)).await.1["requestIdentifier"], "");
    }
    let (_, web) = json_of(world.vies_web_for(("DK", "13612870"), ("DK", "28866984"))).await;
    assert!(web["requestIdentifier"].as_str().unwrap().starts_with("WAPI"));
    assert_eq!(world.simulator.calls()[0].requester.as_deref(), Some("DK28866984"));

    world.simulator.vies().set_refuses_unknown_requesters(true);
    assert_eq!(vies_codes(&json_of(ask("13612870", "12345678")).await.1), ["INVALID_REQUESTER_INFO"]);
    assert_eq!(json_of(ask("13612870", "28866984")).await.1["valid"], true);
}

#[tokio::test]
async fn sent_details_are_compared_except_in_czechia() {
    let world = World::start().await;
    let ask = |country: &str, number: &str, name: &str, city: &str| {
        world.vies_body(&json!({
            "countryCode": country, "vatNumber": number, "traderName": name, "traderCity": city,
        }))
    };
    let (_, body) = json_of(ask("DK", "13612870", "microsoft danmark aps", "Odense")).await;
    assert_eq!((&body["traderNameMatch"], &body["traderCityMatch"]), (&json!("VALID"), &json!("INVALID")));
    assert_eq!((&body["traderStreetMatch"], &body["traderStreet"]), (&json!("NOT_PROCESSED"), &json!("---")));
    assert_eq!(body["traderName"], "microsoft danmark aps");
    let (_, body) = json_of(ask("CZ", "27082440", "x", "y")).await;
    assert_eq!(
        (&body["traderNameMatch"], &body["traderCityMatch"]),
        (&json!("NOT_PROCESSED"), &json!("NOT_PROCESSED"))
    );
}

#[tokio::test]
async fn refused_questions_have_viess_codes_and_statuses() {
    let world = World::start().await;
    let table = [
        (json!({ "countryCode": "", "vatNumber": "1" }), 400, vec!["VOW-ERR-11"]),
        (json!({ "countryCode": "IE" }), 400, vec!["VOW-ERR-11"]),
        (json!({ "countryCode": "PL", "vatNumber": "123" }), 400, vec!["VOW-ERR-2600"]),
        (json!({ "countryCode": "IE", "vatNumber": "6388 047V" }), 400, vec!["VOW-ERR-2600"]),
        (json!({ "countryCode": "IRL", "vatNumber": "6388047V" }), 200, vec!["INVALID_INPUT"]),
        (json!({ "countryCode": "CZ", "vatNumber": "-27082440" }), 500, vec!["VOW-ERR-1"]),
        (json!([1]), 500, vec!["VOW-ERR-1"]),
        (
            json!({ "countryCode": "IE", "vatNumber": "1", "requesterMemberStateCode": "GB",
                    "requesterNumber": "553557881" }),
            400,
            vec!["VOW-ERR-2600", "VOW-ERR-2500"],
        ),
        (
            json!({ "countryCode": "IE", "vatNumber": "6388047V", "requesterMemberStateCode": "DK",
                    "requesterNumber": "1" }),
            400,
            vec!["VOW-ERR-2700"],
        ),
    ];
    for (question, status, codes) in table {
        let (got, body) = json_of(world.vies_body(&question)).await;
        assert_eq!((got.as_u16(), vies_codes(&body)), (status, codes), "{question}");
    }
    let (status, body) = json_of(world.vies_web(("PL", "123"))).await;
    assert_eq!((status.as_u16(), body["userError"].as_str()), (200, Some("INVALID_INPUT")));
    let (_, body) = json_of(world.vies_web_for(IRISH, ("GB", "553557881"))).await;
    assert_eq!(body["userError"], "INVALID_REQUESTER_INFO");
}

#[tokio::test]
async fn the_web_page_strips_a_repeated_prefix() {
    let world = World::start().await;
    let (_, body) = json_of(world.vies_web(("PT", "PT501964843"))).await;
    assert_eq!(body["isValid"], true);
    assert_eq!(
        (body["originalVatNumber"].as_str(), body["vatNumber"].as_str()),
        (Some("PT501964843"), Some("501964843"))
    );
    assert_eq!(world.simulator.calls_about("PT", "501964843").len(), 1);
}

#[tokio::test]
async fn every_error_code_can_be_scripted_in_both_shapes() {
    let world = World::start().await;
    let table = [
        ("INVALID_INPUT", 200),
        ("INVALID_REQUESTER_INFO", 200),
        ("SERVICE_UNAVAILABLE", 200),
        ("MS_UNAVAILABLE", 200),
        ("TIMEOUT", 200),
        ("GLOBAL_MAX_CONCURRENT_REQ", 200),
        ("GLOBAL_MAX_CONCURRENT_REQ_TIME", 200),
        ("MS_MAX_CONCURRENT_REQ", 200),
        ("MS_MAX_CONCURRENT_REQ_TIME", 200),
        ("VAT_BLOCKED", 200),
        ("IP_BLOCKED", 200),
        ("SERVER_BUSY", 200),
        ("VOW-ERR-1", 500),
        ("VOW-ERR-11", 400),
        ("VOW-ERR-2500", 400),
        ("VOW-ERR-2600", 400),
        ("VOW-ERR-2700", 400),
    ];
    for (code, status) in table {
        world.simulator.vies().script(IRISH.0, IRISH.1, Answer::error(code));
        let (got, body) = json_of(world.vies(IRISH)).await;
        assert_eq!((got.as_u16(), vies_codes(&body)), (status, vec![code]));
        let (got, body) = json_of(world.vies_web(IRISH)).await;
        assert_eq!(got.as_u16(), status);
        if status == 200 {
            let name = body["name"].as_str();
            assert_eq!(
                (&body["isValid"], body["userError"].as_str(), name),
                (&json!(false), Some(code), Some("---"))
            );
        } else {
            assert_eq!(vies_codes(&body), [code]);
        }
    }
}

#[tokio::test]
async fn a_script_can_refuse_twice_and_then_find() {
    let world = World::start().await;
    let throttled = || Answer::error("MS_MAX_CONCURRENT_REQ");
    let script =
        Script::first([throttled(), throttled()]).then(Answer::valid("Nach der Pause GmbH", "Ring 1"));
    world.simulator.vies().script(GERMAN.0, GERMAN.1, script);
    // One state behind both ways of asking.
    assert_eq!(json_of(world.vies_web(GERMAN)).await.1["userError"], "MS_MAX_CONCURRENT_REQ");
    assert_eq!(vies_codes(&json_of(world.vies(GERMAN)).await.1), ["MS_MAX_CONCURRENT_REQ"]);
    for _ in 0..2 {
        let (_, body) = json_of(world.vies(GERMAN)).await;
        assert_eq!((&body["valid"], &body["name"]), (&json!(true), &json!("Nach der Pause GmbH")));
    }
    assert_eq!(world.simulator.calls_about(GERMAN.0, GERMAN.1).len(), 4);
    assert_eq!(world.simulator.vies().refusals(), 0);
    world.simulator.vies().unscript(GERMAN.0, GERMAN.1);
    assert_eq!(json_of(world.vies(GERMAN)).await.1["name"], "---");
}

#[tokio::test]
async fn the_test_service_answers_by_number() {
    let world = World::start().await;
    let url = format!("{}/check-vat-test-service", world.simulator.vies_base_url());
    let ask = |country: &str, number: &str| {
        world.client.post(&url).json(&json!({ "countryCode": country, "vatNumber": number }))
    };
    let (_, body) = json_of(ask("DE", "100")).await;
    assert_eq!((&body["valid"], &body["name"]), (&json!(true), &json!("John Doe")));
    assert_eq!(json_of(ask("DE", "200")).await.1["valid"], false);
    let table = [
        ("DE", "201", "INVALID_INPUT"),
        ("DE", "202", "INVALID_REQUESTER_INFO"),
        ("DE", "300", "SERVICE_UNAVAILABLE"),
        ("DE", "301", "MS_UNAVAILABLE"),
        ("DE", "302", "TIMEOUT"),
        ("DE", "400", "VAT_BLOCKED"),
        ("DE", "401", "IP_BLOCKED"),
        ("DE", "500", "GLOBAL_MAX_CONCURRENT_REQ"),
        ("DE", "501", "GLOBAL_MAX_CONCURRENT_REQ_TIME"),
        ("DE", "600", "MS_MAX_CONCURRENT_REQ"),
        ("DE", "601", "MS_MAX_CONCURRENT_REQ_TIME"),
        ("DE", "811569869", "SERVICE_UNAVAILABLE"),
        ("DE", "", "SERVICE_UNAVAILABLE"),
        ("", "100", "INVALID_INPUT"),
    ];
    for (country, number, code) in table {
        let (status, body) = json_of(ask(country, number)).await;
        assert_eq!((status.as_u16(), vies_codes(&body)), (200, vec![code]), "{country}{number}");
    }
}
