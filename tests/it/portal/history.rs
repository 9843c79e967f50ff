//! `/portal/history`, its file and its sheets of evidence.

use chrono::{DateTime, TimeDelta, Utc};
use crossvat::{
    db::entities::evidence,
    evidence::{CallerKind, EvidenceOutcome, search_text},
    members::Role,
};
use sea_orm::{EntityTrait, IntoActiveModel};
use uuid::Uuid;

use crate::support::{TestApp, pager_link};

const ROLES: [Role; 3] = [Role::Owner, Role::Member, Role::Viewer];
const MARKUP: &str = "</td><script>alert(1)</script><b title=\"&amp;";

fn row(account_id: Uuid, number: &str, name: Option<&str>, at: DateTime<Utc>) -> evidence::Model {
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
        received_at: at,
        caller_kind: CallerKind::ApiKey,
        caller_id: Uuid::nil(),
        request_id: "order-17".to_owned(),
    }
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a moment")
}

async fn write(app: &TestApp, rows: Vec<evidence::Model>) {
    let rows = rows.into_iter().map(IntoActiveModel::into_active_model);
    evidence::Entity::insert_many(rows).exec(&app.database.main).await.expect("written");
}

/// The identifiers of the rows that a page lists, in its order.
fn listed(page: &str) -> Vec<Uuid> {
    let links = page.split("href=\"/portal/history/").skip(1);
    links.map(|rest| rest.split('"').next().and_then(|id| id.parse().ok()).expect("an identifier")).collect()
}

#[tokio::test]
async fn the_address_holds_the_filter() {
    let app = TestApp::start().await;
    let account = app.customer("acme").await.account_id;
    let reader = app.signed_in_as(account, "Maya Okafor", Role::Viewer).await;
    let empty = reader.page("/portal/history").await;
    assert!(empty.contains("Nothing has been checked yet") && listed(&empty).is_empty(), "{empty}");
    let rows = vec![
        row(account, "GB123456782", Some("Fenwick & Sons"), at("2026-09-03T08:00:00Z")),
        row(account, "EL094259216", None, at("2026-09-02T23:59:59Z")),
        row(account, "IE6433435F", Some("100% Chandlery"), at("2026-09-01T00:00:00Z")),
    ];
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    write(&app, rows).await;
    for (query, expected) in [
        ("", &ids[..]),
        ("?find=&outcome=&registry=&from=&to=", &ids),
        ("?find=fenwick+%26", &ids[..1]),
        ("?find=100%25", &ids[2..]),
        ("?outcome=not_registered", &ids[1..2]),
        ("?outcome=nonsense", &ids),
        ("?registry=vies", &ids[1..]),
        ("?from=2026-09-02&to=2026-09-02", &ids[1..2]),
        ("?from=2026-09-02", &ids[..2]),
        ("?to=2026-09-01", &ids[2..]),
        ("?older=nonsense&newer=1.2.3", &ids),
    ] {
        assert_eq!(listed(&reader.page(&format!("/portal/history{query}")).await), expected, "{query}");
    }
    let none = reader.page("/portal/history?find=ballycoton").await;
    assert!(none.contains("No check matches") && none.contains("value=\"ballycoton\""), "{none}");
    let found = reader.page("/portal/history?find=fenwick+%26&registry=hmrc").await;
    assert!(found.contains("/portal/history.csv?find=fenwick+%26&amp;registry=hmrc"), "{found}");
    assert!(found.contains("1 check, newest first") && found.contains("Fenwick &amp; Sons"), "{found}");
}

#[tokio::test]
async fn days_that_are_none_come_back_as_they_were_typed() {
    let app = TestApp::start().await;
    let account = app.customer("acme").await.account_id;
    let reader = app.signed_in_as(account, "Maya Okafor", Role::Member).await;
    for (query, field) in [
        ("from=yesterday", "from"),
        ("to=2026-02-30", "to"),
        ("from=2026-09-03&to=2026-09-02", "to"),
        ("to=%2B262142-12-31", "to"),
    ] {
        let answer = reader.get(&format!("/portal/history?{query}")).await;
        let page = answer.body.as_str().expect("a page");
        assert_eq!(answer.status, 422, "{query}");
        assert!(page.contains(&format!("href=\"#{field}\"")) && page.contains("<title>Error: "), "{page}");
        let file = reader.get(&format!("/portal/history.csv?{query}")).await;
        assert_eq!(file.status, 303, "{query}");
    }
}

#[tokio::test]
async fn pages_lead_to_each_other_and_lose_nothing() {
    let app = TestApp::start().await;
    let account = app.customer("acme").await.account_id;
    let newest = at("2026-09-03T08:00:00Z");
    let rows: Vec<_> = (0..120)
        .map(|place| row(account, "IE6433435F", Some("Chandlery"), newest - TimeDelta::minutes(place)))
        .collect();
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    write(&app, rows).await;
    let reader = app.signed_in_as(account, "Maya Okafor", Role::Member).await;
    let mut page = reader.page("/portal/history?find=chand").await;
    let mut seen = listed(&page);
    assert!(page.contains("1 to 50 of 120") && pager_link(&page, "prev").is_none(), "{page}");
    while let Some(older) = pager_link(&page, "next") {
        assert!(older.contains("find=chand"), "{older}");
        page = reader.page(&older).await;
        seen.extend(listed(&page));
    }
    assert_eq!(seen, ids);
    assert!(page.contains("101 to 120 of 120"), "{page}");
    let back = reader.page(&pager_link(&page, "prev").expect("a page before")).await;
    assert_eq!(listed(&back), ids[50..100]);
}

#[tokio::test]
async fn the_file_holds_what_is_filtered_and_no_formula() {
    let app = TestApp::start().await;
    let account = app.customer("acme").await.account_id;
    let newest = at("2026-09-03T08:00:00Z");
    let mut rows: Vec<_> = (0..1200)
        .map(|place| row(account, "IE6433435F", Some("=1+1;\"x\"\r\n@y"), newest - TimeDelta::minutes(place)))
        .collect();
    rows.push(row(account, "GB123456782", None, newest));
    for part in rows.chunks(200) {
        write(&app, part.to_vec()).await;
    }
    let reader = app.signed_in_as(account, "Maya Okafor", Role::Viewer).await;
    let answer = reader.get("/portal/history.csv?registry=vies").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    let disposition = answer.header("content-disposition").expect("a name");
    assert!(disposition.starts_with("attachment; filename=\"crossvat-history-"), "{disposition}");
    let text = answer.body.as_str().expect("a text");
    assert!(text.starts_with("\u{feff}VAT number,Outcome,"), "{}", &text[..80]);
    let cell = "\r\nIE6433435F,Valid,\"'=1+1;\"\"x\"\"\r\n'@y\",";
    assert_eq!(text.matches(cell).count(), 1200);
    assert!(!text.contains("GB123456782"));
}

#[tokio::test]
async fn a_sheet_says_what_was_answered_to_whom() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let key = customer.listed_key(&app).await;
    let mut valid =
        row(customer.account_id, "IE6433435F", Some("Chandlery Ltd"), at("2026-09-03T08:14:21.655Z"));
    valid.caller_id = key.id;
    let mut open = row(customer.account_id, "PL8567346215", None, at("2026-09-03T08:14:20Z"));
    open.outcome = EvidenceOutcome::Unavailable;
    open.reason = Some("member_state_unavailable".to_owned());
    let (valid_id, open_id) = (valid.id, open.id);
    write(&app, vec![valid, open]).await;
    let reader = app.signed_in_as(customer.account_id, "Maya Okafor", Role::Viewer).await;
    let page = reader.page(&format!("/portal/history/{valid_id}")).await;
    for part in [
        "<title>Evidence: IE6433435F, 3 September 2026",
        "<h1>Chandlery Ltd</h1>",
        "On 3 September 2026 at 08:14:21 UTC the European Commission’s VIES, answering for Ireland, confirmed that this VAT number is registered.",
        "Pier Road, Ballycotton",
        "<span class=\"proof\">WAPI-IE6433435F</span>",
        "3 September 2026, 08:14:21.655 UTC",
        "<dt>Company</dt><dd>acme</dd>",
        "<code>IE6388047V</code>",
        "<code>order-17</code>",
        &format!("test, cv_live_…{}", key.last_four),
        &valid_id.to_string(),
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let page = reader.page(&format!("/portal/history/{open_id}")).await;
    assert!(page.contains("<h1>PL8567346215 was not checked</h1>"), "{page}");
    assert!(page.contains("for Poland: the member state’s own register did not work."), "{page}");
    assert!(!page.contains("not registered"), "an outage is no answer: {page}");
}

#[tokio::test]
async fn another_accounts_rows_are_nowhere_and_stored_markup_is_text() {
    let app = TestApp::start().await;
    let (acme, other) = (app.customer("acme").await.account_id, app.customer("other").await.account_id);
    let mut own = row(acme, "IE6433435F", Some(MARKUP), at("2026-09-03T08:00:00Z"));
    own.address = Some(MARKUP.to_owned());
    own.consultation_number = Some(MARKUP.to_owned());
    own.request_id = MARKUP.to_owned();
    own.registry_dated = Some(MARKUP.to_owned());
    let foreign = row(other, "GB123456782", Some("Rival Ltd"), at("2026-09-03T08:00:00Z"));
    let (own_id, foreign_id) = (own.id, foreign.id);
    write(&app, vec![own, foreign]).await;
    for role in ROLES {
        let reader = app.signed_in_as(acme, MARKUP, role).await;
        assert_eq!(listed(&reader.page("/portal/history").await), [own_id]);
        for path in ["/portal/history".to_owned(), format!("/portal/history/{own_id}")] {
            let page = reader.page(&path).await;
            assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert"), "{page}");
        }
        let searched = reader.page("/portal/history?find=%3Cscript%3Ealert(1)%3C/script%3E%22%3E").await;
        assert!(!searched.contains("<script>alert"), "{searched}");
        assert!(!reader.page("/portal/history.csv").await.contains("Rival"));
        let unknown = reader.get(&format!("/portal/history/{}", Uuid::nil())).await;
        for id in [foreign_id.to_string(), "..%2Fkeys".to_owned(), "nonsense".to_owned()] {
            let answer = reader.get(&format!("/portal/history/{id}")).await;
            assert_eq!((answer.status, unknown.status), (404, 404), "{id}");
            assert!(!answer.body.as_str().expect("a page").contains("Rival"), "{id}");
        }
    }
}

#[tokio::test]
async fn nobody_is_sent_to_sign_in_and_back() {
    let app = TestApp::start().await;
    let nobody = app.visitor();
    for path in [
        "/portal/history?find=a",
        "/portal/history.csv",
        "/portal/history/01991f3a-6c1e-7d20-9a51-0c6be2f4a7d3",
        "/portal/usage?period=month",
        "/portal/usage.csv",
    ] {
        let answer = nobody.get(path).await;
        let back: String = url::form_urlencoded::byte_serialize(path.as_bytes()).collect();
        assert_eq!(answer.status, 303, "{path}");
        assert_eq!(answer.header("location"), Some(&*format!("/sign-in?return_to={back}")));
    }
}
