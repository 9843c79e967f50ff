//! Whom to tell of a weakness.

use std::time::Duration;

use crossvat::clock::Clock;

use crate::support::{Answer, TestApp};

const PATH: &str = "/.well-known/security.txt";

#[tokio::test]
async fn it_says_whom_to_tell_and_is_never_out_of_date() {
    let app = TestApp::with()
        .set("HTTP__SECURITY_CONTACT", "mailto:security@crossvat.example")
        .set("HTTP__PUBLIC_URL", "https://vat.example.org")
        .start()
        .await;
    for _ in 0..3 {
        let answer = Answer::of(app.http.get(app.url(PATH))).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        let text = answer.body.as_str().expect("text");
        let (lasting, expires) = text.split_once("Expires: ").expect("an end");
        assert_eq!(
            lasting,
            "Contact: mailto:security@crossvat.example\nPreferred-Languages: en\n\
             Canonical: https://vat.example.org/.well-known/security.txt\n"
        );
        let expires = chrono::DateTime::parse_from_rfc3339(expires.trim_end()).expect("RFC 3339");
        let left = expires.to_utc() - app.clock.now();
        assert!(left.num_days() > 150 && left.num_days() < 365, "{left}");
        app.clock.advance(Duration::from_hours(400 * 24));
    }
}

#[tokio::test]
async fn without_a_contact_there_is_none_and_without_tls_no_address_of_its_own() {
    let app = TestApp::start().await;
    assert_eq!(Answer::of(app.http.get(app.url(PATH))).await.status, 404);
    let app =
        TestApp::with().set("HTTP__SECURITY_CONTACT", "https://crossvat.example/security").start().await;
    let answer = Answer::of(app.http.get(app.url(PATH))).await;
    let text = answer.body.as_str().expect("text");
    assert!(text.starts_with("Contact: https://crossvat.example/security\n"), "{text}");
    assert!(!text.contains("Canonical"), "{text}");
}
