//! No link of the documentation leads nowhere.

use std::collections::BTreeSet;

use crossvat_app::docs::{ENTRIES, Language};

use super::page;
use crate::support::{Answer, Browser, TestApp, Visitor, follow_links};

#[tokio::test]
async fn every_link_leads_somewhere_and_every_page_is_led_to() {
    let app = TestApp::start().await;
    let followed = follow_links(&app, &app.visitor(), ["/".to_owned()], "/").await;
    assert!(followed.wrong.is_empty(), "\n{}", followed.wrong.join("\n"));
    let unread: Vec<_> = ENTRIES.iter().filter(|entry| !followed.pages.contains_key(entry.path)).collect();
    assert!(unread.is_empty(), "nothing leads to {unread:?}");
    assert!(followed.pages.len() >= ENTRIES.len() + 2 + Language::ALL.len() - 1);
    assert!(followed.files.contains("/v1/openapi.json"), "{:?}", followed.files);
    assert!(followed.anchors.len() > 40, "{}", followed.anchors.len());
}

#[tokio::test]
async fn a_page_that_is_not_there_is_not_found() {
    let app = TestApp::start().await;
    for path in ["/docs/nothing", "/docs/guides/keys", "/docs/quickstart/python"] {
        let answer = Answer::of(app.http.get(app.url(path))).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.html().contains("There is no page at this address"));
    }
}

#[tokio::test]
async fn the_page_that_is_read_is_marked_in_the_contents_and_ids_are_its_own() {
    let app = TestApp::start().await;
    for entry in ENTRIES {
        let html = page(&app, entry.path).await;
        let marked = format!("href=\"{}\" rel=\"external\" aria-current=\"page\"", entry.path);
        let contents = super::between(&html, "<nav aria-label=\"Documentation\">", "</nav>");
        assert_eq!(contents.matches("aria-current").count(), 1, "{}", entry.path);
        assert!(contents.contains(&marked), "{}", entry.path);
        assert_eq!(html.matches("<h1").count(), 1, "{}", entry.path);
        assert!(
            html.contains(&format!("<title>{} – Documentation – Crossvat</title>", entry.name)),
            "{}",
            entry.path
        );
        let ids: Vec<_> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(ids.len(), distinct.len(), "{}: {ids:?}", entry.path);
        assert!(!html.contains(" style=\"") && !html.contains(" onclick="), "{}", entry.path);
    }
}

/// Whoever is signed in needs it as much as a stranger does.
#[tokio::test]
async fn the_documentation_is_one_step_away_whoever_reads_and_marked_where_it_is_read() {
    let app = TestApp::start().await;
    let helen = Browser::of_owner(&app, "fenwick").await;
    let sam = app.support("Sam Smith").await;
    let new = app.support_without_second_factor("Kim Lund").await;
    let readers: [(&Visitor, &str); 4] =
        [(&app.visitor(), "/sign-in"), (&helen, "/portal"), (&sam, "/staff"), (&new, "/staff/second-factor")];
    for (reader, path) in readers {
        for (path, marked) in [(path, ""), ("/docs/errors", " aria-current=\"page\"")] {
            let page = reader.page(path).await;
            let navigation = super::between(&page, "<nav aria-label=\"Main\">", "</nav>");
            let link = format!("<a href=\"/docs\" rel=\"external\"{marked}>Documentation</a>");
            assert_eq!(navigation.matches(&link).count(), 1, "{path}: {navigation}");
        }
    }
}
