//! No link of the documentation leads nowhere.

use std::collections::{BTreeMap, BTreeSet};

use crossvat_app::docs::{ENTRIES, Language};

use super::page;
use crate::support::{Answer, TestApp};

/// The addresses of the links of a page.
fn links(html: &str) -> impl Iterator<Item = String> {
    html.split("<a ").skip(1).filter_map(|link| {
        let tag = link.split_once('>')?.0;
        let address = tag.split_once("href=\"")?.1.split_once('"')?.0;
        Some(address.replace("&amp;", "&"))
    })
}

#[tokio::test]
async fn every_link_on_every_page_leads_somewhere() {
    let app = TestApp::start().await;
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    let mut waiting: Vec<String> = vec!["/".to_owned(), "/docs".to_owned()];
    let mut linked: BTreeSet<String> = BTreeSet::new();
    let mut wrong = Vec::new();
    while let Some(path) = waiting.pop() {
        if pages.contains_key(&path) {
            continue;
        }
        let html = page(&app, &path).await;
        for address in links(&html) {
            let (address, anchor) = address.split_once('#').unwrap_or((&address, ""));
            let address = if address.is_empty() { &path } else { address };
            assert!(address.starts_with('/'), "{path} leads to {address}");
            linked.insert(format!("{address}#{anchor}"));
            // Every page of ours is read in turn; what is tried on the first page is limited, so that one is read as it is.
            if address.starts_with("/docs") && !pages.contains_key(address) {
                waiting.push(address.to_owned());
            }
        }
        pages.insert(path, html);
    }
    for link in linked {
        let (address, anchor) = link.split_once('#').expect("an address and an anchor");
        // The sandbox on the first page is asked by nobody else meanwhile.
        app.clock.advance(std::time::Duration::from_mins(1));
        let answer = Answer::of(app.http.get(app.url(address))).await;
        // Members' pages lead to where one signs in.
        let expected = if address.starts_with("/portal") { 303 } else { 200 };
        if answer.status != expected {
            wrong.push(format!("{link}: {}", answer.status));
        } else if !anchor.is_empty() && !answer.html().contains(&format!(" id=\"{anchor}\"")) {
            wrong.push(format!("{link}: no such anchor"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let unread: Vec<_> = ENTRIES.iter().filter(|entry| !pages.contains_key(entry.path)).collect();
    assert!(unread.is_empty(), "nothing leads to {unread:?}");
    assert!(pages.len() >= ENTRIES.len() + 2 + Language::ALL.len() - 1);
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
