//! `/status` and `GET /v1/status`: what our own lookups met, now and in the last day, whoever asks and whatever was restarted.

use std::time::Duration;

use crossvat::db::entities::registry_slice::{self, Model as SliceRow};
use registry_simulator::Condition;
use sea_orm::{ConnectionTrait, EntityTrait, IntoActiveModel};
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, plain};

/// What is asked without a key.
async fn status(app: &TestApp) -> Value {
    let answer = Answer::of(app.http.get(app.url("/v1/status"))).await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, Some("public, max-age=5")));
    answer.body
}

async fn page(app: &TestApp) -> String {
    let answer = Answer::of(app.http.get(app.url("/status"))).await;
    assert_eq!(answer.status, 200);
    answer.body.as_str().expect("HTML").to_owned()
}

/// The one that is called so.
fn of<'a>(status: &'a Value, code: &str) -> &'a Value {
    let all =
        ["registries", "memberStates"].into_iter().flat_map(|list| status[list].as_array().expect(list));
    all.into_iter().find(|one| one["code"] == code).expect(code)
}

async fn keep(app: &TestApp, starts_at: &str, part: &str, [answering, slow, refusing]: [i64; 3]) {
    let starts_at = starts_at.parse().expect("a moment");
    let row = SliceRow { starts_at, part: part.to_owned(), answering, slow, refusing };
    let row = registry_slice::Entity::insert(row.into_active_model());
    row.exec_without_returning(&app.database.main).await.expect("inserted");
}

async fn kept(app: &TestApp, part: &str) -> Vec<[i64; 3]> {
    let rows = registry_slice::Entity::find().all(&app.database.main).await.expect("rows");
    let rows = rows.into_iter().filter(|row| row.part == part);
    rows.map(|row| [row.answering, row.slow, row.refusing]).collect()
}

#[tokio::test]
async fn where_nobody_asked_nothing_is_measured() {
    let app = TestApp::start().await;
    let status = status(&app).await;
    assert_eq!(status["at"], "2026-09-03T08:41:07.000Z");
    assert_eq!(status["historyKnown"], true);
    let codes = |list: &str| -> Vec<String> {
        let all = status[list].as_array().expect(list);
        all.iter().map(|one| one["code"].as_str().expect("a code").to_owned()).collect()
    };
    assert_eq!(codes("registries"), ["HMRC", "VIES"]);
    assert_eq!(codes("memberStates").len(), 28);
    assert!(!codes("memberStates").contains(&"GB".to_owned()), "that is HMRC");
    let nothing = json!({
        "code": "PL", "name": "Poland", "state": "not_measured", "since": null, "usualMilliseconds": null, "reason": null,
        "note": null,
        "last24Hours": [
            { "from": "2026-09-02T08:45:00.000Z", "to": "2026-09-03T08:45:00.000Z", "state": "not_measured" }
        ],
    });
    assert_eq!(of(&status, "PL"), &nothing);
    assert!(page(&app).await.contains("<h1>Nobody has asked lately.</h1>"));
}

#[tokio::test]
async fn what_lookups_met_is_told_and_a_restart_forgets_nothing() {
    let mut app = TestApp::start().await;
    let customer = app.customer("acme").await;
    app.simulator.vies().set_member_state("PL", Condition::Down);
    customer
        .verify(&["GB980780684", "DE136695976", "PL8567346215"])
        .await
        .assert_problem(503, "registry_unavailable");
    let before = status(&app).await;
    for (code, state) in [
        ("HMRC", "answering"),
        ("VIES", "answering"),
        ("DE", "answering"),
        ("PL", "refusing"),
        ("FR", "not_measured"),
    ] {
        assert_eq!(of(&before, code)["state"], state, "{code}");
    }
    assert!(of(&before, "DE")["usualMilliseconds"].is_u64());
    assert_eq!(of(&before, "PL")["reason"], "member_state_unavailable");
    assert_eq!(of(&before, "PL")["since"], "2026-09-03T08:41:07.000Z");
    let told = page(&app).await;
    assert!(told.contains("<h1>Both registries answer. Poland does not answer.</h1>"), "{told}");
    let said = told.matches("Not answering</span>").count();
    assert_eq!(
        (said, told.contains("Refusing")),
        (2, false),
        "of Poland, and in the key to the strips: {told}"
    );
    assert!(plain(&told).contains("Poland has not answered since 08:41 UTC today."), "{told}");

    app.clock.advance(Duration::from_mins(3));
    app.restart().await;
    let after = status(&app).await;
    assert_eq!((&of(&after, "PL")["state"], &of(&after, "PL")["reason"]), (&json!("refusing"), &Value::Null));
    assert_eq!(of(&after, "PL")["since"], "2026-09-03T08:40:00.000Z", "exact to five minutes");
    assert_eq!(of(&after, "DE")["state"], "answering");
    let day = of(&after, "PL")["last24Hours"].as_array().expect("a list").clone();
    assert_eq!(
        day,
        [
            json!({ "from": "2026-09-02T08:45:00.000Z", "to": "2026-09-03T08:40:00.000Z", "state": "not_measured" }),
            json!({ "from": "2026-09-03T08:40:00.000Z", "to": "2026-09-03T08:45:00.000Z", "state": "refusing" }),
        ]
    );
    assert!(page(&app).await.contains("Last 24 hours: not answering for 5 min; otherwise not measured"));

    // A quarter of an hour after the slice is over, nobody knows how it is now; how it was is still known.
    app.clock.advance(Duration::from_mins(17));
    app.restart().await;
    let later = status(&app).await;
    assert_eq!(of(&later, "PL")["state"], "not_measured");
    assert_eq!(of(&later, "PL")["last24Hours"].as_array().expect("a list").len(), 3);
}

#[tokio::test]
async fn what_several_servers_count_is_added_up_and_what_is_older_than_a_day_is_forgotten() {
    let mut app = TestApp::start().await;
    let customer = app.customer("acme").await;
    keep(&app, "2026-09-02T08:30:00Z", "DE", [7, 0, 0]).await;
    keep(&app, "2026-09-02T09:00:00Z", "DE", [5, 1, 0]).await;
    customer.verify(&["DE136695976"]).await;
    app.restart().await;
    assert_eq!(kept(&app, "DE").await, [[5, 1, 0], [1, 0, 0]]);
    customer.at(&app).verify_with(&["DE136695976"], json!({ "maxAgeSeconds": 0 })).await;
    app.restart().await;
    assert_eq!(kept(&app, "DE").await, [[5, 1, 0], [2, 0, 0]]);
    assert_eq!(kept(&app, "VIES").await, [[2, 0, 0]]);
    let day = of(&status(&app).await, "DE")["last24Hours"].clone();
    let states: Vec<_> =
        day.as_array().expect("a list").iter().map(|stretch| stretch["state"].clone()).collect();
    assert_eq!(states, ["not_measured", "slow", "not_measured", "answering"]);
}

#[tokio::test]
async fn without_its_database_the_present_is_told_all_the_same() {
    let app = TestApp::start().await;
    app.customer("acme").await.verify(&["DE136695976"]).await;
    app.database.main.execute_unprepared("DROP TABLE registry_slices").await.expect("drops");
    let status = status(&app).await;
    assert_eq!((&status["historyKnown"], &of(&status, "DE")["state"]), (&json!(false), &json!("answering")));
    let told = page(&app).await;
    assert!(told.contains("What was measured before cannot be read at present."), "{told}");
}
