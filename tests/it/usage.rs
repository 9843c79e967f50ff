//! What is counted, by hour, caller and kind; and what is written with a live answer.

use crossvat::{
    audit::{Actor, AuditLog},
    db::entities::{audit_event, evidence, usage_number, usage_request},
    evidence::Evidence,
    usage::{Recorder, Usage},
};
use registry_simulator::Condition;
use sea_orm::{EntityTrait, IntoActiveModel};
use serde_json::json;

use crate::support::{Customer, TestApp};

async fn requests(app: &TestApp) -> Vec<(String, i64)> {
    let rows = usage_request::Entity::find().all(&app.database.main).await.expect("rows");
    let mut rows: Vec<_> = rows.into_iter().map(|row| (row.answer, row.count)).collect();
    rows.sort();
    rows
}

async fn numbers(app: &TestApp) -> Vec<(String, String, String, i64)> {
    let rows = usage_number::Entity::find().all(&app.database.main).await.expect("rows");
    let mut rows: Vec<_> =
        rows.into_iter().map(|row| (row.registry, row.status, row.source, row.count)).collect();
    rows.sort();
    rows
}

/// Everything that was counted is written.
async fn settled(customer: &Customer) {
    assert_eq!(customer.account().await.status, 200);
}

#[tokio::test]
async fn calls_are_counted_by_their_answer_and_numbers_by_what_became_of_them() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("FR", Condition::Down);
    let customer = app.customer("acme").await;
    customer.verify(&["DE136695976", "GB980780684", "DE1", "CHE116281710", "DE999999999"]).await;
    customer.verify(&["DE136695976", "DE136695976"]).await;
    customer.verify(&["FR40303265045"]).await;
    customer.verify_with(&["FR40303265045"], json!({ "partial": true })).await;
    customer.post(&json!({})).await;
    settled(&customer).await;
    let owned = |rows: &[(&str, i64)]| rows.iter().map(|(a, n)| ((*a).to_owned(), *n)).collect::<Vec<_>>();
    assert_eq!(
        requests(&app).await,
        owned(&[("answered", 3), ("registry_unavailable", 1), ("validation_failed", 1)])
    );
    let expected = [
        ("hmrc", "valid", "live", 1),
        ("none", "malformed", "none", 1),
        ("none", "unsupported", "none", 1),
        ("vies", "not_registered", "live", 1),
        ("vies", "unavailable", "none", 2),
        ("vies", "valid", "cache", 1),
        ("vies", "valid", "live", 1),
    ];
    let expected: Vec<_> = expected.map(|(a, b, c, n)| (a.to_owned(), b.to_owned(), c.to_owned(), n)).into();
    assert_eq!(numbers(&app).await, expected);
}

#[tokio::test]
async fn counts_of_an_hour_are_added_up_in_one_row() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    for _ in 0..3 {
        customer.verify(&["DE136695976"]).await;
        settled(&customer).await;
    }
    app.clock.advance(std::time::Duration::from_hours(1));
    customer.verify(&["DE1"]).await;
    settled(&customer).await;
    let rows = usage_request::Entity::find().all(&app.database.main).await.expect("rows");
    let mut by_hour: Vec<_> = rows.iter().map(|row| (row.hour.to_rfc3339(), row.count)).collect();
    by_hour.sort();
    assert_eq!(
        by_hour,
        [("2026-09-03T08:00:00+00:00".to_owned(), 3), ("2026-09-03T09:00:00+00:00".to_owned(), 1)]
    );
}

#[tokio::test]
async fn refusals_are_counted_by_their_code() {
    let app = TestApp::start().await;
    let limits = crossvat::accounts::Limits {
        requests_per_minute: Some(2),
        numbers_per_month: Some(1),
        ..Default::default()
    };
    let customer = app.customer_with("acme", &limits).await;
    customer.verify(&["DE136695976", "IE6388047V"]).await.assert_problem(429, "quota_exceeded");
    customer.verify(&["DE136695976"]).await;
    for _ in 0..3 {
        customer.verify(&["DE136695976"]).await.assert_problem(429, "rate_limited");
    }
    settled(&customer).await;
    let expected = [("answered", 1), ("quota_exceeded", 1), ("rate_limited", 3)];
    assert_eq!(requests(&app).await, expected.map(|(answer, count)| (answer.to_owned(), count)));
}

#[tokio::test]
async fn every_question_to_a_registry_leaves_its_evidence() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("FR", Condition::Down);
    let customer = app.customer("acme").await;
    let fields = json!({ "requesterVatNumbers": ["IE6388047V"] });
    let body = {
        let mut body = fields;
        body["vatNumbers"] = json!(["DE136695976", "DE999999999", "FR40303265045", "DE1"]);
        body
    };
    let answer =
        crate::support::Answer::of(customer.request().header("x-request-id", "order-17").json(&body)).await;
    assert_eq!(answer.status, 503);
    customer.verify(&["DE136695976"]).await;
    let mut rows = evidence::Entity::find().all(&app.database.main).await.expect("rows");
    rows.sort_by(|a, b| a.vat_number.cmp(&b.vat_number));
    let told: Vec<_> =
        rows.iter().map(|row| (row.vat_number.as_str(), row.outcome, row.reason.as_deref())).collect();
    assert_eq!(
        told,
        [
            ("DE136695976", evidence::EvidenceOutcome::Valid, None),
            ("DE999999999", evidence::EvidenceOutcome::NotRegistered, None),
            ("FR40303265045", evidence::EvidenceOutcome::Unavailable, Some("member_state_unavailable")),
        ],
        "an answer from an earlier check is no new question"
    );
    let valid = &rows[0];
    let result = &answer.results()[0];
    assert_eq!(valid.name.as_deref(), result["businessName"].as_str());
    assert_eq!(valid.address.as_deref(), result["address"].as_str());
    assert_eq!(valid.consultation_number.as_deref(), result["consultationNumber"].as_str());
    assert!(valid.consultation_number.is_some() && valid.registry_dated.is_some());
    assert_eq!((valid.registry.as_str(), valid.requester.as_deref()), ("vies", Some("IE6388047V")));
    assert_eq!((valid.request_id.as_str(), valid.caller_kind), ("order-17", evidence::CallerKind::ApiKey));
    assert_eq!(valid.caller_id, customer.listed_key(&app).await.id);
    assert_eq!(valid.account_id, customer.account_id);
}

#[tokio::test]
async fn what_is_over_its_time_is_deleted_in_parts_and_the_log_says_so() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    customer.verify(&["DE136695976"]).await;
    let old = evidence::Entity::find().one(&app.database.main).await.expect("answers").expect("a row");
    let clock = app.shared_clock();
    // With the one there is, more than are deleted at once.
    for part in 0..11 {
        let rows = (0..500).map(|_| {
            let id = crossvat::db::new_id(clock.as_ref());
            evidence::Model { id, request_id: format!("part-{part}"), ..old.clone() }.into_active_model()
        });
        evidence::Entity::insert_many(rows)
            .exec_without_returning(&app.database.main)
            .await
            .expect("inserts");
    }
    app.clock.advance(std::time::Duration::from_hours(24 * 40));
    customer.verify(&["GB980780684"]).await;
    settled(&customer).await;
    let month_ago = clock.now() - chrono::TimeDelta::days(31);
    let actor = &Actor::COMMAND_LINE;
    let proofs = Evidence::new(app.database.main.clone());
    assert_eq!(proofs.purge(month_ago, clock.as_ref(), actor).await.expect("purges"), 5501);
    assert_eq!(proofs.purge(month_ago, clock.as_ref(), actor).await.expect("purges"), 0);
    let left = evidence::Entity::find().all(&app.database.main).await.expect("rows");
    assert_eq!(left.iter().map(|row| row.vat_number.as_str()).collect::<Vec<_>>(), ["GB980780684"]);
    let usage = Usage::new(app.database.clone(), Recorder::default(), app.shared_clock());
    // The old hour's call and its number.
    assert_eq!(usage.purge(month_ago, actor).await.expect("purges"), 2);
    assert_eq!(requests(&app).await, [("answered".to_owned(), 1)]);
    assert_eq!(customer.numbers_used().await, 1, "this month's");
    let log = AuditLog::new(app.database.main.clone());
    assert_eq!(
        log.purge(month_ago, clock.as_ref(), actor).await.expect("purges"),
        2,
        "the account, and its key"
    );
    let events = audit_event::Entity::find().all(&app.database.main).await.expect("events");
    let mut told: Vec<_> = events.iter().map(|event| event.detail.as_str()).collect();
    told.sort_unstable();
    assert!(told[0].starts_with("audit events: 2, up to number 2, hash "), "{told:?}");
    assert_eq!(told[1..], ["evidence: 5000", "evidence: 501", "usage: 2"]);
}
