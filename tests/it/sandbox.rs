//! Test keys: every outcome on demand, and never a registry.

use crossvat::registries::sandbox::{NUMBERS, SandboxOutcome};
use serde_json::json;

use crate::support::{Answer, TestApp};

#[tokio::test]
async fn every_number_of_the_table_shows_what_it_says() {
    let app = TestApp::with().set("VERIFICATION__DEADLINE_SECONDS", "7").start().await;
    let sandbox = app.customer("acme").await.in_the_sandbox(&app).await;
    for hundred in NUMBERS.chunks(100) {
        let numbers: Vec<&str> = hundred.iter().map(|entry| entry.number).collect();
        let answer = sandbox.verify_with(&numbers, json!({ "partial": true })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        for (entry, result) in hundred.iter().zip(answer.results()) {
            let status = match entry.outcome {
                SandboxOutcome::Registered(_) | SandboxOutcome::RegisteredSlowly(_) => "valid",
                SandboxOutcome::NotRegistered | SandboxOutcome::RequesterRefused => "not_registered",
                SandboxOutcome::FormRefused => "malformed",
                SandboxOutcome::Trouble(kind) => {
                    assert!(Answer::advice_codes(result).contains(&kind.reason().as_str()), "{result}");
                    "unavailable"
                }
                SandboxOutcome::Deadline => {
                    assert!(Answer::advice_codes(result).contains(&"deadline"), "{result}");
                    "unavailable"
                }
            };
            assert_eq!(result["status"], status, "{result}");
        }
    }
    assert!(app.simulator.calls().is_empty(), "no connection was opened");
}

#[tokio::test]
async fn a_failure_is_told_as_the_real_one_would_be() {
    let app = TestApp::start().await;
    let sandbox = app.customer("acme").await.in_the_sandbox(&app).await;
    let failing =
        NUMBERS.iter().find(|entry| matches!(entry.outcome, SandboxOutcome::Trouble(_))).expect("one");
    let answer = sandbox.verify(&[failing.number]).await;
    let unresolved = answer.only_unresolved();
    assert_eq!(unresolved["vatNumber"], failing.number);
}

#[tokio::test]
async fn test_and_live_calls_are_counted_in_windows_of_their_own() {
    let app = TestApp::start().await;
    let once = crossvat::accounts::Limits { requests_per_minute: Some(1), ..Default::default() };
    let customer = app.customer_with("acme", &once).await;
    let sandbox = customer.in_the_sandbox(&app).await;
    assert_eq!(sandbox.verify(&["DE1"]).await.status, 200);
    sandbox.verify(&["DE1"]).await.assert_problem(429, "rate_limited");
    assert_eq!(customer.verify(&["DE1"]).await.status, 200);
}
