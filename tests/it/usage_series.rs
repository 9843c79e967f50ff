//! Reports of usage: figures by day and hour, whoever asks and whenever the days were added up.

use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use crossvat::{
    api_keys::KeyMode,
    audit::Actor,
    db::entities::{evidence::CallerKind, usage_number, usage_number_day, usage_request, usage_request_day},
    usage::{
        Allowances, CallCount, CallerName, Figures, Month, NumberCount, Outcomes, Period, Recorder,
        Registries, Report, Sources, TwentyFourHours, Usage, UsageFilter,
    },
};
use sea_orm::{EntityTrait, IntoActiveModel};
use serde_json::json;
use uuid::Uuid;
use vat::Registry;

use crate::support::{Customer, TestApp};

/// As the portal has it beside the server: what the server has not written yet is not waited for.
fn usage(app: &TestApp) -> Usage {
    Usage::new(app.database.clone(), Recorder::default(), app.shared_clock())
}

fn moment(text: &str) -> DateTime<Utc> {
    text.parse().expect("a moment")
}

fn day(text: &str) -> NaiveDate {
    text.parse().expect("a day")
}

fn period(first: &str, last: &str) -> Period {
    Period::new(day(first), day(last)).expect("a period")
}

/// Whose counts.
#[derive(Clone, Copy)]
struct Who {
    account: Uuid,
    caller: Uuid,
    mode: KeyMode,
}

impl Who {
    async fn of(app: &TestApp, customer: &Customer) -> Self {
        let caller = customer.listed_key(app).await.id;
        Self { account: customer.account_id, caller, mode: KeyMode::Live }
    }

    async fn called(self, app: &TestApp, hour: &str, answer: &str, count: i64) {
        let row = usage_request::Model {
            account_id: self.account,
            hour: moment(hour),
            caller_id: self.caller,
            mode: self.mode,
            answer: answer.to_owned(),
            count,
        };
        usage_request::Entity::insert(row.into_active_model())
            .exec(&app.database.main)
            .await
            .expect("written");
    }

    async fn asked(self, app: &TestApp, hour: &str, kind: [&str; 3], count: i64) {
        let [registry, status, source] = kind.map(str::to_owned);
        let row = usage_number::Model {
            account_id: self.account,
            hour: moment(hour),
            caller_id: self.caller,
            mode: self.mode,
            registry,
            status,
            source,
            count,
        };
        usage_number::Entity::insert(row.into_active_model())
            .exec(&app.database.main)
            .await
            .expect("written");
    }

    /// A call about one number that a registry answered.
    async fn used(self, app: &TestApp, hour: &str, count: i64) {
        self.called(app, hour, "answered", count).await;
        self.asked(app, hour, ["vies", "valid", "live"], count).await;
    }
}

/// Days or hours with anything in them, and how many calls and numbers that is.
fn not_empty<T: ToString>(report: &Report<T>) -> Vec<(String, u64, u64)> {
    let points = report.points.iter().filter(|point| point.figures != Figures::default());
    points
        .map(|point| (point.start.to_string(), point.figures.requests, point.figures.outcomes.total()))
        .collect()
}

fn owned(rows: &[(&str, u64, u64)]) -> Vec<(String, u64, u64)> {
    rows.iter().map(|(start, calls, numbers)| ((*start).to_owned(), *calls, *numbers)).collect()
}

#[tokio::test]
async fn a_report_tells_everything_that_was_counted_apart() {
    let app = TestApp::without_server().await;
    let acme = app.customer("acme").await;
    let checkout = Who::of(&app, &acme).await;
    let nightly = Who { caller: Uuid::now_v7(), ..checkout };
    let hour = "2026-09-02T10:00:00Z";
    for (who, answer, count) in [
        (checkout, "answered", 30),
        (checkout, "registry_unavailable", 4),
        (checkout, "rate_limited", 7),
        (nightly, "answered", 1),
        (nightly, "validation_failed", 2),
    ] {
        who.called(&app, hour, answer, count).await;
    }
    for (who, kind, count) in [
        (checkout, ["hmrc", "valid", "live"], 5),
        (checkout, ["hmrc", "valid", "cache"], 6),
        (checkout, ["vies", "not_registered", "live"], 7),
        (checkout, ["vies", "unavailable", "none"], 4),
        (checkout, ["none", "malformed", "none"], 2),
        (nightly, ["vies", "valid", "live"], 90),
        (nightly, ["none", "unsupported", "none"], 1),
    ] {
        who.asked(&app, hour, kind, count).await;
    }
    let of_the_test_key = Who { mode: KeyMode::Test, ..checkout };
    of_the_test_key.used(&app, hour, 1000).await;
    let all = Figures {
        requests: 35,
        refused: 13,
        outcomes: Outcomes { valid: 101, not_registered: 7, malformed: 2, unsupported: 1, unavailable: 4 },
        sources: Sources { live: 102, cache: 6 },
        registries: Registries { hmrc: 11, vies: 101 },
    };
    let (live, days) = (UsageFilter::default(), period("2026-09-01", "2026-09-03"));
    // The same before and after the day is added up.
    for added_up in [0, 1] {
        let report = usage(&app).by_day(acme.account_id, days, &live).await.expect("a report");
        assert_eq!(report.total, all);
        let starts: Vec<_> = report.points.iter().map(|point| point.start).collect();
        assert_eq!(starts, ["2026-09-01", "2026-09-02", "2026-09-03"].map(day));
        assert_eq!(report.points[1].figures, all);
        assert_eq!((all.outcomes.total(), all.outcomes.answered()), (115, 111));
        let callers: Vec<_> = report
            .callers
            .iter()
            .map(|one| (one.caller.id(), one.requests, one.refused, one.numbers))
            .collect();
        assert_eq!(callers, [(nightly.caller, 1, 2, 91), (checkout.caller, 34, 11, 24)]);
        assert!(matches!(&report.callers[1].caller, CallerName::Key { name, .. } if name == "test"));
        let refusals: Vec<_> = report.refusals.iter().map(|one| (one.code.as_str(), one.calls)).collect();
        assert_eq!(refusals, [("rate_limited", 7), ("registry_unavailable", 4), ("validation_failed", 2)]);
        let of_one = UsageFilter { caller: Some(nightly.caller), ..live };
        let report = usage(&app).by_day(acme.account_id, days, &of_one).await.expect("a report");
        assert_eq!((report.total.requests, report.total.outcomes.total()), (1, 91));
        let of_hmrc = UsageFilter { registry: Some(Registry::Hmrc), ..live };
        let report = usage(&app).by_day(acme.account_id, days, &of_hmrc).await.expect("a report");
        assert_eq!((report.total.requests, report.total.outcomes.total()), (35, 11));
        let in_the_sandbox = UsageFilter { mode: KeyMode::Test, ..live };
        let report = usage(&app).by_day(acme.account_id, days, &in_the_sandbox).await.expect("a report");
        assert_eq!((report.total.requests, report.total.outcomes.valid), (1000, 1000));
        let hours = TwentyFourHours::of(day("2026-09-02")).expect("a day");
        let report = usage(&app).by_hour(acme.account_id, hours, &live).await.expect("a report");
        assert_eq!((report.points.len(), report.total), (24, all));
        assert_eq!((report.points[10].start, report.points[10].figures), (moment(hour), all));
        if added_up == 0 {
            assert_eq!(usage(&app).add_up_days().await.expect("added up"), 1);
        }
    }
    assert_eq!(usage(&app).add_up_days().await.expect("looked"), 0, "a day is added up once");
    assert!(!usage_number_day::Entity::find().all(&app.database.main).await.expect("rows").is_empty());
}

#[tokio::test]
async fn an_account_reads_its_own_counts_alone() {
    let app = TestApp::without_server().await;
    let (acme, rival) = (app.customer("acme").await, app.customer("rival").await);
    let (ours, theirs) = (Who::of(&app, &acme).await, Who::of(&app, &rival).await);
    for hour in ["2026-09-02T10:00:00Z", "2026-09-03T08:00:00Z"] {
        ours.used(&app, hour, 1).await;
        theirs.used(&app, hour, 100).await;
        theirs.called(&app, hour, "rate_limited", 5).await;
    }
    assert_eq!(usage(&app).add_up_days().await.expect("added up"), 2, "one day of each account");
    let days = period("2026-09-01", "2026-09-03");
    let filter = UsageFilter::default();
    let report = usage(&app).by_day(acme.account_id, days, &filter).await.expect("a report");
    assert_eq!(not_empty(&report), owned(&[("2026-09-02", 1, 1), ("2026-09-03", 1, 1)]));
    assert_eq!((report.callers.len(), report.refusals.len()), (1, 0));
    let their_key = UsageFilter { caller: Some(theirs.caller), ..filter };
    let report = usage(&app).by_day(acme.account_id, days, &their_key).await.expect("a report");
    assert_eq!(report.total, Figures::default());
    assert_eq!(usage(&app).today(acme.account_id).await.expect("figures").requests, 1);
    assert!(usage(&app).latest_refusals(acme.account_id, 10).await.expect("rows").is_empty());
    assert_eq!(usage(&app).latest_refusals(rival.account_id, 10).await.expect("rows").len(), 2);
    assert_eq!(usage(&app).allowance_left(Uuid::now_v7()).await.expect("answers"), None);
}

#[tokio::test]
async fn days_and_months_begin_at_midnight_utc() {
    let app = TestApp::without_server().await;
    let acme = app.customer("acme").await;
    let who = Who::of(&app, &acme).await;
    for (hour, count) in [
        ("2026-07-31T23:00:00Z", 1),
        ("2026-08-01T00:00:00Z", 2),
        // One in the morning of the next day, in Berlin.
        ("2026-08-09T23:00:00Z", 4),
        ("2026-08-31T23:00:00Z", 8),
        ("2026-09-01T00:00:00Z", 16),
        ("2026-09-03T08:00:00Z", 32),
        ("2026-09-04T00:00:00Z", 64),
    ] {
        who.used(&app, hour, count).await;
    }
    let filter = UsageFilter::default();
    let august = Period::of_month(Month::of(moment("2026-08-15T12:00:00Z")));
    for _ in 0..2 {
        let report = usage(&app).by_day(acme.account_id, august, &filter).await.expect("a report");
        assert_eq!(report.points.len(), 31);
        let expected = owned(&[("2026-08-01", 2, 2), ("2026-08-09", 4, 4), ("2026-08-31", 8, 8)]);
        assert_eq!(not_empty(&report), expected);
        let all = usage(&app).by_day(acme.account_id, period("2026-07-01", "2026-09-30"), &filter).await;
        let all = all.expect("a report");
        assert_eq!((all.points.len(), all.total.requests), (92, 127));
        let day_of_many = TwentyFourHours::of(day("2026-08-31")).expect("a day");
        let hours = usage(&app).by_hour(acme.account_id, day_of_many, &filter).await.expect("a report");
        assert_eq!(not_empty(&hours), owned(&[("2026-08-31 23:00:00 UTC", 8, 8)]));
        let now = TwentyFourHours::up_to(moment("2026-09-03T08:41:07Z"));
        let hours = usage(&app).by_hour(acme.account_id, now, &filter).await.expect("a report");
        assert_eq!(not_empty(&hours), owned(&[("2026-09-03 08:00:00 UTC", 32, 32)]));
        assert_eq!(usage(&app).today(acme.account_id).await.expect("figures").requests, 32);
        usage(&app).add_up_days().await.expect("added up");
    }
    let rows = usage_request_day::Entity::find().all(&app.database.main).await.expect("rows");
    let last = rows.iter().map(|row| row.day).max();
    assert_eq!(last, Some(day("2026-09-01")), "neither today nor what is ahead of the clock");
}

#[tokio::test]
async fn a_day_is_added_up_an_hour_after_its_end() {
    let app = TestApp::without_server().await;
    let acme = app.customer("acme").await;
    Who::of(&app, &acme).await.used(&app, "2026-09-03T08:00:00Z", 1).await;
    // It is 08:41:07.
    app.clock.advance(Duration::from_secs(16 * 3600 + 18 * 60 + 52));
    assert_eq!(usage(&app).add_up_days().await.expect("looked"), 0);
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(usage(&app).add_up_days().await.expect("added up"), 1);
}

#[tokio::test]
async fn what_is_counted_late_is_in_its_day() {
    let app = TestApp::without_server().await;
    let acme = app.customer("acme").await;
    let who = Who::of(&app, &acme).await;
    for hour in ["2026-08-30T10:00:00Z", "2026-09-01T10:00:00Z", "2026-09-02T10:00:00Z"] {
        who.used(&app, hour, 10).await;
    }
    assert_eq!(usage(&app).add_up_days().await.expect("added up"), 3);
    // A recorder of another instance that could not reach the database for two days.
    let recorder = Recorder::default();
    let call = CallCount {
        account_id: who.account,
        caller_kind: CallerKind::ApiKey,
        caller_id: who.caller,
        mode: KeyMode::Live,
        at: moment("2026-09-01T10:59:59Z"),
        answer: "answered",
        numbers: vec![(NumberCount { registry: "vies", status: "valid", source: "cache" }, 3)],
    };
    recorder.count(&call);
    recorder.count(&CallCount { at: moment("2026-08-31T00:00:00Z"), ..call.clone() });
    let stop = tokio_util::sync::CancellationToken::new();
    let writing = tokio::spawn(recorder.clone().run(app.database.clone(), app.shared_clock(), stop.clone()));
    recorder.flush().await.expect("written");
    let days = period("2026-08-30", "2026-09-03");
    let expected = owned(&[
        ("2026-08-30", 10, 10),
        ("2026-08-31", 1, 3),
        ("2026-09-01", 11, 13),
        ("2026-09-02", 10, 10),
    ]);
    let filter = UsageFilter::default();
    let report = usage(&app).by_day(acme.account_id, days, &filter).await.expect("a report");
    assert_eq!(not_empty(&report), expected);
    assert_eq!(usage(&app).add_up_days().await.expect("added up anew"), 3);
    let report = usage(&app).by_day(acme.account_id, days, &filter).await.expect("a report");
    assert_eq!(not_empty(&report), expected);
    stop.cancel();
    writing.await.expect("ends");
}

#[tokio::test]
async fn days_are_added_up_once_by_whoever_is_first() {
    let app = TestApp::without_server().await;
    let acme = app.customer("acme").await;
    let who = Who::of(&app, &acme).await;
    for day in 1..=20 {
        who.used(&app, &format!("2026-08-{day:02}T10:00:00Z"), day).await;
    }
    let (one, other) = (usage(&app), usage(&app));
    let (one, other) = tokio::join!(one.add_up_days(), other.add_up_days());
    assert_eq!(one.expect("added up") + other.expect("added up"), 20);
    let rows = usage_number_day::Entity::find().all(&app.database.main).await.expect("rows");
    assert_eq!((rows.len(), rows.iter().map(|row| row.count).sum::<i64>()), (20, 210));
}

#[tokio::test]
async fn purged_usage_is_gone_from_days_too() {
    let app = TestApp::without_server().await;
    let acme = app.customer("acme").await;
    let who = Who::of(&app, &acme).await;
    for hour in ["2026-07-01T10:00:00Z", "2026-07-02T10:00:00Z"] {
        who.used(&app, hour, 1).await;
    }
    usage(&app).add_up_days().await.expect("added up");
    usage(&app).purge(moment("2026-07-02T00:00:00Z"), &Actor::COMMAND_LINE).await.expect("purged");
    let (july, filter) = (period("2026-07-01", "2026-07-31"), UsageFilter::default());
    let report = usage(&app).by_day(who.account, july, &filter).await.expect("a report");
    assert_eq!(not_empty(&report), owned(&[("2026-07-02", 1, 1)]));
    let days = usage_request_day::Entity::find().all(&app.database.main).await.expect("rows");
    assert_eq!(days.iter().map(|row| row.day).collect::<Vec<_>>(), [day("2026-07-02")]);
}

#[tokio::test]
async fn calls_of_today_are_told_as_they_were_answered() {
    let app = TestApp::start().await;
    let limits = crossvat::accounts::Limits {
        requests_per_minute: Some(3),
        numbers_per_month: Some(10),
        ..Default::default()
    };
    let acme = app.customer_with("acme", &limits).await;
    acme.verify(&["DE136695976", "GB980780684", "DE1", "CHE116281710", "DE999999999"]).await;
    acme.verify(&["DE136695976"]).await;
    acme.post(&json!({})).await;
    acme.verify(&["DE136695976"]).await.assert_problem(429, "rate_limited");
    // The server writes what it has counted before it answers this.
    assert_eq!(acme.numbers_used().await, 3);
    let today = usage(&app).today(acme.account_id).await.expect("figures");
    let expected = Figures {
        requests: 2,
        refused: 2,
        outcomes: Outcomes { valid: 3, not_registered: 1, malformed: 1, unsupported: 1, unavailable: 0 },
        sources: Sources { live: 3, cache: 1 },
        registries: Registries { hmrc: 1, vies: 3 },
    };
    assert_eq!(today, expected);
    let refusals = usage(&app).latest_refusals(acme.account_id, 10).await.expect("rows");
    let mut told: Vec<_> = refusals.iter().map(|one| (one.hour, one.code.as_str(), one.calls)).collect();
    told.sort_unstable();
    let hour = moment("2026-09-03T08:00:00Z");
    assert_eq!(told, [(hour, "rate_limited", 1), (hour, "validation_failed", 1)]);
    assert_eq!(usage(&app).latest_refusals(acme.account_id, 1).await.expect("rows").len(), 1);
    let lasts = Duration::from_mins(1);
    let allowances = Allowances::new(app.database.clone(), app.shared_clock(), lasts);
    allowances.reserve(acme.account_id, 10, 5).await.expect("set aside");
    let left = usage(&app).allowance_left(acme.account_id).await.expect("answers").expect("an account");
    assert_eq!(
        (left.plan.as_str(), left.allowed, left.used, left.set_aside, left.left()),
        ("standard", 10, 3, 5, 2)
    );
    app.clock.advance(lasts);
    let left = usage(&app).allowance_left(acme.account_id).await.expect("answers").expect("an account");
    assert_eq!((left.set_aside, left.left()), (0, 7), "left by a server that died");
    app.clock.advance(Duration::from_hours(24 * 28));
    let left = usage(&app).allowance_left(acme.account_id).await.expect("answers").expect("an account");
    assert_eq!((left.month.first_day(), left.used), (day("2026-10-01"), 0));
    assert!(usage(&app).latest_refusals(acme.account_id, 10).await.expect("rows").is_empty(), "too old");
}
