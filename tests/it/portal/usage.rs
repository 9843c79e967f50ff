//! `/portal/usage` and its file.

use chrono::{DateTime, Utc};
use crossvat::{
    api_keys::KeyMode,
    db::entities::{usage_number, usage_request},
    members::Role,
};
use sea_orm::{EntityTrait, IntoActiveModel};
use uuid::Uuid;

use crate::support::TestApp;

async fn counted(app: &TestApp, (account_id, caller_id): (Uuid, Uuid), hour: &str, status: &str, count: i64) {
    let (hour, mode): (DateTime<Utc>, _) = (hour.parse().expect("a moment"), KeyMode::Live);
    let numbers = usage_number::Model {
        account_id,
        hour,
        caller_id,
        mode,
        registry: "vies".to_owned(),
        status: status.to_owned(),
        source: if status == "unavailable" { "none" } else { "live" }.to_owned(),
        count,
    };
    usage_number::Entity::insert(numbers.into_active_model())
        .exec(&app.database.main)
        .await
        .expect("written");
    let answer = if status == "unavailable" { "registry_unavailable" } else { "answered" };
    let calls =
        usage_request::Model { account_id, hour, caller_id, mode, answer: answer.to_owned(), count: 1 };
    usage_request::Entity::insert(calls.into_active_model()).exec(&app.database.main).await.expect("written");
}

#[tokio::test]
async fn figures_stand_in_chart_table_and_file() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let (account, key) = (customer.account_id, customer.listed_key(&app).await);
    let reader = app.signed_in_as(account, "Maya Okafor", Role::Viewer).await;
    let empty = reader.page("/portal/usage").await;
    assert!(empty.contains("No live calls in this time") && !empty.contains("usage-chart"), "{empty}");
    let now = app.shared_clock().now();
    let (today, yesterday) = (now.format("%Y-%m-%d"), (now - chrono::TimeDelta::days(1)).format("%Y-%m-%d"));
    counted(&app, (account, key.id), &format!("{today}T00:00:00Z"), "valid", 1204).await;
    counted(&app, (account, key.id), &format!("{today}T01:00:00Z"), "unavailable", 19).await;
    counted(&app, (account, key.id), &format!("{yesterday}T23:00:00Z"), "not_registered", 7).await;
    let page = reader.page("/portal/usage").await;
    for part in [
        "<title>Usage",
        "1,204 answered, 19 unavailable",
        ">1,204</td>",
        ">1,211</td>",
        &*format!("…</i><b>{}", key.last_four),
        "href=\"/docs/errors#registry_unavailable\"",
        "data-part=\"peak\"",
        "<meter",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert_eq!(page.matches("class=\"answered\"").count(), 1 + 2, "the key and two bars: {page}");
    let file = reader.page("/portal/usage.csv?period=92-days").await;
    let lines: Vec<&str> = file.split("\r\n").collect();
    assert_eq!(lines.len(), 1 + 92 + 1);
    assert!(lines[0].starts_with("\u{feff}Day (UTC),Requests,"), "{}", lines[0]);
    assert_eq!(lines[92], format!("{today},2,1,1204,0,0,0,19,1204,0,0,1223"));
    assert_eq!(lines[91], format!("{yesterday},1,0,0,7,0,0,0,7,0,0,7"));
    for (query, shown) in [
        ("?registry=hmrc", false),
        ("?registry=vies", true),
        (&*format!("?key={}", key.id), true),
        (&*format!("?key={}", Uuid::nil()), false),
        ("?period=24-hours", true),
        ("?period=month", true),
        ("?period=92-days", true),
        ("?period=nonsense&key=%3Cscript%3E", true),
    ] {
        let page = reader.page(&format!("/portal/usage{query}")).await;
        assert_eq!(page.contains("1,204"), shown, "{query}");
        assert!(!page.contains("<script>\"") && !page.contains("key=<"), "{query}");
    }
}

#[tokio::test]
async fn what_another_account_used_is_not_told() {
    let app = TestApp::start().await;
    let (acme, other) = (app.customer("acme").await, app.customer("other").await);
    let key = other.listed_key(&app).await.id;
    let hour = app.shared_clock().now().format("%Y-%m-%dT00:00:00Z").to_string();
    counted(&app, (other.account_id, key), &hour, "valid", 777_777).await;
    for role in [Role::Owner, Role::Member, Role::Viewer] {
        let reader = app.signed_in_as(acme.account_id, "</option><b>", role).await;
        for path in [format!("/portal/usage?key={key}"), format!("/portal/usage.csv?key={key}")] {
            let page = reader.page(&path).await;
            assert!(!page.contains("777,777") && !page.contains("777777"), "{page}");
            assert!(!page.contains("</option><b>"), "{page}");
        }
    }
    let reader = app.signed_in_as(other.account_id, "Helen Fenwick", Role::Viewer).await;
    assert!(reader.page("/portal/usage").await.contains("777,777"));
}
