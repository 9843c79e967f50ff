//! The access token and the rate at HMRC, on the wire.

use std::time::Duration;

use crossvat::verification::gateway::RegistryPart;
use registry_simulator::{Answer as Says, Script, Settings};
use vat::Registry;

use crate::support::{TestApp, TestAppBuilder, in_hmrcs_pace, lookups_at_hmrc};

const HMRC: RegistryPart = RegistryPart::Whole(Registry::Hmrc);

/// Lookups are judged by when they arrive; none is refused.
fn unlimited() -> TestAppBuilder {
    TestApp::with().simulator(Settings { hmrc_calls_per_second: None, ..Settings::default() })
}

fn quick() -> TestAppBuilder {
    unlimited().set("HMRC__REQUESTS_PER_SECOND", "200")
}

#[tokio::test]
async fn a_crowd_of_lookups_causes_one_token_request() {
    let app = quick().start().await;
    app.simulator.hmrc().set_delay(Duration::from_millis(50));
    let numbers: Vec<String> = (0..40).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let answer = app.customer("acme").await.verify(&numbers).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(app.simulator.hmrc().token_requests(), 1);
}

#[tokio::test]
async fn a_slow_token_endpoint_is_asked_once_for_all_and_survives_the_caller_who_leaves() {
    let app = quick().start().await;
    app.simulator.hmrc().script_tokens(Script::from(Says::Usual.after(Duration::from_millis(800))));
    let customer = app.customer("acme").await;
    let leaving = tokio::time::timeout(Duration::from_millis(300), customer.verify(&["GB980780684"]));
    assert!(leaving.await.is_err(), "it left while the token was being fetched");
    let (one, two) = tokio::join!(customer.verify(&["GB434031494"]), customer.verify(&["GB000472631"]));
    assert_eq!((one.status, two.status), (200, 200));
    assert_eq!(app.simulator.hmrc().token_requests(), 1);
}

#[tokio::test]
async fn a_token_is_used_for_nine_tenths_of_its_life() {
    let app = quick().start().await;
    app.simulator.hmrc().set_token_lifetime(Duration::from_secs(1000));
    let customer = app.customer("acme").await;
    customer.verify(&["GB980780684"]).await;
    app.clock.advance(Duration::from_secs(899));
    customer.verify(&["GB434031494"]).await;
    assert_eq!(app.simulator.hmrc().token_requests(), 1);
    app.clock.advance(Duration::from_secs(1));
    customer.verify(&["GB000472631"]).await;
    assert_eq!(app.simulator.hmrc().token_requests(), 2);
}

#[tokio::test]
async fn a_revoked_token_is_replaced_once_and_the_lookup_repeated() {
    let app = quick().start().await;
    let customer = app.customer("acme").await;
    customer.verify(&["GB980780684"]).await;
    app.simulator.hmrc().revoke_tokens();
    let answer = customer.verify(&["GB434031494"]).await;
    assert_eq!(answer.only_result()["valid"], true);
    assert_eq!(app.simulator.hmrc().token_requests(), 2);
    assert_eq!(app.simulator.calls_about("GB", "434031494").len(), 2);
}

#[tokio::test]
async fn a_second_refusal_ends_it_without_a_storm() {
    let app = quick().start().await;
    app.simulator.hmrc().script("980780684", Says::error("INVALID_CREDENTIALS"));
    let answer = app.customer("acme").await.verify(&["GB980780684"]).await;
    assert_eq!(answer.only_unresolved()["reason"], "not_configured");
    assert_eq!(app.simulator.hmrc().token_requests(), 2);
    assert_eq!(app.simulator.calls_about("GB", "980780684").len(), 2);
}

#[tokio::test]
async fn faults_of_the_token_endpoint_are_outages() {
    for (says, reason, requests) in [
        (Says::error("server_error"), "registry_unavailable", 3),
        (
            Says::raw(429, "application/json", r#"{"code":"MESSAGE_THROTTLED_OUT","message":"x"}"#),
            "throttled",
            3,
        ),
        (Says::error("invalid_client"), "not_configured", 1),
        (Says::error("invalid_request"), "not_configured", 1),
        (Says::error("invalid_scope"), "not_configured", 1),
        (Says::html(502), "registry_unavailable", 3),
        (Says::html(200), "registry_unreadable", 3),
    ] {
        let app = quick().start().await;
        app.simulator.hmrc().script_tokens(Script::from(says.clone()));
        let answer = app.customer("acme").await.verify(&["GB980780684", "DE136695976"]).await;
        assert_eq!(answer.only_unresolved()["reason"], reason, "{says:?}");
        assert_eq!(answer.results()[0]["vatNumber"], "DE136695976");
        assert_eq!(app.simulator.hmrc().token_requests(), requests, "{says:?}");
        assert!(!answer.body.to_string().contains("sandbox-secret"));
    }
}

#[tokio::test]
async fn lookups_arrive_at_hmrc_three_in_a_second_at_most() {
    let app = unlimited().start().await;
    let customer = app.customer("acme").await;
    let numbers: Vec<String> = (0..9).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    for number in &numbers {
        let registered = Says::Valid { name: "A".to_owned(), address: "B".to_owned() };
        app.simulator.hmrc().script(&number[2..], Script::from(registered));
    }
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    assert_eq!(customer.verify(&["GB980780684"]).await.status, 200);
    let answer = customer.verify(&numbers).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    in_hmrcs_pace(&app.simulator, 1, 9);
}

#[tokio::test]
async fn after_a_429_nobody_asks_for_a_second() {
    let app = quick().start().await;
    app.simulator
        .hmrc()
        .script("980780684", Script::first([Says::error("MESSAGE_THROTTLED_OUT")]).then(Says::Usual));
    let customer = app.customer("acme").await;
    let (first, second) = tokio::join!(customer.verify(&["GB980780684"]), async {
        // What is allowed is less for longer than nobody asks.
        while app.registries.state(HMRC).measure.allowed >= 200.0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        customer.verify(&["GB434031494"]).await
    });
    assert_eq!(first.only_result()["valid"], true);
    assert_eq!(second.only_result()["valid"], true);
    let lookups = lookups_at_hmrc(&app.simulator);
    let (refused, later) = lookups.split_first().expect("lookups");
    assert_eq!((refused.said.as_str(), later.len()), ("MESSAGE_THROTTLED_OUT", 2), "{lookups:?}");
    let not_before = refused.since_start + Duration::from_secs(1);
    assert!(later.iter().all(|lookup| lookup.since_start >= not_before), "{lookups:?}");
}

#[tokio::test]
async fn a_twelve_digit_number_that_is_not_found_suggests_its_first_nine() {
    let app = TestApp::start().await;
    let answer = app.customer("acme").await.verify(&["GB980780684999"]).await;
    let result = answer.only_result();
    assert_eq!(result["status"], "not_registered");
    let suggestions: Vec<&str> =
        result["advice"].as_array().unwrap().iter().filter_map(|a| a["suggestion"].as_str()).collect();
    assert_eq!(suggestions, ["GB980780684"]);
}

#[tokio::test]
async fn a_first_no_is_asked_once_more_and_a_yes_then_counts() {
    let app = quick().start().await;
    app.simulator.hmrc().script("980780684", Script::first([Says::NotRegistered]).then(Says::Usual));
    let customer = app.customer("acme").await;
    assert_eq!(customer.verify(&["GB980780684"]).await.only_result()["valid"], true);
    app.simulator.hmrc().script("434031494", Script::from(Says::NotRegistered));
    assert_eq!(customer.verify(&["GB434031494"]).await.only_result()["status"], "not_registered");
    for number in ["980780684", "434031494"] {
        assert_eq!(app.simulator.calls_about("GB", number).len(), 2);
    }
    assert_eq!(customer.numbers_used().await, 2, "a number counts once however often it is asked");
}

#[tokio::test]
async fn accounts_share_hmrc_and_a_single_number_is_not_stuck_behind_a_long_call() {
    let app = unlimited().start().await;
    let (many, one) = (app.customer("many").await, app.customer("one").await);
    let numbers: Vec<String> = (0..30).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    for number in &numbers {
        let registered = Says::Valid { name: "A".to_owned(), address: "B".to_owned() };
        app.simulator.hmrc().script(&number[2..], Script::from(registered));
    }
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let asked = || lookups_at_hmrc(&app.simulator);
    let place_of_single = || asked().iter().position(|lookup| lookup.number == "980780684");
    let single = async {
        while asked().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let waits = async {
            while app.registries.state(HMRC).accounts != Some(2) && place_of_single().is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            asked().len()
        };
        tokio::join!(one.verify(&["GB980780684"]), waits)
    };
    let (long, (single, before)) = tokio::join!(many.verify(&numbers), single);
    assert_eq!((long.status, single.status), (200, 200));
    let place = place_of_single().expect("it was asked");
    assert!(place <= before + 1, "place {place}, though only {before} were asked when it began to wait");
}
