//! A call is sent from a form with a test key, which is kept nowhere.

use std::time::Duration;

use crossvat::audit::Actor;
use serde_json::Value;

use super::between;
use crate::support::{Answer, Customer, TestApp, Visitor, plain};

async fn sent(visitor: &Visitor, key: &str, numbers: &str, supplier: &str) -> Answer {
    visitor.post("/docs/try", &[("key", key), ("numbers", numbers), ("supplier", supplier)]).await
}

async fn sandbox(app: &TestApp) -> Customer {
    app.customer("acme").await.in_the_sandbox(app).await
}

#[tokio::test]
async fn what_is_shown_is_what_a_program_gets() {
    let app = TestApp::start().await;
    let caller = sandbox(&app).await;
    let answer = sent(&app.visitor(), &caller.key, "gb999910095\r\n\r\n FR20999993017", "gb").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(!answer.html().contains(&caller.key), "the key is not shown again");
    let listing = |id: &str| -> Value {
        let text = plain(between(answer.html(), &format!("<code id=\"{id}\">"), "</code>"));
        serde_json::from_str(&text).expect("JSON")
    };
    let (question, answered) = (listing("sent"), listing("answered"));
    assert_eq!(question["vatNumbers"], serde_json::json!(["gb999910095", "FR20999993017"]));
    assert_eq!(caller.post(&question).await.body, answered);
    assert_eq!(answered["results"][0]["reverseChargeReason"], "domestic");
    assert!(
        answer.html().contains(">\ngb999910095\r\n\r\n FR20999993017</textarea>"),
        "what was typed stays"
    );
    assert!(app.simulator.calls().is_empty());
}

#[tokio::test]
async fn only_test_keys_that_open_something_are_taken() {
    let app = TestApp::start().await;
    let live = app.customer("acme").await;
    let caller = live.in_the_sandbox(&app).await;
    let visitor = app.visitor();
    let revoked = caller.in_the_sandbox(&app).await;
    revoked.revoke_key(&app).await;
    for (key, says) in [
        ("", "Type a test key"),
        (live.key.as_str(), "this is a live one"),
        ("cv_test_abc", "This is no key of ours"),
        (revoked.key.as_str(), "This key was revoked"),
    ] {
        let answer = sent(&visitor, key, "DE999991005", "").await;
        assert_eq!(answer.status, 422, "{key}");
        assert!(answer.html().contains("<title>Error: Try a call"), "{key}");
        assert!(plain(answer.html()).contains(says), "{key}: {says}");
        assert!(key.is_empty() || !answer.html().contains(key), "no key is shown");
    }
    app.accounts().suspend(live.account_id, "unpaid", &Actor::COMMAND_LINE).await.expect("suspends");
    let answer = sent(&visitor, &caller.key, "DE999991005", "").await;
    assert!(plain(answer.html()).contains("suspended"), "{answer:?}");
}

#[tokio::test]
async fn everything_that_needs_changing_is_told_at_once() {
    let app = TestApp::start().await;
    let visitor = app.visitor();
    let eleven = "DE1\n".repeat(11);
    for (numbers, says) in [
        ("", "Type at least one number"),
        (eleven.as_str(), "these are 11"),
        (&*"9".repeat(65), "64 characters at most"),
    ] {
        let answer = sent(&visitor, "", numbers, "Q").await;
        let text = plain(answer.html());
        assert_eq!(answer.status, 422);
        for part in ["Three things need changing", "Type a test key", says, "two letters"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
    let answer = visitor.post_from_elsewhere("/docs/try", &[("key", "x")]).await;
    assert_eq!(answer.status, 403, "no other site sends calls");
}

#[tokio::test]
async fn an_address_sends_five_calls_a_minute_and_the_plan_counts_them() {
    let app = TestApp::start().await;
    let once = crossvat::accounts::Limits { requests_per_minute: Some(2), ..Default::default() };
    let caller = app.customer_with("small", &once).await.in_the_sandbox(&app).await;
    let visitor = app.visitor();
    let other = sandbox(&app).await;
    let of_the_plan =
        "2 calls a minute can be made with the test keys of your account. Try again in 60 seconds";
    let of_the_address = "5 calls a minute can be made from one address. Try again in 60 seconds";
    for (key, words) in [(&caller.key, of_the_plan), (&other.key, of_the_address)] {
        for _ in 0..2 {
            assert_eq!(sent(&visitor, key, "DE999991005", "").await.status, 200);
        }
        let refused = sent(&visitor, key, "DE999991005", "").await;
        assert_eq!(refused.status, 429);
        assert!(plain(refused.html()).contains(&format!("Nothing was sent: {words}")), "{refused:?}");
    }
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(sent(&visitor, &other.key, "DE999991005", "").await.status, 200);
}
