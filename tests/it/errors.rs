//! Every row of the table of errors, over a socket.

use std::time::Duration;

use crossvat::{accounts::Limits, api_keys::KeyMode, audit::Actor};
use serde_json::json;

use crate::support::{Answer, TestApp};

#[tokio::test]
async fn a_body_that_is_not_json_is_malformed() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    for body in [
        "",
        "{",
        "{\"vatNumbers\":[\"DE1\"]} x",
        "vatNumbers=DE1",
        "{'vatNumbers':[]}",
        "{\"vatNumbers\":[1e999]}",
    ] {
        let request = customer.request().header("content-type", "application/json").body(body);
        Answer::of(request).await.assert_problem(400, "malformed_json");
    }
}

#[tokio::test]
async fn what_is_no_json_is_told_by_what_people_mistype() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    for (body, said) in [
        (" \n", "The body is empty. Send an object such as"),
        ("{\"vatNumbers\": [\"DE1\"", "The body ends before its JSON does"),
        ("{'vatNumbers': []}", "line 1, column 2. Strings and names stand in double quotes."),
        ("{\n\"vatNumbers\": ['DE1']}", "line 2, column 16. Strings and names stand in double quotes."),
        ("{\"vatNumbers\": [\"DE1\", ]}", "column 24. No comma may stand before a closing bracket."),
        ("{\"vatNumbers\": [\"DE1\"],}", "No comma may stand before a closing bracket."),
    ] {
        let request = customer.request().header("content-type", "application/json").body(body);
        let answer = Answer::of(request).await;
        answer.assert_problem(400, "malformed_json");
        assert!(answer.body["detail"].as_str().unwrap().contains(said), "{body}: {answer:?}");
    }
}

#[tokio::test]
async fn what_is_malformed_is_not_quoted_back() {
    let app = TestApp::start().await;
    let request = app
        .customer("acme")
        .await
        .request()
        .header("content-type", "application/json")
        .body("{\"secret-stuff\": nope");
    let answer = Answer::of(request).await;
    answer.assert_problem(400, "malformed_json");
    assert!(!answer.body.to_string().contains("secret-stuff"), "{answer:?}");
    assert!(answer.body["detail"].as_str().unwrap().contains("line 1, column"), "{answer:?}");
}

#[tokio::test]
async fn no_key_in_the_header_is_missing_credentials_wherever_else_it_stands() {
    let app = TestApp::start().await;
    let key = app.customer("acme").await.key;
    let post = |path: &str| app.http.post(app.url(path)).json(&json!({ "vatNumbers": ["DE1"] }));
    for request in [
        post("/v1/verify-vat"),
        post(&format!("/v1/verify-vat?key={key}")),
        post(&format!("/v1/verify-vat?access_token={key}")),
        post("/v1/verify-vat").header("authorization", format!("Basic {key}")),
        post("/v1/verify-vat").header("authorization", key.clone()),
        post("/v1/verify-vat").header("authorization", "Bearer"),
        post("/v1/verify-vat").header("authorization", "Bearer  "),
        post("/v1/verify-vat").header("x-api-key", key.clone()),
        post("/v1/verify-vat").bearer_auth(&key).header("authorization", "Bearer x"),
    ] {
        let answer = Answer::of(request).await;
        answer.assert_problem(401, "missing_credentials");
        assert_eq!(answer.header("www-authenticate"), Some(r#"Bearer realm="verify-vat""#));
        assert_eq!(answer.header("ratelimit"), None);
    }
}

#[tokio::test]
async fn keys_that_open_nothing_say_why() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let expired = customer.another_key(&app, Some("2026-09-03T09:00:00Z".parse().unwrap())).await;
    let revoked = customer.another_key(&app, None).await;
    customer.with_key(&revoked).revoke_key(&app).await;
    app.clock.advance(Duration::from_mins(20));
    // Another last character than the key's own, whichever that is.
    let (start, last) = customer.key.split_at(customer.key.len() - 1);
    let mistyped = format!("{start}{}", if last == "x" { "y" } else { "x" });
    let never_issued = unknown_key();
    for (key, code) in [
        (mistyped.as_str(), "invalid_key"),
        (&never_issued, "invalid_key"),
        ("sk_live_something", "invalid_key"),
        // Left in from an example.
        ("cv_test_…", "invalid_key"),
        (&expired, "key_expired"),
        (&revoked, "key_revoked"),
    ] {
        let request =
            app.http.post(app.url("/v1/verify-vat")).bearer_auth(key).json(&json!({ "vatNumbers": ["DE1"] }));
        let answer = Answer::of(request).await;
        answer.assert_problem(401, code);
        assert_eq!(
            answer.header("www-authenticate"),
            Some(r#"Bearer realm="verify-vat", error="invalid_token""#)
        );
        assert!(!answer.body.to_string().contains(&key[8..]), "the key is not quoted");
    }
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200, "the good key still works");
}

/// A key of the right form that nobody was given.
fn unknown_key() -> String {
    let secret =
        crossvat::api_keys::NewSecret::generate(KeyMode::Live, &mut rand::rngs::SysRng).expect("a key");
    secret.reveal().to_owned()
}

#[tokio::test]
async fn the_scheme_is_read_in_any_case() {
    let app = TestApp::start().await;
    let key = app.customer("acme").await.key;
    let request = app
        .http
        .post(app.url("/v1/verify-vat"))
        .header("authorization", format!("bEARER {key}"))
        .json(&json!({ "vatNumbers": ["DE136695976"] }));
    assert_eq!(Answer::of(request).await.status, 200);
}

#[tokio::test]
async fn a_suspended_account_is_forbidden() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    app.accounts().suspend(customer.account_id, "unpaid", &Actor::COMMAND_LINE).await.expect("suspends");
    customer.verify(&["DE136695976"]).await.assert_problem(403, "account_suspended");
}

#[tokio::test]
async fn unknown_paths_and_methods_need_no_key() {
    let app = TestApp::start().await;
    for path in ["/v1", "/v1/", "/v1/verify", "/v1/verify-vat/", "/v1/verify-vat/x", "/v1/../v1/none"] {
        Answer::of(app.http.post(app.url(path))).await.assert_problem(404, "not_found");
    }
    for method in ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"] {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let answer = Answer::of(app.http.request(method.clone(), app.url("/v1/verify-vat"))).await;
        answer.assert_problem(405, "method_not_allowed");
        let detail = answer.body["detail"].as_str().unwrap();
        assert!(detail.starts_with("This path takes POST."), "{detail}");
        assert_eq!(answer.header("allow"), Some("POST"), "{method}");
    }
    let answer = Answer::of(app.http.post(app.url("/v1/openapi.json"))).await;
    answer.assert_problem(405, "method_not_allowed");
    assert_eq!(answer.header("allow"), Some("GET,HEAD"));
}

#[tokio::test]
async fn a_body_over_64_kib_is_too_large_whether_announced_or_not() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let exactly = |length: usize| {
        let padding = length - r#"{"vatNumbers":["DE136695976"]}"#.len();
        format!(r#"{{"vatNumbers":["DE136695976"]{}}}"#, " ".repeat(padding))
    };
    let send = |body: reqwest::Body| customer.request().header("content-type", "application/json").body(body);
    assert_eq!(Answer::of(send(exactly(65_536).into())).await.status, 200);
    Answer::of(send(exactly(65_537).into())).await.assert_problem(413, "body_too_large");
    let chunked = crate::support::exchange(
        app.address,
        format!(
            "POST /v1/verify-vat HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\ncontent-type: \
             application/json\r\ntransfer-encoding: chunked\r\n\r\n10001\r\n{}\r\n0\r\n\r\n",
            customer.key,
            " ".repeat(65_537)
        )
        .as_bytes(),
    )
    .await;
    assert_eq!(chunked.status(), 413, "{chunked:?}");
    assert!(chunked.text.contains("body_too_large"), "{chunked:?}");
}

#[tokio::test]
async fn only_json_is_taken() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let body = r#"{"vatNumbers":["DE136695976"]}"#;
    for content_type in
        ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "json", "image/svg+json"]
    {
        let answer = Answer::of(customer.request().header("content-type", content_type).body(body)).await;
        answer.assert_problem(415, "unsupported_media_type");
    }
    Answer::of(customer.request().body(body)).await.assert_problem(415, "unsupported_media_type");
    for content_type in ["application/json", "Application/JSON; charset=utf-8", "application/vnd.acme+json"] {
        let answer = Answer::of(customer.request().header("content-type", content_type).body(body)).await;
        assert_eq!(answer.status, 200, "{content_type}");
    }
}

#[tokio::test]
async fn every_fault_of_a_request_is_told_at_once() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let answer = customer
        .post(&json!({
            "vatNumbers": ["DE811569869", null, 12345, "x".repeat(65)],
            "requesterVatNumbers": ["nonsense"],
            "supplierCountry": "Germany",
            "partial": "true",
            "maxAge": 5,
        }))
        .await;
    answer.assert_problem(422, "validation_failed");
    let mut faults = answer.faults();
    faults.sort_unstable();
    assert_eq!(
        faults,
        [
            ("/maxAge", "unknown_field"),
            ("/partial", "wrong_type"),
            ("/requesterVatNumbers/0", "invalid_value"),
            ("/supplierCountry", "invalid_value"),
            ("/vatNumbers/1", "wrong_type"),
            ("/vatNumbers/2", "wrong_type"),
            ("/vatNumbers/3", "too_long"),
        ]
    );
    assert!(app.simulator.calls().is_empty(), "nothing is asked for a request that is not right");
}

#[tokio::test]
async fn the_hundred_and_first_request_in_a_minute_is_refused_until_one_leaves_the_window() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let second_key = customer.another_key(&app, None).await;
    for served in 1..=100 {
        // The rate is counted whatever the body, and over all keys of the account.
        let key = if served % 2 == 0 { &second_key } else { &customer.key };
        let request = app.http.post(app.url("/v1/verify-vat")).bearer_auth(key).json(&json!({}));
        let answer = Answer::of(request).await;
        answer.assert_problem(422, "validation_failed");
        assert_eq!(answer.header("ratelimit-policy"), Some(r#""standard";q=100;w=60"#));
        let left = format!(r#""standard";r={};t={}"#, 100 - served, 60 - (served - 1) / 10);
        assert_eq!(answer.header("ratelimit"), Some(left.as_str()));
        if served % 10 == 0 {
            app.clock.advance(Duration::from_secs(1));
        }
    }
    let refused = customer.verify(&["DE136695976"]).await;
    refused.assert_problem(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), Some("50"));
    assert_eq!(refused.header("ratelimit"), Some(r#""standard";r=0;t=50"#));
    assert!(app.simulator.calls().is_empty());
    assert_eq!(
        app.customer("other").await.verify(&["DE136695976"]).await.status,
        200,
        "others are not touched"
    );
    app.clock.advance(Duration::from_millis(49_999));
    customer.verify(&["DE136695976"]).await.assert_problem(429, "rate_limited");
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200);
}

#[tokio::test]
async fn errors_are_decided_in_the_documented_order() {
    let app = TestApp::start().await;
    let four_a_minute = Limits { requests_per_minute: Some(4), ..Limits::default() };
    let customer = app.customer_with("acme", &four_a_minute).await;
    let without_key = app.http.post(app.url("/v1/verify-vat")).body("x".repeat(70_000));
    Answer::of(without_key).await.assert_problem(401, "missing_credentials");
    let big = || "x".repeat(70_000);
    Answer::of(customer.request().body(big())).await.assert_problem(415, "unsupported_media_type");
    let json = |body: String| customer.request().header("content-type", "application/json").body(body);
    Answer::of(json(big())).await.assert_problem(413, "body_too_large");
    Answer::of(json("x".into())).await.assert_problem(400, "malformed_json");
    Answer::of(json("{}".into())).await.assert_problem(422, "validation_failed");
    Answer::of(customer.request().body(big())).await.assert_problem(429, "rate_limited");
}

#[tokio::test]
async fn every_answer_has_a_request_id_and_a_usable_one_of_the_callers_is_kept() {
    let app = TestApp::start().await;
    let get = |id: Option<&str>| {
        let request = app.http.get(app.url("/v1/none"));
        id.map_or_else(
            || request.try_clone().unwrap(),
            |id| request.try_clone().unwrap().header("x-request-id", id),
        )
    };
    for kept in ["a", "order-17_b.2", &"x".repeat(64)] {
        assert_eq!(Answer::of(get(Some(kept))).await.header("x-request-id"), Some(kept));
    }
    let mut made = Vec::new();
    for given in [None, Some(""), Some("with blank"), Some("a/b"), Some(&*"x".repeat(65))] {
        let answer = Answer::of(get(given)).await;
        let id = answer.header("x-request-id").expect("an id").to_owned();
        assert!(Some(id.as_str()) != given && id.len() == 32, "{id}");
        made.push(id);
    }
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), 5, "ids are distinct");
    for path in ["/", "/healthz", "/nowhere"] {
        assert!(Answer::of(app.http.get(app.url(path))).await.header("x-request-id").is_some(), "{path}");
    }
}
