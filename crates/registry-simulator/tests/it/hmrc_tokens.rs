//! The token endpoint: every row of HMRC's table, faults, lifetime and revocation.

use std::time::{Duration, Instant};

use registry_simulator::{Answer, Script, Settings};

use crate::support::{CREDENTIALS, World, json_of};

#[tokio::test]
async fn requests_are_judged_as_hmrc_judges_them() {
    let world = World::start().await;
    let table: [(&str, Option<&str>, u16, &str, &str); 8] = [
        ("client_id", None, 400, "invalid_request", "client_id is required"),
        ("client_secret", None, 400, "invalid_request", "client_secret is required"),
        ("grant_type", None, 400, "invalid_request", "grant_type is required"),
        ("grant_type", Some("password"), 400, "invalid_request", "unsupported grant_type"),
        ("scope", Some("write:vat"), 400, "invalid_scope", "scope is invalid"),
        ("client_id", Some("other"), 401, "invalid_client", "invalid client id or secret"),
        ("client_secret", Some("other"), 401, "invalid_client", "invalid client id or secret"),
        ("client_id", Some(""), 400, "invalid_request", "client_id is required"),
    ];
    for (field, value, status, error, description) in table {
        let mut form: Vec<_> = CREDENTIALS.into_iter().filter(|(name, _)| *name != field).collect();
        form.extend(value.map(|value| (field, value)));
        let (got, body) = json_of(world.token_request(&form)).await;
        let got =
            (got.as_u16(), body["error"].as_str().unwrap(), body["error_description"].as_str().unwrap());
        assert_eq!(got, (status, error, description), "{field} {value:?}");
    }
    assert_eq!(world.simulator.hmrc().token_requests(), 8);
}

#[tokio::test]
async fn a_token_is_given_with_and_without_a_scope_and_never_twice() {
    let world = World::start().await;
    let (status, first) = json_of(world.token_request(&CREDENTIALS)).await;
    let (_, second) = json_of(world.token_request(&CREDENTIALS[..3])).await;
    assert_eq!(status, 200);
    assert_eq!(first["token_type"], "bearer");
    assert_eq!(first["expires_in"], 14400);
    assert_eq!(second["scope"], "read:vat");
    assert_ne!(first["access_token"], second["access_token"]);
    assert_eq!(world.simulator.hmrc().token_requests(), 2);
}

#[tokio::test]
async fn other_bodies_are_forms_without_fields() {
    let world = World::start().await;
    let url = format!("{}/oauth/token", world.simulator.hmrc_base_url());
    let (status, body) = json_of(world.client.post(url).body("{}")).await;
    assert_eq!((status.as_u16(), body["error_description"].as_str()), (400, Some("client_id is required")));
}

#[tokio::test]
async fn credentials_can_be_changed() {
    let world = World::start().await;
    world.simulator.hmrc().set_credentials("rotated", "anew");
    assert_eq!(json_of(world.token_request(&CREDENTIALS)).await.0, 401);
    let form = [("client_id", "rotated"), ("client_secret", "anew"), CREDENTIALS[2]];
    assert_eq!(json_of(world.token_request(&form)).await.0, 200);
}

#[tokio::test]
async fn revoked_and_expired_tokens_are_invalid_credentials() {
    let world = World::with(Settings { hmrc_calls_per_second: None, ..Settings::default() }).await;
    let token = world.token().await;
    assert_eq!(json_of(world.hmrc(&token, "553557881")).await.0, 200);
    world.simulator.hmrc().revoke_tokens();
    let (status, body) = json_of(world.hmrc(&token, "553557881")).await;
    assert_eq!((status.as_u16(), body["code"].as_str()), (401, Some("INVALID_CREDENTIALS")));

    let mut tokens = Vec::new();
    for (lifetime, in_seconds) in [(Duration::from_millis(1500), 1), (Duration::from_mins(10), 600)] {
        world.simulator.hmrc().set_token_lifetime(lifetime);
        let (_, body) = json_of(world.token_request(&CREDENTIALS)).await;
        assert_eq!(body["expires_in"], in_seconds);
        tokens.push(body["access_token"].as_str().unwrap().to_owned());
    }
    tokio::time::sleep(Duration::from_millis(1550)).await;
    for (token, status) in tokens.iter().zip([401, 200]) {
        assert_eq!(json_of(world.hmrc(token, "553557881")).await.0, status);
    }
}

#[tokio::test]
async fn the_endpoint_can_fail_in_turn_and_be_slow() {
    let world = World::start().await;
    let slow = Answer::Usual.after(Duration::from_millis(120));
    let steps = [
        Answer::error("server_error").into(),
        Answer::error("invalid_client").into(),
        Answer::Html { status: 502 }.into(),
        Answer::Truncated.into(),
        slow,
    ];
    world.simulator.hmrc().script_tokens(Script::first(steps));
    let (status, body) = json_of(world.token_request(&CREDENTIALS)).await;
    assert_eq!((status.as_u16(), body["error"].as_str()), (500, Some("server_error")));
    assert_eq!(json_of(world.token_request(&CREDENTIALS)).await.0, 401);
    assert_eq!(world.token_request(&CREDENTIALS).send().await.unwrap().status(), 502);
    let cut = world.token_request(&CREDENTIALS).send().await.unwrap().text().await.unwrap();
    assert!(cut.starts_with('{') && !cut.ends_with('}'), "{cut}");
    let asked = Instant::now();
    world.token().await;
    assert!(asked.elapsed() >= Duration::from_millis(120));
}

#[tokio::test]
async fn the_endpoint_can_be_silent() {
    let world = World::start().await;
    world.simulator.hmrc().script_tokens(Answer::Silence);
    let request = world.token_request(&CREDENTIALS).timeout(Duration::from_millis(200));
    assert!(request.send().await.unwrap_err().is_timeout());
}
