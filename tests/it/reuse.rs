//! Answers that are used again: as old as the caller allows, the account's own, with their proof, after a restart too.

use std::time::Duration;

use crossvat::{accounts::AccountSettings, audit::Actor};
use registry_simulator::Condition;
use serde_json::{Value, json};
use vat::VatNumber;

use crate::support::{Answer, TestApp};

const NUMBER: &str = "DE136695976";

fn source(answer: &Answer) -> &str {
    answer.only_result()["source"].as_str().expect("a source")
}

#[tokio::test]
async fn an_answer_is_used_for_an_hour_unless_the_call_says_otherwise() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let first = customer.verify(&[NUMBER]).await;
    assert_eq!(
        (source(&first), first.only_result()["timestamp"].as_str()),
        ("live", Some("2026-09-03T08:41:07.000Z"))
    );
    app.clock.advance(Duration::from_hours(1));
    let again = customer.verify(&["de 136 695 976"]).await;
    assert_eq!(source(&again), "cache");
    assert_eq!(again.only_result()["timestamp"], first.only_result()["timestamp"], "then, not now");
    assert_eq!(again.only_result()["businessName"], first.only_result()["businessName"]);
    assert_eq!(app.simulator.calls().len(), 1);
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(source(&customer.verify(&[NUMBER]).await), "live");
    app.clock.advance(Duration::from_secs(100));
    for (age, expected) in [(100, "cache"), (99, "live"), (0, "live"), (86_400, "cache")] {
        let answer = customer.verify_with(&[NUMBER], json!({ "maxAgeSeconds": age })).await;
        assert_eq!(source(&answer), expected, "{age}");
    }
}

#[tokio::test]
async fn a_negative_answer_is_used_for_five_minutes_and_an_outage_never() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let unregistered = "DE999999999";
    assert_eq!(customer.verify(&[unregistered]).await.only_result()["status"], "not_registered");
    app.clock.advance(Duration::from_mins(5));
    assert_eq!(source(&customer.verify(&[unregistered]).await), "cache");
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(source(&customer.verify(&[unregistered]).await), "live");
    app.simulator.vies().set_member_state("FR", Condition::Down);
    for _ in 0..2 {
        customer.verify(&["FR40303265045"]).await.only_unresolved();
    }
    app.simulator.vies().set_member_state("FR", Condition::Up);
    let answer = customer.verify(&["FR40303265045"]).await;
    assert_eq!((source(&answer), &answer.only_result()["valid"]), ("live", &json!(true)));
}

#[tokio::test]
async fn a_restart_forgets_nothing() {
    let mut app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let fields = json!({ "requesterVatNumbers": ["FR40303265045", "GB434031494"] });
    let numbers = [NUMBER, "GB980780684", "DE999999999"];
    let first = customer.verify_with(&numbers, fields.clone()).await;
    assert_eq!(first.status, 200, "{first:?}");
    let asked = app.simulator.calls().len();
    app.restart().await;
    let customer = customer.at(&app);
    let again = customer.verify_with(&numbers, fields).await;
    assert_eq!(app.simulator.calls().len(), asked, "nobody was asked");
    let without_source = |answer: &Answer| {
        let mut results = answer.results().to_vec();
        for result in &mut results {
            result["source"].take();
        }
        results
    };
    assert_eq!(without_source(&first), without_source(&again));
    assert!(again.results().iter().all(|result| result["source"] == "cache"), "{again:?}");
    assert!(again.results()[0]["consultationNumber"].is_string());
    assert_eq!(customer.numbers_used().await, 3);
}

#[tokio::test]
async fn a_proof_serves_the_same_requester_and_none_and_no_other() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let ask = async |requesters: Value| {
        customer.verify_with(&[NUMBER], json!({ "requesterVatNumbers": requesters })).await
    };
    let first = ask(json!(["FR40303265045"])).await;
    let proof = &first.only_result()["consultationNumber"];
    assert!(proof.is_string());
    for requesters in [json!(["FR40303265045"]), json!([])] {
        let again = ask(requesters).await;
        assert_eq!((source(&again), &again.only_result()["consultationNumber"]), ("cache", proof));
    }
    let other = ask(json!(["IE6388047V"])).await;
    assert_eq!(source(&other), "live");
    assert_ne!(&other.only_result()["consultationNumber"], proof);
    let now = customer
        .verify_with(&[NUMBER], json!({ "requesterVatNumbers": ["FR40303265045"], "maxAgeSeconds": 0 }))
        .await;
    assert_eq!(source(&now), "live");
    assert_ne!(&now.only_result()["consultationNumber"], proof, "a new proof");
}

#[tokio::test]
async fn the_accounts_own_numbers_are_the_requesters_unless_a_call_names_others() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let number = |text: &str| VatNumber::parse(text).number();
    let set = async |settings| {
        app.accounts().change_settings(customer.account_id, &settings, &Actor::COMMAND_LINE).await
    };
    let (gb, eu) = (number("GB434031494"), number("FR40303265045"));
    set(AccountSettings::Requesters { gb, eu }).await.expect("sets");
    let supplier_country = vat::SupplierCountry::parse("FR");
    let max_age = Duration::from_hours(1);
    set(AccountSettings::Assumptions { supplier_country, max_age }).await.expect("sets");
    let answer = customer.verify(&[NUMBER, "GB980780684"]).await;
    for result in answer.results() {
        assert!(result["consultationNumber"].is_string(), "{result}");
    }
    assert_eq!(answer.results()[0]["reverseChargeReason"], "cross_border");
    let fields = json!({ "requesterVatNumbers": [], "maxAgeSeconds": 0, "supplierCountry": "DE" });
    let without = customer.verify_with(&[NUMBER], fields).await;
    assert!(without.only_result().get("consultationNumber").is_none());
    assert_eq!(without.only_result()["reverseChargeReason"], "domestic");
    assert!(set(AccountSettings::Requesters { gb: eu, eu }).await.is_err());
    let too_old = Duration::from_hours(25);
    assert!(set(AccountSettings::Assumptions { supplier_country, max_age: too_old }).await.is_err());
}

#[tokio::test]
async fn accounts_never_see_each_others_answers() {
    let app = TestApp::start().await;
    let (one, other) = (app.customer("acme").await, app.customer("other").await);
    assert_eq!(source(&one.verify(&[NUMBER]).await), "live");
    assert_eq!(source(&other.verify(&[NUMBER]).await), "live");
    assert_eq!(app.simulator.calls().len(), 2);
}

#[tokio::test]
async fn the_same_question_at_the_same_time_is_asked_once_and_counted_once() {
    let app = TestApp::start().await;
    app.simulator.vies().set_delay(Duration::from_millis(300));
    let customer = app.customer("acme").await;
    let numbers = [NUMBER, "FR40303265045", "IE6388047V"];
    let calls = (0..20).map(|_| customer.verify(&numbers));
    let answers = futures_util::future::join_all(calls).await;
    assert_eq!(app.simulator.calls().len(), 3);
    for answer in &answers {
        assert_eq!(answer.status, 200);
        assert!(answer.results().iter().all(|result| result["valid"] == true));
    }
    let live = answers.iter().filter(|answer| answer.results()[0]["source"] == "live").count();
    assert_eq!(live, 1, "the others waited for its answer");
    assert_eq!(customer.numbers_used().await, 3);
    assert_eq!(customer.account().await.body["usage"]["requests"], 20);
}

#[tokio::test]
async fn who_wants_an_answer_from_now_waits_for_nobody_elses() {
    let app = TestApp::start().await;
    app.simulator.vies().set_delay(Duration::from_millis(300));
    let customer = app.customer("acme").await;
    let now = || customer.verify_with(&[NUMBER], json!({ "maxAgeSeconds": 0 }));
    let (one, other) = tokio::join!(now(), now());
    assert_eq!((source(&one), source(&other)), ("live", "live"));
    assert_eq!(app.simulator.calls().len(), 2);
}
