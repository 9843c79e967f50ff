//! Breakers that somebody opens by hand: whoever asks is told at once, everybody may read why, and a restart or another
//! instance changes nothing about it.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use crossvat::{
    audit::{Actor, AuditLog, Deed, LogFilter, Start},
    db::entities::registry_hold::{self, Model as HoldRow},
    registry_status::{HoldError, Holds, NewHold},
    verification::gateway::RegistryPart,
};
use sea_orm::{EntityTrait, IntoActiveModel};
use serde_json::{Value, json};
use uuid::Uuid;
use vat::{Prefix, Registry};

use crate::support::{Answer, TestApp, plain};

const HMRC: RegistryPart = RegistryPart::Whole(Registry::Hmrc);
const POLAND: RegistryPart = RegistryPart::Behind(Prefix::Pl);
const WHY: &str = "HMRC has announced maintenance";

impl TestApp {
    /// Opens a breaker until it is closed by hand, and waits until everybody may read why.
    pub async fn open_breaker(&self, code: &str, reason: &str) {
        let part = RegistryPart::from_code(code).expect("a part");
        let new = NewHold { reason, ..hold(part, None) };
        self.holds().open(new, &Actor::COMMAND_LINE).await.expect("opens");
        until(async || status_of(self, code).await["note"] == reason).await;
    }

    /// As somebody would open and close breakers on this server.
    pub fn holds(&self) -> Holds {
        Holds::new(self.database.main.clone(), Arc::clone(&self.registries), self.shared_clock())
    }
}

fn hold(part: RegistryPart, minutes: Option<i64>) -> NewHold<'static> {
    let lasting = minutes.map(TimeDelta::minutes);
    NewHold { id: Uuid::new_v4(), part, lasting, reason: WHY, staff_id: Uuid::nil() }
}

async fn rows(app: &TestApp) -> Vec<HoldRow> {
    registry_hold::Entity::find().all(&app.database.main).await.expect("rows")
}

/// What another instance would write.
async fn write(app: &TestApp, part: RegistryPart, until: Option<DateTime<Utc>>, closed: bool) {
    let since = app.shared_clock().now();
    let row = HoldRow {
        part: part.code().to_owned(),
        id: Uuid::new_v4(),
        since,
        until,
        closed_at: closed.then_some(since),
        reason: WHY.to_owned(),
        staff_id: Uuid::nil(),
    };
    registry_hold::Entity::delete_by_id(part.code()).exec(&app.database.main).await.expect("deleted");
    registry_hold::Entity::insert(row.into_active_model())
        .exec_without_returning(&app.database.main)
        .await
        .expect("written");
}

async fn status_of(app: &TestApp, code: &str) -> Value {
    let status = Answer::of(app.http.get(app.url("/v1/status"))).await.body;
    let all =
        ["registries", "memberStates"].into_iter().flat_map(|list| status[list].as_array().expect(list));
    all.into_iter().find(|one| one["code"] == code).expect(code).clone()
}

/// What the audit log says of breakers, oldest first.
async fn told(app: &TestApp) -> Vec<String> {
    let log = AuditLog::new(app.database.main.clone());
    let page = log.page(&LogFilter::default(), Start::Newest, 50).await.expect("events");
    let breakers = page.entries.into_iter().rev().map(|entry| entry.event).filter(|event| {
        matches!(event.deed, Deed::BreakerOpened | Deed::BreakerClosed) && event.account_id.is_none()
    });
    breakers.map(|event| event.detail).collect()
}

/// Waits until a call is answered otherwise than it was; that must not take longer than a minute.
async fn until(is_so: impl AsyncFn() -> bool) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), waiting).await.expect("in time");
}

#[tokio::test]
async fn what_somebody_opened_is_unavailable_at_once_and_everybody_may_read_why() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    app.holds().open(hold(HMRC, Some(5)), &Actor::COMMAND_LINE).await.expect("opens");
    let answer = customer.verify(&["GB980780684", "FR40303265045"]).await;
    let unresolved = answer.only_unresolved();
    assert_eq!(
        (&unresolved["vatNumber"], &unresolved["reason"]),
        (&json!("GB980780684"), &json!("registry_unavailable"))
    );
    let wait: u64 = answer.header("retry-after").expect("a header").parse().expect("seconds");
    assert!((290..=300).contains(&wait), "{wait}");
    assert_eq!(answer.results()[0]["valid"], true, "VIES is another registry");
    let partial = customer.verify_with(&["GB980780684"], json!({ "partial": true })).await;
    assert_eq!((&partial.results()[0]["status"], partial.status), (&json!("unavailable"), 200));
    assert!(app.simulator.calls_about("GB", "980780684").is_empty(), "nobody asked");

    until(async || status_of(&app, "HMRC").await["note"] == WHY).await;
    let hmrc = status_of(&app, "HMRC").await;
    assert_eq!(
        (&hmrc["state"], &hmrc["since"], &hmrc["reason"], &hmrc["usualMilliseconds"]),
        (&json!("refusing"), &json!("2026-09-03T08:41:07.000Z"), &Value::Null, &Value::Null)
    );
    assert_eq!(status_of(&app, "VIES").await["note"], Value::Null);
    let page = Answer::of(app.http.get(app.url("/status"))).await;
    assert!(page.html().contains("Not asked</span>"));
    assert_eq!(page.html().matches("Not answering</span>").count(), 1, "the key to the strips alone");
    let page = plain(page.html());
    for words in [
        "HMRC is not asked at present, VIES answers.",
        "HMRC is not asked at present: HMRC has announced maintenance.",
        "Numbers of the United Kingdom are answered as unavailable, never as invalid.",
        "since 08:41 UTC today, until 08:46 UTC today.",
    ] {
        assert!(page.contains(words), "{words} in {page}");
    }
    assert_eq!(told(&app).await, ["HMRC, for 5 min: HMRC has announced maintenance"]);
}

#[tokio::test]
async fn when_its_time_is_over_one_lookup_finds_out_and_nothing_is_left() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    app.holds().open(hold(POLAND, Some(60)), &Actor::COMMAND_LINE).await.expect("opens");
    let answer = customer.verify(&["PL8567346215", "DE136695976"]).await;
    assert_eq!(answer.only_unresolved()["reason"], "member_state_unavailable");
    until(async || !status_of(&app, "PL").await["note"].is_null()).await;
    app.clock.advance(Duration::from_mins(59));
    assert_eq!(customer.verify(&["PL8567346215"]).await.status, 503);
    app.clock.advance(Duration::from_mins(1));
    until(async || rows(&app).await.is_empty() && status_of(&app, "PL").await["note"].is_null()).await;
    assert_eq!(customer.verify(&["PL8567346215"]).await.results()[0]["valid"], true);
    assert_eq!(told(&app).await.len(), 1, "it ended by itself");
}

#[tokio::test]
async fn a_restart_keeps_it_open_and_closed_by_hand_it_is_asked_again() {
    let mut app = TestApp::start().await;
    let customer = app.customer("acme").await;
    app.holds().open(hold(HMRC, None), &Actor::COMMAND_LINE).await.expect("opens");
    app.restart().await;
    let customer = customer.at(&app);
    // The very first call.
    let answer = customer.verify(&["GB980780684"]).await;
    assert_eq!(answer.only_unresolved()["reason"], "registry_unavailable");
    assert_eq!(answer.header("retry-after"), Some("300"), "nobody knows how long: look again");
    assert!(app.simulator.calls_about("GB", "980780684").is_empty());

    app.holds().close((Uuid::new_v4(), HMRC), Uuid::nil(), &Actor::COMMAND_LINE).await.expect("closes");
    assert_eq!(customer.verify(&["GB980780684"]).await.results()[0]["valid"], true);
    assert_eq!(told(&app).await, ["HMRC, until closed by hand: HMRC has announced maintenance", "HMRC"]);
    until(async || status_of(&app, "HMRC").await["state"] == "answering").await;
    // The others have heard of it by then.
    app.clock.advance(Duration::from_mins(6));
    until(async || rows(&app).await.is_empty()).await;
    assert_eq!(customer.verify(&["GB980780684"]).await.status, 200);
}

/// The database is what instances tell each other by.
#[tokio::test]
async fn what_is_written_by_another_is_obeyed_and_a_closing_ends_also_what_opened_by_itself() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let number = &["PL8567346215"];
    let asked = json!({ "maxAgeSeconds": 0 });
    write(&app, POLAND, None, false).await;
    until(async || customer.verify_with(number, asked.clone()).await.status == 503).await;
    write(&app, POLAND, None, true).await;
    until(async || customer.verify_with(number, asked.clone()).await.status == 200).await;

    app.simulator.vies().set_member_state("PL", registry_simulator::Condition::Down);
    let is_open = || app.registries.left_alone().contains(&POLAND);
    for national in 0..20 {
        if !is_open() {
            customer.verify(&[&format!("PL85673462{national:02}")]).await;
        }
    }
    assert!(is_open());
    app.simulator.vies().set_member_state("PL", registry_simulator::Condition::Up);
    write(&app, POLAND, None, true).await;
    until(async || !is_open()).await;
    assert_eq!(customer.verify_with(number, asked.clone()).await.status, 200);
}

#[tokio::test]
async fn what_is_sent_twice_is_done_once_and_what_is_not_open_is_not_closed() {
    let app = TestApp::start().await;
    let holds = app.holds();
    let (new, actor) = (hold(POLAND, Some(90)), &Actor::COMMAND_LINE);
    for _ in 0..2 {
        holds.open(new, actor).await.expect("opens");
    }
    let closing = (Uuid::new_v4(), POLAND);
    for _ in 0..2 {
        holds.close(closing, Uuid::nil(), actor).await.expect("closes");
        holds.close((Uuid::new_v4(), HMRC), Uuid::nil(), actor).await.expect("has nothing to do");
    }
    assert_eq!(told(&app).await, ["Poland, for 1 h 30 min: HMRC has announced maintenance", "Poland"]);
    for reason in ["", "  ", "two\nlines", &"x".repeat(201)] {
        let refused = holds.open(NewHold { reason, ..hold(HMRC, None) }, actor).await;
        assert!(matches!(refused, Err(HoldError::BadReason)), "{reason:?}");
    }
    assert!(!app.registries.left_alone().contains(&HMRC));
}

#[tokio::test]
async fn a_reading_that_fails_changes_nothing() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    app.holds().open(hold(POLAND, None), &Actor::COMMAND_LINE).await.expect("opens");
    until(async || !status_of(&app, "PL").await["note"].is_null()).await;
    let rename = |from: &str, to: &str| format!("ALTER TABLE {from} RENAME TO {to}");
    let run = async |sql: String| {
        sea_orm::ConnectionTrait::execute_unprepared(&app.database.main, &sql).await.expect("renames");
    };
    run(rename("registry_holds", "elsewhere")).await;
    let holds = app.holds();
    assert!(holds.obey().await.is_err());
    // The server's own watch reads in vain meanwhile, several times.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(customer.verify(&["PL8567346215"]).await.status, 503);
    assert_eq!(status_of(&app, "PL").await["note"], WHY);
    run(rename("elsewhere", "registry_holds")).await;
    app.holds().close((Uuid::new_v4(), POLAND), Uuid::nil(), &Actor::COMMAND_LINE).await.expect("closes");
    assert_eq!(customer.verify(&["PL8567346215"]).await.status, 200);
}
