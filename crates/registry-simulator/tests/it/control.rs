//! The controls over HTTP.

use registry_simulator::Settings;
use reqwest::Method;
use serde_json::Value;

use crate::support::{CREDENTIALS, GERMAN, IRISH, World, json_of, vies_codes};

async fn put(world: &World, path: &str, body: &str) {
    let response = world.control(Method::PUT, path, body).send().await.unwrap();
    let status = response.status();
    assert_eq!(status, 200, "{path} {body}: {}", response.text().await.unwrap());
}

async fn delete(world: &World, path: &str) {
    assert_eq!(world.control(Method::DELETE, path, "").send().await.unwrap().status(), 200);
}

async fn text(world: &World, path: &str) -> String {
    world.control(Method::GET, path, "").send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn vies_and_its_member_states() {
    let world = World::start().await;
    put(&world, "/vies/DE", r#"{"condition": "down", "delay_ms": 1}"#).await;
    assert_eq!(vies_codes(&json_of(world.vies(GERMAN)).await.1), ["MS_UNAVAILABLE"]);
    put(&world, "/vies/DE", r#"{"condition": {"answering": {"answer": "error", "code": "TIMEOUT"}}}"#).await;
    assert_eq!(vies_codes(&json_of(world.vies(GERMAN)).await.1), ["TIMEOUT"]);
    put(&world, "/vies/de", r#"{"condition": "down"}"#).await;
    assert_eq!(vies_codes(&json_of(world.vies(GERMAN)).await.1), ["MS_UNAVAILABLE"]);
    put(&world, "/vies", r#"{"condition": "down"}"#).await;
    assert_eq!(vies_codes(&json_of(world.vies(IRISH)).await.1), ["SERVICE_UNAVAILABLE"]);
    let body = r#"{"condition": "up", "delay_ms": 80, "limit": 8, "limit_per_member_state": 0,
                   "refuses_unknown_requesters": true}"#;
    put(&world, "/vies", body).await;
    assert_eq!(json_of(world.vies(IRISH)).await.1["valid"], true);
    assert!(world.simulator.calls().last().unwrap().took.unwrap().as_millis() >= 80);
    let state: Value = serde_json::from_str(&text(&world, "/state").await).unwrap();
    assert_eq!(
        (&state["vies"]["limit"], &state["vies"]["limit_per_member_state"]),
        (&8.into(), &Value::Null)
    );
    assert_eq!(state["vies"]["refuses_unknown_requesters"], true);
}

#[tokio::test]
async fn hmrc_and_its_tokens() {
    let world = World::start().await;
    let body = r#"{"calls_per_second": 0, "consultation_numbers": "hyphens", "token_lifetime_s": 60,
                   "client_id": "a", "client_secret": "b"}"#;
    put(&world, "/hmrc", body).await;
    assert_eq!(json_of(world.token_request(&CREDENTIALS)).await.0, 401);
    let form = [("client_id", "a"), ("client_secret", "b"), CREDENTIALS[2]];
    let (_, body) = json_of(world.token_request(&form)).await;
    assert_eq!(body["expires_in"], 60);
    let token = body["access_token"].as_str().unwrap();
    let verified = || world.hmrc(token, "553557881/146295999727");
    for _ in 0..5 {
        assert_eq!(json_of(verified()).await.1["consultationNumber"].as_str().unwrap().len(), 11);
    }
    put(&world, "/hmrc", r#"{"backend_failing": true}"#).await;
    assert_eq!(json_of(verified()).await.0, 500);
    put(&world, "/hmrc", r#"{"backend_failing": false, "condition": "down"}"#).await;
    assert_eq!(json_of(verified()).await.0, 503);
    put(&world, "/hmrc", r#"{"condition": "up", "delay_ms": 5}"#).await;
    delete(&world, "/hmrc/tokens").await;
    assert_eq!(json_of(verified()).await.0, 401);
    put(&world, "/hmrc/tokens", r#"{"steps": [{"answer": "error", "code": "server_error"}]}"#).await;
    assert_eq!(json_of(world.token_request(&form)).await.0, 500);
    assert_eq!(json_of(world.token_request(&form)).await.0, 200);
}

#[tokio::test]
async fn scripts_for_numbers_of_both_registries() {
    let world = World::start().await;
    let token = world.token().await;
    let script = r#"{"steps": [{"answer": "error", "code": "MS_MAX_CONCURRENT_REQ"}],
                     "then": {"answer": "valid", "name": "Danach GmbH", "address": "Ring 1"}}"#;
    put(&world, "/numbers/DE123123123", script).await;
    let asked = ("DE", "123123123");
    assert_eq!(vies_codes(&json_of(world.vies(asked)).await.1), ["MS_MAX_CONCURRENT_REQ"]);
    assert_eq!(json_of(world.vies(asked)).await.1["name"], "Danach GmbH");
    put(&world, "/numbers/GB553557881", r#"{"then": {"answer": "not_registered"}}"#).await;
    assert_eq!(json_of(world.hmrc(&token, "553557881")).await.0, 404);
    for number in ["DE123123123", "GB553557881"] {
        delete(&world, &format!("/numbers/{number}")).await;
    }
    assert_eq!(json_of(world.vies(asked)).await.1["valid"], false);
    assert_eq!(json_of(world.hmrc(&token, "553557881")).await.0, 200);
}

#[tokio::test]
async fn the_log_and_the_counters() {
    let world = World::start().await;
    json_of(world.vies(GERMAN)).await;
    json_of(world.vies_web(IRISH)).await;
    let log = text(&world, "/log").await;
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("VIES POST") && lines[0].contains("DE811569869 -> 200 valid in "), "{log}");
    let calls: Value = serde_json::from_str(&text(&world, "/calls").await).unwrap();
    assert_eq!((&calls[1]["number"], &calls[1]["ending"]), (&"6388047V".into(), &"200".into()));
    assert!(calls[1]["took_ms"].is_number());
    let state: Value = serde_json::from_str(&text(&world, "/state").await).unwrap();
    assert_eq!((&state["in_flight"], &state["vies"]["peak_in_flight"]), (&0.into(), &1.into()));
    delete(&world, "/log").await;
    assert_eq!(text(&world, "/log").await, "");
}

#[tokio::test]
async fn each_registry_counts_its_own_lookups_of_a_country() {
    let world = World::start().await;
    let token = world.token().await;
    assert_eq!(json_of(world.hmrc(&token, "553557881")).await.0, 200);
    assert_eq!(world.simulator.hmrc().peak_in_flight(), 1);
    assert_eq!(world.simulator.vies().peak_in_flight_of("GB"), 0);
}

#[tokio::test]
async fn the_time_and_the_reset() {
    let world = World::with(Settings { vies_limit: Some(7), ..Settings::default() }).await;
    let token = world.token().await;
    put(&world, "/now", r#"{"now": "2026-05-19T12:25:12.544Z"}"#).await;
    assert_eq!(json_of(world.vies(IRISH)).await.1["requestDate"], "2026-05-19T12:25:12.544Z");
    put(&world, "/vies", r#"{"condition": "down", "limit": 1}"#).await;
    put(&world, "/hmrc", r#"{"condition": "down"}"#).await;
    put(&world, "/numbers/IE6388047V", r#"{"then": {"answer": "reset"}}"#).await;
    assert_eq!(world.control(Method::POST, "/reset", "").send().await.unwrap().status(), 200);
    let state: Value = serde_json::from_str(&text(&world, "/state").await).unwrap();
    assert_eq!(state["vies"]["limit"], 7);
    assert_eq!(world.simulator.calls(), []);
    let (_, body) = json_of(world.vies(IRISH)).await;
    assert_eq!(body["valid"], true);
    assert_ne!(body["requestDate"], "2026-05-19T12:25:12.544Z");
    // Tokens outlive a reset, or every product under test would have to start with a refused call.
    assert_eq!(json_of(world.hmrc(&token, "553557881")).await.0, 200);
}

#[tokio::test]
async fn mistakes_are_told() {
    let world = World::start().await;
    let table = [
        ("/vies/DE", r#"{"conditon": "down"}"#, "conditon"),
        ("/vies", r#"{"condition": "sideways"}"#, "sideways"),
        ("/vies/GR", r#"{"condition": "down"}"#, "only AT, BE,"),
        ("/vies/GB", r#"{"condition": "down"}"#, "SK, XI"),
        ("/vies/Germany", r#"{"delay_ms": 5}"#, "Germany"),
        ("/hmrc", r#"{"client_id": "a"}"#, "go together"),
        ("/numbers/811569869", "{}", "prefix"),
        ("/numbers/DE811569869", r#"{"then": {"answer": "maybe"}}"#, "maybe"),
    ];
    for (path, body, hint) in table {
        let response = world.control(Method::PUT, path, body).send().await.unwrap();
        assert_eq!(response.status(), 400);
        let text = response.text().await.unwrap();
        assert!(text.contains(hint), "{text}");
    }
    assert_eq!(world.control(Method::GET, "/nowhere", "").send().await.unwrap().status(), 404);
    assert!(text(&world, "").await.contains("/control/vies/DE"));
    assert_eq!(world.simulator.calls(), []);
}
