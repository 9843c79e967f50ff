//! Who may do what: every route of the portal, as nobody, in every role, as the owner of another account, as the owner of a
//! suspended one, and as support staff without and with a second factor. A route that the table does not know fails the test.

use std::collections::BTreeSet;

use crossvat::{
    accounts::Limits,
    api_keys::{KeyMode, NewKey},
    audit::Actor,
    batch_checks::NewRun,
    early_access::{ExpectedVolume, NewKeyRequest},
    members::{NewMember, Role},
    one_time_links::PreparedKey,
};
use rand::rngs::SysRng;
use uuid::Uuid;

use crate::support::{Answer, TestApp, Visitor, given};

/// Where the routes are.
const SOURCE: &str = include_str!("../../../src/portal/mod.rs");
/// And those of the batch check, which has routers of its own.
const SOURCE_OF_CHECK: &str = include_str!("../../../src/portal/check/mod.rs");
/// And those of the support staff.
const SOURCE_OF_STAFF: &str = include_str!("../../../src/portal/staff/mod.rs");
/// And those of the documentation and the start page, which are everybody's.
const SOURCE_OF_DOCS: &str = include_str!("../../../src/portal/docs/mod.rs");

/// Who asks, in the order of a row's answers.
pub(super) const READERS: usize = 8;
/// Which of them asks about the suspended account's keys and members; all others ask about the first account's.
const OF_SUSPENDED: usize = 5;

/// Method, path, form; then what is answered to nobody, a viewer, a member, an owner, another account's owner, a suspended
/// account's owner, support without a second factor and support: a status, and whither a 303 leads. `{new}` in a form is an
/// address that nobody has.
pub(super) type Row =
    (&'static str, &'static str, &'static [(&'static str, &'static str)], [&'static str; READERS]);

const SIGN_IN: &str = "303 /sign-in";
const KEYS: &str = "303 /portal/keys";
const SETTINGS: &str = "303 /portal/settings";
const MEMBERS: &str = "303 /portal/settings/members";
const RUN: &str = "303 /portal/check/{run}";
const STAFF: &str = "303 /staff";
const HOME: &str = "303 /portal";

const STAFF_SIGN_IN: &str = "303 /staff/sign-in";
const SECOND_FACTOR: &str = "303 /staff/second-factor";
const TEAM: &str = "303 /staff/team";
const REGISTRIES: &str = "303 /staff/registries";
const STAFF_HOME: &str = STAFF;

/// What only support staff reach whose second factor was seen: everybody else is led to where they sign in or set it up.
const fn for_staff(answer: &'static str) -> [&'static str; READERS] {
    for_new_staff(SECOND_FACTOR, answer)
}

/// The same, with an answer for those without a second factor.
const fn for_new_staff(without: &'static str, with: &'static str) -> [&'static str; READERS] {
    let nobody = STAFF_SIGN_IN;
    [nobody, nobody, nobody, nobody, nobody, nobody, without, with]
}

pub(super) const ROWS: &[Row] = &[
    (
        "GET",
        "/sign-in",
        &[],
        ["200", "303 /portal", "303 /portal", "303 /portal", "303 /portal", "303 /portal", "200", "200"],
    ),
    ("POST", "/sign-in", &[], ["422"; READERS]),
    // Without a password that was right there is nothing to prove.
    ("GET", "/sign-in/code", &[], [SIGN_IN; READERS]),
    ("POST", "/sign-in/code", &[("code", "123456")], [SIGN_IN; READERS]),
    ("GET", "/staff/sign-in", &[], ["200", "200", "200", "200", "200", "200", STAFF_HOME, STAFF_HOME]),
    ("POST", "/staff/sign-in", &[], ["422"; READERS]),
    ("GET", "/staff/sign-in/code", &[], [STAFF_SIGN_IN; READERS]),
    ("POST", "/staff/sign-in/code", &[("code", "123456")], [STAFF_SIGN_IN; READERS]),
    ("GET", "/staff/join/{secret}", &[], ["404"; READERS]),
    ("POST", "/staff/join/{secret}", &[], ["404"; READERS]),
    ("GET", "/staff/second-factor", &[], for_new_staff("200", "200")),
    // Nothing was begun in their sessions.
    ("POST", "/staff/second-factor", &[("code", "000000")], for_new_staff(SECOND_FACTOR, SECOND_FACTOR)),
    ("GET", "/staff/security", &[], for_staff("200")),
    ("POST", "/staff/security", &[], for_staff("303 /staff/security")),
    (
        "POST",
        "/staff/security",
        &[("part", "password"), ("present", "another one"), ("new", "a new horse battery")],
        for_staff("422"),
    ),
    ("POST", "/staff/security", &[("part", "end"), ("session", "others")], for_staff("303 /staff/security")),
    ("POST", "/staff/security", &[("part", "codes")], for_staff("200")),
    ("POST", "/staff/security", &[("part", "replace")], for_staff(SECOND_FACTOR)),
    ("GET", "/staff/team", &[], for_staff("200")),
    ("POST", "/staff/team", &[("email", "{new}"), ("name", "Kim Lund")], for_staff(TEAM)),
    ("GET", "/staff/team/{id}", &[], for_staff("200")),
    ("POST", "/staff/team/{id}", &[("part", "invitation")], for_staff(TEAM)),
    ("POST", "/staff/team/{id}", &[("part", "withdraw")], for_staff(TEAM)),
    ("POST", "/staff/team/{id}", &[("part", "second-factor")], for_staff(TEAM)),
    ("GET", "/staff/team/{id}/disable", &[], for_staff("200")),
    ("POST", "/staff/team/{id}/disable", &[("confirm", "Kim Lund"), ("reason", "has left")], for_staff(TEAM)),
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
    ("GET", "/status", &[], ["200"; READERS]),
    ("GET", "/docs", &[], ["200"; READERS]),
    ("GET", "/docs/quickstart", &[], ["200"; READERS]),
    ("GET", "/docs/reference", &[], ["200"; READERS]),
    ("GET", "/docs/sandbox", &[], ["200"; READERS]),
    ("GET", "/docs/errors", &[], ["200"; READERS]),
    ("GET", "/docs/try", &[], ["200"; READERS]),
    ("POST", "/docs/try", &[], ["422"; READERS]),
    ("GET", "/docs/{page}", &[], ["404"; READERS]),
    ("GET", "/portal", &[], [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN]),
    ("GET", "/portal/check", &[], [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN]),
    // Only forms that can carry a file are read; who may send one is in `check`.
    ("POST", "/portal/check", &[], [SIGN_IN, "400", "400", "400", "400", "400", SIGN_IN, SIGN_IN]),
    ("GET", "/portal/check/{run}", &[], [SIGN_IN, "200", "200", "200", "404", "200", SIGN_IN, SIGN_IN]),
    (
        "POST",
        "/portal/check/{run}",
        &[("do", "stop")],
        [SIGN_IN, "403", RUN, RUN, "404", RUN, SIGN_IN, SIGN_IN],
    ),
    (
        "GET",
        "/portal/check/{run}/results.csv",
        &[],
        [SIGN_IN, "200", "200", "200", "404", "200", SIGN_IN, SIGN_IN],
    ),
    ("GET", "/portal/history", &[], [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN]),
    ("GET", "/portal/history.csv", &[], [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN]),
    ("GET", "/portal/history/{id}", &[], [SIGN_IN, "404", "404", "404", "404", "404", SIGN_IN, SIGN_IN]),
    ("GET", "/portal/usage", &[], [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN]),
    ("GET", "/portal/usage.csv", &[], [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN]),
    ("GET", "/portal/keys", &[], [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN]),
    // These accounts may have keys: there is nothing to ask for.
    ("GET", "/portal/keys/request", &[], [SIGN_IN, KEYS, KEYS, KEYS, KEYS, KEYS, SIGN_IN, SIGN_IN]),
    (
        "POST",
        "/portal/keys/request",
        &[("do", "ask")],
        [SIGN_IN, "403", HOME, HOME, HOME, HOME, SIGN_IN, SIGN_IN],
    ),
    ("GET", "/portal/keys/new", &[], [SIGN_IN, "403", "200", "200", "200", KEYS, SIGN_IN, SIGN_IN]),
    (
        "POST",
        "/portal/keys/new",
        &[("name", "ERP"), ("kind", "live")],
        [SIGN_IN, "403", "200", "200", "200", KEYS, SIGN_IN, SIGN_IN],
    ),
    ("GET", "/portal/keys/{id}/rotate", &[], [SIGN_IN, "403", "200", "200", "404", "200", SIGN_IN, SIGN_IN]),
    (
        "POST",
        "/portal/keys/{id}/rotate",
        &[("overlap", "0")],
        [SIGN_IN, "403", "200", "200", "404", "200", SIGN_IN, SIGN_IN],
    ),
    ("GET", "/portal/keys/{id}/revoke", &[], [SIGN_IN, "403", "200", "200", "404", "200", SIGN_IN, SIGN_IN]),
    (
        "POST",
        "/portal/keys/{id}/revoke",
        &[("confirm", "A key")],
        [SIGN_IN, "403", KEYS, KEYS, "404", KEYS, SIGN_IN, SIGN_IN],
    ),
    ("GET", "/portal/keys/{id}/rename", &[], [SIGN_IN, "403", "200", "200", "404", "200", SIGN_IN, SIGN_IN]),
    (
        "POST",
        "/portal/keys/{id}/rename",
        &[("name", "ERP")],
        [SIGN_IN, "403", KEYS, KEYS, "404", KEYS, SIGN_IN, SIGN_IN],
    ),
    ("GET", "/portal/settings", &[], [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN]),
    (
        "POST",
        "/portal/settings",
        &[],
        [SIGN_IN, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "account"), ("company", " ")],
        [SIGN_IN, "403", "403", "422", "422", "422", SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "numbers"), ("gb", "GB123456782")],
        [SIGN_IN, "403", "403", SETTINGS, SETTINGS, SETTINGS, SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "assumptions"), ("supplier", "IE"), ("age", "0")],
        [SIGN_IN, "403", "403", SETTINGS, SETTINGS, SETTINGS, SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "password"), ("present", "another one"), ("new", "a new horse battery")],
        [SIGN_IN, "422", "422", "422", "422", "422", SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "end"), ("session", "others")],
        [SIGN_IN, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SIGN_IN, SIGN_IN],
    ),
    ("GET", "/portal/settings/members", &[], [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN]),
    (
        "POST",
        "/portal/settings/members",
        &[("email", "{new}"), ("name", "Raj Patel"), ("role", "viewer")],
        [SIGN_IN, "403", "403", MEMBERS, MEMBERS, "403", SIGN_IN, SIGN_IN],
    ),
    (
        "GET",
        "/portal/settings/members/{id}",
        &[],
        [SIGN_IN, "403", "403", "200", "404", "200", SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings/members/{id}",
        &[("part", "role"), ("role", "owner")],
        [SIGN_IN, "403", "403", MEMBERS, "404", MEMBERS, SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings/members/{id}",
        &[("part", "invitation")],
        [SIGN_IN, "403", "403", MEMBERS, "404", "403", SIGN_IN, SIGN_IN],
    ),
    (
        "GET",
        "/portal/settings/members/{id}/remove",
        &[],
        [SIGN_IN, "403", "403", "200", "404", "200", SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings/members/{id}/remove",
        &[("confirm", "Raj Patel")],
        [SIGN_IN, "403", "403", MEMBERS, "404", MEMBERS, SIGN_IN, SIGN_IN],
    ),
    ("GET", "/staff/accounts", &[], for_staff("200")),
    ("POST", "/staff/accounts", &[("find", "acme")], for_staff("303 /staff/accounts")),
    ("GET", "/staff/accounts/{id}", &[], for_staff("200")),
    ("GET", "/staff/accounts/{id}/plan", &[], for_staff("200")),
    ("POST", "/staff/accounts/{id}/plan", &[("plan", "standard")], for_staff("422")),
    ("GET", "/staff/accounts/{id}/suspend", &[], for_staff("200")),
    ("POST", "/staff/accounts/{id}/suspend", &[("reason", "It leaks.")], for_staff("422")),
    ("GET", "/staff/accounts/{id}/restore", &[], for_staff("303 /staff/accounts/{account}")),
    ("POST", "/staff/accounts/{id}/restore", &[], for_staff("422")),
    ("GET", "/staff/accounts/{id}/keys/{key}/revoke", &[], for_staff("200")),
    ("POST", "/staff/accounts/{id}/keys/{key}/revoke", &[("reason", "It leaks.")], for_staff("422")),
    ("GET", "/staff/accounts/{id}/members/{member}/sign-out", &[], for_staff("200")),
    ("POST", "/staff/accounts/{id}/members/{member}/sign-out", &[("reason", "Stolen.")], for_staff("422")),
    ("GET", "/staff/registries", &[], for_staff("200")),
    ("GET", "/staff/registries/{code}/open", &[], for_staff("200")),
    ("POST", "/staff/registries/{code}/open", &[("time", "hand")], for_staff("422")),
    (
        "POST",
        "/staff/registries/{code}/open",
        &[("time", "hand"), ("reason", "They asked us to stop")],
        for_staff(REGISTRIES),
    ),
    ("GET", "/staff/registries/{code}/close", &[], for_staff("200")),
    ("POST", "/staff/registries/{code}/close", &[], for_staff(REGISTRIES)),
    ("GET", "/staff/registries/{code}/close", &[], for_staff(REGISTRIES)),
    ("GET", "/staff/audit", &[], for_staff("200")),
    ("GET", "/staff/audit.csv", &[], for_staff("200")),
    (
        "GET",
        "/portal/settings/second-factor",
        &[],
        [SIGN_IN, "200", "200", "200", "200", "200", SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings/second-factor",
        &[("code", "000000")],
        [SIGN_IN, "422", "422", "422", "422", "422", SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "demand"), ("demanded", "yes"), ("demand_code", "000000")],
        [SIGN_IN, "403", "403", SETTINGS, SETTINGS, SETTINGS, SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "second-factor"), ("code", "000000")],
        [SIGN_IN, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SIGN_IN, SIGN_IN],
    ),
    (
        "POST",
        "/portal/settings",
        &[("part", "recovery-codes"), ("code", "000000")],
        [SIGN_IN, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SETTINGS, SIGN_IN, SIGN_IN],
    ),
    ("GET", "/staff", &[], for_staff("200")),
    ("GET", "/staff/requests/{id}", &[], for_staff("200")),
    ("POST", "/staff/requests/{id}", &[("do", "decline"), ("reason", "")], for_staff("422")),
    ("POST", "/staff/requests/{id}", &[("do", "decline"), ("reason", "Who are you?")], for_staff(STAFF)),
    ("POST", "/staff/requests/{id}", &[("do", "approve")], for_staff(STAFF)),
    ("POST", "/staff/requests/{id}", &[("do", "ask")], for_staff("303 /staff/requests/{run}")),
    ("GET", "/staff/issue", &[], for_staff("200")),
    ("POST", "/staff/issue", &[], for_staff("422")),
    (
        "POST",
        "/staff/issue",
        &[
            ("company", "{new}"),
            ("contact", "Raj"),
            ("email", "{new}"),
            ("name", "ERP"),
            ("kind", "test"),
            ("plan", "standard"),
        ],
        for_staff("303 /staff/issue"),
    ),
    ("POST", "/staff/links/{id}", &[("do", "again")], for_staff("303 /staff/issue")),
    ("POST", "/staff/links/{id}", &[("do", "withdraw")], for_staff("303 /staff/issue")),
    ("GET", "/staff/accounts/{id}/issue", &[], for_staff("200")),
    ("POST", "/staff/accounts/{id}/issue", &[("name", "ERP"), ("kind", "test")], for_staff("422")),
    ("GET", "/staff/accounts", &[], for_staff("200")),
    ("POST", "/staff/accounts", &[("find", "acme")], for_staff("303 /staff/accounts")),
    ("GET", "/staff/accounts/{id}", &[], for_staff("200")),
    ("GET", "/staff/accounts/{id}/plan", &[], for_staff("200")),
    ("POST", "/staff/accounts/{id}/plan", &[("plan", "standard")], for_staff("422")),
    ("GET", "/staff/accounts/{id}/suspend", &[], for_staff("200")),
    ("POST", "/staff/accounts/{id}/suspend", &[("reason", "It leaks.")], for_staff("422")),
    ("GET", "/staff/accounts/{id}/restore", &[], for_staff("303 /staff/accounts/{account}")),
    ("POST", "/staff/accounts/{id}/restore", &[], for_staff("422")),
    ("GET", "/staff/accounts/{id}/keys/{key}/revoke", &[], for_staff("200")),
    ("POST", "/staff/accounts/{id}/keys/{key}/revoke", &[("reason", "It leaks.")], for_staff("422")),
    ("GET", "/staff/audit", &[], for_staff("200")),
    ("GET", "/staff/audit.csv", &[], for_staff("200")),
    // The last: it ends the sessions.
    (
        "POST",
        "/sign-out",
        &[],
        [SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, SIGN_IN, STAFF_SIGN_IN, STAFF_SIGN_IN],
    ),
];

#[test]
fn the_table_has_every_route_and_no_other() {
    let listed: BTreeSet<_> = ROWS.iter().map(|(method, path, ..)| (*method, *path)).collect();
    let routes: BTreeSet<_> =
        [SOURCE, SOURCE_OF_CHECK, SOURCE_OF_STAFF, SOURCE_OF_DOCS].into_iter().flat_map(routes).collect();
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
    // Routers of other modules would be overlooked: these are the ones that are known.
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
    let nobody = app.visitor();
    let mut members = Vec::new();
    for email in [
        "viewer@acme.example",
        "member@acme.example",
        "owner@acme.example",
        "owner@other.example",
        "owner@suspended.example",
    ] {
        members.push(app.signed_in(email).await);
    }
    let unproved = app.support_without_second_factor("Kim Lund").await;
    let support = app.support("Sam Smith").await;
    let staff = [&unproved, &support];
    let readers: Vec<&Visitor> =
        [&nobody].into_iter().chain(&members).chain(staff.iter().map(|person| &***person)).collect();
    assert_eq!(readers.len(), READERS);
    let mut wrong = Vec::new();
    let mut made = 0;
    for (method, path, form, expected) in ROWS {
        // No limit of tries is met, and no session ends: every one is used in every row.
        app.clock.advance(std::time::Duration::from_hours(1));
        for person in staff {
            person.sign_in_again(&app).await;
        }
        for (place, (reader, expected)) in readers.iter().zip(expected).enumerate() {
            made += 1;
            let account = if place == OF_SUSPENDED { suspended } else { account };
            let path = with_something(&app, account, path, made).await;
            let new = format!("new{made}@elsewhere.example");
            let form: Vec<_> = form
                .iter()
                .map(|(name, value)| (*name, if *value == "{new}" { &*new } else { value }))
                .collect();
            let answered = told(&ask(reader, method, &path, &form).await);
            let expected = expected.replace("{run}", path.rsplit('/').next().unwrap_or_default());
            let expected = expected.replace("{account}", &account.to_string());
            if answered != expected {
                wrong.push(format!("{method} {path} {form:?}, reader {place}: {answered}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The path, about a new key or member of an account where it needs one.
pub(super) async fn with_something(app: &TestApp, account_id: Uuid, path: &str, made: usize) -> String {
    let key = async || {
        let key = NewKey { id: None, account_id, name: "A key", mode: KeyMode::Test, expires_at: None };
        app.api_keys().issue(key, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key").id
    };
    if path.starts_with("/staff/requests/{id}") || path.starts_with("/staff/links/{id}") {
        let (account, member) = asker(app, made).await;
        let id = if path.starts_with("/staff/links/") {
            let key = PreparedKey { name: "ERP".to_owned(), mode: KeyMode::Live };
            let by = (&Actor::COMMAND_LINE, "Sam Smith");
            app.onboarding().issue_to((account, member), &key, None, by, &mut SysRng).await.expect("sent");
            app.links().claims(Some(account), 1).await.expect("links")[0].link.id
        } else {
            let request = NewKeyRequest {
                account_id: account,
                member_id: member,
                company: "Asker",
                vat_number: None,
                intended_use: "Invoices",
                expected_volume: ExpectedVolume::UpTo1000,
            };
            app.early_access().file(request, &Actor::COMMAND_LINE).await.expect("files")
        };
        return path.replace("{id}", &id.to_string());
    }
    if path.starts_with("/staff/accounts/{id}") {
        let mut path = path.replace("{id}", &account_id.to_string());
        if path.contains("{member}") {
            let member = app.members().list(account_id).await.expect("members")[0].id;
            path = path.replace("{member}", &member.to_string());
        }
        return if path.contains("{key}") { path.replace("{key}", &key().await.to_string()) } else { path };
    }
    if path.contains("{code}") {
        return path.replace("{code}", "PL");
    }
    let id = if path.starts_with("/portal/keys/{id}") {
        key().await
    } else if path.starts_with("/portal/settings/members/{id}") {
        let email = &format!("raj{made}@elsewhere.example");
        let new = NewMember { account_id, email, name: "Raj Patel", role: Role::Member, password: None };
        app.members().add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member")
    } else if path.starts_with("/staff/team/{id}") {
        let email = &format!("kim{made}@crossvat.example");
        app.staff().invite((email, "Kim Lund"), &Actor::COMMAND_LINE).await.expect("invites")
    } else if path.starts_with("/portal/check/{run}") {
        let member_id = app.members().list(account_id).await.expect("members")[0].id;
        let run = NewRun {
            account_id,
            member_id,
            token: app.batch_checks.new_token(),
            file_name: None,
            numbers: given(["DE1"]),
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

/// A new account with somebody who has no password.
async fn asker(app: &TestApp, made: usize) -> (Uuid, Uuid) {
    let name = format!("Asker {made}");
    let account_id =
        app.accounts().create(&name, &Limits::default(), &Actor::COMMAND_LINE).await.expect("account");
    let email = &format!("asker{made}@elsewhere.example");
    let new = NewMember { account_id, email, name: "Raj Patel", role: Role::Owner, password: None };
    (account_id, app.members().add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member"))
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
