//! A call whose registries answer: the documented fields, in the order submitted.

use registry_simulator::{Answer as Says, Settings};
use serde_json::json;

use crate::support::{Answer, TestApp};

#[tokio::test]
async fn numbers_of_both_registries_come_back_in_order_with_the_documented_fields() {
    let app = TestApp::start().await;
    app.simulator
        .hmrc()
        .script("980780684", Says::valid("Quill Joinery Ltd", "1 Mill Lane\nFarrowby\nZZ4 7HB"));
    app.simulator.vies().script("FR", "40303265045", Says::valid("MOULIN SA", "3 RUE HAUTE\n75001 PARIS\n"));
    let answer = app
        .customer("acme")
        .await
        .verify(&["GB980780684", "XI980780684", "DE136695976", "FR40303265045", "EL094259216"])
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let countries: Vec<&str> = answer.results().iter().map(|r| r["countryCode"].as_str().unwrap()).collect();
    assert_eq!(countries, ["GB", "XI", "DE", "FR", "EL"]);
    assert_eq!(
        answer.results()[0],
        json!({
            "vatNumber": "GB980780684", "countryCode": "GB", "valid": true, "status": "valid",
            "businessName": "Quill Joinery Ltd", "address": "1 Mill Lane, Farrowby, ZZ4 7HB",
            "timestamp": "2026-09-03T08:41:07.000Z", "routing": "HMRC API", "source": "live",
            "reverseChargeEligible": true, "reverseChargeReason": "supplier_country_not_given",
        })
    );
    assert_eq!(
        answer.results()[3],
        json!({
            "vatNumber": "FR40303265045", "countryCode": "FR", "valid": true, "status": "valid",
            "businessName": "MOULIN SA", "address": "3 RUE HAUTE, 75001 PARIS",
            "timestamp": "2026-09-03T08:41:07.000Z", "routing": "European Commission VIES API", "source": "live",
            "reverseChargeEligible": true, "reverseChargeReason": "supplier_country_not_given",
        })
    );
    assert_eq!(Answer::advice_codes(&answer.results()[1]), ["xi_covers_goods_only"]);
    assert_eq!(Answer::advice_codes(&answer.results()[2]), ["not_disclosed_by_member_state"]);
}

#[tokio::test]
async fn each_number_goes_to_its_own_registry_in_the_form_it_wants() {
    let app = TestApp::start().await;
    app.customer("acme").await.verify(&["GB980780684", "gr 094259216", "XI980780684"]).await;
    assert_eq!(app.simulator.calls_about("GB", "980780684").len(), 1);
    assert_eq!(app.simulator.calls_about("EL", "094259216").len(), 1);
    assert_eq!(app.simulator.calls_about("XI", "980780684").len(), 1);
    assert!(app.simulator.calls_about("GR", "094259216").is_empty());
}

#[tokio::test]
async fn what_cannot_be_asked_is_told_without_a_call_and_does_not_fail_the_others() {
    let app = TestApp::start().await;
    let answer = app
        .customer("acme")
        .await
        .verify(&["DE136695976", "DE13", "CHE116281710", "EU372022452", "GBGD100", "hello", ""])
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let told: Vec<(&str, &str, &str, bool)> = answer
        .results()
        .iter()
        .map(|r| {
            (
                r["status"].as_str().unwrap(),
                r["countryCode"].as_str().unwrap(),
                r["routing"].as_str().unwrap(),
                r["valid"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("valid", "DE", "European Commission VIES API", true),
            ("malformed", "DE", "none", false),
            ("unsupported", "CH", "none", false),
            ("unsupported", "EU", "none", false),
            ("unsupported", "GB", "none", false),
            ("malformed", "HE", "none", false),
            ("malformed", "ZZ", "none", false),
        ]
    );
    let twin = &answer.results()[4]["advice"][0];
    assert_eq!(
        (twin["code"].as_str(), twin["suggestion"].as_str()),
        (Some("did_you_mean"), Some("GB888810079"))
    );
    assert_eq!(answer.results()[4]["source"], "none");
    assert_eq!(app.simulator.calls().len(), 1, "only DE is asked");
}

/// odoo/odoo 43939, PR 182764.
#[tokio::test]
async fn j03_a_number_sent_in_three_spellings_is_asked_once() {
    let app = TestApp::start().await;
    let answer = app.customer("acme").await.verify(&["IE6388047V", "ie 6388047 v", "IE-6388047-V"]).await;
    let sent: Vec<Option<&str>> = answer.results().iter().map(|r| r["submitted"].as_str()).collect();
    assert_eq!(sent, [None, Some("ie 6388047 v"), Some("IE-6388047-V")]);
    assert!(answer.results().iter().all(|r| r["vatNumber"] == "IE6388047V" && r["valid"] == true));
    assert_eq!(app.simulator.calls_about("IE", "6388047V").len(), 1);
}

#[tokio::test]
async fn the_suppliers_country_decides_the_reverse_charge() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    for (supplier, number, eligible, reason) in [
        ("DE", "DE136695976", false, "domestic"),
        ("fr", "DE136695976", true, "cross_border"),
        ("gr", "EL094259216", false, "domestic"),
        ("uk", "XI980780684", false, "domestic"),
        ("XI", "DE136695976", true, "cross_border"),
        ("US", "GB000472631", true, "cross_border"),
        ("DE", "DE136695978", false, "not_valid"),
    ] {
        let answer = customer.verify_with(&[number], json!({ "supplierCountry": supplier })).await;
        let result = answer.only_result();
        assert_eq!(
            (result["reverseChargeEligible"].as_bool(), result["reverseChargeReason"].as_str()),
            (Some(eligible), Some(reason)),
            "{supplier} sells to {number}"
        );
    }
}

#[tokio::test]
async fn requesters_are_named_to_their_registry_and_give_consultation_numbers() {
    let app = TestApp::start().await;
    let answer = app
        .customer("acme")
        .await
        .verify_with(
            &["GB434031494", "FR40303265045"],
            json!({ "requesterVatNumbers": ["DK28866984", "GB980780684"] }),
        )
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
    for result in answer.results() {
        assert!(result["consultationNumber"].as_str().is_some_and(|number| number.len() >= 9), "{result}");
    }
    assert!(app.simulator.calls_about("GB", "434031494")[0].path.ends_with("/lookup/434031494/980780684"));
    let asked = &app.simulator.calls_about("FR", "40303265045")[0];
    assert_eq!(asked.requester.as_deref(), Some("DK28866984"));
}

#[tokio::test]
async fn a_refused_requester_costs_the_proof_and_not_the_answer() {
    let app = TestApp::start().await;
    app.simulator.vies().set_refuses_unknown_requesters(true);
    let answer = app
        .customer("acme")
        .await
        .verify_with(
            &["GB980780684", "FR40303265045"],
            json!({ "requesterVatNumbers": ["GB999999999", "DE999999999"] }),
        )
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
    for result in answer.results() {
        assert_eq!(
            (result["valid"].as_bool(), result.get("consultationNumber")),
            (Some(true), None),
            "{result}"
        );
        assert!(Answer::advice_codes(result).contains(&"requester_not_accepted"), "{result}");
    }
}

#[tokio::test]
async fn a_form_that_the_registry_refuses_is_malformed_and_no_outage() {
    let app = TestApp::start().await;
    app.simulator.vies().script("FR", "40303265045", Says::error("INVALID_INPUT"));
    let answer = app.customer("acme").await.verify(&["FR40303265045"]).await;
    let result = answer.only_result();
    assert_eq!(result["status"], "malformed");
    assert_eq!(result["routing"], "European Commission VIES API");
    assert_eq!(result["source"], "live");
    assert_eq!(Answer::advice_codes(result), ["refused_by_registry"]);
}

#[tokio::test]
async fn a_hundred_numbers_keep_within_the_registries_limits_and_are_all_answered() {
    let limits =
        Settings { vies_limit: Some(8), vies_limit_per_member_state: Some(3), ..Settings::default() };
    let app = TestApp::with().simulator(limits).start().await;
    app.simulator.vies().set_delay(std::time::Duration::from_millis(30));
    // As many of one member state as of three others: as long as it lasts, it has all of its places, and they the rest.
    let numbers: Vec<String> = (0..100)
        .map(|n| format!("{}{:09}", ["DE", "EL", "DE", "PT", "DE", "EE"][n % 6], 100_000_000 + n))
        .collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let answer = app.customer("acme").await.verify(&numbers).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let returned: Vec<&str> = answer.results().iter().map(|r| r["vatNumber"].as_str().unwrap()).collect();
    assert_eq!(returned, numbers);
    let vies = app.simulator.vies();
    assert_eq!((vies.peak_in_flight(), vies.peak_in_flight_of("DE"), vies.refusals()), (8, 3, 0));
    assert_eq!(app.simulator.calls().len(), 100);
}
