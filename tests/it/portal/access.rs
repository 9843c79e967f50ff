//! Who may do what: every route of the portal, as nobody, in every role, as the owner of another account and as the owner of
//! a suspended one. A route that the table does not know fails the test.

use std::collections::BTreeSet;

use crossvat::{
    api_keys::{KeyMode, NewKey},
    audit::Actor,
    batch_checks::NewRun,
    members::{NewMember, Role},
};
use rand::rngs::SysRng;
use uuid::Uuid;

use crate::support::{Answer, TestApp, Visitor};

/// Where the routes are.
const SOURCE: &str = include_str!("../../../src/portal/mod.rs");
/// And those of the batch check, which has routers of its own.
const SOURCE_OF_CHECK: &str = include_str!("../../../src/portal/check/mod.rs");
/// And those of the documentation and the start page, which are everybody's.
const SOURCE_OF_DOCS: &str = include_str!("../../../src/portal/docs/mod.rs");

/// Who asks, in the order of a row's answers. All ask about the first account's keys and members, but the last one about
/// the suspended account's.
const READERS: usize = 6;

/// Method, path, form; then what is answered to nobody, a viewer, a member, an owner, another account's owner and a
/// suspended account's owner: a status, and whither a 303 leads. `{new}` in a form is an address that nobody has.
type Row = (&'static str, &'static str, &'static [(&'static str, &'static str)], [&'static str; READERS]);

const SIGN_IN: &str = "303 /sign-in";
const KEYS: &str = "303 /portal/keys";
const SETTINGS: &str = "303 /portal/settings";
const MEMBERS: &str = "303 /portal/settings/members";
const RUN: &str = "303 /portal/check/{run}";

const ROWS: &[Row] = &[
    (
        "GET",
        "/sign-in",
        &[],
        ["200", "303 /portal", "303 /portal", "303 /portal", "303 /portal", "303 /portal"],
    ),
    ("POST", "/sign-in", &[], ["422"; READERS]),
    ("GET", "/sign-up", &[], ["200"; READERS]),
    ("POST", "/sign-up", &[], ["422"; READERS]),
    ("GET", "/forgot-password", &[], ["200"; READERS]),
    ("POST", "/forgot-password", &[], ["422"; READERS]),
    ("GET", "/reset-password/{secret}", &[], ["404"; READERS]),
    ("POST", "/reset-password/{secret}", &[], ["404"; READERS]),
    ("GET", "/confirm-email/{secret}", &[], ["404"; READERS]),
    ("POST", "/confirm-email/{secret}", &[], ["404"; READERS]),
    ("GET", "/claim/{secret}", &[], ["404"; READERS]),
    ("POST", "/claim/{secret}", &[], ["404"; READERS]),
    ("POST", "/theme", &[("theme", "dark")], ["303 /"; READERS]),
    ("GET", "/", &[], ["200"; READERS]),
    ("GET", "/docs", &[], ["200"; READERS]),
    ("GET", "/docs/quickstart", &[], ["200"; READERS]),
    ("GET", "/docs/reference", &[], ["200"; READERS]),
    ("GET", "/docs/sandbox", &[], ["200"; READERS]),
    ("GET", "/docs/errors", &[], ["200"; READERS]),
    ("GET", "/docs/try", &[], ["200"; READERS]),
    ("POST", "/docs/try", &[], ["422"; READERS]),
    ("GET", "/docs/{page}", &[], ["404"; READERS]),
    ("GET", "/portal", &[], [SIGN_IN, "200", "200", "200", "200", "200"]),
    ("GET", "/portal/check", &[], [SIGN_IN, "200", "200", "200", "200", "200"]),
    // Only forms that can carry a file are read; who may send one is in `check`.
    ("POST", "/portal/check", &[], [SIGN_IN, "400", "400", "400", "400", "400"]),
    ("GET", "/portal/check/{run}", &[], [SIGN_IN, "200", "200", "200", "404", "200"]),
    ("POST", "/portal/check/{run}", &[("do", "stop")], [SIGN_IN, "403", RUN, RUN, "404", RUN]),
    ("GET", "/portal/check/{run}/results.csv", &[], [SIGN_IN, "200", "200", "200", "404", "200"]),
    ("GET", "/portal/history", &[], [SIGN_IN, "200", "200", "200", "200", "200"]),
    ("GET", "/portal/history.csv", &[], [SIGN_IN, "200", "200", "200", "200", "200"]),
    ("GET", "/portal/history/{id}", &[], [SIGN_IN, "404", "404", "404", "404", "404"]),
    ("GET", "/portal/usage", &[], [SIGN_IN, "200", "200", "200", "200", "200"]),
    ("GET", "/portal/usage.csv", &[], [SIGN_IN, "200", "200", "200", "200", "200"]),
    ("GET", "/portal/keys", &[], [SIGN_IN, "200", "200", "200", "200", "200"]),
    ("GET", "/portal/keys/new", &[], [SIGN_IN, "403", "200", "200", "200", KEYS]),
    (
        "POST",
        "/portal/keys/new",
        &[("name", "ERP"), ("kind", "live")],
        [SIGN_IN, "403", "200", "200", "200", KEYS],
    ),
    ("GET", "/portal/keys/{id}/rotate", &[], [SIGN_IN, "403", "200", "200", "404", "200"]),
    ("POST", "/portal/keys/{id}/rotate", &[("overlap", "0")], [SIGN_IN, "403", "200", "200", "404", "200"]),
    ("GET", "/portal/keys/{id}/revoke", &[], [SIGN_IN, "403", "200", "200", "404", "200"]),
    ("POST", "/portal/keys/{id}/revoke", &[("confirm", "A key")], [SIGN_IN, "403", KEYS, KEYS, "404", KEYS]),
    ("GET", "/portal/keys/{id}/rename", &[], [SIGN_IN, "403", "200", "200", "404", "200"]),
    ("POST", "/portal/keys/{id}/rename", &[("name", "ERP")], [SIGN_IN, "403", KEYS, KEYS, "404", KEYS]),
    ("GET", "/portal/settings", &[], [SIGN_IN, "200", "200", "200", "200", "200"]),
    ("POST", "/portal/settings", &[], [SIGN_IN, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SETTINGS]),
    (
        "POST",
        "/portal/settings",
        &[("part", "numbers"), ("gb", "GB123456782")],
        [SIGN_IN, "403", "403", SETTINGS, SETTINGS, SETTINGS],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "assumptions"), ("supplier", "IE"), ("age", "0")],
        [SIGN_IN, "403", "403", SETTINGS, SETTINGS, SETTINGS],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "password"), ("present", "another one"), ("new", "a new horse battery")],
        [SIGN_IN, "422", "422", "422", "422", "422"],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "end"), ("session", "others")],
        [SIGN_IN, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SETTINGS],
    ),
    ("GET", "/portal/settings/members", &[], [SIGN_IN, "200", "200", "200", "200", "200"]),
    (
        "POST",
        "/portal/settings/members",
        &[("email", "{new}"), ("name", "Raj Patel"), ("role", "viewer")],
        [SIGN_IN, "403", "403", MEMBERS, MEMBERS, "403"],
    ),
    ("GET", "/portal/settings/members/{id}", &[], [SIGN_IN, "403", "403", "200", "404", "200"]),
    (
        "POST",
        "/portal/settings/members/{id}",
        &[("part", "role"), ("role", "owner")],
        [SIGN_IN, "403", "403", MEMBERS, "404", MEMBERS],
    ),
    (
        "POST",
        "/portal/settings/members/{id}",
        &[("part", "invitation")],
        [SIGN_IN, "403", "403", MEMBERS, "404", "403"],
    ),
    ("GET", "/portal/settings/members/{id}/remove", &[], [SIGN_IN, "403", "403", "200", "404", "200"]),
    (
        "POST",
        "/portal/settings/members/{id}/remove",
        &[("confirm", "Raj Patel")],
        [SIGN_IN, "403", "403", MEMBERS, "404", MEMBERS],
    ),
    // The last: it ends the sessions.
    ("POST", "/sign-out", &[], [SIGN_IN; READERS]),
];

#[test]
fn the_table_has_every_route_and_no_other() {
    let listed: BTreeSet<_> = ROWS.iter().map(|(method, path, ..)| (*method, *path)).collect();
    let routes: BTreeSet<_> =
        [SOURCE, SOURCE_OF_CHECK, SOURCE_OF_DOCS].into_iter().flat_map(routes).collect();
    let unlisted: Vec<_> = routes.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&routes).collect();
    assert!(unlisted.is_empty(), "say in the table who may use {unlisted:?}");
    assert!(unknown.is_empty(), "there is no {unknown:?} any more");
}

#[test]
fn a_route_that_is_added_anywhere_is_found() {
    let added =
        ".route(\"/a\", get(a::show).post(a::change))\n.route(\n    \"/b/{id}\",\n    post(b::make),\n)";
    assert_eq!(routes(added).collect::<Vec<_>>(), [("GET", "/a"), ("POST", "/a"), ("POST", "/b/{id}")]);
    // Routers of other modules would be overlooked: these are the ones that are known, those of the documentation and of what is not found are public.
    let merged: Vec<_> =
        SOURCE.split(".merge(").skip(1).map(|rest| rest.split("()").next().unwrap_or_default()).collect();
    assert_eq!(
        merged,
        [
            "members_pages",
            "staff::pages",
            "docs::pages",
            "pages::not_found",
            "check::form_page",
            "check::pages"
        ]
    );
}

#[tokio::test]
async fn everybody_is_answered_as_the_table_says() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "owner@acme.example").await;
    app.member(account, ("member@acme.example", "Maya Okafor"), Role::Member).await;
    app.member(account, ("viewer@acme.example", "Tomasz Wilk"), Role::Viewer).await;
    app.owner("Other", "owner@other.example").await;
    let (suspended, _) = app.owner("Suspended", "owner@suspended.example").await;
    app.accounts().suspend(suspended, "does not pay", &Actor::COMMAND_LINE).await.expect("suspends");
    let mut readers = vec![app.visitor()];
    for email in [
        "viewer@acme.example",
        "member@acme.example",
        "owner@acme.example",
        "owner@other.example",
        "owner@suspended.example",
    ] {
        readers.push(app.signed_in(email).await);
    }
    let mut wrong = Vec::new();
    let mut made = 0;
    for (method, path, form, expected) in ROWS {
        // No limit of tries is met, and no session ends: every one is used in every row.
        app.clock.advance(std::time::Duration::from_hours(1));
        for (place, (reader, expected)) in readers.iter().zip(expected).enumerate() {
            made += 1;
            let account = if place == READERS - 1 { suspended } else { account };
            let path = with_something(&app, account, path, made).await;
            let new = format!("new{made}@elsewhere.example");
            let form: Vec<_> = form
                .iter()
                .map(|(name, value)| (*name, if *value == "{new}" { &*new } else { value }))
                .collect();
            let answered = told(&ask(reader, method, &path, &form).await);
            let expected = expected.replace("{run}", path.rsplit('/').next().unwrap_or_default());
            if answered != expected {
                wrong.push(format!("{method} {path} {form:?}, reader {place}: {answered}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The path, about a new key or member of an account where it needs one.
async fn with_something(app: &TestApp, account_id: Uuid, path: &str, made: usize) -> String {
    let id = if path.starts_with("/portal/keys/{id}") {
        let key = NewKey { id: None, account_id, name: "A key", mode: KeyMode::Test, expires_at: None };
        app.api_keys().issue(key, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key").id
    } else if path.starts_with("/portal/settings/members/{id}") {
        let email = &format!("raj{made}@elsewhere.example");
        let new = NewMember { account_id, email, name: "Raj Patel", role: Role::Member, password: None };
        app.members().add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member")
    } else if path.starts_with("/portal/check/{run}") {
        let member_id = app.members().list(account_id).await.expect("members")[0].id;
        let run = NewRun {
            account_id,
            member_id,
            token: app.batch_checks.new_token(),
            file_name: None,
            numbers: vec!["DE1".to_owned()],
            requesters: None,
            max_age: None,
            supplier_country: None,
        };
        app.batch_checks.start(run).await.expect("starts")
    } else {
        Uuid::nil()
    };
    path.replace("{run}", &id.to_string()).replace("{id}", &id.to_string()).replace("{secret}", "unknown")
}

async fn ask(reader: &Visitor, method: &str, path: &str, form: &[(&str, &str)]) -> Answer {
    match method {
        "GET" => reader.get(path).await,
        "POST" => reader.post(path, form).await,
        other => panic!("no form is sent by {other}"),
    }
}

/// The status, and whither one is led.
fn told(answer: &Answer) -> String {
    match answer.header("location") {
        Some(location) => {
            format!("{} {}", answer.status, location.split('?').next().unwrap_or_default())
        }
        None => answer.status.to_string(),
    }
}

/// Method and path of every route in a source text.
fn routes(source: &str) -> impl Iterator<Item = (&'static str, &str)> {
    source.split(".route(").skip(1).flat_map(|rest| {
        let path = rest.split('"').nth(1).expect("a path");
        let handlers = rest.split_once(path).expect("handlers").1;
        let methods =
            [("get(", "GET"), ("post(", "POST"), ("put(", "PUT"), ("patch(", "PATCH"), ("delete(", "DELETE")];
        let end = handlers.find('\n').filter(|_| !rest.starts_with('\n')).unwrap_or(handlers.len());
        methods
            .into_iter()
            .filter(move |(word, _)| handlers[..end].contains(word))
            .map(move |(_, name)| (name, path))
    })
}
