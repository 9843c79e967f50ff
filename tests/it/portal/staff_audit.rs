//! `/staff/audit` and its file.

use std::time::Duration;

use crossvat::{
    accounts::Limits,
    audit::{self, Actor, AuditLog, Deed, Event},
    db::write,
    members::{NewMember, Role},
};
use rand::rngs::SysRng;
use sea_orm::{ConnectionTrait, DbErr};

use crate::support::{SupportPerson, TestApp, events_of, pager_link};

const ACTOR: &Actor = &Actor::COMMAND_LINE;
const MARKUP: &str = "</td><script>alert(1)</script><b title=\"&amp;";

/// What the rows of a page say was done, in its order.
fn listed(page: &str) -> Vec<String> {
    let rows = page.split("scope=\"row\" data-kind=\"title\">").skip(1);
    let words = |row: &str| row.split(" <small>").next().unwrap_or_default().replace("<!>", "");
    rows.map(|row| words(row.split("</th>").next().unwrap_or_default())).collect()
}

async fn found(sam: &SupportPerson, query: &str) -> Vec<String> {
    listed(&sam.page(&format!("/staff/audit{query}")).await)
}

#[tokio::test]
async fn what_was_done_is_told_in_words_and_found_by_deed_person_account_and_day() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let (acme, helen) = app.owner("Acme Marine", "helen@acme.example").await;
    app.owner("Acme Marine Two", "raj@other.example").await;
    app.clock.advance(Duration::from_hours(24));
    sam.sign_in_again(&app).await;
    let support = Actor::support(sam.id, "198.51.100.7".parse().expect("an address"));
    app.accounts().suspend(acme, "A key was found in public", &support).await.expect("suspends");

    let page = sam.page("/staff/audit").await;
    assert_eq!(listed(&page)[0], "Account suspended");
    for part in [
        "<small>A key was found in public</small>",
        &format!("<a href=\"/staff/accounts/{acme}\" rel=\"external\">Acme Marine</a>"),
        "Sam Smith, support",
        &sam.email,
        "today, 08:41:07 UTC",
        "198.51.100.7",
        "Helen Fenwick, helen@acme.example",
        "yesterday, 08:41:07 UTC",
        "The command line",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let all = ["Account suspended", "Address confirmed", "Member added", "Account made"];
    for (query, expected) in [
        ("?account=Acme+Marine", &all[..]),
        (&*format!("?account={acme}"), &all),
        ("?account=acme+marine+t", &all[1..]),
        ("?deed=account_suspended", &all[..1]),
        ("?deed=nonsense&account=acme+marine+t", &all[1..]),
        ("?person=HELEN%40", &["Address confirmed", "Member added", "Account made"]),
        (&*format!("?person={}&deed=account_suspended", &sam.email[..20]), &all[..1]),
        ("?from=2026-09-04", &all[..1]),
        ("?from=2026-09-04&to=2026-09-03&person=x", &[]),
        ("?account=Acme+Marine&to=2026-09-03", &all[1..]),
        ("?account=nobody", &[]),
        ("?person=%25", &[]),
        ("?account=a%00b", &[]),
        ("?account=acme+marine+t&older=nonsense&newer=1", &all[1..]),
    ] {
        let answer = sam.get(&format!("/staff/audit{query}")).await;
        if query.contains("to=2026-09-03&person") {
            assert_eq!(answer.status, 422, "the last day is before the first");
        } else {
            assert_eq!(answer.status, 200, "{query}");
            assert_eq!(listed(answer.html()), expected, "{query}");
        }
    }
    let page = sam.page("/staff/audit?account=nobody").await;
    assert!(page.contains("No entry matches") && page.contains("value=\"nobody\""), "{page}");
    let page = sam.page("/staff/audit?from=2026-09-04&deed=account_suspended").await;
    assert!(page.contains("1 entry from 4 September 2026 on, newest first"), "{page}");
    assert!(page.contains("/staff/audit.csv?deed=account_suspended&amp;from=2026-09-04"), "{page}");
    // A person is found by what was done to them, too.
    let demoted = Actor::support(sam.id, "198.51.100.7".parse().expect("an address"));
    let new = NewMember {
        account_id: acme,
        email: "maya@acme.example",
        name: "Maya",
        role: Role::Owner,
        password: None,
    };
    let maya = app.members().add(new, ACTOR, &mut SysRng).await.expect("member");
    app.members().change_role(acme, helen, Role::Viewer, &demoted).await.expect("changes");
    assert_eq!(found(&sam, "?person=helen&deed=member_role_changed").await, ["Member’s role changed"]);
    // So is whoever was removed, by the address that somebody else may have now.
    let by_helen = Actor::member(helen, [203, 0, 113, 9].into());
    app.members().change_role(acme, helen, Role::Owner, &demoted).await.expect("changes");
    app.members().remove(acme, maya, &by_helen).await.expect("removes");
    let elsewhere = app.accounts().create("Elsewhere", &Limits::default(), ACTOR).await.expect("account");
    let anew = NewMember { account_id: elsewhere, name: "Another", ..new };
    app.members().add(anew, ACTOR, &mut SysRng).await.expect("the address is free");
    let page = sam.page("/staff/audit?person=maya%40").await;
    assert_eq!(listed(&page), ["Member added", "Member removed", "Member added"]);
    assert_eq!(page.matches("Maya, maya@acme.example").count(), 2, "{page}");
    assert!(page.contains("Another, maya@acme.example"), "{page}");
    assert!(found(&sam, &format!("?person={}", &maya.to_string()[..5])).await.is_empty());
    let file = sam.page("/staff/audit.csv?person=maya%40").await;
    assert_eq!(file.matches("\"Maya, maya@acme.example\"").count(), 2, "{file}");
}

#[tokio::test]
async fn days_that_are_none_come_back_as_they_were_typed() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    for (query, field) in [("from=yesterday", "from"), ("to=2026-02-30", "to"), ("to=%2B262142-12-31", "to")]
    {
        let answer = sam.get(&format!("/staff/audit?{query}")).await;
        assert_eq!(answer.status, 422, "{query}");
        assert!(answer.html().contains(&format!("href=\"#{field}\"")), "{answer:?}");
        assert_eq!(sam.get(&format!("/staff/audit.csv?{query}")).await.status, 303, "{query}");
    }
}

#[tokio::test]
async fn pages_lead_to_each_other_and_lose_nothing() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let accounts = app.accounts();
    let acme = accounts.create("acme", &Limits::default(), ACTOR).await.expect("account");
    for place in 0..119 {
        let reason = format!("agreed {place}");
        accounts.change_limits(acme, &Limits::default(), &reason, ACTOR).await.expect("changes");
    }
    let mut page = sam.page("/staff/audit?account=acme").await;
    assert!(page.contains("1 to 50 of 120") && pager_link(&page, "prev").is_none(), "{page}");
    let mut seen = listed(&page).len();
    while let Some(older) = pager_link(&page, "next") {
        assert!(older.contains("account=acme"), "{older}");
        // What is done meanwhile moves nothing.
        accounts.change_limits(acme, &Limits::default(), "meanwhile", ACTOR).await.expect("changes");
        page = sam.page(&older).await;
        seen += listed(&page).len();
    }
    assert_eq!(seen, 120);
    assert!(page.contains("101 to 120 of 122") && page.contains("Account made"), "{page}");
    let back = sam.page(&pager_link(&page, "prev").expect("a page before")).await;
    assert!(back.contains("51 to 100 of 122"), "{back}");
}

#[tokio::test]
async fn the_file_holds_what_is_filtered_and_no_formula() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let accounts = app.accounts();
    let acme = accounts.create("=1+1", &Limits::default(), ACTOR).await.expect("account");
    accounts.create("other", &Limits::default(), ACTOR).await.expect("account");
    // In parts: a transaction has its time.
    for _ in 0..6 {
        write(&app.database.main, async |transaction| {
            for _ in 0..100 {
                for (deed, detail) in
                    [(Deed::AccountSuspended, "=HYPERLINK(\"x\");\t@y"), (Deed::AccountRestored, "paid")]
                {
                    let event = Event { deed, account_id: Some(acme), subject_id: None, detail };
                    audit::append(transaction, app.clock.as_ref(), ACTOR, event).await?;
                }
            }
            Ok::<_, DbErr>(())
        })
        .await
        .expect("noted");
    }
    let answer = sam.get("/staff/audit.csv?account=%3D1%2B1&deed=account_suspended").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    let disposition = answer.header("content-disposition").expect("a name");
    assert!(disposition.starts_with("attachment; filename=\"crossvat-audit-"), "{disposition}");
    let text = answer.html();
    assert!(text.starts_with("\u{feff}Number,At (UTC),What,"), "{}", &text[..80]);
    let cells = ",Account suspended,\"'=HYPERLINK(\"\"x\"\");'\t'@y\",'=1+1,";
    assert_eq!(text.matches(cells).count(), 600, "{}", &text[..400]);
    assert!(!text.contains("Account restored") && !text.contains("other"));
    let last = AuditLog::new(app.database.main.clone()).verify(None).await.expect("verified").end;
    let all = sam.page("/staff/audit.csv").await;
    assert!(all.lines().nth(1).expect("the newest").ends_with(&last.hash.to_string()), "{last:?}");
}

#[tokio::test]
async fn stored_markup_is_text() {
    let app = TestApp::start().await;
    let sam = app.support(MARKUP).await;
    let accounts = app.accounts();
    let account = accounts.create(MARKUP, &Limits::default(), ACTOR).await.expect("account");
    app.member(account, ("maya@acme.example", MARKUP), Role::Owner).await;
    let support = Actor::support(sam.id, "198.51.100.7".parse().expect("an address"));
    accounts.suspend(account, MARKUP, &support).await.expect("suspends");
    let query: String = url::form_urlencoded::byte_serialize(MARKUP.as_bytes()).collect();
    for path in [
        "/staff/audit".to_owned(),
        format!("/staff/audit?account={query}&person={query}&from={query}"),
        format!("/staff/audit?account={query}"),
    ] {
        let page = sam.get(&path).await;
        assert!(!page.html().contains("<script>alert"), "{page:?}");
        assert!(page.html().contains("&lt;script&gt;alert"), "{page:?}");
    }
}

#[tokio::test]
async fn a_row_that_was_changed_behind_its_back_is_found_though_the_page_shows_it() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let acme = app.accounts().create("acme", &Limits::default(), ACTOR).await.expect("account");
    app.accounts().suspend(acme, "does not pay", ACTOR).await.expect("suspends");
    let log = AuditLog::new(app.database.main.clone());
    assert_eq!(log.verify(None).await.expect("verified").findings, []);
    let db = &app.database.main;
    let event = events_of(&app.database, acme).await.pop().expect("an event");
    assert_eq!(event.deed, Deed::AccountSuspended);
    db.execute_unprepared(&format!(
        "UPDATE audit_events SET detail = 'by mistake' WHERE sequence = {}",
        event.sequence
    ))
    .await
    .expect("changes");
    assert!(sam.page("/staff/audit").await.contains("by mistake"));
    let findings = log.verify(None).await.expect("verified").findings;
    assert!(findings.len() == 1 && findings[0].to_string().contains(&event.id.to_string()), "{findings:?}");
}
