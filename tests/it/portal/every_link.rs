//! No link leads nowhere, whoever reads: from every page of the table of `access` to whatever can be reached from it.

use std::{collections::BTreeSet, time::Duration};

use crossvat::{
    api_keys::{KeyMode, NewKey},
    audit::Actor,
    members::Role,
};
use rand::rngs::SysRng;

use super::{
    access::{ROWS, with_something},
    check::{run_of, until_done},
};
use crate::support::{SupportPerson, TestApp, Visitor, follow_links, links_of};

/// An account with something on every page.
async fn office(app: &TestApp) -> uuid::Uuid {
    let (account, _) = app.owner("Acme Marine", "owner@acme.example").await;
    app.member(account, ("viewer@acme.example", "Tomasz Wilk"), Role::Viewer).await;
    for (name, mode) in [("Checkout", KeyMode::Live), ("ERP", KeyMode::Test)] {
        let key = NewKey { id: None, account_id: account, name, mode, expires_at: None };
        app.api_keys().issue(key, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key");
    }
    app.simulator.vies().set_member_state("FR", registry_simulator::Condition::Down);
    let helen = app.signed_in("owner@acme.example").await;
    let numbers = "DE136695976\nGB980780684\nFR40303265045\nDE136695975\nnonsense";
    let run = run_of(&helen.post_parts("/portal/check", &[("numbers", None, numbers.as_bytes())]).await);
    until_done(app, account, run).await;
    app.open_breaker("PL", "maintenance").await;
    account
}

/// The pages that the table says a reader gets, about something of that account.
async fn pages_of(app: &TestApp, account: uuid::Uuid, place: usize) -> Vec<String> {
    let mut pages = Vec::new();
    for (made, (method, path, _, answers)) in ROWS.iter().enumerate() {
        if *method == "GET" && answers[place] == "200" {
            pages.push(with_something(app, account, path, 1000 * place + made).await);
        }
    }
    pages
}

/// Pages that no link leads to, read for a reader: what is not there, and every form that comes back. Where they lead, and what is
/// wrong with them.
async fn answers_of(
    app: &TestApp,
    account: uuid::Uuid,
    (place, reader): (usize, &Visitor),
    support: &SupportPerson,
) -> (Vec<String>, Vec<String>) {
    let lost = reader.get("/nowhere").await;
    assert_eq!(lost.status, 404);
    let (mut links, mut wrong) = links_of("/nowhere", lost.html());
    for (made, (method, path, form, answers)) in ROWS.iter().enumerate() {
        if *method == "POST" && answers[place] == "422" {
            // No limit of tries is met, and support stays signed in.
            app.clock.advance(Duration::from_hours(1));
            support.sign_in_again(app).await;
            let path = with_something(app, account, path, 1000 * place + 500 + made).await;
            // Some forms begin something when they are looked at.
            reader.get(&path).await;
            let answer = reader.post(&path, form).await;
            assert_eq!(answer.status, 422, "{path}");
            let (mut more, mut more_wrong) = links_of(&path, answer.html());
            links.append(&mut more);
            wrong.append(&mut more_wrong);
        }
    }
    (links.into_iter().map(|(address, _)| address).collect(), wrong)
}

/// Who follows links.
struct Reader<'a> {
    /// The place in a row of the table.
    place: usize,
    visitor: &'a Visitor,
    /// Where the pages are that are this reader's alone.
    below: &'a str,
    /// How many pages there are at least, so that none is missed unnoticed.
    pages: usize,
    /// What is led to, `*` for anything.
    led_to: &'a [&'a str],
}

async fn assert_every_link_leads_somewhere(
    app: &TestApp,
    account: uuid::Uuid,
    reader: Reader<'_>,
    support: &SupportPerson,
) {
    let (mut begin, mut wrong) = answers_of(app, account, (reader.place, reader.visitor), support).await;
    begin.append(&mut pages_of(app, account, reader.place).await);
    support.sign_in_again(app).await;
    let mut followed = follow_links(app, reader.visitor, begin, reader.below).await;
    wrong.append(&mut followed.wrong);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let all: BTreeSet<_> = followed.pages.keys().chain(&followed.files).map(String::as_str).collect();
    for path in ["/v1/openapi.json", "/favicon.svg", "/status", "/docs"].iter().chain(reader.led_to) {
        let (begin, more) = path.strip_suffix('*').map_or((*path, false), |begin| (begin, true));
        let found = all.iter().any(|one| if more { one.starts_with(begin) } else { *one == begin });
        assert!(found, "nothing leads to {path}: {all:?}");
    }
    assert!(followed.pages.len() >= reader.pages, "{} pages", followed.pages.len());
}

#[tokio::test]
async fn every_link_leads_somebody_who_is_not_signed_in_somewhere() {
    let app = TestApp::start().await;
    let (account, support) = (office(&app).await, app.support("Sam Smith").await);
    let led_to = &["/sign-up", "/forgot-password", "/docs/errors"];
    let reader = Reader { place: 0, visitor: &app.visitor(), below: "/", pages: 35, led_to };
    assert_every_link_leads_somewhere(&app, account, reader, &support).await;
}

#[tokio::test]
async fn every_link_leads_a_viewer_somewhere() {
    let app = TestApp::start().await;
    let (account, support) = (office(&app).await, app.support("Sam Smith").await);
    let visitor = &app.signed_in("viewer@acme.example").await;
    let led_to = &["/portal/history.csv", "/portal/usage.csv", "/portal/history/*", "/portal/check/*"];
    let reader = Reader { place: 1, visitor, below: "/portal", pages: 100, led_to };
    assert_every_link_leads_somewhere(&app, account, reader, &support).await;
}

#[tokio::test]
async fn every_link_leads_an_owner_somewhere() {
    let app = TestApp::start().await;
    let (account, support) = (office(&app).await, app.support("Sam Smith").await);
    let visitor = &app.signed_in("owner@acme.example").await;
    let led_to = &["/portal/settings/members/*", "/portal/keys/new", "/portal/history/*", "/portal/keys/*"];
    let reader = Reader { place: 3, visitor, below: "/portal", pages: 150, led_to };
    assert_every_link_leads_somewhere(&app, account, reader, &support).await;
}

#[tokio::test]
async fn every_link_leads_support_somewhere() {
    let app = TestApp::start().await;
    let (account, support) = (office(&app).await, app.support("Sam Smith").await);
    let led_to = &["/staff/audit.csv", "/staff/team/*", "/staff/registries/*", "/staff/accounts/*"];
    let reader = Reader { place: 7, visitor: &support, below: "/staff", pages: 60, led_to };
    assert_every_link_leads_somewhere(&app, account, reader, &support).await;
}

#[test]
fn every_address_in_a_letter_is_one_of_a_page() {
    let texts = include_str!("../../../src/email/texts.rs");
    let (texts, _) = texts.split_once("#[cfg(test)]").expect("tests at the end");
    let pages: BTreeSet<&str> =
        ROWS.iter().filter(|(method, ..)| *method == "GET").map(|(_, path, ..)| *path).collect();
    let mut named = 0;
    for path in texts.split('"').skip(1).step_by(2).filter(|text| text.starts_with('/')) {
        // After a slash at the end comes the secret.
        let page = if path.ends_with('/') { format!("{path}{{secret}}") } else { path.to_owned() };
        assert!(pages.contains(&*page), "no page at {page}");
        named += 1;
    }
    assert!(named >= 10, "{named}: are they still found?");
}
