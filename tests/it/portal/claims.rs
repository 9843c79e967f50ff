//! Links to keys: whoever gets one takes the key by it, once; support follows them and never sees a key.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use crossvat::{
    api_keys::KeyMode,
    audit::{Actor, Deed},
    early_access::{ExpectedVolume, NewKeyRequest},
    email::MessageKind,
    members::{NewMember, Role},
    onboarding::OnboardingError,
    one_time_links::{LinkState, PreparedKey, Purpose},
    people::Person,
};
use rand::rngs::SysRng;
use reqwest::Method;
use secrecy::ExposeSecret;
use uuid::Uuid;

use super::early_access::{heading, link};
use crate::support::{
    Answer, TestApp, Visitor, events_of,
    everything_stored::{everything_stored, hexadecimal},
};

const EMAIL: &str = "dev@pennine.example";

/// The form that issues a key by phone.
fn issue<'a>(other: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let value =
        |name: &str, usual| other.iter().find(|(other, _)| *other == name).map_or(usual, |(_, value)| *value);
    [
        ("token", ""),
        ("company", "Pennine Winches"),
        ("contact", "Dev Malik"),
        ("email", EMAIL),
        ("name", "ERP, Leeds"),
        ("kind", "live"),
        ("plan", "standard"),
        ("requests_per_minute", ""),
        ("numbers_per_month", ""),
    ]
    .map(|(name, usual)| (name, value(name, usual)))
    .to_vec()
}

/// The token in the form of a page.
fn token(page: &str) -> &str {
    page.split("name=\"token\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a token")
}

/// The key that a page shows.
fn key(answer: &Answer) -> String {
    let rest = answer.html().split("Bearer ").nth(1).expect("a command");
    rest.split(['"', '&']).next().expect("a key").to_owned()
}

async fn account_of(app: &TestApp, name: &str) -> Uuid {
    app.accounts().named(name).await.expect("answers").expect("there").id
}

async fn state_of_latest(app: &TestApp, account: Uuid) -> LinkState {
    app.links().claims(Some(account), 1).await.expect("links")[0].link.state
}

/// A call with the key.
async fn call(app: &TestApp, key: &str) -> u16 {
    let body = serde_json::json!({ "vatNumbers": ["GB123456782"] });
    Answer::of(app.http.post(app.url("/v1/verify-vat")).bearer_auth(key).json(&body)).await.status
}

/// Prepares a key for a member, behind the server's back. The path of the link.
async fn prepared(app: &TestApp, account: Uuid, member: Uuid, email: &str, letters: usize) -> String {
    let key = PreparedKey { name: "ERP".to_owned(), mode: KeyMode::Test };
    let by = (&Actor::COMMAND_LINE, "Sam Smith");
    app.onboarding().issue_to((account, member), &key, None, by, &mut SysRng).await.expect("sent");
    link(app, app.mail_to(email, letters).await.last().expect("a letter"))
}

#[tokio::test]
async fn a_key_by_phone_is_taken_with_a_new_password_and_opens() {
    let app = TestApp::start().await;
    let priya = app.support("Priya Nair").await;
    let form = priya.page("/staff/issue").await;
    let wanted = issue(&[("token", token(&form)), ("requests_per_minute", "250")]);
    let sent = priya.post("/staff/issue", &wanted).await;
    assert_eq!(sent.header("location"), Some("/staff/issue?done=sent"), "{sent:?}");
    // Sent twice, it opens one account and sends one link.
    assert_eq!(priya.post("/staff/issue", &wanted).await.header("location"), Some("/staff/issue?done=sent"));
    let account = account_of(&app, "Pennine Winches").await;
    assert!(app.api_keys().list(account).await.expect("keys").is_empty(), "there is no key before the claim");
    let list = priya.page("/staff/issue?done=sent").await;
    for part in ["The link is on its way.", "Link sent", "Dev Malik", "Pennine Winches", "ERP, Leeds", "live"]
    {
        assert!(list.replace("<!>", "").contains(part), "{part} in {list}");
    }
    let letters = app.mail_to(EMAIL, 1).await;
    assert_eq!((letters.len(), letters[0].kind), (1, MessageKind::ClaimKey));
    assert!(letters[0].body.expose_secret().contains("Priya of Crossvat support"));
    let claim = link(&app, &letters[0]);

    // Scanners look at it, with GET and HEAD, and browsers fetch it before it is asked for.
    for method in [Method::HEAD, Method::GET, Method::GET] {
        let looked = app.http.request(method, app.url(&claim)).header("sec-purpose", "prefetch").send().await;
        assert_eq!(looked.expect("an answer").status(), 200);
    }
    assert_eq!(state_of_latest(&app, account).await, LinkState::Opened);
    let dev = app.visitor();
    let page = dev.get(&claim).await;
    assert_eq!(heading(&page), "Set a password, then take your key");
    for part in ["Pennine Winches", "You are its first owner", EMAIL, "ERP, Leeds", "readonly"] {
        assert!(page.html().contains(part), "{part} in {page:?}");
    }
    assert!(!page.html().contains("cv_live_"));
    let short = dev.post(&claim, &[("password", "short"), ("email", "other@evil.example")]).await;
    assert_eq!(short.status, 422);
    assert!(short.html().contains("A password needs 12 characters or more; this one has 5"));
    assert_eq!(state_of_latest(&app, account).await, LinkState::Opened, "it was not used up");

    let taken = dev.post(&claim, &[("password", "four herons on a wire")]).await;
    assert_eq!((taken.status, heading(&taken)), (200, "Your new key: ERP, Leeds"));
    assert_eq!(taken.header("cache-control"), Some("no-store"));
    assert!(taken.html().contains("data-shown-once") && taken.html().contains("Dev Malik"), "signed in");
    let secret = key(&taken);
    assert_eq!(call(&app, &secret).await, 200);
    assert_eq!(dev.get("/portal/keys").await.status, 200, "and stays so");

    // Reloading the page sends the form again: no second key, and the first is not shown.
    let again = dev.post(&claim, &[("password", "four herons on a wire")]).await;
    assert_eq!((again.status, heading(&again)), (404, "This link can be used no more"));
    assert!(!again.html().contains(&secret) && again.html().contains("The key was taken with it already"));
    assert_eq!(app.visitor().get(&claim).await.status, 404);
    let keys = app.api_keys().list(account).await.expect("keys");
    assert_eq!((keys.len(), keys[0].mode, &*keys[0].name), (1, KeyMode::Live, "ERP, Leeds"));
    assert_eq!(app.visitor().sign_in(EMAIL, "four herons on a wire").await.status, 303);
    let list = priya.page("/staff/issue").await;
    assert!(list.contains("Claimed") && !list.contains("value=\"again\""), "{list}");
    for path in ["/staff/issue", "/staff", &format!("/staff/accounts/{account}")] {
        assert!(!priya.page(path).await.contains(&secret), "{path}: support sees no key");
    }
    let events = events_of(&app.database, account).await;
    let deeds: Vec<_> = events.iter().map(|event| event.deed).collect();
    assert_eq!(
        deeds,
        [
            Deed::AccountCreated,
            Deed::MemberAdded,
            Deed::LinkIssued,
            Deed::LinkUsed,
            Deed::PasswordSet,
            Deed::KeyIssued,
            Deed::MemberSignedIn,
            Deed::MemberSignedIn
        ],
        "by the new password, and by signing in with it"
    );
    assert!(events.iter().all(|event| !event.detail.contains(&secret)));
    assert_eq!(events[5].actor_id, events[3].actor_id, "whoever takes the key makes it");
}

/// Everything that is logged, but by what carries HTTP.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn start() -> Self {
        let log = Self::default();
        let kept = log.clone();
        tracing_subscriber::fmt()
            .with_env_filter("trace,hyper=info,hyper_util=info,reqwest=info")
            .with_writer(move || kept.clone())
            .init();
        log
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("no panic")).into_owned()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_secret_of_the_way_to_a_key_is_anywhere_but_where_it_is_shown() {
    const PASSWORD: &str = "four herons on a wire";
    let log = Log::start();
    let app = TestApp::start().await;
    let priya = app.support("Priya Nair").await;
    let form = priya.page("/staff/issue").await;
    assert_eq!(priya.post("/staff/issue", &issue(&[("token", token(&form))])).await.status, 303);
    let letters = app.mail_to(EMAIL, 1).await;
    let claim = link(&app, &letters[0]);
    let dev = app.visitor();
    let mut pages = vec![form, dev.page(&claim).await];
    let taken = dev.post(&claim, &[("password", PASSWORD)]).await;
    let secret = key(&taken);
    assert_eq!(call(&app, &secret).await, 200);
    pages.push(dev.post(&claim, &[("password", PASSWORD)]).await.html().to_owned());
    let account = format!("/staff/accounts/{}", account_of(&app, "Pennine Winches").await);
    for path in ["", "/keys", "/check", "/history", "/usage", "/settings", "/settings/members"] {
        pages.push(dev.page(&format!("/portal{path}")).await);
    }
    for path in ["/staff", "/staff/issue", "/staff/accounts", &account, "/staff/audit", "/staff/audit.csv"] {
        pages.push(priya.page(path).await);
    }

    let stored = everything_stored(&app.database.main).await;
    let (logged, mailed) = (log.text(), letters[0].body.expose_secret());
    assert!(stored.contains("Pennine Winches") && mailed.contains(&claim), "these are whole");
    assert!(logged.contains("/v1/verify-vat") && logged.contains("/claim/{secret}"), "and so is the log");
    let link_secret = claim.rsplit('/').next().expect("a secret");
    let (session, staff_session) = (dev.held().expect("signed in"), priya.held().expect("signed in"));
    for (what, text) in [
        ("key", &secret[8..]),
        ("part of the key", &secret[8..24]),
        ("password", PASSWORD),
        ("link", link_secret),
        ("session", &session),
        ("session of support", &staff_session),
    ] {
        let bytes = hexadecimal(text.as_bytes());
        assert!(!stored.contains(text) && !stored.to_uppercase().contains(&bytes), "{what}: stored");
        let lines: Vec<_> = logged.lines().filter(|line| line.contains(text)).collect();
        assert!(lines.is_empty(), "{what}: {lines:#?}");
        let shown = pages.iter().find(|page| page.contains(text) && what != "link");
        assert!(shown.is_none(), "{what}: {shown:?}");
        assert!(what == "link" || !mailed.contains(text), "{what}: mailed");
    }
}

/// A request for keys that a member has filed.
async fn asked(app: &TestApp, account_id: Uuid, member_id: Uuid, company: &str) -> Uuid {
    let request = NewKeyRequest {
        account_id,
        member_id,
        company,
        vat_number: None,
        intended_use: "Invoices",
        expected_volume: ExpectedVolume::More,
    };
    app.early_access().file(request, &Actor::COMMAND_LINE).await.expect("files")
}

#[tokio::test]
async fn an_approved_asker_signs_in_and_then_takes_the_key() {
    let app = TestApp::start().await;
    let (account, member) = app.owner("Acme Marine", "helen@acme.example").await;
    let request = asked(&app, account, member, "Acme Marine").await;
    let priya = app.support("Priya Nair").await;
    assert_eq!(priya.post(&format!("/staff/requests/{request}"), &[("do", "approve")]).await.status, 303);
    let claim = link(&app, &app.mail_to("helen@acme.example", 1).await[0]);

    let helen = app.visitor();
    let page = helen.get(&claim).await;
    assert_eq!(heading(&page), "Sign in, then take your key");
    assert!(!page.html().contains("name=\"password\""), "the link alone sets no password");
    // Whoever has nothing but the link gets nothing by a password in the form either.
    let to_sign_in = helen.post(&claim, &[("password", "a password of mine")]).await;
    let way = format!("/sign-in?return_to={}", claim.replace('/', "%2F"));
    assert_eq!(to_sign_in.header("location"), Some(&*way));
    assert!(app.api_keys().list(account).await.expect("keys").is_empty());
    let form = [("email", "helen@acme.example"), ("password", Visitor::PASSWORD), ("return_to", &*claim)];
    assert_eq!(helen.post("/sign-in", &form).await.header("location"), Some(&*claim));
    assert_eq!(heading(&helen.get(&claim).await), "Take your key");
    let taken = helen.post(&claim, &[]).await;
    assert_eq!(heading(&taken), "Your new key: First key");
    assert_eq!(call(&app, &key(&taken)).await, 200);
    assert_eq!(helen.post(&claim, &[]).await.status, 404);
    assert_eq!(app.api_keys().list(account).await.expect("keys").len(), 1);
}

#[tokio::test]
async fn whoever_takes_a_key_by_an_approval_has_proved_the_address() {
    let app = TestApp::start().await;
    let visitor = app.visitor();
    let form = [
        ("name", "Tomasz Wilk"),
        ("email", "tomasz@fenwick.example"),
        ("password", Visitor::PASSWORD),
        ("company", "Fenwick"),
        ("intended_use", "Invoices"),
        ("volume", "more"),
    ];
    assert_eq!(visitor.post("/sign-up", &form).await.status, 200);
    let account = account_of(&app, "Fenwick").await;
    let request = app.early_access().of_account(account).await.expect("requests")[0].id;
    let priya = app.support("Priya Nair").await;
    let page = priya.page("/staff").await;
    assert!(page.contains("Address not confirmed yet"), "{page}");
    assert_eq!(priya.post(&format!("/staff/requests/{request}"), &[("do", "approve")]).await.status, 303);
    let letters = app.mail_to("tomasz@fenwick.example", 2).await;
    let claim = link(&app, &letters[1]);
    assert_eq!(visitor.get(&claim).await.status, 200);
    let early = visitor.sign_in("tomasz@fenwick.example", Visitor::PASSWORD).await;
    assert_eq!(early.status, 422, "to look proves nothing");
    assert_eq!(visitor.post(&claim, &[]).await.status, 303);
    let stranger = app.visitor().sign_in("tomasz@fenwick.example", Visitor::PASSWORD).await;
    assert_eq!(
        stranger.status, 422,
        "a password without the link proves nothing, whoever sent the link's form"
    );
    let with =
        |password| [("email", "tomasz@fenwick.example"), ("password", password), ("return_to", &*claim)];
    assert_eq!(visitor.post("/sign-in", &with("a password of mine")).await.status, 422, "nor the link alone");
    let both = visitor.post("/sign-in", &with(Visitor::PASSWORD)).await;
    assert_eq!((both.status, both.header("location")), (303, Some(&*claim)));
    assert_eq!(heading(&visitor.post(&claim, &[]).await), "Your new key: First key");
}

#[tokio::test]
async fn a_forgotten_password_takes_no_link_to_a_key_away() {
    let app = TestApp::start().await;
    let (account, member) = app.owner("Acme Marine", "helen@acme.example").await;
    let claim = prepared(&app, account, member, "helen@acme.example", 1).await;
    let helen = app.visitor();
    helen.post("/forgot-password", &[("email", "helen@acme.example")]).await;
    let letters = app.mail_to("helen@acme.example", 2).await;
    let text = letters[1].body.expose_secret();
    let reset = text.split_whitespace().find(|word| word.contains("/reset-password/")).expect("a link");
    let reset = reset.strip_prefix(&app.url("")).expect("our own");
    assert_eq!(helen.post(reset, &[("password", "a new horse battery")]).await.status, 200);
    assert_eq!(helen.sign_in("helen@acme.example", "a new horse battery").await.status, 303);
    assert_eq!(heading(&helen.post(&claim, &[]).await), "Your new key: ERP");
}

#[tokio::test]
async fn a_link_is_for_its_receiver_alone() {
    let app = TestApp::start().await;
    let (account, member) = app.owner("Acme Marine", "helen@acme.example").await;
    let claim = prepared(&app, account, member, "helen@acme.example", 1).await;
    app.owner("Other", "owner@other.example").await;
    app.member(account, ("maya@acme.example", "Maya Okafor"), Role::Owner).await;
    let support = app.support("Sam Smith").await;
    let other = app.signed_in("owner@other.example").await;
    let colleague = app.signed_in("maya@acme.example").await;
    for reader in [&other, &colleague, &*support] {
        for answer in [reader.get(&claim).await, reader.post(&claim, &[]).await] {
            assert_eq!((answer.status, heading(&answer)), (403, "This key is for somebody else"));
        }
    }
    assert!(app.api_keys().list(account).await.expect("keys").is_empty());
    let helen = app.signed_in("helen@acme.example").await;
    assert_eq!(heading(&helen.post(&claim, &[]).await), "Your new key: ERP");
}

#[tokio::test]
async fn whoever_has_a_second_factor_shows_it_before_the_key_is_shown() {
    let app = TestApp::start().await;
    let (account, member) = app.owner("Acme Marine", "helen@acme.example").await;
    let phone = app.set_up_second_factor(Person::Member(member)).await;
    let claim = prepared(&app, account, member, "helen@acme.example", 2).await;
    let helen = app.visitor();
    let form = [("email", "helen@acme.example"), ("password", Visitor::PASSWORD), ("return_to", &*claim)];
    let half = helen.post("/sign-in", &form).await;
    assert_eq!((half.status, half.header("location")), (303, Some("/sign-in/code")), "{half:?}");
    assert_eq!(
        heading(&helen.get(&claim).await),
        "Sign in, then take your key",
        "the password is not enough"
    );
    assert_eq!(helen.post(&claim, &[]).await.status, 303);
    assert!(app.api_keys().list(account).await.expect("keys").is_empty());
    app.clock.advance(Duration::from_secs(30));
    let code = phone.code(app.shared_clock().now());
    let whole = helen.post("/sign-in/code", &[("code", &*code)]).await;
    assert_eq!(whole.header("location"), Some(&*claim));
    assert_eq!(heading(&helen.post(&claim, &[]).await), "Your new key: ERP");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_use_a_link_at_once_one_sees_a_key() {
    let app = TestApp::start().await;
    for round in 0..3 {
        let email = format!("new{round}@acme.example");
        let account = app
            .accounts()
            .create(&format!("Acme {round}"), &crossvat::accounts::Limits::default(), &Actor::COMMAND_LINE)
            .await
            .expect("account");
        let new =
            NewMember { account_id: account, email: &email, name: "Raj", role: Role::Owner, password: None };
        let member = app.members().add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("member");
        let claim = prepared(&app, account, member, &email, 1).await;
        let visitors: Vec<_> = (0..4).map(|_| app.visitor()).collect();
        let form = [("password", "four herons on a wire")];
        let answers =
            futures_util::future::join_all(visitors.iter().map(|visitor| visitor.post(&claim, &form))).await;
        let shown = answers.iter().filter(|answer| answer.html().contains("data-shown-once")).count();
        assert_eq!(shown, 1, "{answers:?}");
        assert_eq!(app.api_keys().list(account).await.expect("keys").len(), 1);
        app.clock.advance(Duration::from_hours(1));
    }
}

#[tokio::test]
async fn support_follows_a_link_through_its_life() {
    let app = TestApp::start().await;
    let priya = app.support("Priya Nair").await;
    assert_eq!(priya.post("/staff/issue", &issue(&[])).await.status, 303);
    let account = account_of(&app, "Pennine Winches").await;
    let latest = async || app.links().claims(Some(account), 1).await.expect("links")[0].link.id;
    let first = link(&app, &app.mail_to(EMAIL, 1).await[0]);
    let said = async |words: &str| {
        for path in ["/staff/issue".to_owned(), format!("/staff/accounts/{account}")] {
            let page = priya.page(&path).await;
            assert!(page.contains(words), "{words}, {path}: {page}");
        }
    };
    said("Link sent").await;
    app.visitor().get(&first).await;
    said("Link opened").await;

    let path = format!("/staff/links/{}", latest().await);
    let page = priya.page("/staff/issue").await;
    let row = page.split("<tbody").nth(1).expect("rows");
    let again = [("do", "again"), ("token", token(row))];
    for _ in 0..2 {
        // Sent twice, one more letter goes out.
        let sent = priya.post(&path, &again).await;
        assert_eq!(sent.header("location"), Some("/staff/issue?done=again"));
    }
    let letters = app.mail_to(EMAIL, 2).await;
    assert_eq!(letters.len(), 2);
    let second = link(&app, &letters[1]);
    assert_eq!(app.visitor().get(&first).await.status, 404, "the one before works no more");
    assert_eq!(app.visitor().get(&second).await.status, 200);

    let path = format!("/staff/links/{}", latest().await);
    let withdrawn = priya.post(&path, &[("do", "withdraw"), ("from", "account")]).await;
    let back = format!("/staff/accounts/{account}/issue?done=withdrawn");
    assert_eq!(withdrawn.header("location"), Some(&*back));
    assert!(priya.page(&back).await.contains("The link is withdrawn."));
    said("Withdrawn").await;
    let dead = app.visitor().post(&second, &[("password", "four herons on a wire")]).await;
    assert_eq!(dead.status, 404);
    assert!(app.api_keys().list(account).await.expect("keys").is_empty());

    // What is over can be sent anew, and what was sent is over after a day.
    assert_eq!(priya.post(&path, &[("do", "again")]).await.status, 303);
    let third = link(&app, &app.mail_to(EMAIL, 3).await[2]);
    app.clock.advance(Duration::from_hours(24));
    priya.sign_in_again(&app).await;
    said("Expired").await;
    assert_eq!(app.visitor().get(&third).await.status, 404);
    let path = format!("/staff/links/{}", latest().await);
    assert_eq!(priya.post(&path, &[("do", "again")]).await.status, 303);
    let fourth = link(&app, &app.mail_to(EMAIL, 4).await[3]);
    let taken = app.visitor().post(&fourth, &[("password", "four herons on a wire")]).await;
    assert_eq!(heading(&taken), "Your new key: ERP, Leeds");
    let path = format!("/staff/links/{}", latest().await);
    for deed in ["again", "withdraw"] {
        let late = priya.post(&path, &[("do", deed)]).await;
        assert_eq!(late.header("location"), Some("/staff/issue?done=claimed"), "{deed}");
    }
    assert_eq!(app.api_keys().list(account).await.expect("keys").len(), 1);
}

#[tokio::test]
async fn only_links_to_keys_are_supports_to_change() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    app.visitor().post("/forgot-password", &[("email", "helen@acme.example")]).await;
    let reset = app.links().of_account(account).await.expect("links")[0].id;
    let priya = app.support("Priya Nair").await;
    for id in [reset.to_string(), Uuid::nil().to_string(), "none".to_owned()] {
        for deed in ["again", "withdraw"] {
            assert_eq!(priya.post(&format!("/staff/links/{id}"), &[("do", deed)]).await.status, 404);
        }
    }
    let link = link(&app, &app.mail_to("helen@acme.example", 1).await[0]);
    assert_eq!(app.visitor().get(&link).await.status, 200, "it still works");
}

#[tokio::test]
async fn everything_about_a_key_by_phone_that_needs_changing_is_said_at_once() {
    let app = TestApp::start().await;
    app.owner("Acme Marine", "helen@acme.example").await;
    let priya = app.support("Priya Nair").await;
    let all = [
        ("company", " "),
        ("contact", ""),
        ("email", "dev@"),
        ("name", ""),
        ("kind", "both"),
        ("requests_per_minute", "many"),
    ];
    let answer = priya.post("/staff/issue", &issue(&all)).await;
    assert_eq!(answer.status, 422);
    assert!(answer.html().contains("Six things need"), "{answer:?}");
    for (other, words) in [
        (("company", "Acme Marine"), "This company has an account already"),
        (("email", "HELEN@acme.example"), "belongs to another account"),
        (("plan", "gold"), "There is no such plan"),
        (("numbers_per_month", "0"), "A limit is a whole number"),
        (("contact", "Dev\r\nBcc: x@evil.example"), "A person's name needs 1 to"),
        (("company", "Pennine\r\nBcc: x@evil.example"), "A company's name needs 1 to"),
        (("email", "dev@pennine.example\r\nBcc: x@evil.example"), "Enter an email address"),
    ] {
        let answer = priya.post("/staff/issue", &issue(&[other])).await;
        assert_eq!(answer.status, 422, "{other:?}");
        assert!(answer.html().replace("&#x27;", "'").contains(words), "{other:?}: {answer:?}");
        assert!(answer.html().contains("ERP, Leeds"), "{other:?}: what was typed is kept");
    }
    assert!(app.accounts().named("Pennine Winches").await.expect("answers").is_none());
    assert!(app.mail.to(EMAIL).is_empty(), "nothing goes out before everything is right");
}

#[tokio::test]
async fn names_in_a_letter_stay_names() {
    let app = TestApp::start().await;
    let priya = app.support("Priya <b>Nair</b>").await;
    let company = "Pennine <script>alert(1)</script>\u{2028}Subject: x";
    assert_eq!(
        priya.post("/staff/issue", &issue(&[("company", company), ("name", "<i>ERP</i>")])).await.status,
        303
    );
    let letter = &app.mail_to(EMAIL, 1).await[0];
    assert_eq!(&*letter.subject.to_string(), "Take your API key");
    assert!(!letter.body.expose_secret().contains('\u{2028}'));
    let page = app.visitor().get(&link(&app, letter)).await;
    for answer in [page.html(), &priya.page("/staff/issue").await] {
        assert!(!answer.contains("<script>alert") && !answer.contains("<i>ERP"), "{answer}");
        assert!(answer.contains("&lt;i&gt;ERP"), "{answer}");
    }
}

#[tokio::test]
async fn a_member_of_an_account_gets_a_key_by_phone_where_the_account_may_have_keys() {
    let app = TestApp::start().await;
    let (account, member) = app.owner("Acme Marine", "helen@acme.example").await;
    let (other, _) = app.owner("Other", "owner@other.example").await;
    let stranger = app.members().list(other).await.expect("members")[0].id.to_string();
    let priya = app.support("Priya Nair").await;
    let path = format!("/staff/accounts/{account}/issue");
    let page = priya.page(&path).await;
    assert!(page.contains("Issue a key to Acme Marine") && page.contains("helen@acme.example"), "{page}");
    assert!(!page.contains("owner@other.example"));
    let helen = member.to_string();
    let form = |member| [("member", member), ("name", "ERP"), ("kind", "test"), ("token", token(&page))];
    assert_eq!(priya.post(&path, &form(&stranger)).await.status, 422, "another account's");
    let back = format!("{path}?done=sent");
    for _ in 0..2 {
        assert_eq!(priya.post(&path, &form(&helen)).await.header("location"), Some(&*back));
    }
    assert_eq!(app.mail_to("helen@acme.example", 1).await.len(), 1, "sent twice, one link goes out");

    app.accounts().suspend(account, "does not pay", &Actor::COMMAND_LINE).await.expect("suspends");
    let closed = priya.post(&path, &form(&helen)).await;
    assert_eq!(closed.status, 409);
    assert!(closed.html().contains("The account is suspended."), "{closed:?}");
    let claim = link(&app, &app.mail_to("helen@acme.example", 1).await[0]);
    let visitor = app.visitor();
    for answer in [visitor.get(&claim).await, visitor.post(&claim, &[]).await] {
        assert_eq!((answer.status, heading(&answer)), (403, "No key can be made at present"));
    }
    let again = priya
        .post(
            &format!("/staff/links/{}", app.links().claims(None, 1).await.expect("links")[0].link.id),
            &[("do", "again")],
        )
        .await;
    assert_eq!(again.header("location"), Some("/staff/issue?done=nobody"));
    app.accounts().restore(account, "has paid", &Actor::COMMAND_LINE).await.expect("restores");
    let helen = app.signed_in("helen@acme.example").await;
    assert_eq!(heading(&helen.post(&claim, &[]).await), "Your new key: ERP", "the link was not used up");

    asked(&app, other, stranger.parse().expect("an identifier"), "Other").await;
    let path = format!("/staff/accounts/{other}/issue");
    assert!(priya.page(&path).await.contains("The account has asked for keys itself"));
    let refused = priya.post(&path, &[("member", &*stranger), ("name", "ERP"), ("kind", "test")]).await;
    assert_eq!(refused.status, 409);
    assert!(app.links().claims(Some(other), 9).await.expect("links").is_empty());
    for nowhere in ["none".to_owned(), Uuid::nil().to_string()] {
        assert_eq!(priya.get(&format!("/staff/accounts/{nowhere}/issue")).await.status, 404);
    }
}

#[tokio::test]
async fn viewers_take_no_keys() {
    let app = TestApp::start().await;
    let (account, _) = app.owner("Acme Marine", "helen@acme.example").await;
    let maya = app.member(account, ("maya@acme.example", "Maya Okafor"), Role::Member).await;
    let claim = prepared(&app, account, maya, "maya@acme.example", 1).await;
    let request = asked(&app, account, maya, "Acme Marine").await;
    app.members().change_role(account, maya, Role::Viewer, &Actor::COMMAND_LINE).await.expect("changes");

    let browser = app.signed_in("maya@acme.example").await;
    for answer in [browser.get(&claim).await, browser.post(&claim, &[]).await] {
        assert_eq!((answer.status, heading(&answer)), (403, "Viewers take no keys"));
    }
    let secret = claim.rsplit('/').next().expect("a secret");
    let link_of_maya = app.links().look(Purpose::ClaimKey, secret).await.expect("a link");
    let from = "192.0.2.7".parse().expect("an address");
    let taken = app.onboarding().claim((&link_of_maya, secret), None, from, &mut SysRng).await;
    assert!(matches!(taken, Err(OnboardingError::Viewer)), "{taken:?}");

    // Support prepares no key for one, and an approval goes to somebody who may take it.
    let priya = app.support("Priya Nair").await;
    let again = priya.post(&format!("/staff/links/{}", link_of_maya.id), &[("do", "again")]).await;
    assert_eq!(again.header("location"), Some("/staff/issue?done=nobody"));
    assert_eq!(priya.post(&format!("/staff/requests/{request}"), &[("do", "approve")]).await.status, 303);
    assert_eq!(app.mail_to("helen@acme.example", 1).await[0].kind, MessageKind::KeyRequestApproved);
    let path = format!("/staff/accounts/{account}/issue");
    let options = priya.page(&path).await;
    let options = options.split("<select").nth(1).and_then(|rest| rest.split("</select").next());
    let options = options.expect("whom to send it to");
    assert!(options.contains("helen@acme.example") && !options.contains("maya@acme.example"), "{options}");
    let maya_id = maya.to_string();
    let form = [("member", &*maya_id), ("name", "ERP"), ("kind", "live")];
    assert_eq!(priya.post(&path, &form).await.status, 422);
    let key = PreparedKey { name: "ERP".to_owned(), mode: KeyMode::Live };
    let by = (&Actor::COMMAND_LINE, "Sam Smith");
    let sent = app.onboarding().issue_to((account, maya), &key, None, by, &mut SysRng).await;
    assert!(matches!(sent, Err(OnboardingError::Viewer)), "{sent:?}");
    assert_eq!(app.mail_to("maya@acme.example", 1).await.len(), 1);
    assert!(app.api_keys().list(account).await.expect("keys").is_empty());

    app.members().change_role(account, maya, Role::Member, &Actor::COMMAND_LINE).await.expect("changes");
    assert_eq!(heading(&browser.post(&claim, &[]).await), "Your new key: ERP", "the link was not used up");
}

#[tokio::test]
async fn only_the_newest_link_to_somebody_is_sent_again() {
    let app = TestApp::start().await;
    let (account, member) = app.owner("Acme Marine", "helen@acme.example").await;
    prepared(&app, account, member, "helen@acme.example", 1).await;
    let first = app.links().claims(Some(account), 1).await.expect("links")[0].link.id;
    let second = prepared(&app, account, member, "helen@acme.example", 2).await;
    let priya = app.support("Priya Nair").await;
    for path in ["/staff/issue".to_owned(), format!("/staff/accounts/{account}")] {
        let page = priya.page(&path).await;
        assert!(page.contains("Withdrawn"), "both are listed: {page}");
        assert_eq!(page.matches("value=\"again\"").count(), 1, "{path}: {page}");
        assert!(!page.contains(&format!("/staff/links/{first}")), "{path}: {page}");
    }
    let again = async || {
        let sent = priya.post(&format!("/staff/links/{first}"), &[("do", "again")]).await;
        assert_eq!(sent.header("location"), Some("/staff/issue?done=superseded"));
    };
    again().await;
    assert!(priya.page("/staff/issue?done=superseded").await.contains("was sent another link since"));
    let helen = app.signed_in("helen@acme.example").await;
    assert_eq!(heading(&helen.post(&second, &[]).await), "Your new key: ERP", "it was not withdrawn");
    // Once the newer one was used, the older one brings no second key.
    again().await;
    assert_eq!(app.mail_to("helen@acme.example", 2).await.len(), 2);
    assert_eq!(app.links().claims(Some(account), 9).await.expect("links").len(), 2);
}

#[tokio::test]
async fn a_form_that_was_sent_before_sends_nothing_else() {
    let app = TestApp::start().await;
    let (account, helen) = app.owner("Acme Marine", "helen@acme.example").await;
    let maya = app.member(account, ("maya@acme.example", "Maya Okafor"), Role::Member).await;
    let priya = app.support("Priya Nair").await;
    let path = format!("/staff/accounts/{account}/issue");
    let page = priya.page(&path).await;
    let (helen, maya) = (helen.to_string(), maya.to_string());
    let form =
        |member, name, kind| [("member", member), ("name", name), ("kind", kind), ("token", token(&page))];
    assert_eq!(priya.post(&path, &form(&helen, "ERP", "test")).await.status, 303);
    for changed in [form(&maya, "ERP", "test"), form(&helen, "Web shop", "test"), form(&helen, "ERP", "live")]
    {
        let answer = priya.post(&path, &changed).await;
        assert_eq!(answer.status, 422, "{changed:?}");
        assert!(answer.html().contains("This form was sent before"), "{changed:?}: {answer:?}");
    }
    assert_eq!(priya.post(&path, &form(&helen, "ERP", "test")).await.status, 303, "the same is done");
    assert_eq!(app.links().claims(None, 9).await.expect("links").len(), 1);

    let page = priya.page("/staff/issue").await;
    let token = token(&page);
    let first = issue(&[("token", token)]);
    assert_eq!(priya.post("/staff/issue", &first).await.status, 303);
    for other in [
        &[("token", token), ("name", "Web shop")][..],
        &[("token", token), ("kind", "test")],
        &[("token", token), ("email", "eve@pennine.example")],
        &[("token", token), ("company", "Fenwick"), ("email", "raj@fenwick.example")],
    ] {
        let answer = priya.post("/staff/issue", &issue(other)).await;
        assert_eq!(answer.status, 422, "{other:?}");
        assert!(answer.html().contains("This form was sent before"), "{other:?}: {answer:?}");
    }
    assert_eq!(priya.post("/staff/issue", &first).await.status, 303, "the same is done");
    assert!(app.accounts().named("Fenwick").await.expect("answers").is_none());
    assert_eq!(app.links().claims(None, 9).await.expect("links").len(), 2);
    assert!(app.mail.to("maya@acme.example").is_empty() && app.mail.to("raj@fenwick.example").is_empty());
}

#[tokio::test]
async fn a_suspended_account_is_not_approved() {
    let app = TestApp::start().await;
    let (account, member) = app.owner("Acme Marine", "helen@acme.example").await;
    let request = asked(&app, account, member, "Acme Marine").await;
    app.accounts().suspend(account, "does not pay", &Actor::COMMAND_LINE).await.expect("suspends");
    let priya = app.support("Priya Nair").await;
    let path = format!("/staff/requests/{request}");
    let refused = priya.post(&path, &[("do", "approve"), ("requests_per_minute", "250")]).await;
    assert_eq!(refused.status, 409, "{refused:?}");
    assert!(refused.html().contains("The account is suspended. Restore it first."), "{refused:?}");
    assert!(refused.html().contains("value=\"250\""), "what was typed is kept: {refused:?}");
    assert!(app.links().claims(None, 9).await.expect("links").is_empty());
    app.accounts().restore(account, "has paid", &Actor::COMMAND_LINE).await.expect("restores");
    assert_eq!(priya.post(&path, &[("do", "approve")]).await.status, 303, "it was not decided");
    assert_eq!(app.mail_to("helen@acme.example", 1).await[0].kind, MessageKind::KeyRequestApproved);
}
