//! An outage is never an invalid number: every way in which a registry can fail, through the whole server.

use std::time::Duration;

use crossvat::verification::gateway::RegistryPart;
use registry_simulator::{Answer as Says, Condition, Script};
use serde_json::json;
use vat::{Prefix, Registry};

use crate::support::{Answer, TestApp};

#[tokio::test]
async fn one_member_state_down_gives_503_with_the_others_answers() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("DE", Condition::Down);
    let numbers = ["GB980780684", "XI980780684", "DE136695976", "FR40303265045", "EL094259216"];
    let answer = app.customer("acme").await.verify(&numbers).await;
    let unresolved = answer.only_unresolved();
    assert_eq!(
        unresolved,
        &json!({
            "index": 2, "vatNumber": "DE136695976", "countryCode": "DE",
            "routing": "European Commission VIES API", "reason": "member_state_unavailable", "retryAfterSeconds": 60,
        })
    );
    assert_eq!(answer.header("retry-after"), Some("60"));
    let answered: Vec<&str> = answer.results().iter().map(|r| r["vatNumber"].as_str().unwrap()).collect();
    assert_eq!(answered, ["GB980780684", "XI980780684", "FR40303265045", "EL094259216"]);
    assert!(answer.results().iter().all(|r| r["valid"] == true));
}

#[tokio::test]
async fn partial_gives_200_with_a_status_that_is_no_verdict() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("DE", Condition::Down);
    let answer = app
        .customer("acme")
        .await
        .verify_with(&["DE136695976", "FR40303265045"], json!({ "partial": true }))
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let result = &answer.results()[0];
    assert_eq!(result["status"], "unavailable");
    assert_eq!(result["valid"], false);
    assert_eq!(result["reverseChargeEligible"], false);
    assert_eq!(result["reverseChargeReason"], "unverified");
    assert_eq!(result["source"], "none");
    assert!(Answer::advice_codes(result).contains(&"member_state_unavailable"), "{result}");
    assert_eq!(answer.results()[1]["status"], "valid");
}

#[tokio::test]
async fn every_place_of_a_duplicate_has_its_entry() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("DE", Condition::Down);
    let answer = app.customer("acme").await.verify(&["DE136695976", "FR40303265045", "de136695976"]).await;
    answer.assert_problem(503, "registry_unavailable");
    let places: Vec<u64> =
        answer.body["unresolved"].as_array().unwrap().iter().map(|u| u["index"].as_u64().unwrap()).collect();
    assert_eq!(places, [0, 2]);
}

#[tokio::test]
async fn every_failure_of_vies_is_an_outage_of_its_own_kind() {
    let app = TestApp::with()
        .set("VIES__TIMEOUT_SECONDS", "2")
        .set("VERIFICATION__DEADLINE_SECONDS", "3")
        .start()
        .await;
    let customer = app.customer("acme").await;
    for (says, reason) in [
        (Says::error("SERVICE_UNAVAILABLE"), "registry_unavailable"),
        (Says::error("VOW-ERR-1"), "registry_unavailable"),
        (Says::error("VOW-ERR-11"), "registry_unavailable"),
        (Says::Reset, "registry_unavailable"),
        (Says::error("MS_UNAVAILABLE"), "member_state_unavailable"),
        (Says::error("TIMEOUT"), "timeout"),
        (Says::error("GLOBAL_MAX_CONCURRENT_REQ"), "throttled"),
        (Says::error("GLOBAL_MAX_CONCURRENT_REQ_TIME"), "throttled"),
        (Says::error("MS_MAX_CONCURRENT_REQ"), "throttled"),
        (Says::error("MS_MAX_CONCURRENT_REQ_TIME"), "throttled"),
        (Says::error("SERVER_BUSY"), "throttled"),
        (Says::html(429), "throttled"),
        (Says::error("IP_BLOCKED"), "blocked"),
        (Says::error("VAT_BLOCKED"), "blocked"),
        (Says::error("NEVER_HEARD_OF"), "registry_unreadable"),
        (Says::html(200), "registry_unreadable"),
        (Says::html(500), "registry_unreadable"),
        (Says::html(403), "registry_unreadable"),
        (Says::Empty, "registry_unreadable"),
        (Says::Truncated, "registry_unreadable"),
        (Says::raw(200, "application/json", "{}"), "registry_unreadable"),
        (Says::raw(200, "application/json", "[true]"), "registry_unreadable"),
        (
            Says::raw(
                200,
                "application/json",
                r#"{"countryCode":"DE","vatNumber":"136695976","valid":"false"}"#,
            ),
            "registry_unreadable",
        ),
        (
            Says::raw(
                200,
                "application/json",
                r#"{"countryCode":"DE","vatNumber":"111111125","valid":true}"#,
            ),
            "registry_unreadable",
        ),
        (Says::raw(500, "application/json", r#"{"fault":"x"}"#), "registry_unavailable"),
    ] {
        app.simulator.vies().script("DE", "136695976", Script::from(says.clone()));
        let answer = customer.verify(&["DE136695976"]).await;
        assert_eq!(answer.only_unresolved()["reason"], reason, "{says:?}");
        assert!(answer.results().is_empty());
        app.close_breakers();
    }
}

#[tokio::test]
async fn every_failure_of_hmrc_is_an_outage_of_its_own_kind() {
    let app = TestApp::with()
        .set("HMRC__TIMEOUT_SECONDS", "2")
        .set("HMRC__REQUESTS_PER_SECOND", "100")
        .set("VERIFICATION__DEADLINE_SECONDS", "3")
        .start()
        .await;
    app.simulator.hmrc().set_calls_per_second(None);
    let customer = app.customer("acme").await;
    for (says, reason) in [
        (Says::error("INTERNAL_SERVER_ERROR"), "registry_unavailable"),
        (Says::error("SERVER_ERROR"), "registry_unavailable"),
        (Says::error("SCHEDULED_MAINTENANCE"), "registry_unavailable"),
        (Says::error("MATCHING_RESOURCE_NOT_FOUND"), "registry_unavailable"),
        (Says::error("NOT_IMPLEMENTED"), "registry_unavailable"),
        (
            Says::raw(404, "application/json", r#"{"statusCode":404,"message":"URI not found"}"#),
            "registry_unavailable",
        ),
        (Says::raw(500, "application/json", r#"{"statusCode":500,"message":"x"}"#), "registry_unavailable"),
        (Says::Reset, "registry_unavailable"),
        (Says::error("GATEWAY_TIMEOUT"), "timeout"),
        (Says::error("MESSAGE_THROTTLED_OUT"), "throttled"),
        (Says::error("RESOURCE_FORBIDDEN"), "blocked"),
        (Says::error("INVALID_SCOPE"), "blocked"),
        (Says::html(403), "blocked"),
        (Says::error("ACCEPT_HEADER_INVALID"), "not_configured"),
        (Says::error("MISSING_CREDENTIALS"), "not_configured"),
        (Says::error("INVALID_CREDENTIALS"), "not_configured"),
        (Says::html(404), "registry_unreadable"),
        (Says::html(503), "registry_unreadable"),
        (Says::html(200), "registry_unreadable"),
        (Says::Empty, "registry_unreadable"),
        (Says::Truncated, "registry_unreadable"),
        (Says::raw(200, "application/json", r#"{"code":"NOT_FOUND","message":"x"}"#), "registry_unreadable"),
        (
            Says::raw(
                200,
                "application/json",
                r#"{"target":{"name":"A","vatNumber":"434031494","address":{}}}"#,
            ),
            "registry_unreadable",
        ),
    ] {
        app.simulator.hmrc().script("980780684", Script::from(says.clone()));
        let answer = customer.verify(&["GB980780684"]).await;
        assert_eq!(answer.only_unresolved()["reason"], reason, "{says:?}");
        assert!(answer.results().is_empty());
        app.close_breakers();
    }
}

#[tokio::test]
async fn a_registry_that_says_nothing_has_timed_out() {
    let app = TestApp::with()
        .set("VIES__TIMEOUT_SECONDS", "2")
        .set("HMRC__TIMEOUT_SECONDS", "2")
        .set("VERIFICATION__DEADLINE_SECONDS", "10")
        .start()
        .await;
    app.simulator.vies().script("DE", "136695976", Says::Silence);
    app.simulator.hmrc().script("980780684", Says::Silence);
    let customer = app.customer("acme").await;
    let of = async |number| {
        let answer = customer.verify(&[number]).await;
        assert_eq!(answer.only_unresolved()["reason"], "timeout", "{number}");
        assert!(answer.results().is_empty());
    };
    tokio::join!(of("DE136695976"), of("GB980780684"));
}

#[tokio::test]
async fn a_registry_that_cannot_be_reached_is_unavailable() {
    let app = TestApp::with()
        // Port 9 is discard's; nothing listens there.
        .set("VIES__BASE_URL", "http://127.0.0.1:9/rest-api")
        .set("HMRC__BASE_URL", "http://127.0.0.1:9")
        .set("VERIFICATION__DEADLINE_SECONDS", "2")
        .start()
        .await;
    let customer = app.customer("acme").await;
    for number in ["DE136695976", "GB980780684"] {
        let answer = customer.verify(&[number]).await;
        assert_eq!(answer.only_unresolved()["reason"], "registry_unavailable", "{number}");
    }
}

#[tokio::test]
async fn without_credentials_only_gb_numbers_are_unresolved() {
    let app = TestApp::with().without_hmrc_credentials().start().await;
    let answer = app.customer("acme").await.verify(&["GB980780684", "DE136695976"]).await;
    let unresolved = answer.only_unresolved();
    assert_eq!(
        (unresolved["index"].as_u64(), unresolved["reason"].as_str()),
        (Some(0), Some("not_configured"))
    );
    assert_eq!(unresolved["routing"], "HMRC API");
    assert_eq!(answer.results()[0]["valid"], true);
    assert!(app.simulator.calls_about("GB", "980780684").is_empty());
}

#[tokio::test]
async fn trouble_that_passes_is_waited_for() {
    let app = TestApp::with().set("HMRC__REQUESTS_PER_SECOND", "100").start().await;
    app.simulator.hmrc().set_calls_per_second(None);
    app.simulator.vies().script(
        "DE",
        "136695976",
        Script::first([Says::error("MS_MAX_CONCURRENT_REQ"), Says::html(502)]).then(Says::Usual),
    );
    app.simulator
        .hmrc()
        .script("980780684", Script::first([Says::Reset, Says::error("SERVER_ERROR")]).then(Says::Usual));
    let answer = app.customer("acme").await.verify(&["DE136695976", "GB980780684"]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.results().iter().all(|r| r["valid"] == true));
    assert_eq!(app.simulator.calls_about("DE", "136695976").len(), 3);
    assert_eq!(app.simulator.calls_about("GB", "980780684").len(), 3);
}

#[tokio::test]
async fn a_member_state_that_is_down_is_asked_once_and_not_hammered() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("DE", Condition::Down);
    app.customer("acme").await.verify(&["DE136695976"]).await;
    assert_eq!(app.simulator.calls_about("DE", "136695976").len(), 1);
}

#[tokio::test]
async fn at_the_deadline_the_call_is_answered_with_what_is_known() {
    let app = TestApp::with().set("VERIFICATION__DEADLINE_SECONDS", "5").start().await;
    app.simulator.vies().set_member_state("IE", Condition::Silent);
    let started = std::time::Instant::now();
    let answer = app.customer("acme").await.verify(&["IE6388047V", "DE136695976"]).await;
    assert!(started.elapsed() < Duration::from_secs(12), "no try takes so long: {:?}", started.elapsed());
    assert_eq!(answer.only_unresolved()["reason"], "deadline");
    assert_eq!(answer.results()[0]["vatNumber"], "DE136695976");
}

#[tokio::test]
async fn a_wish_of_the_registry_for_a_pause_reaches_the_caller() {
    let stub = retry_after_stub(120).await;
    let app = TestApp::with().set("VIES__BASE_URL", &stub).set("HMRC__BASE_URL", &stub).start().await;
    let customer = app.customer("acme").await;
    for number in ["DE136695976", "GB980780684"] {
        let answer = customer.verify(&[number]).await;
        assert_eq!(answer.only_unresolved()["retryAfterSeconds"], 120, "{number}");
        assert_eq!(answer.header("retry-after"), Some("120"), "{number}");
    }
}

/// A registry whose proxy is closed for so many seconds.
async fn retry_after_stub(seconds: u64) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let closed = move || async move {
        (
            axum::http::StatusCode::SERVICE_UNAVAILABLE,
            [("retry-after", seconds.to_string())],
            "<html>closed</html>",
        )
    };
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(closed)).await });
    format!("http://{address}")
}

#[tokio::test]
async fn a_failing_store_behind_hmrc_is_an_outage_once_the_requester_proved_the_number() {
    let app = TestApp::start().await;
    // HMRC's 403 for the requester says that the number was found; then its store fails and it says "not found".
    app.simulator.hmrc().script(
        "980780684",
        Script::first([Says::error_with_status("INVALID_REQUEST", 403), Says::NotRegistered])
            .then(Says::NotRegistered),
    );
    let answer = app
        .customer("acme")
        .await
        .verify_with(&["GB980780684"], json!({ "requesterVatNumbers": ["GB434031494"] }))
        .await;
    assert_eq!(answer.only_unresolved()["reason"], "registry_unreadable");
}

#[tokio::test]
async fn a_database_that_fails_is_told_as_such_and_never_as_a_bad_key() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    app.break_database().await;
    let answer = customer.verify(&["DE136695976"]).await;
    answer.assert_problem(503, "overloaded");
    assert_eq!(answer.header("retry-after"), Some("5"));
}

#[tokio::test]
async fn a_huge_answer_is_not_read_to_its_end() {
    let app = TestApp::start().await;
    let huge = format!("{{\"name\":\"{}\"}}", "x".repeat(300 * 1024));
    app.simulator.vies().script("DE", "136695976", Says::raw(200, "application/json", huge));
    let answer = app.customer("acme").await.verify_with(&["DE136695976"], json!({})).await;
    assert_eq!(answer.only_unresolved()["reason"], "registry_unreadable");
}

#[tokio::test]
async fn a_member_state_that_failed_five_times_running_is_left_alone_and_readiness_names_it() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    app.simulator.vies().set_member_state("DE", Condition::Down);
    let german: Vec<String> = (0..40).map(|n| format!("DE1{n:08}")).collect();
    let german: Vec<&str> = german.iter().map(String::as_str).collect();
    let answer = customer.verify(&german).await;
    answer.assert_problem(503, "registry_unavailable");
    let asked = app.simulator.calls().len();
    assert!((5..10).contains(&asked), "{asked}");
    let answer = customer.verify(&["DE136695976", "FR40303265045"]).await;
    let unresolved = answer.only_unresolved();
    assert_eq!(unresolved["reason"], "member_state_unavailable");
    let wait = unresolved["retryAfterSeconds"].as_u64().expect("a number");
    assert!((50..=60).contains(&wait), "{wait}");
    assert_eq!(answer.header("retry-after"), Some(wait.to_string().as_str()));
    assert_eq!(answer.results()[0]["valid"], true, "France is not left alone");
    assert_eq!(app.simulator.calls().len(), asked + 1);
    let ready = Answer::of(app.http.get(app.url("/readyz"))).await;
    assert_eq!((ready.status, ready.body.as_str()), (200, Some("ready\nDE (Germany) is left alone\n")));
    app.simulator.vies().set_member_state("DE", Condition::Up);
    app.close_breakers();
    assert_eq!(customer.verify(&["DE136695976"]).await.only_result()["valid"], true);
}

#[tokio::test]
async fn an_address_that_vies_blocks_asks_vies_nothing_more() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    app.simulator.vies().script("DE", "136695976", Script::from(Says::error("IP_BLOCKED")));
    customer.verify(&["DE136695976"]).await.only_unresolved();
    let answer = customer.verify(&["FR40303265045", "GB980780684"]).await;
    let unresolved = answer.only_unresolved();
    assert_eq!(unresolved["reason"], "blocked");
    assert_eq!(unresolved["retryAfterSeconds"], 3600);
    assert_eq!(answer.results()[0]["valid"], true, "HMRC is another registry");
    assert!(app.simulator.calls_about("FR", "40303265045").is_empty());
}

#[tokio::test]
async fn what_was_sent_instead_of_an_answer_is_kept_for_whoever_looks_into_it_and_is_in_no_log() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    customer.verify(&["FR40303265045"]).await;
    let page = format!("<html>closed {}</html>", "x".repeat(5000));
    app.simulator.vies().script("DE", "136695976", Says::raw(502, "text/html", page.as_str()));
    customer.verify(&["DE136695976"]).await;
    let latest = app.registries.latest(RegistryPart::Behind(Prefix::De));
    let in_vain = latest.in_vain.expect("a try in vain");
    assert_eq!((in_vain.prefix, in_vain.kind.reason().as_str()), (Prefix::De, "registry_unreadable"));
    let raw = in_vain.raw.expect("what was sent");
    assert!(raw.as_str().starts_with("HTTP 502\n<html>closed xxx"), "{}", raw.as_str());
    assert_eq!(raw.as_str().len(), "HTTP 502\n".len() + 2048);
    assert!(!format!("{raw:?} {}", in_vain.detail).contains("closed"), "not for logs");
    let of_vies = app.registries.latest(RegistryPart::Whole(Registry::Vies));
    assert_eq!(of_vies.in_vain.map(|in_vain| in_vain.prefix), Some(Prefix::De));
    assert!(of_vies.took.is_some() && of_vies.waited.is_some());
    assert_eq!(app.registries.latest(RegistryPart::Behind(Prefix::Fr)).in_vain, None);
    assert_eq!(app.registries.token_good_for(), None, "nobody has asked HMRC");
    customer.verify(&["GB980780684"]).await;
    assert!(app.registries.token_good_for() > Some(Duration::from_hours(3)));
}
