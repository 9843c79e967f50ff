//! What holds for every page and every form of the portal: the table of `access` is walked.

use std::{collections::BTreeSet, time::Duration};

use crossvat::{
    api_keys::{KeyMode, NewKey},
    audit::Actor,
    batch_checks::NewRun,
    members::Role,
};
use rand::rngs::SysRng;
use registry_simulator::Answer as Says;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::{
    access::{ROWS, with_something},
    check::{run_of, until_done},
};
use crate::support::{Answer, Browser, TestApp, Visitor, everything_stored::everything_stored, given};

const MARKUP: &str = "<script>alert(1)</script>\"'><img src=x>&amp;";

/// The paths of the table, each once, without what they are about.
fn paths(method: &str) -> BTreeSet<&'static str> {
    ROWS.iter().filter(|(row, ..)| *row == method).map(|(_, path, ..)| *path).collect()
}

fn about_nothing(path: &str) -> String {
    let nothing = Uuid::nil().to_string();
    let path = path.replace("{id}", &nothing).replace("{run}", &nothing);
    path.replace("{secret}", "unknown").replace("{code}", "XX")
}

#[tokio::test]
async fn a_form_of_another_site_is_refused_at_every_address_and_changes_nothing() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let helen = app.signed_in("helen@acme.example").await;
    let own = format!("http://{}", app.address);
    let paths = paths("POST");
    assert!(paths.len() > 15, "{paths:?}");
    for path in paths {
        let path = &about_nothing(path);
        let before = everything_stored(&app.database.main).await;
        for (header, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
        ] {
            let answer = helen.post_with(path, (header, value)).await;
            assert_eq!(answer.status, 403, "{path} {header}: {value}");
            assert_eq!(answer.header("set-cookie"), None, "{path} {header}: {value}");
        }
        assert_eq!(everything_stored(&app.database.main).await, before, "{path}");
        let answer = helen.post_with(path, ("origin", &own)).await;
        assert_ne!(answer.status, 403, "{path}: our own");
        if path.as_str() == "/sign-out" {
            assert_eq!(helen.sign_in("helen@acme.example", Visitor::PASSWORD).await.status, 303);
        }
    }
}

#[tokio::test]
async fn every_answer_tells_browsers_what_they_may_do_and_is_not_kept() {
    let app = TestApp::start().await;
    let helen = Browser::of_owner(&app, "fenwick").await;
    let nobody = app.visitor();
    for (place, path) in paths("GET").into_iter().enumerate() {
        for path in [&with_something(&app, helen.account_id, path, place).await, &about_nothing(path)] {
            for answer in [helen.get(path).await, nobody.get(path).await] {
                assert_guarded(path, &answer);
            }
            app.clock.advance(Duration::from_mins(10));
        }
    }
    for path in paths("POST") {
        let path = &about_nothing(path);
        for answer in [nobody.post(path, &[]).await, helen.post_from_elsewhere(path, &[]).await] {
            assert_guarded(path, &answer);
        }
        app.clock.advance(Duration::from_mins(10));
    }
}

#[track_caller]
fn assert_guarded(path: &str, answer: &Answer) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{path}: {}", answer.status);
    }
    let permissions = answer.header("permissions-policy").expect("a policy");
    assert!(permissions.contains("camera=()"), "{path}: {permissions}");
    assert_eq!(answer.header("strict-transport-security"), None, "{path}: not behind TLS");
    let policy = answer.header("content-security-policy").expect("a policy");
    for part in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{path}: {part} is not in {policy}");
    }
    let is_page = answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
    let is_file = answer.header("content-type").is_some_and(|kind| kind.starts_with("text/csv"));
    if is_page {
        for part in ["form-action 'self'", "style-src 'self'", "script-src 'self' 'nonce-"] {
            assert!(policy.contains(part), "{path}: {part} is not in {policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{path}: {policy}");
    }
    if is_page || is_file {
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
    assert!(answer.status < 300 || !is_file, "{path}");
}

#[tokio::test]
async fn behind_tls_browsers_are_told_to_use_nothing_else() {
    let app = TestApp::with().set("HTTP__PUBLIC_URL", "https://vat.example").start().await;
    for path in ["/", "/sign-in", "/portal", "/v1/openapi.json", "/pkg/test.css", "/readyz"] {
        let answer = app.visitor().get(path).await;
        assert_eq!(answer.header("strict-transport-security"), Some("max-age=63072000"), "{path}");
    }
}

#[tokio::test]
async fn whatever_was_stored_is_text_on_every_page_in_every_role() {
    let app = TestApp::start().await;
    app.simulator.vies().script("IE", "6388047V", Says::valid(MARKUP, MARKUP));
    // The company, three people, a key, a file, what was in it, what a registry said, and why another is not asked.
    let (account, _) = app.owner(MARKUP, "helen@acme.example").await;
    app.member(account, ("maya@acme.example", MARKUP), Role::Member).await;
    app.member(account, ("raj@acme.example", MARKUP), Role::Viewer).await;
    let key = NewKey { id: None, account_id: account, name: MARKUP, mode: KeyMode::Live, expires_at: None };
    let key = app.api_keys().issue(key, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key").id;
    let ended = NewKey { id: None, account_id: account, name: MARKUP, mode: KeyMode::Test, expires_at: None };
    let ended = app.api_keys().issue(ended, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key").id;
    app.api_keys().revoke(account, ended, &Actor::COMMAND_LINE).await.expect("revokes");
    let helen = app.visitor_called(MARKUP);
    helen.sign_in("helen@acme.example", Visitor::PASSWORD).await;
    let member = app.members().list(account).await.expect("members")[0].id;
    let run = app
        .batch_checks
        .start(NewRun {
            account_id: account,
            member_id: member,
            token: app.batch_checks.new_token(),
            file_name: Some(MARKUP.to_owned()),
            numbers: given(["IE6388047V", MARKUP]),
            requesters: None,
            max_age: None,
            supplier_country: None,
        })
        .await
        .expect("starts");
    until_done(&app, account, run).await;
    app.open_breaker("PL", MARKUP).await;
    let history = helen.page("/portal/history").await;
    let (_, evidence) = history.split_once("href=\"/portal/history/").expect("evidence");
    let evidence = evidence.split('"').next().expect("an identifier").to_owned();

    let mut seen = 0;
    let readers = [helen, app.signed_in("maya@acme.example").await, app.signed_in("raj@acme.example").await];
    for path in paths("GET") {
        let id = match path {
            path if path.contains("/keys/") => key.to_string(),
            path if path.contains("/members/") => member.to_string(),
            _ => evidence.clone(),
        };
        let path = path.replace("{run}", &run.to_string()).replace("{id}", &id).replace("{secret}", "x");
        for reader in &readers {
            let answer = reader.get(&path).await;
            let Some(page) = answer.body.as_str() else { continue };
            if answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
                assert!(!page.contains("<script>alert") && !page.contains("<img"), "{path}");
                seen += page.matches("&lt;script&gt;alert(1)").count();
                assert_eq!(odd_attributes(page), Vec::<String>::new(), "{path}: it has closed an attribute");
            }
        }
    }
    assert_eq!(odd_attributes("<a title=\"a\"' href=\"/\">"), ["'"]);
    assert!(seen > 50, "{seen}: it is on most pages");
}

/// Names of attributes that are none: what comes of a text that ends the value it stands in.
fn odd_attributes(page: &str) -> Vec<String> {
    let mut odd = Vec::new();
    for tag in page.split('<').skip(1).filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic())) {
        let mut rest = tag.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-');
        loop {
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with('>') || rest.starts_with("/>") {
                break;
            }
            let end = rest.find(|c: char| c == '=' || c == '>' || c.is_whitespace()).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if !name.chars().all(|c| c.is_ascii_alphanumeric() || "-:".contains(c)) {
                odd.push(name.to_owned());
            }
            rest = match after.strip_prefix("=\"") {
                Some(value) => value.split_once('"').map_or("", |(_, after)| after),
                None => after.trim_start_matches('='),
            };
        }
    }
    odd
}

#[tokio::test]
async fn what_was_stored_runs_in_no_spreadsheet_and_ends_no_header() {
    let app = TestApp::start().await;
    let formulas = ["=HYPERLINK(\"http://x\")", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1+1"];
    app.simulator.vies().script("IE", "6388047V", Says::valid(formulas[0], formulas[1]));
    let customer = app.customer("acme").await;
    let account_id = customer.account_id;
    let helen = app.signed_in_as(account_id, "=1+1", Role::Owner).await;
    let key =
        NewKey { id: None, account_id, name: "=cmd|'/C calc'!A0", mode: KeyMode::Live, expires_at: None };
    let issued = app.api_keys().issue(key, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key");
    assert_eq!(customer.with_key(issued.secret.reveal()).verify(&["IE6388047V"]).await.status, 200);
    let mut pasted = formulas.join("\n");
    pasted.push_str("\nIE6388047V");
    let name = "a\\\"b\\r\\nX-Evil: 1.csv";
    let run = run_of(&helen.post_parts("/portal/check", &[("file", Some(name), pasted.as_bytes())]).await);
    until_done(&app, account_id, run).await;
    for path in [
        format!("/portal/check/{run}/results.csv"),
        "/portal/history.csv".to_owned(),
        "/portal/usage.csv".to_owned(),
    ] {
        let file = helen.get(&path).await;
        assert_eq!((file.status, file.header("x-evil")), (200, None), "{path}");
        let disposition = file.header("content-disposition").expect("a name");
        let safe = |c: char| c.is_ascii_alphanumeric() || "-. =;\"_".contains(c);
        assert!(
            disposition.starts_with("attachment; filename=\"") && disposition.chars().all(safe),
            "{disposition}"
        );
        let content = file.body.as_str().expect("text").strip_prefix('\u{feff}').expect("a mark");
        for cell in cells(content) {
            let is_number = cell.parse::<f64>().is_ok();
            let could_run = cell.starts_with(['=', '+', '@', '\t', '\r', '-']) && !is_number;
            assert!(!could_run, "{path}: {cell:?}");
        }
    }
}

/// The cells of a CSV file, as a spreadsheet reads them.
fn cells(content: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = content.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' | '\n' if !quoted => cells.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            c => cell.push(c),
        }
    }
    cells
}

#[tokio::test]
async fn too_large_a_form_is_answered_with_a_page_and_harms_nothing() {
    let app = TestApp::start().await;
    let helen = Browser::of_owner(&app, "fenwick").await;
    let nobody = app.visitor();
    let large = "a".repeat(10 * 1024 * 1024);
    for path in ["/portal/keys/new", "/portal/settings", "/portal/settings/members", "/sign-up", "/sign-in"] {
        for reader in [&*helen, &nobody] {
            let answer = reader.post(path, &[("name", &large)]).await;
            assert_eq!(answer.status, 413, "{path}");
            let page = answer.html();
            assert!(page.contains("It takes up to 64 kB.") && page.len() < 100_000, "{path}");
        }
    }
    assert_eq!(helen.get("/portal").await.status, 200, "still signed in");
    assert!(app.api_keys().list(helen.account_id).await.expect("keys").is_empty());
}

#[tokio::test]
async fn every_form_that_is_sent_twice_does_one_thing() {
    let app = TestApp::start().await;
    let helen = Browser::of_owner(&app, "fenwick").await;
    let key = async |name| {
        let key =
            NewKey { id: None, account_id: helen.account_id, name, mode: KeyMode::Test, expires_at: None };
        app.api_keys().issue(key, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key").id
    };
    let keys = async || app.api_keys().list(helen.account_id).await.expect("keys");
    let twice = async |path: &str, form: &[(&str, &str)], then: &str| {
        let first = helen.post(path, form).await;
        let second = helen.post(path, form).await;
        assert_eq!((second.status, second.header("location")), (303, Some(then)), "{path} {form:?}");
        first
    };
    for overlap in ["0", "3600"] {
        let rotated = key("Rotated").await;
        let before = keys().await.len();
        let path = format!("/portal/keys/{rotated}/rotate");
        let first = twice(&path, &[("overlap", overlap)], "/portal/keys?done=made").await;
        assert_eq!(first.status, 200);
        assert_eq!(keys().await.len(), before + 1, "one new key");
    }
    let ended = key("Ended by a colleague").await;
    app.api_keys().revoke(helen.account_id, ended, &Actor::COMMAND_LINE).await.expect("revokes");
    for form in [("rotate", ("overlap", "0")), ("rename", ("name", "New"))] {
        let answer = helen.post(&format!("/portal/keys/{ended}/{}", form.0), &[form.1]).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some("/portal/keys?done=ended")));
    }
    let page = helen.page("/portal/keys?done=ended").await;
    assert!(page.contains("Nothing was changed: the key had ended"), "{page}");
    let revoked = key("Revoked").await;
    twice(&format!("/portal/keys/{revoked}/revoke"), &[("confirm", "Revoked")], "/portal/keys?done=revoked")
        .await;
    let renamed = key("Renamed").await;
    twice(&format!("/portal/keys/{renamed}/rename"), &[("name", "New")], "/portal/keys?done=renamed").await;

    let members = "/portal/settings/members";
    let invitation = [("email", "Raj@fenwick.example"), ("name", "Raj Patel"), ("role", "viewer")];
    twice(members, &invitation, "/portal/settings/members?done=invited").await;
    assert_eq!(app.mail_to("raj@fenwick.example", 1).await.len(), 1);
    let raj = app.members().list(helen.account_id).await.expect("members");
    let raj = raj.iter().find(|member| member.name == "Raj Patel").expect("there").id;
    let to = format!("{members}/{raj}");
    twice(&to, &[("part", "role"), ("role", "member")], "/portal/settings/members?done=role").await;
    let removal = [("confirm", "Raj Patel")];
    twice(&format!("{to}/remove"), &removal, "/portal/settings/members?done=removed").await;

    let settings = "/portal/settings";
    let numbers = [("part", "numbers"), ("gb", "GB123456782")];
    twice(settings, &numbers, "/portal/settings?done=numbers").await;
    let assumptions = [("part", "assumptions"), ("supplier", "IE"), ("age", "0")];
    twice(settings, &assumptions, "/portal/settings?done=assumptions").await;
}

#[tokio::test]
async fn who_signs_up_twice_has_one_account_and_still_gets_the_link() {
    let app = TestApp::with().set("ACCOUNTS__SIGNUP", "early_access").start().await;
    let form = |password| {
        [
            ("name", "Tomasz Wilk"),
            ("email", "tomasz@fenwick.example"),
            ("password", password),
            ("company", "Fenwick Marine"),
            ("intended_use", "Customers' numbers at checkout"),
            ("volume", "up_to_10000"),
        ]
    };
    let tomasz = app.visitor();
    for letters in 1..=2 {
        let answer = tomasz.post("/sign-up", &form(Visitor::PASSWORD)).await;
        assert_eq!(answer.status, 200, "{letters}");
        app.mail_to("tomasz@fenwick.example", letters).await;
    }
    let stored = everything_stored(&app.database.main).await;
    assert_eq!(stored.matches("at checkout").count(), 1, "one request for keys");
    // Whoever does not know the password learns nothing new.
    let other = app.visitor().post("/sign-up", &form("another horse battery")).await;
    assert_eq!(other.status, 422);
    assert!(other.html().contains("This company has an account already."));
    assert_eq!(app.mail.to("tomasz@fenwick.example").len(), 2);
}

#[tokio::test]
async fn what_cannot_be_answered_is_said_on_a_page_of_its_own() {
    let app = TestApp::start().await;
    let helen = Browser::of_owner(&app, "fenwick").await;
    app.database.main.execute_unprepared("ALTER TABLE sessions RENAME TO gone").await.expect("renames");
    for path in ["/", "/docs", "/portal", "/portal/keys/new", "/portal/usage.csv", "/staff", "/sign-in"] {
        let answer = helen.get(path).await;
        assert_eq!((answer.status, answer.header("retry-after")), (503, Some("60")), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        let page = answer.html();
        for part in
            ["<h1>This page cannot be answered at present", "Open it again", "site-footer", "stylesheet"]
        {
            assert!(page.contains(part), "{path}: {part} in {page}");
        }
        assert!(!page.contains("type=\"module\""), "{path}: no script takes it for the page of the address");
    }
    let answer = helen.post("/portal/keys/new", &[("name", "A"), ("kind", "test"), ("expires", "")]).await;
    assert_eq!(answer.status, 503);
    assert!(answer.html().contains("what you typed is still there"), "{answer:?}");
}

#[tokio::test]
async fn what_no_page_is_for_is_told_on_one_all_the_same() {
    let app = TestApp::start().await;
    let visitor = app.visitor();
    let json = app.http.post(app.url("/sign-in")).header("content-type", "application/json").body("{}");
    let no_form = app.http.post(app.url("/no-such-page")).header("content-length", "0");
    for (what, answer, status, heading) in [
        (
            "elsewhere",
            visitor.post_from_elsewhere("/sign-in", &[]).await,
            403,
            "This form came from another site",
        ),
        ("to read", visitor.get("/sign-out").await, 405, "There is nothing to read at this address"),
        ("to send", Answer::of(no_form).await, 405, "There is nothing to read at this address"),
        ("JSON", Answer::of(json).await, 415, "This could not be read"),
        ("a field less", visitor.post("/theme", &[("return_to", "/")]).await, 422, "This could not be read"),
        ("half an address", visitor.get("/docs/reference?find=%FF").await, 200, "The API"),
    ] {
        assert_eq!(answer.status, status, "{what}");
        let page = answer.html();
        assert!(page.contains(&format!("<h1>{heading}")), "{what}: {page}");
        for part in ["site-footer", "rel=\"stylesheet\"", "– Crossvat</title>"] {
            assert!(page.contains(part), "{what}: {part} in {page}");
        }
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{what}");
    }
    // Which methods there are is said as ever.
    assert_eq!(visitor.get("/sign-out").await.header("allow"), Some("POST"));
    // Of a file there is no page.
    let absent = visitor.get("/pkg/absent.css").await;
    assert_eq!((absent.status, absent.header("content-type")), (404, None));
}
