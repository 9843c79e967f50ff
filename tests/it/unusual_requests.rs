//! What no well-behaved client sends: never a 500, never a panic, and the server goes on.

use std::time::Duration;

use serde_json::json;

use crate::support::{Answer, Customer, TestApp, exchange, processor_time};

fn head(customer: &Customer, more: &str) -> String {
    format!(
        "POST /v1/verify-vat HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\ncontent-type: \
         application/json\r\n{more}\r\n",
        customer.key
    )
}

#[tokio::test]
async fn bytes_that_are_no_text_are_malformed_json() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    for body in [
        &b"{\"vatNumbers\":[\"DE\xff\xfe\"]}"[..],
        b"\xff\xfe{\x00}\x00",
        b"\x00",
        b"{\"vatNumbers\":[\"\xed\xa0\x80\"]}",
        br#"{"vatNumbers":["\ud800"]}"#,
    ] {
        let request = customer.request().header("content-type", "application/json").body(body);
        Answer::of(request).await.assert_problem(400, "malformed_json");
    }
}

#[tokio::test]
async fn deep_nesting_is_refused_without_harm() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    for (open, close) in [("[", "]"), ("{\"vatNumbers\":", "}")] {
        let body = format!("{}1{}", open.repeat(4000), close.repeat(4000));
        let request = customer.request().header("content-type", "application/json").body(body);
        Answer::of(request).await.assert_problem(400, "malformed_json");
    }
}

#[tokio::test]
async fn huge_numbers_and_repeated_members_are_faults_of_the_request() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    for (body, fault) in [
        (format!("{{\"vatNumbers\":[{}]}}", "9".repeat(300)), ("/vatNumbers/0", "wrong_type")),
        ("{\"vatNumbers\":[-0.0]}".to_owned(), ("/vatNumbers/0", "wrong_type")),
        ("{\"vatNumbers\":[\"DE1\"],\"vatNumbers\":[\"DE2\"]}".to_owned(), ("/vatNumbers", "invalid_value")),
        (
            "{\"vatNumbers\":[\"DE1\"],\"partial\":true,\"partial\":false}".to_owned(),
            ("/partial", "invalid_value"),
        ),
    ] {
        let request = customer.request().header("content-type", "application/json").body(body);
        let answer = Answer::of(request).await;
        answer.assert_problem(422, "validation_failed");
        assert_eq!(answer.faults(), [fault]);
    }
}

#[tokio::test]
async fn a_hundred_entries_of_the_greatest_length_are_read_and_answered() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    for entry in
        ["x".repeat(64), "\u{fdfa}".repeat(64), "𝟗".repeat(64), "DE136695976".to_owned() + &" ".repeat(53)]
    {
        let entries = vec![entry.as_str(); 100];
        let answer = customer.verify(&entries).await;
        assert_eq!((answer.status, answer.results().len()), (200, 100), "{entry:?}");
    }
    assert_eq!(app.simulator.calls().len(), 1);
}

#[tokio::test]
async fn control_and_direction_marks_in_entries_do_no_harm() {
    let app = TestApp::start().await;
    let answer = app
        .customer("acme")
        .await
        .verify(&[
            "DE\u{202e}136695976",
            "DE136695976\u{0}",
            "\u{0}",
            "\u{200f}",
            "DE\r\n136695976",
            "<script>",
            "GB'; DROP",
        ])
        .await;
    let read: Vec<(&str, &str)> = answer
        .results()
        .iter()
        .map(|r| (r["vatNumber"].as_str().unwrap(), r["status"].as_str().unwrap()))
        .collect();
    assert_eq!(read[0], ("DE136695976", "valid"));
    assert!(["valid", "malformed"].contains(&read[1].1));
    assert!(read[2..4].iter().all(|(_, status)| *status == "malformed"), "{read:?}");
    assert_eq!(read[4], ("DE136695976", "valid"));
    assert!(
        read[5..].iter().all(|(_, status)| *status == "malformed" || *status == "unsupported"),
        "{read:?}"
    );
}

#[tokio::test]
async fn a_body_that_stalls_is_given_up_after_ten_seconds() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let started = std::time::Instant::now();
    let chunked = head(&customer, "transfer-encoding: chunked\r\n") + "5\r\n{\"vat\r\n";
    let announced = head(&customer, "content-length: 40\r\n") + "{\"vatNumbers\"";
    let (chunked, announced) =
        tokio::join!(exchange(app.address, chunked.as_bytes()), exchange(app.address, announced.as_bytes()));
    for answer in [chunked, announced] {
        assert_eq!(answer.status(), 408, "{answer:?}");
        assert!(answer.text.contains("request_timeout"), "{answer:?}");
    }
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_connection_that_says_nothing_is_closed() {
    let app = TestApp::start().await;
    let answer = exchange(app.address, b"").await;
    assert!(answer.text.is_empty() && answer.took.as_secs() < 30, "{answer:?}");
}

#[tokio::test]
async fn a_form_that_stalls_is_given_up() {
    let app = TestApp::start().await;
    let head = "POST /theme HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: \
                application/x-www-form-urlencoded\r\ncontent-length: ";
    let stalled = exchange(app.address, format!("{head}20\r\n\r\ntheme=").as_bytes()).await;
    assert_eq!(stalled.status(), 408, "{stalled:?}");
    let huge = exchange(app.address, format!("{head}70000\r\n\r\n{}", "x".repeat(70_000)).as_bytes()).await;
    assert_eq!(huge.status(), 413, "{huge:?}");
}

#[tokio::test]
async fn thousands_of_unknown_fields_are_told_quickly() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let members: Vec<String> = (0..7000).map(|n| format!("\"{n:x}\":1")).collect();
    let body = format!("{{{}}}", members.join(","));
    assert!(body.len() < 65_536);
    let before = processor_time();
    let answer = Answer::of(customer.request().header("content-type", "application/json").body(body)).await;
    let worked = processor_time().saturating_sub(before);
    answer.assert_problem(422, "validation_failed");
    assert_eq!(answer.faults().len(), 7001);
    assert!(worked < Duration::from_secs(2), "{worked:?}");
}

#[tokio::test]
async fn old_and_broken_http_is_answered_or_closed() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let body = r#"{"vatNumbers":["DE136695976"]}"#;
    let old = format!(
        "POST /v1/verify-vat HTTP/1.0\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: \
         {}\r\n\r\n{body}",
        customer.key,
        body.len()
    );
    let answer = exchange(app.address, old.as_bytes()).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert!(answer.text.contains(r#""valid":true"#), "{answer:?}");
    for (request, status) in [
        (&b"BREW /v1/verify-vat HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"[..], 405),
        (b"GET /v1/%00 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", 404),
        (b"GET /%ff%fe HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", 404),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00", 400),
    ] {
        let answer = exchange(app.address, request).await;
        assert_eq!(answer.status(), status, "{:?}: {answer:?}", String::from_utf8_lossy(request));
    }
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200, "the server goes on");
}

#[tokio::test]
async fn nothing_answers_to_trace() {
    let app = TestApp::start().await;
    for path in ["/", "/nowhere", "/sign-in", "/v1/verify-vat", "/v1/nowhere", "/pkg/test.css", "/readyz"] {
        let head = format!("TRACE {path} HTTP/1.1\r\nhost: x\r\nx-told: secret\r\nconnection: close\r\n\r\n");
        let answer = exchange(app.address, head.as_bytes()).await.text;
        let refused = answer.starts_with("HTTP/1.1 405") || answer.starts_with("HTTP/1.1 404");
        assert!(refused && !answer.contains("secret"), "{path}: {answer}");
    }
}

#[tokio::test]
async fn http_2_is_spoken_too() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    #[expect(clippy::disallowed_methods, reason = "a caller's client, not the product's")]
    let client = reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().expect("a client");
    let request = client
        .post(app.url("/v1/verify-vat"))
        .bearer_auth(&customer.key)
        .json(&json!({ "vatNumbers": ["DE136695976"] }));
    let response = request.send().await.expect("an answer");
    assert_eq!((response.version(), response.status().as_u16()), (reqwest::Version::HTTP_2, 200));
}

#[tokio::test]
async fn a_broken_off_chunked_body_is_no_defect_of_ours() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let request = head(&customer, "transfer-encoding: chunked\r\n") + "zz\r\n";
    let answer = exchange(app.address, request.as_bytes()).await;
    assert_eq!(answer.status(), 400, "{answer:?}");
    assert_eq!(customer.post(&json!({ "vatNumbers": ["DE136695976"] })).await.status, 200);
}
