//! What a call has asked goes on after its deadline: the same call made again is answered from it, nothing is asked or
//! counted twice, and nothing is lost.

use std::time::{Duration, Instant};

use crossvat::db::entities::{evidence, evidence::EvidenceOutcome, reservation, usage_request};
use registry_simulator::{Answer as Says, Condition, Script, Settings};
use sea_orm::EntityTrait;
use serde_json::json;

use crate::support::{Answer, TestApp, TestAppBuilder};

/// Two UK numbers a second, and five seconds for a call: it has asked about ten when it is answered, and has begun in time
/// however slowly the books are read.
fn hurried() -> TestAppBuilder {
    TestApp::with()
        .set("HMRC__REQUESTS_PER_SECOND", "2")
        .set("VERIFICATION__DEADLINE_SECONDS", "5")
        .simulator(Settings { hmrc_calls_per_second: None, ..Settings::default() })
}

/// UK numbers that are registered.
fn numbers(app: &TestApp, count: usize) -> Vec<String> {
    let numbers: Vec<String> = (0..count).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    for number in &numbers {
        let registered = Says::Valid { name: "A".to_owned(), address: "B".to_owned() };
        app.simulator.hmrc().script(&number[2..], Script::from(registered));
    }
    numbers
}

/// How many lookups HMRC has seen; it is asked for a token as well.
fn lookups(app: &TestApp) -> usize {
    app.simulator.calls().iter().filter(|call| call.country == "GB").count()
}

fn unresolved(answer: &Answer) -> usize {
    answer.body["unresolved"].as_array().map_or(0, Vec::len)
}

/// Waits until nothing that was set aside is unsettled.
async fn settled(app: &TestApp) {
    let all_settled = async {
        while !reservation::Entity::find().all(&app.database.main).await.expect("rows").is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), all_settled).await.expect("everything is settled");
}

#[tokio::test]
async fn a_repeated_call_completes_what_the_first_had_no_time_for_and_nothing_is_asked_twice() {
    let app = hurried().start().await;
    let customer = app.customer("acme").await;
    let numbers = numbers(&app, 25);
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let first = customer.verify(&numbers).await;
    first.assert_problem(503, "registry_unavailable");
    assert!((13..25).contains(&unresolved(&first)), "{}", unresolved(&first));
    assert!(first.body["unresolved"].as_array().unwrap().iter().all(|one| one["reason"] == "deadline"));
    assert_eq!(first.header("retry-after"), Some("5"));
    let mut calls = 2;
    let mut last = customer.verify(&numbers).await;
    while last.status != 200 && calls < 8 {
        last = customer.verify(&numbers).await;
        calls += 1;
    }
    assert_eq!(last.status, 200, "{last:?}");
    assert!(last.results().iter().all(|result| result["valid"] == true && result["source"] == "cache"));
    assert_eq!(lookups(&app), 25);
    settled(&app).await;
    assert_eq!(customer.numbers_used().await, 25);
    let proofs = evidence::Entity::find().all(&app.database.main).await.expect("rows");
    assert_eq!(proofs.len(), 25, "one for each lookup");
    assert!(proofs.iter().all(|proof| proof.outcome == EvidenceOutcome::Valid));
    let counted = usage_request::Entity::find().all(&app.database.main).await.expect("rows");
    assert_eq!(counted.iter().map(|row| row.count).sum::<i64>(), calls);
}

#[tokio::test]
async fn what_came_too_late_for_its_call_is_there_for_the_next() {
    let app = TestApp::with().set("VERIFICATION__DEADLINE_SECONDS", "5").start().await;
    app.simulator.vies().set_delay(Duration::from_secs(7));
    let customer = app.customer("acme").await;
    assert_eq!(customer.verify(&["FR40303265045"]).await.only_unresolved()["reason"], "deadline");
    let again = customer.verify(&["FR40303265045"]).await;
    let result = again.only_result();
    assert_eq!((result["valid"].as_bool(), result["source"].as_str()), (Some(true), Some("cache")));
    assert_eq!(app.simulator.calls().len(), 1);
    settled(&app).await;
    assert_eq!(customer.numbers_used().await, 1);
    assert_eq!(customer.account().await.body["usage"]["requests"], 2);
}

#[tokio::test]
async fn who_wants_a_new_answer_each_time_leaves_nothing_waiting() {
    let app = hurried().start().await;
    let customer = app.customer("acme").await;
    let numbers = numbers(&app, 40);
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let answer = customer.verify_with(&numbers, json!({ "maxAgeSeconds": 0 })).await;
    assert!(unresolved(&answer) > 20);
    settled(&app).await;
    let asked = lookups(&app);
    assert!(asked < 15, "{asked}");
    assert_eq!(customer.numbers_used().await, asked as u64);
}

#[tokio::test]
async fn a_stopping_server_ends_what_was_asked_and_gives_the_rest_back() {
    let mut app = hurried().start().await;
    let customer = app.customer("acme").await;
    let numbers = numbers(&app, 100);
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    app.simulator.hmrc().set_delay(Duration::from_millis(300));
    assert!(unresolved(&customer.verify(&numbers).await) > 50);
    let stopped = Instant::now();
    app.ask_to_stop();
    app.ended().await;
    assert!(stopped.elapsed() < Duration::from_secs(10), "{:?}", stopped.elapsed());
    let asked = lookups(&app);
    assert!(asked < 60, "{asked}");
    settled(&app).await;
    app.start_again().await;
    let used = customer.at(&app).numbers_used().await;
    assert_eq!(used, asked as u64, "what was asked counts, and nothing else");
    let proofs = evidence::Entity::find().all(&app.database.main).await.expect("rows");
    let valid = proofs.iter().filter(|proof| proof.outcome == EvidenceOutcome::Valid).count();
    assert_eq!((valid, proofs.len()), (asked, 100), "and is proved");
}

#[tokio::test]
async fn a_silent_member_state_is_noticed_although_no_call_waits_so_long() {
    let app = TestApp::with()
        .set("VERIFICATION__DEADLINE_SECONDS", "2")
        .set("VIES__TIMEOUT_SECONDS", "4")
        .set("VIES__MAX_IN_FLIGHT_PER_MEMBER_STATE", "6")
        .start()
        .await;
    app.simulator.vies().set_member_state("DE", Condition::Silent);
    let customer = app.customer("acme").await;
    let german: Vec<String> = (0..6).map(|n| format!("DE1{n:08}")).collect();
    let german: Vec<&str> = german.iter().map(String::as_str).collect();
    assert_eq!(unresolved(&customer.verify(&german).await), 6);
    settled(&app).await;
    let asked = app.simulator.calls().len();
    assert_eq!(customer.verify(&["DE136695976"]).await.only_unresolved()["reason"], "timeout");
    assert_eq!(app.simulator.calls().len(), asked, "told without asking");
}
