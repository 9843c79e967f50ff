//! The queries behind the portal's pages, as the services ask them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use crossvat::{
    clock::{SharedClock, SystemClock},
    db::Database,
    evidence::{Evidence, EvidenceOutcome, HistoryFilter, Start},
    usage::{Month, Period, Recorder, TwentyFourHours, Usage, UsageFilter},
};
use uuid::Uuid;
use vat::Registry;

use crate::{ROUNDS, support::median};

/// Rows of a page.
const PAGE: u64 = 50;
const GOAL: Duration = Duration::from_millis(20);

pub async fn measure(db: &Database, account: Uuid) {
    let clock: SharedClock = Arc::new(SystemClock::default());
    let now = clock.now();
    history(&Evidence::new(db.main.clone()), account, now).await;
    usage(&Usage::new(db.clone(), Recorder::default(), clock), account, now).await;
}

async fn history(evidence: &Evidence, account: Uuid, now: DateTime<Utc>) {
    let all = HistoryFilter::default();
    let month = HistoryFilter { from: Some(now - TimeDelta::days(30)), ..all.clone() };
    let find = |text: &str, of: &HistoryFilter| HistoryFilter { find: Some(text.to_owned()), ..of.clone() };
    let unavailable = HistoryFilter { outcome: Some(EvidenceOutcome::Unavailable), ..all.clone() };
    let hmrc = HistoryFilter { registry: Some(Registry::Hmrc), ..all.clone() };
    for (what, filter) in [
        ("a month", month.clone()),
        ("a month, a name that many have", find("marine", &month)),
        ("a month, a name that nobody has", find("zzzz", &month)),
        ("the year", all.clone()),
        ("the year, unavailable", unavailable),
        ("the year, HMRC", hmrc),
        ("the year, a name that many have", find("marine", &all)),
        ("the year, part of a number", find("00012345", &all)),
        ("the year, a name that nobody has", find("zzzz", &all)),
    ] {
        let page = || evidence.history(account, &filter, Start::Newest, PAGE);
        let found = page().await.expect("a page");
        let note = format!("{} rows, {:?}", found.entries.len(), found.total);
        report(&format!("history, {what}"), &note, async || page().await.expect("a page")).await;
    }
    let mut older = evidence.history(account, &all, Start::Newest, 100_000).await.expect("half").older;
    let start = older.take().map_or(Start::Newest, Start::OlderThan);
    let middle = async || evidence.history(account, &all, start, PAGE).await.expect("a page");
    report("history, the year, in its middle", "", middle).await;
    let newest = evidence.history(account, &all, Start::Newest, 1).await.expect("a page");
    let id = newest.entries[0].evidence.id;
    report("one row", "", async || evidence.find(account, id).await.expect("a row")).await;
    let started = Instant::now();
    let (mut export, mut rows) = (evidence.export(account, all), 0);
    while let Some(part) = export.next_part().await.expect("a part") {
        rows += part.len();
    }
    println!("export, the year: {rows} rows in {:.1?}", started.elapsed());
}

async fn usage(usage: &Usage, account: Uuid, now: DateTime<Utc>) {
    let filter = UsageFilter::default();
    for (what, period) in [
        ("14 days", Period::up_to(now, 14)),
        ("the month", Period::of_month(Month::of(now))),
        ("92 days", Period::up_to(now, 92)),
    ] {
        let read = async || usage.by_day(account, period, &filter).await.expect("a report");
        report(&format!("usage by day, {what}"), "", read).await;
    }
    let hours = TwentyFourHours::up_to(now);
    let read = async || usage.by_hour(account, hours, &filter).await.expect("a report");
    report("usage by hour", "", read).await;
    report("today", "", async || usage.today(account).await.expect("figures")).await;
    let refusals = async || usage.latest_refusals(account, 3).await.expect("rows");
    report("latest refusals", "", refusals).await;
    report("allowance", "", async || usage.allowance_left(account).await.expect("an allowance")).await;
}

async fn report<T>(what: &str, note: &str, read: impl AsyncFn() -> T) {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let read = read().await;
        times.push(started.elapsed());
        drop(read);
    }
    println!("{what}: {:.1?} (goal {GOAL:?}) {note}", median(times));
}
