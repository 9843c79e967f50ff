//! The life of a key: made, used, renamed, rotated, expired, revoked. What changes elsewhere holds here within a second.

use std::time::{Duration, Instant};

use crossvat::{
    accounts::{AccountSettings, Limits},
    api_keys::{ApiKey, KeyError, KeyMode, KeyStatus, NewKey, Overlap},
    audit::{Actor, Deed},
};
use rand::rngs::SysRng;
use uuid::Uuid;

use crate::support::{Customer, TestApp, events_of};

const ACTOR: &Actor = &Actor::COMMAND_LINE;

async fn statuses(app: &TestApp, customer: &Customer) -> Vec<KeyStatus> {
    let keys: Vec<ApiKey> = app.api_keys().list(customer.account_id).await.expect("keys");
    keys.into_iter().map(|key| key.status).collect()
}

/// Calls until one is answered with this status, which every call is that is made over a second from now.
async fn answered_within_a_second(customer: &Customer, status: u16) -> serde_json::Value {
    let started = Instant::now();
    loop {
        let made = started.elapsed();
        let answer = customer.verify(&["DE1"]).await;
        if answer.status == status {
            return answer.body;
        }
        assert!(made <= Duration::from_secs(1), "still {} after {made:?}: {answer:?}", answer.status);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_rotated_key_opens_as_long_as_was_chosen_and_then_expires() {
    for (overlap, hours) in [(Overlap::Hour, 1), (Overlap::Day, 24), (Overlap::Week, 168)] {
        let app = TestApp::start().await;
        let customer = app.customer("acme").await;
        let old = customer.listed_key(&app).await;
        let issued = app.api_keys().rotate(customer.account_id, old.id, overlap, ACTOR, &mut SysRng).await;
        let new = customer.with_key(issued.expect("rotates").secret.reveal());
        assert_eq!(statuses(&app, &customer).await, [KeyStatus::Active, KeyStatus::Expiring]);
        assert_eq!(new.listed_key(&app).await.name, old.name);
        for key in [&customer, &new] {
            assert_eq!(key.verify(&["DE1"]).await.status, 200);
        }
        app.clock.advance(Duration::from_millis(hours * 3_600_000 - 1));
        assert_eq!(customer.verify(&["DE1"]).await.status, 200);
        app.clock.advance(Duration::from_millis(1));
        customer.verify(&["DE1"]).await.assert_problem(401, "key_expired");
        assert_eq!(new.verify(&["DE1"]).await.status, 200);
        assert_eq!(statuses(&app, &customer).await, [KeyStatus::Active, KeyStatus::Expired]);
    }
}

#[tokio::test]
async fn a_key_rotated_without_overlap_ends_at_once() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    assert_eq!(customer.verify(&["DE1"]).await.status, 200, "the server knows the key");
    let old = customer.listed_key(&app).await.id;
    let issued = app.api_keys().rotate(customer.account_id, old, Overlap::None, ACTOR, &mut SysRng).await;
    let new = customer.with_key(issued.expect("rotates").secret.reveal());
    let body = answered_within_a_second(&customer, 401).await;
    assert_eq!(body["code"], "key_expired");
    assert_eq!(new.verify(&["DE1"]).await.status, 200);
}

#[tokio::test]
async fn a_rotation_keeps_the_mode_and_never_lengthens_a_life() {
    let app = TestApp::start().await;
    let keys = app.api_keys();
    let customer = app.customer("acme").await;
    let soon = app.shared_clock().now() + Duration::from_mins(30);
    let new = NewKey {
        id: None,
        account_id: customer.account_id,
        name: "short",
        mode: KeyMode::Test,
        expires_at: Some(soon),
    };
    let old = keys.issue(new, ACTOR, &mut SysRng).await.expect("issues");
    let issued =
        keys.rotate(customer.account_id, old.id, Overlap::Week, ACTOR, &mut SysRng).await.expect("rotates");
    assert!(issued.secret.reveal().starts_with("cv_test_"));
    let listed = keys.list(customer.account_id).await.expect("keys");
    let ends: Vec<_> = listed.iter().filter(|key| key.name == "short").map(|key| key.expires_at).collect();
    assert_eq!(ends, [Some(soon), Some(soon)]);
    assert!(matches!(
        keys.rotate(customer.account_id, old.id, Overlap::Week, ACTOR, &mut SysRng).await,
        Err(KeyError::Rotated)
    ));
}

#[tokio::test]
async fn two_rotations_at_once_make_one_new_key() {
    let app = TestApp::start().await;
    let (one, other) = (app.api_keys(), app.api_keys());
    let customer = app.customer("acme").await;
    let old = customer.listed_key(&app).await.id;
    let rotate = |keys: crossvat::api_keys::ApiKeys| async move {
        keys.rotate(customer.account_id, old, Overlap::Day, ACTOR, &mut SysRng).await.is_ok()
    };
    let (first, second) = tokio::join!(rotate(one), rotate(other));
    assert!(first ^ second);
    assert_eq!(app.api_keys().list(customer.account_id).await.expect("keys").len(), 2);
}

#[tokio::test]
async fn what_has_ended_or_belongs_to_another_cannot_be_changed() {
    let app = TestApp::start().await;
    let keys = app.api_keys();
    let (customer, stranger) = (app.customer("acme").await, app.customer("other").await);
    let key = customer.listed_key(&app).await.id;
    for (account, key) in [(stranger.account_id, key), (customer.account_id, Uuid::from_u128(7))] {
        assert!(matches!(keys.revoke(account, key, ACTOR).await, Err(KeyError::Unknown)));
        assert!(matches!(keys.rename(account, key, "x", ACTOR).await, Err(KeyError::Unknown)));
        let rotated = keys.rotate(account, key, Overlap::None, ACTOR, &mut SysRng).await;
        assert!(matches!(rotated, Err(KeyError::Unknown)));
    }
    keys.revoke(customer.account_id, key, ACTOR).await.expect("revokes");
    assert!(matches!(keys.revoke(customer.account_id, key, ACTOR).await, Err(KeyError::Ended)));
    assert!(matches!(keys.rename(customer.account_id, key, "x", ACTOR).await, Err(KeyError::Ended)));
    assert_eq!(statuses(&app, &stranger).await, [KeyStatus::Active]);
}

/// TykTechnologies/tyk 2293, civitai/civitai PR 2658.
#[tokio::test]
async fn p01_a_key_revoked_elsewhere_is_refused_here_within_a_second() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    assert_eq!(customer.verify(&["DE1"]).await.status, 200, "the server knows the key");
    customer.revoke_key(&app).await;
    assert_eq!(answered_within_a_second(&customer, 401).await["code"], "key_revoked");
}

#[tokio::test]
async fn a_suspended_account_is_refused_within_a_second_and_served_again_when_it_is_restored() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    assert_eq!(customer.verify(&["DE1"]).await.status, 200, "the server knows the key");
    app.accounts().suspend(customer.account_id, "unpaid", ACTOR).await.expect("suspends");
    assert_eq!(answered_within_a_second(&customer, 403).await["code"], "account_suspended");
    app.accounts().restore(customer.account_id, "paid", ACTOR).await.expect("restores");
    answered_within_a_second(&customer, 200).await;
}

#[tokio::test]
async fn a_changed_plan_and_changed_settings_hold_within_a_second() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    assert_eq!(
        customer.verify(&["DE136695976"]).await.header("ratelimit-policy"),
        Some(r#""standard";q=100;w=60"#)
    );
    let more = Limits { requests_per_minute: Some(7), ..Limits::default() };
    app.accounts().change_limits(customer.account_id, &more, "agreed", ACTOR).await.expect("changes");
    let settings = AccountSettings::Assumptions {
        supplier_country: vat::SupplierCountry::parse("DE"),
        max_age: Duration::ZERO,
    };
    app.accounts().change_settings(customer.account_id, &settings, ACTOR).await.expect("changes");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let answer = customer.verify(&["DE136695976"]).await;
    assert_eq!(answer.header("ratelimit-policy"), Some(r#""standard";q=7;w=60"#));
    let result = answer.only_result();
    assert_eq!((&result["reverseChargeReason"], &result["source"]), (&"domestic".into(), &"live".into()));
}

#[tokio::test]
async fn a_key_is_remembered_as_used_to_the_minute() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    assert_eq!(customer.listed_key(&app).await.last_used_at, None);
    let minute = "2026-09-03T08:41:00Z".parse().ok();
    customer.account().await;
    customer.account().await;
    assert_eq!(customer.listed_key(&app).await.last_used_at, minute);
    app.clock.advance(Duration::from_secs(52));
    customer.verify(&["DE1"]).await;
    assert_eq!(customer.account().await.status, 200);
    assert_eq!(customer.listed_key(&app).await.last_used_at, minute, "still the same minute");
    app.clock.advance(Duration::from_secs(1));
    customer.verify(&["DE1"]).await;
    customer.account().await;
    assert_eq!(customer.listed_key(&app).await.last_used_at, "2026-09-03T08:42:00Z".parse().ok());
}

#[tokio::test]
async fn every_deed_is_in_the_audit_log_with_who_did_it_and_no_secret() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let keys = app.api_keys();
    let key = customer.listed_key(&app).await.id;
    let member = Actor::member(Uuid::from_u128(5), "203.0.113.24".parse().unwrap());
    keys.rename(customer.account_id, key, "checkout", &member).await.expect("renames");
    let issued =
        keys.rotate(customer.account_id, key, Overlap::Day, &member, &mut SysRng).await.expect("rotates");
    keys.revoke(customer.account_id, issued.id, &member).await.expect("revokes");
    app.accounts().suspend(customer.account_id, "key found in public", ACTOR).await.expect("suspends");
    let events = events_of(&app.database, customer.account_id).await;
    let told: Vec<_> = events.iter().map(|event| (event.deed, event.detail.as_str())).collect();
    assert_eq!(
        told,
        [
            (Deed::AccountCreated, "acme"),
            (Deed::KeyIssued, "test"),
            (Deed::KeyRenamed, "test, now checkout"),
            (Deed::KeyRotated, "checkout, 24 hours of overlap"),
            (Deed::KeyRevoked, "checkout"),
            (Deed::AccountSuspended, "key found in public"),
        ]
    );
    assert_eq!(
        (events[2].actor_id, events[2].from_address.as_deref()),
        (Some(Uuid::from_u128(5)), Some("203.0.113.24"))
    );
    assert_eq!(events[4].subject_id, Some(issued.id));
    let all = format!("{events:?}");
    for secret in [&customer.key[8..], &issued.secret.reveal()[8..]] {
        assert!(!all.contains(secret));
    }
}

#[tokio::test]
async fn a_refused_deed_leaves_nothing_in_the_audit_log() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let key = customer.listed_key(&app).await.id;
    assert!(matches!(
        app.api_keys().rename(customer.account_id, key, " ", ACTOR).await,
        Err(KeyError::BadName)
    ));
    let none = Limits { plan: "none".into(), ..Limits::default() };
    assert!(app.accounts().change_limits(customer.account_id, &none, "x", ACTOR).await.is_err());
    let events = events_of(&app.database, customer.account_id).await;
    assert_eq!(events.len(), 2, "made, and its key issued: {events:?}");
}
