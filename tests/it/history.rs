//! The history of an account: what is found, in which order, page by page while more is added, and never another's.

use std::time::Duration;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use crossvat::{
    api_keys::KeyMode,
    db::entities::evidence,
    evidence::{
        CallerKind, CallerName, Cursor, Evidence, EvidenceOutcome, HistoryEntry, HistoryFilter, HistoryPage,
        Start, Total, search_text,
    },
    members::{Members, NewMember, Role},
    passwords::Passwords,
};
use rand::rngs::SysRng;
use sea_orm::{EntityTrait, IntoActiveModel};
use uuid::Uuid;
use vat::Registry;

use crate::support::TestApp;

/// A row about `number` as it would be written at `at`.
fn row(account_id: Uuid, number: &str, name: Option<&str>, at: &str) -> evidence::Model {
    let consultation_number = name.map(|_| format!("WAPI-{number}"));
    evidence::Model {
        id: Uuid::now_v7(),
        account_id,
        vat_number: number.to_owned(),
        registry: if number.starts_with("GB") { "hmrc" } else { "vies" }.to_owned(),
        outcome: if name.is_some() { EvidenceOutcome::Valid } else { EvidenceOutcome::NotRegistered },
        reason: None,
        requester: Some("IE6388047V".to_owned()),
        requester_refused: false,
        name: name.map(str::to_owned),
        address: name.map(|_| "Pier Road, Ballycotton".to_owned()),
        search_text: search_text(number, consultation_number.as_deref(), name),
        consultation_number,
        registry_dated: Some("2026-09-03".to_owned()),
        received_at: moment(at),
        caller_kind: CallerKind::ApiKey,
        caller_id: Uuid::nil(),
        request_id: "order-17".to_owned(),
    }
}

fn moment(text: &str) -> DateTime<Utc> {
    text.parse().expect("a moment")
}

fn day(text: &str) -> NaiveDate {
    text.parse().expect("a day")
}

async fn write(app: &TestApp, rows: Vec<evidence::Model>) {
    let rows = rows.into_iter().map(IntoActiveModel::into_active_model);
    evidence::Entity::insert_many(rows).exec(&app.database.main).await.expect("written");
}

fn history(app: &TestApp) -> Evidence {
    Evidence::new(app.database.main.clone())
}

async fn found(app: &TestApp, account: Uuid, filter: &HistoryFilter) -> Vec<String> {
    let page = history(app).history(account, filter, Start::Newest, 50).await.expect("a page");
    assert_eq!(page.total, Total::Exactly(page.entries.len() as u64));
    numbers(&page.entries)
}

fn numbers(entries: &[HistoryEntry]) -> Vec<String> {
    entries.iter().map(|entry| entry.evidence.vat_number.clone()).collect()
}

fn finding(text: &str) -> HistoryFilter {
    HistoryFilter { find: Some(text.to_owned()), ..HistoryFilter::default() }
}

#[tokio::test]
async fn rows_are_found_by_part_of_a_number_a_name_or_a_consultation_number() {
    let app = TestApp::start().await;
    let acme = app.customer("acme").await.account_id;
    let at = |minute: u32| format!("2026-09-03T08:{minute:02}:00Z");
    write(
        &app,
        vec![
            row(acme, "GB123456782", Some("Fenwick Marine Supplies Ltd"), &at(6)),
            row(acme, "EL094259216", Some("ΑΛΦΑ ΕΜΠΟΡΙΚΗ ΑΕ"), &at(5)),
            row(acme, "DE136695976", Some("100% Wolle_und\\Garn GmbH"), &at(4)),
            row(acme, "DE136695975", Some("1000 Wollen und Garne GmbH"), &at(3)),
            row(acme, "IE6433435F", Some("O'Brien \"Chandlery\" Ltd"), &at(2)),
            row(acme, "ESB58378431", None, &at(1)),
        ],
    )
    .await;
    let all = ["GB123456782", "EL094259216", "DE136695976", "DE136695975", "IE6433435F", "ESB58378431"];
    for (typed, expected) in [
        ("", &all[..]),
        ("  ", &all),
        ("fenWICK mar", &["GB123456782"]),
        ("αλφα εμπ", &["EL094259216"]),
        ("13669597", &["DE136695976", "DE136695975"]),
        ("gb 123 4567 82", &["GB123456782"]),
        ("ie-6433.435 f", &["IE6433435F"]),
        ("wapi-el09", &["EL094259216"]),
        ("100%", &["DE136695976"]),
        ("wolle_", &["DE136695976"]),
        ("D\\g", &["DE136695976"]),
        ("_", &["DE136695976"]),
        ("%", &["DE136695976"]),
        ("%%", &[]),
        ("\\", &["DE136695976"]),
        ("o'brien \"", &["IE6433435F"]),
        ("'; drop table evidence; --", &[]),
        ("782\n", &["GB123456782"]),
        ("\0", &all),
        // The end of a number and the beginning of a consultation number.
        ("782wapi", &[]),
    ] {
        assert_eq!(found(&app, acme, &finding(typed)).await, expected, "{typed:?}");
    }
    assert!(found(&app, acme, &finding(&"x".repeat(100_000))).await.is_empty());
}

#[tokio::test]
async fn days_begin_and_end_at_midnight_utc() {
    let app = TestApp::start().await;
    let acme = app.customer("acme").await.account_id;
    write(
        &app,
        vec![
            row(acme, "GB100000001", None, "2026-08-31T23:59:59.999999Z"),
            row(acme, "GB100000002", None, "2026-09-01T00:00:00Z"),
            row(acme, "GB100000003", None, "2026-09-30T23:59:59.999999Z"),
            // Written there with an offset: half past midnight of the next day in Berlin.
            row(acme, "GB100000004", None, "2026-10-01T00:30:00+02:00"),
            row(acme, "GB100000005", None, "2026-10-01T00:00:00Z"),
        ],
    )
    .await;
    for (first, last, expected) in [
        (Some("2026-09-01"), Some("2026-09-30"), &["GB100000003", "GB100000004", "GB100000002"][..]),
        (Some("2026-10-01"), None, &["GB100000005"]),
        (None, Some("2026-08-31"), &["GB100000001"]),
        (Some("2026-09-30"), Some("2026-09-30"), &["GB100000003", "GB100000004"]),
        (Some("2026-09-02"), Some("2026-09-29"), &[]),
        (Some("2026-10-01"), Some("2026-08-31"), &[]),
    ] {
        let filter = HistoryFilter::default().on_days(first.map(day), last.map(day));
        assert_eq!(found(&app, acme, &filter).await, expected, "{first:?} to {last:?}");
    }
    let everything = HistoryFilter::default().on_days(Some(NaiveDate::MIN), Some(NaiveDate::MAX));
    assert_eq!(found(&app, acme, &everything).await.len(), 5);
    let far = HistoryFilter::default().on_days(Some(day("+12026-01-01")), Some(day("+12026-12-31")));
    assert!(found(&app, acme, &far).await.is_empty());
}

#[tokio::test]
async fn filters_are_joined() {
    let app = TestApp::start().await;
    let acme = app.customer("acme").await;
    let key = acme.listed_key(&app).await.id;
    let (at, other) = ("2026-09-03T08:00:00Z", Uuid::now_v7());
    let mut unavailable = row(acme.account_id, "PL8567346215", None, at);
    unavailable.outcome = EvidenceOutcome::Unavailable;
    unavailable.caller_id = key;
    let mut valid = row(acme.account_id, "GB123456782", Some("Fenwick"), at);
    valid.caller_id = key;
    let mut by_another = row(acme.account_id, "GB123456789", Some("Fenwick"), at);
    by_another.caller_id = other;
    write(&app, vec![unavailable, valid, by_another]).await;
    let all = HistoryFilter::default();
    for (filter, expected) in [
        (HistoryFilter { outcome: Some(EvidenceOutcome::Unavailable), ..all.clone() }, vec!["PL8567346215"]),
        (HistoryFilter { registry: Some(Registry::Hmrc), ..all.clone() }, vec!["GB123456789", "GB123456782"]),
        (HistoryFilter { registry: Some(Registry::Vies), ..all.clone() }, vec!["PL8567346215"]),
        (
            HistoryFilter { caller: Some(key), registry: Some(Registry::Hmrc), ..all.clone() },
            vec!["GB123456782"],
        ),
        (HistoryFilter { caller: Some(other), ..finding("FENWICK") }, vec!["GB123456789"]),
        (HistoryFilter { outcome: Some(EvidenceOutcome::Malformed), ..all.clone() }, vec![]),
    ] {
        let mut numbers = found(&app, acme.account_id, &filter).await;
        numbers.sort();
        numbers.reverse();
        assert_eq!(numbers, expected, "{filter:?}");
    }
}

#[tokio::test]
async fn an_account_sees_its_own_rows_alone() {
    let app = TestApp::start().await;
    let (acme, rival) = (app.customer("acme").await, app.customer("rival").await);
    let rival_key = rival.listed_key(&app).await.id;
    let mut theirs = row(rival.account_id, "GB123456782", Some("Fenwick"), "2026-09-03T08:00:00Z");
    theirs.caller_id = rival_key;
    let mut ours = row(acme.account_id, "GB123456789", Some("Fenwick"), "2026-09-03T08:00:00Z");
    // Somebody else's key: its name is not told.
    ours.caller_id = rival_key;
    let (theirs_id, ours_id) = (theirs.id, ours.id);
    write(&app, vec![theirs, ours]).await;
    let evidence = history(&app);
    for (account, id, known) in [
        (acme.account_id, ours_id, true),
        (acme.account_id, theirs_id, false),
        (rival.account_id, theirs_id, true),
        (rival.account_id, ours_id, false),
        (acme.account_id, Uuid::now_v7(), false),
    ] {
        assert_eq!(evidence.find(account, id).await.expect("answers").is_some(), known);
    }
    assert_eq!(found(&app, acme.account_id, &finding("fenwick")).await, ["GB123456789"]);
    let by_their_key = HistoryFilter { caller: Some(rival_key), ..HistoryFilter::default() };
    assert_eq!(found(&app, acme.account_id, &by_their_key).await, ["GB123456789"]);
    let entry = evidence.find(acme.account_id, ours_id).await.expect("answers").expect("there");
    assert_eq!(entry.caller, CallerName::Unknown { id: rival_key });
    let mut export = evidence.export(rival.account_id, HistoryFilter::default());
    assert_eq!(numbers(&export.next_part().await.expect("read").expect("a part")), ["GB123456782"]);
    assert_eq!(export.next_part().await.expect("read"), None);
    // A place in a rival's history opens no window into it.
    let page = page_of(&evidence, rival.account_id, Start::Newest, 1).await;
    assert_eq!(page.entries.len(), 1);
    let mut more = row(rival.account_id, "GB200000000", None, "2026-09-03T07:00:00Z");
    more.caller_id = rival_key;
    write(&app, vec![more]).await;
    let older = page_of(&evidence, rival.account_id, Start::Newest, 1).await.older.expect("older rows");
    let page = page_of(&evidence, acme.account_id, Start::OlderThan(older), 10).await;
    assert!(numbers(&page.entries).iter().all(|number| number == "GB123456789"), "{page:?}");
}

async fn page_of(evidence: &Evidence, account: Uuid, start: Start<Cursor>, size: u64) -> HistoryPage {
    evidence.history(account, &HistoryFilter::default(), start, size).await.expect("a page")
}

#[tokio::test]
async fn pages_stay_where_they_are_while_rows_are_added() {
    let app = TestApp::start().await;
    let acme = app.customer("acme").await.account_id;
    let start = moment("2026-09-03T08:00:00Z");
    let numbered = |number: i64| {
        // Two of each moment: the identifier decides then.
        let at = (start + TimeDelta::seconds(number / 2)).to_rfc3339();
        row(acme, &format!("GB{number:09}"), None, &at)
    };
    write(&app, (0..25).map(numbered).collect()).await;
    let evidence = history(&app);
    let expected = |numbers: std::ops::Range<i64>| -> Vec<String> {
        numbers.rev().map(|number| format!("GB{number:09}")).collect()
    };
    let first = page_of(&evidence, acme, Start::Newest, 10).await;
    assert_eq!(numbers(&first.entries), expected(15..25));
    assert_eq!((first.first, first.total, first.newer), (1, Total::Exactly(25), None));
    write(&app, (25..28).map(numbered).collect()).await;
    // As it goes through an address.
    let older = first.older.expect("older rows").to_string().parse().expect("a cursor");
    let second = page_of(&evidence, acme, Start::OlderThan(older), 10).await;
    assert_eq!(numbers(&second.entries), expected(5..15));
    assert_eq!((second.first, second.total), (11, Total::Exactly(28)));
    let third = page_of(&evidence, acme, Start::OlderThan(second.older.expect("older rows")), 10).await;
    assert_eq!(numbers(&third.entries), expected(0..5));
    assert_eq!((third.first, third.older), (21, None));
    let back = page_of(&evidence, acme, Start::NewerThan(third.newer.expect("newer rows")), 10).await;
    assert_eq!(back, second);
    let back = page_of(&evidence, acme, Start::NewerThan(back.newer.expect("newer rows")), 10).await;
    assert_eq!(numbers(&back.entries), expected(15..25), "what was added is before");
    assert_eq!(back.first, 1);
    let top = page_of(&evidence, acme, Start::NewerThan(back.newer.expect("newer rows")), 10).await;
    assert_eq!(numbers(&top.entries), expected(18..28), "the newest page is a full one");
    assert_eq!((top.first, top.newer), (1, None));
    let beyond = third.newer.expect("newer rows").to_string().replace(".21", ".18446744073709551615");
    let page = page_of(&evidence, acme, Start::OlderThan(beyond.parse().expect("a cursor")), 10).await;
    assert_eq!(numbers(&page.entries), expected(0..4), "whatever place it claims");
}

#[tokio::test]
async fn what_is_found_is_counted_up_to_a_thousand() {
    let app = TestApp::start().await;
    let acme = app.customer("acme").await.account_id;
    let numbered =
        |number: u32| row(acme, &format!("GB{number:09}"), Some("Fenwick"), "2026-09-03T08:00:00Z");
    for (add, total) in [(0..1000, Total::Exactly(1000)), (1000..1002, Total::MoreThan(1000))] {
        write(&app, add.map(numbered).collect()).await;
        let page = history(&app).history(acme, &finding("fenwick"), Start::Newest, 50).await.expect("a page");
        assert_eq!((page.entries.len(), page.total), (50, total));
    }
    let all = page_of(&history(&app), acme, Start::Newest, 50).await;
    assert_eq!(all.total, Total::Exactly(1002), "all rows are always counted");
    let mut export = history(&app).export(acme, finding("FENwick"));
    let mut parts = Vec::new();
    let mut seen = std::collections::HashSet::new();
    while let Some(part) = export.next_part().await.expect("read") {
        seen.extend(numbers(&part));
        parts.push(part.len());
        // Newer than where the export is.
        write(&app, vec![row(acme, "GB999999999", Some("Fenwick"), "2026-09-03T09:00:00Z")]).await;
    }
    assert_eq!((parts, seen.len()), (vec![500, 500, 2], 1002));
}

#[tokio::test]
async fn an_export_of_whole_parts_ends() {
    let app = TestApp::start().await;
    let acme = app.customer("acme").await.account_id;
    let mut export = history(&app).export(acme, HistoryFilter::default());
    assert_eq!(export.next_part().await.expect("read"), None, "nothing yet");
    write(&app, (0..500).map(|n| row(acme, &format!("GB{n:09}"), None, "2026-09-03T08:00:00Z")).collect())
        .await;
    let mut export = history(&app).export(acme, HistoryFilter::default());
    assert_eq!(export.next_part().await.expect("read").map(|part| part.len()), Some(500));
    assert_eq!(export.next_part().await.expect("read"), None);
    assert_eq!(export.next_part().await.expect("read"), None);
}

#[tokio::test]
async fn a_live_check_is_found_with_everything_that_proves_it() {
    let app = TestApp::start().await;
    let acme = app.customer("acme").await;
    let fields = serde_json::json!({ "requesterVatNumbers": ["IE6388047V"] });
    let answer = acme.verify_with(&["IE6388047V", "IE6388047V"], fields).await;
    let result = &answer.results()[0];
    app.clock.advance(Duration::from_mins(5));
    let name = result["businessName"].as_str().expect("a name");
    let page = history(&app)
        .history(acme.account_id, &finding(&name.to_uppercase()[1..]), Start::Newest, 50)
        .await
        .expect("a page");
    let [entry] = &page.entries[..] else { panic!("{page:?}") };
    let key = acme.listed_key(&app).await;
    let caller =
        CallerName::Key { id: key.id, name: key.name, mode: KeyMode::Live, last_four: key.last_four };
    assert_eq!(entry.caller, caller);
    assert_eq!(entry.evidence.consultation_number.as_deref(), result["consultationNumber"].as_str());
    let proof = finding(entry.evidence.consultation_number.as_deref().expect("a consultation number"));
    assert_eq!(found(&app, acme.account_id, &proof).await, ["IE6388047V"]);
    let found = history(&app).find(acme.account_id, entry.evidence.id).await.expect("answers");
    assert_eq!(found.as_ref(), Some(entry));
}

#[tokio::test]
async fn a_member_is_named_even_after_leaving() {
    let app = TestApp::start().await;
    let acme = app.customer("acme").await.account_id;
    let members = Members::new(app.database.main.clone(), app.shared_clock(), Passwords::default());
    let actor = &crossvat::audit::Actor::COMMAND_LINE;
    let new = |email, name, role| NewMember { account_id: acme, email, name, role, password: None };
    members
        .add(new("helen@fenwick.example", "Helen Fenwick", Role::Owner), actor, &mut SysRng)
        .await
        .expect("added");
    let maya = members
        .add(new("maya@fenwick.example", "Maya Okafor", Role::Member), actor, &mut SysRng)
        .await
        .expect("added");
    let mut asked = row(acme, "GB123456782", Some("Fenwick"), "2026-09-03T08:00:00Z");
    (asked.caller_kind, asked.caller_id) = (CallerKind::Member, maya);
    let id = asked.id;
    write(&app, vec![asked]).await;
    members.remove(acme, maya, actor).await.expect("removed");
    let entry = history(&app).find(acme, id).await.expect("answers").expect("there");
    assert_eq!(entry.caller, CallerName::Member { id: maya, name: "Maya Okafor".to_owned() });
}
