//! The month's allowance: reserved before anything is asked, exact under concurrency, given back for what was not answered.

use std::time::Duration;

use crossvat::{
    accounts::Limits,
    usage::{Allowances, ReserveError},
};
use registry_simulator::Condition;

use crate::support::{Customer, TestApp};

async fn customer_with(app: &TestApp, numbers: u64) -> Customer {
    let limits =
        Limits { numbers_per_month: Some(numbers), requests_per_minute: Some(100_000), ..Limits::default() };
    app.customer_with("acme", &limits).await
}

#[tokio::test]
async fn what_is_counted_and_what_is_not() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("FR", Condition::Down);
    let customer = customer_with(&app, 1000).await;
    for (numbers, counted, why) in [
        (&["DE136695976", "GB980780684"][..], 2, "each that a registry answered"),
        (&["DE136695976", "de 136695976"], 0, "not what is answered from an earlier check"),
        (&["IE6388047V", "IE 6388047 V"], 1, "a number sent twice counts once"),
        (&["DE999999999"], 1, "a no is an answer"),
        (&["FR40303265045"], 0, "not what nobody answered"),
        (&["DE1", "CHE116281710", ""], 0, "not what no registry was asked"),
    ] {
        let before = customer.numbers_used().await;
        customer.verify(numbers).await;
        assert_eq!(customer.numbers_used().await - before, counted, "{why}");
    }
}

#[tokio::test]
async fn a_call_that_does_not_fit_is_refused_whole_and_nothing_is_asked() {
    let app = TestApp::start().await;
    let customer = customer_with(&app, 3).await;
    assert_eq!(customer.verify(&["DE136695976", "FR40303265045"]).await.status, 200);
    let asked = app.simulator.calls().len();
    let refused = customer.verify(&["IE6388047V", "GB980780684", "DE136695976"]).await;
    refused.assert_problem(429, "quota_exceeded");
    // From 3 September, 08:41:07, to the end of the month.
    assert_eq!(
        refused.header("retry-after"),
        Some((27 * 86_400 + 15 * 3600 + 18 * 60 + 53).to_string().as_str())
    );
    assert!(refused.header("ratelimit").is_some());
    let detail = refused.body["detail"].as_str().expect("text");
    assert!(detail.contains("2 numbers") && detail.contains("1 are left of this month's 3"), "{detail}");
    assert_eq!(app.simulator.calls().len(), asked);
    assert_eq!(
        customer.verify(&["DE136695976", "FR40303265045"]).await.status,
        200,
        "what is known costs nothing"
    );
    assert_eq!(customer.verify(&["IE6388047V"]).await.status, 200, "what fits is served");
    customer.verify(&["GB980780684"]).await.assert_problem(429, "quota_exceeded");
    app.clock.advance(Duration::from_hours(24 * 28));
    assert_eq!(customer.verify(&["GB980780684"]).await.status, 200, "a new month");
}

#[tokio::test]
async fn calls_at_once_never_exceed_it_together() {
    let app = TestApp::start().await;
    app.simulator.vies().set_delay(Duration::from_millis(50));
    let customer = customer_with(&app, 10).await;
    let numbers: Vec<String> = (0..30).map(|number| format!("DE1{number:08}")).collect();
    let calls = numbers.iter().map(async |number| customer.verify(&[number]).await);
    let answers = futures_util::future::join_all(calls).await;
    let served = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(served, 10);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.assert_problem(429, "quota_exceeded");
    }
    assert_eq!(customer.numbers_used().await, 10);
    assert_eq!(app.simulator.calls().len(), 10);
}

#[tokio::test]
async fn what_nobody_answered_is_given_back_at_once() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("FR", Condition::Down);
    let customer = customer_with(&app, 1).await;
    for _ in 0..3 {
        customer.verify(&["FR40303265045"]).await.only_unresolved();
    }
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200);
}

#[tokio::test]
async fn a_test_key_costs_nothing() {
    let app = TestApp::start().await;
    let customer = customer_with(&app, 1).await;
    let sandbox = customer.in_the_sandbox(&app).await;
    for _ in 0..3 {
        assert_eq!(sandbox.verify(&["DE136695976", "DE999999999"]).await.status, 200);
    }
    assert_eq!(customer.numbers_used().await, 0);
}

#[tokio::test]
async fn what_a_server_that_died_had_set_aside_comes_back() {
    let app = TestApp::without_server().await;
    let account = customer_with(&app, 10).await.account_id;
    let allowances = Allowances::new(app.database.clone(), app.shared_clock(), Duration::from_mins(1));
    // Nobody ever settles it.
    allowances.reserve(account, 10, 8).await.expect("fits");
    match allowances.reserve(account, 10, 3).await {
        Err(ReserveError::Exceeded { left: 2, .. }) => {}
        other => panic!("{other:?}"),
    }
    app.clock.advance(Duration::from_mins(1));
    allowances.reserve(account, 10, 10).await.expect("it has come back");
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(allowances.forget_expired().await.expect("deletes"), 2);
    assert_eq!(allowances.forget_expired().await.expect("deletes"), 0);
}
