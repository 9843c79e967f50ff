//! `GET /v1/account`: what a key can learn of itself.

use std::time::Duration;

use crossvat::accounts::Limits;
use serde_json::json;

use crate::support::{Answer, TestApp};

#[tokio::test]
async fn a_key_learns_what_it_is_and_what_its_account_may_and_did() {
    let app = TestApp::start().await;
    let customer = app.customer("Acme Ltd").await;
    customer.verify(&["DE136695976", "GB434031494", "DE1", "CHE116281710"]).await;
    customer.verify(&["DE136695976"]).await;
    let answer = customer.account().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("ratelimit"), None, "it is not counted against the rate");
    assert_eq!(
        answer.body,
        json!({
            "account": { "name": "Acme Ltd", "plan": "standard", "state": "active" },
            "key": {
                "name": "test", "prefix": "cv_live_", "lastFour": &customer.key[42..], "mode": "live",
                "expiresAt": null
            },
            "limits": { "requestsPerMinute": 100, "numbersPerMonth": 50_000 },
            "usage": {
                "month": "2026-09", "requests": 2, "numbers": 2, "resetsAt": "2026-10-01T00:00:00.000Z"
            }
        })
    );
}

#[tokio::test]
async fn it_is_never_refused_for_the_rate() {
    let app = TestApp::start().await;
    let once = Limits { requests_per_minute: Some(1), ..Limits::default() };
    let customer = app.customer_with("acme", &once).await;
    customer.verify(&["DE136695976"]).await;
    customer.verify(&["DE136695976"]).await.assert_problem(429, "rate_limited");
    for _ in 0..5 {
        assert_eq!(customer.account().await.status, 200);
    }
}

#[tokio::test]
async fn a_test_key_sees_the_accounts_live_usage_and_adds_nothing_to_it() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let sandbox = customer.in_the_sandbox(&app).await;
    customer.verify(&["DE136695976"]).await;
    sandbox.verify(&["DE136695976"]).await;
    let body = sandbox.account().await.body;
    assert_eq!((&body["key"]["mode"], &body["key"]["prefix"]), (&json!("test"), &json!("cv_test_")));
    assert_eq!((&body["usage"]["requests"], &body["usage"]["numbers"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn a_new_month_begins_at_nothing() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    customer.verify(&["DE136695976"]).await;
    app.clock.advance(Duration::from_hours(24 * 28));
    let body = customer.account().await.body;
    assert_eq!(
        body["usage"],
        json!({ "month": "2026-10", "requests": 0, "numbers": 0, "resetsAt": "2026-11-01T00:00:00.000Z" })
    );
}

#[tokio::test]
async fn it_needs_a_key_that_opens() {
    let app = TestApp::start().await;
    let url = app.url("/v1/account");
    Answer::of(app.http.get(&url)).await.assert_problem(401, "missing_credentials");
    Answer::of(app.http.get(&url).bearer_auth("cv_live_x")).await.assert_problem(401, "invalid_key");
    Answer::of(app.http.post(&url)).await.assert_problem(405, "method_not_allowed");
}
