//! `/portal`: the next step of an account, and how one stands that is in use.

use std::time::Duration;

use crossvat::{
    accounts::Limits,
    api_keys::{KeyMode, NewKey, Overlap},
    audit::Actor,
    batch_checks::{NewRun, RunState},
    db::entities::usage_request,
    early_access::{EarlyAccess, ExpectedVolume, NewKeyRequest},
    members::Role,
};
use rand::rngs::SysRng;
use registry_simulator::Condition;
use sea_orm::{ConnectionTrait, EntityTrait, IntoActiveModel};
use serde_json::json;
use uuid::Uuid;

use crate::support::{Browser, TestApp, Visitor, given};

/// Longest that a run of a test takes.
const PATIENCE: Duration = Duration::from_secs(30);

#[track_caller]
fn has(page: &str, parts: &[&str]) {
    // Where the page leaves something out, it leaves a mark for the browser.
    let page = page.replace("<!>", "");
    for part in parts {
        assert!(page.contains(part), "{part:?} is missing: {page}");
    }
}

#[track_caller]
fn has_not(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(!page.contains(part), "{part:?} is there: {page}");
    }
}

/// A run over these numbers that is done.
async fn checked(app: &TestApp, account_id: Uuid, numbers: &[&str]) -> Uuid {
    let member_id = app.members().list(account_id).await.expect("members")[0].id;
    let run = NewRun {
        account_id,
        member_id,
        token: app.batch_checks.new_token(),
        file_name: Some("customers.csv".to_owned()),
        numbers: given(numbers.iter().copied()),
        requesters: None,
        max_age: None,
        supplier_country: None,
    };
    let run = app.batch_checks.start(run).await.expect("starts");
    let waiting = async {
        loop {
            let found = app.batch_checks.find(account_id, run).await.expect("a run");
            if found.state == RunState::Done && !found.is_working {
                return run;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("done in time")
}

async fn refused(app: &TestApp, (account_id, caller_id): (Uuid, Uuid), hour: &str, code: &str, count: i64) {
    let row = usage_request::Model {
        account_id,
        hour: hour.parse().expect("a moment"),
        caller_id,
        mode: KeyMode::Live,
        answer: code.to_owned(),
        count,
    };
    usage_request::Entity::insert(row.into_active_model()).exec(&app.database.main).await.expect("written");
}

#[tokio::test]
async fn an_account_in_use_sees_its_usage_its_refusals_and_the_registries() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let key = customer.listed_key(&app).await.id;
    app.simulator.vies().set_member_state("PL", Condition::Down);
    let reader = app.signed_in_as(customer.account_id, "Maya Okafor", Role::Member).await;
    let numbers = ["GB980780684", "DE136695976", "FI20774740", "DE1", "PL8567346215"];
    customer.verify(&numbers).await.assert_problem(503, "registry_unavailable");
    customer.post(&json!({ "numbers": [] })).await.assert_problem(422, "validation_failed");
    refused(&app, (customer.account_id, key), "2026-09-02T17:00:00Z", "rate_limited", 1234).await;
    refused(&app, (customer.account_id, key), "2026-08-20T17:00:00Z", "quota_exceeded", 1).await;

    let page = reader.page("/portal").await;
    has(
        &page,
        &[
            "<h1>acme</h1>",
            "title=\"3 September 2026 at 08:41:07 UTC\">08:41 UTC today</time>",
            "href=\"/portal/check\" rel=\"external\" class=\"button\">Check numbers</a>",
            // Of the five, three were answered by a registry, one was none, one had no answer.
            "of 50,000 numbers; starts again on 1 October",
            "<dt>Answered today</dt><dd>4</dd>",
            "1 malformed or unsupported",
            "<dt>Without an answer today</dt><dd>1</dd>",
            "href=\"/portal/history?outcome=unavailable&amp;from=2026-09-03\"",
            "<dt>Requests today</dt><dd>1</dd><dd>2 refused; up to 100 a minute</dd>",
            "href=\"/docs/errors#validation_failed\"",
            "href=\"/docs/errors#registry_unavailable\"",
            "17:00 UTC yesterday</time>",
            ">1,234</td>",
            "Put more numbers into each call",
            "<h2 id=\"registries\">Registries now</h2>",
            "<strong>HMRC</strong> <small>answers in ",
            "<strong>VIES</strong> <small>answers in ",
            "Poland <small>no answer since <time",
            "2 member states",
            "Not answering</span>",
            "24 member states and XI",
            "Not measured</span>",
            "<p><span>HMRC answers. VIES answers, Poland does not.</span>",
        ],
    );
    has_not(
        &page,
        &["quota_exceeded", "From here to your first answer", "For you to do", "data-kind=\"danger\""],
    );

    // A quarter of an hour later nobody knows how they are.
    app.clock.advance(Duration::from_mins(16));
    let page = reader.page("/portal").await;
    has(&page, &["last asked <time", "08:41 UTC today</time>"]);
    has_not(&page, &["Answering</span>", "Not answering</span>", "Poland", "answers in"]);
    has(&page, &["<p><span>Crossvat asks HMRC and VIES, and passes on what they say.</span>"]);
}

#[tokio::test]
async fn what_another_account_does_is_not_told() {
    let app = TestApp::start().await;
    let (acme, other) = (app.customer("acme").await, app.customer("other").await);
    let key = other.listed_key(&app).await.id;
    refused(&app, (other.account_id, key), "2026-09-03T07:00:00Z", "rate_limited", 777_777).await;
    app.signed_in_as(other.account_id, "Raj Patel", Role::Owner).await;
    checked(&app, other.account_id, &["DE136695976"]).await;
    acme.verify(&["GB980780684"]).await;
    let page = app.signed_in_as(acme.account_id, "Maya Okafor", Role::Owner).await.page("/portal").await;
    has_not(&page, &["777,777", "rate_limited", "customers.csv"]);
    has(&page, &["No call was refused in the last 7 days."]);
}

#[tokio::test]
async fn what_needs_somebody_is_listed_with_the_way_to_it() {
    let app = TestApp::start().await;
    let owner = Browser::of_owner(&app, "fenwick").await;
    let member = owner.colleague(&app, Role::Member).await;
    let viewer = owner.colleague(&app, Role::Viewer).await;
    app.simulator.vies().set_member_state("MT", Condition::Down);
    let run = checked(&app, owner.account_id, &["DE136695976", "MT15121333", "MT20200019"]).await;
    let name = "Check<b>out";
    let new = NewKey { id: None, account_id: owner.account_id, name, mode: KeyMode::Live, expires_at: None };
    let issued = app.api_keys().issue(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key");
    let url = app.url("/v1/verify-vat");
    let call = app.http.post(url).bearer_auth(issued.secret.reveal());
    assert_eq!(
        call.json(&json!({ "vatNumbers": ["GB980780684"] })).send().await.expect("answer").status(),
        200
    );
    // Which writes down that the key was used.
    owner.page("/portal/usage").await;
    app.api_keys()
        .rotate(owner.account_id, issued.id, Overlap::Day, &Actor::COMMAND_LINE, &mut SysRng)
        .await
        .expect("rotates");

    let page = owner.page("/portal").await;
    has(
        &page,
        &[
            "For you to do",
            "<strong>Check&lt;b&gt;out</strong>",
            "08:41 UTC tomorrow</time>",
            "2 numbers of ",
            "<strong>customers.csv</strong>",
            &format!("href=\"/portal/check/{run}\""),
            "The registries are asked in nobody’s name.",
        ],
    );
    let page = member.page("/portal").await;
    has(&page, &["2 numbers of ", "See both keys"]);
    has_not(&page, &["in nobody’s name"]);
    has_not(&viewer.page("/portal").await, &["For you to do", "Check numbers</a>"]);

    let parts = [("part", "numbers"), ("gb", "GB123456782")];
    assert_eq!(owner.post("/portal/settings", &parts).await.status, 303);
    has_not(&owner.page("/portal").await, &["in nobody’s name"]);
    // A week later nobody asks about the run any more, and the old key has ended.
    app.clock.advance(Duration::from_hours(7 * 24 + 1));
    let owner = app.signed_in("owner@fenwick.example").await;
    has_not(&owner.page("/portal").await, &["For you to do"]);
}

#[tokio::test]
async fn little_left_of_the_allowance_and_a_key_that_reaches_nobody_are_told() {
    let app = TestApp::start().await;
    let limits = Limits { numbers_per_month: Some(20), ..Limits::default() };
    let customer = app.customer_with("acme", &limits).await;
    let numbers: Vec<String> = (0..19).map(|place| format!("DE{}", 100_000_001 + place)).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    assert_eq!(customer.verify(&numbers).await.status, 200);
    let member = app.signed_in_as(customer.account_id, "Maya Okafor", Role::Member).await;
    let page = member.page("/portal").await;
    has(&page, &["1 numbers are left until 1 October", "value=\"19\""]);
    has_not(&page, &["Create a live key"]);

    let other = app.customer("other").await;
    let sandbox = other.in_the_sandbox(&app).await;
    other.revoke_key(&app).await;
    assert_eq!(sandbox.verify(&["GB980780684"]).await.status, 200);
    let member = app.signed_in_as(other.account_id, "Raj Patel", Role::Member).await;
    has(&member.page("/portal/usage").await, &["No live calls"]);
    has(&member.page("/portal").await, &["The test key works.", "href=\"/portal/keys/new\""]);
}

#[tokio::test]
async fn a_new_account_is_led_to_its_first_answer() {
    let app = TestApp::with().set("ACCOUNTS__SIGNUP", "self_service").start().await;
    let owner = Browser::of_owner(&app, "fenwick").await;
    let viewer = owner.colleague(&app, Role::Viewer).await;
    let page = owner.page("/portal").await;
    has(
        &page,
        &[
            "<h1>Create your first key</h1>",
            "<li data-state=\"done\"><h3>Email address confirmed</h3></li>",
            "<li aria-current=\"step\"><h3>Create your first key</h3>",
            "href=\"/portal/keys/new\"",
            "No program to connect?",
            "Registries now",
        ],
    );
    has_not(&page, &["Request approved", "class=\"figure-row\"", "Last refusals", "curl"]);
    let page = viewer.page("/portal").await;
    has(&page, &["Members and owners of the account make keys."]);
    has_not(&page, &["href=\"/portal/keys/new\"", "No program to connect?"]);

    let form = [("name", "Checkout"), ("kind", "test")];
    assert_eq!(owner.post("/portal/keys/new", &form).await.status, 200);
    let page = owner.page("/portal").await;
    has(
        &page,
        &[
            "<h1>Try your key</h1>",
            "<li data-state=\"done\"><h3>Create your first key</h3></li><li aria-current",
            "<li aria-current=\"step\"><h3>Ask about a number</h3>",
            &format!("curl {}", app.url("/v1/verify-vat")),
            "Bearer $CROSSVAT_KEY",
        ],
    );
    checked(&app, owner.account_id, &["DE136695976"]).await;
    has(&owner.page("/portal").await, &["<h1>fenwick</h1>", "class=\"figure-row\""]);
}

#[tokio::test]
async fn who_waits_for_support_sees_since_when_and_what_can_be_done_meanwhile() {
    let app = TestApp::with().set("ACCOUNTS__SIGNUP", "early_access").start().await;
    let early_access = EarlyAccess::new(app.database.clone(), app.shared_clock());
    let (account, owner) = app.owner("fenwick", "owner@fenwick.example").await;
    let request = NewKeyRequest {
        account_id: account,
        member_id: owner,
        company: "Fenwick",
        vat_number: None,
        intended_use: "Suppliers",
        expected_volume: ExpectedVolume::UpTo10000,
    };
    let id = early_access.file(request, &Actor::COMMAND_LINE).await.expect("files");
    let owner = app.signed_in("owner@fenwick.example").await;
    let member = app.signed_in_as(account, "Maya Okafor", Role::Member).await;
    let page = owner.page("/portal").await;
    has(
        &page,
        &[
            "<h1>Your request is with support</h1>",
            "We have your request of <time datetime=\"2026-09-03T08:41:07Z\"",
            ">08:41 UTC today</time> and read it in the order of arrival.",
            "The answer goes to owner@fenwick.example by mail",
            "href=\"/portal/keys/request\" rel=\"external\" class=\"button\">See the request</a>",
            "href=\"/portal/settings/members\" rel=\"external\">Invite members</a>",
        ],
    );
    has_not(&page, &["href=\"/portal/keys/new\"", "paste a list"]);
    has_not(&member.page("/portal").await, &["Invite members", "What you can do meanwhile"]);

    app.onboarding()
        .decline(id, "Which <b>company</b> is it?", (&Actor::COMMAND_LINE, "Sam Smith"))
        .await
        .expect("declines");
    let page = owner.page("/portal").await;
    has(&page, &["<h1>Support has declined your request</h1>", "Which &lt;b&gt;company&lt;/b&gt; is it?"]);

    let again = early_access.file(request, &Actor::COMMAND_LINE).await.expect("files");
    app.clock.advance(Duration::from_hours(1));
    app.onboarding()
        .approve(again, &Limits::default(), &Actor::COMMAND_LINE, &mut SysRng)
        .await
        .expect("approves");
    let page = owner.page("/portal").await;
    has(
        &page,
        &[
            "<h1>Your access is approved</h1>",
            "fenwick may now make keys and check numbers: 100 requests a minute, 50,000 numbers a month.",
            "<li data-state=\"done\"><h3>Request approved</h3><p>By support, <time",
            "09:41 UTC today</time>",
            "<li aria-current=\"step\"><h3>Create your first key</h3>",
        ],
    );
}

#[tokio::test]
async fn a_suspended_account_sees_what_was_and_is_led_nowhere() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    customer.verify(&["GB980780684"]).await;
    let owner = app.signed_in_as(customer.account_id, "Maya Okafor", Role::Owner).await;
    app.accounts().suspend(customer.account_id, "unpaid", &Actor::COMMAND_LINE).await.expect("suspends");
    let page = owner.page("/portal").await;
    has(&page, &["<h1>acme is suspended</h1>", "class=\"figure-row\"", "What was checked"]);
    has_not(&page, &[">Check numbers</a>", "For you to do", "data-kind=\"primary\"", "unpaid"]);
}

#[tokio::test]
async fn where_usage_cannot_be_told_the_rest_of_the_page_is() {
    let app = TestApp::start().await;
    let owner = Browser::of_owner(&app, "fenwick").await;
    checked(&app, owner.account_id, &["DE136695976"]).await;
    app.database.main.execute_unprepared("DROP TABLE usage_numbers").await.expect("drops");
    let page = owner.page("/portal").await;
    has(&page, &["What was used cannot be told at present.", "Registries now", "<strong>VIES</strong>"]);
    has_not(&page, &["class=\"figure-row\""]);
}

#[tokio::test]
async fn times_are_said_in_utc_and_hold_what_a_script_needs_to_say_them_anew() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    customer.verify(&["DE136695976"]).await;
    let reader: Visitor = app.signed_in_as(customer.account_id, "Maya Okafor", Role::Viewer).await;
    let page = reader.page("/portal/history").await;
    has(
        &page,
        &[
            "<time datetime=\"2026-09-03T08:41:07Z\" title=\"3 September 2026 at 08:41:07 UTC\">08:41 UTC today</time>",
            "function localTimes(",
        ],
    );
    let evidence = page.split("href=\"/portal/history/").nth(1).and_then(|rest| rest.split('"').next());
    let page = reader.page(&format!("/portal/history/{}", evidence.expect("a link"))).await;
    has(
        &page,
        &["<time datetime=\"2026-09-03T08:41:07.000Z\" data-exact>3 September 2026, 08:41:07.000 UTC</time>"],
    );
    // Pages without times do without it, and nothing runs that the security policy does not name.
    has_not(&app.visitor().page("/").await, &["localTimes"]);
    assert_eq!(page.matches("<script").count(), page.matches(" nonce=\"").count());
}
