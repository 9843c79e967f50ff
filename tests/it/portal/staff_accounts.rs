//! `/staff/accounts` and what support does there.

use crossvat::{
    accounts::{AccountSettings, Limits},
    api_keys::{ApiKey, KeyMode, KeyStatus, NewKey},
    audit::{Actor, Deed},
    early_access::{EarlyAccess, ExpectedVolume, NewKeyRequest},
    email::MessageKind,
    members::Role,
};
use rand::rngs::SysRng;
use sea_orm::ConnectionTrait;
use uuid::Uuid;
use vat::VatNumber;

use crate::{
    command_line::{issue_key, serve},
    support::{Answer, SupportPerson, TestApp, database::DatabaseKind, events_of},
};

const ACTOR: &Actor = &Actor::COMMAND_LINE;
const ACCOUNTS: &str = "/staff/accounts";
const MARKUP: &str = "</td><script>alert(1)</script><b title=\"&amp;";

fn number(text: &str) -> VatNumber {
    VatNumber::parse(text).number().expect("a number")
}

/// The companies that a page lists, in its order.
fn listed(page: &str) -> Vec<&str> {
    let links = page.split("<a href=\"/staff/accounts/").skip(1);
    links.filter_map(|rest| rest.split_once('>')?.1.split('<').next()).collect()
}

async fn key(app: &TestApp, account_id: Uuid, name: &str, mode: KeyMode) -> (Uuid, String) {
    let new = NewKey { id: None, account_id, name, mode, expires_at: None };
    let issued = app.api_keys().issue(new, ACTOR, &mut SysRng).await.expect("key");
    (issued.id, issued.secret.reveal().to_owned())
}

async fn listed_key(app: &TestApp, account: Uuid, key: Uuid) -> ApiKey {
    let keys = app.api_keys().list(account).await.expect("keys");
    keys.into_iter().find(|listed| listed.id == key).expect("the key")
}

/// Whither what is typed leads.
async fn searched(sam: &SupportPerson, typed: &str) -> String {
    let answer = sam.post(ACCOUNTS, &[("find", typed)]).await;
    assert_eq!(answer.status, 303, "{typed}");
    answer.header("location").expect("somewhere").to_owned()
}

async fn detail_of_last(app: &TestApp, account: Uuid) -> (Deed, Option<Uuid>, String) {
    let events = events_of(&app.database, account).await;
    let event = events.last().expect("an event");
    (event.deed, event.actor_id, event.detail.clone())
}

#[tokio::test]
async fn an_account_is_found_by_whatever_is_known_of_it() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let empty = sam.page(ACCOUNTS).await;
    assert!(empty.contains("No account yet") && listed(&empty).is_empty(), "{empty}");

    let (fenwick, helen) = app.owner("Fenwick Marine Supplies Ltd", "helen@fenwick.example").await;
    let (oresund, _) = app.owner("Øresund Bådudstyr A/S", "signe@oresund-baad.example").await;
    app.member(fenwick, ("tomasz@elsewhere.example", "Tomasz Wilk"), Role::Member).await;
    let settings =
        AccountSettings::Requesters { gb: Some(number("GB123456782")), eu: Some(number("IE6388047V")) };
    app.accounts().change_settings(fenwick, &settings, ACTOR).await.expect("changes");
    let request = NewKeyRequest {
        account_id: fenwick,
        member_id: helen,
        company: "Pennine Winches",
        vat_number: Some(number("DE136695976")),
        intended_use: "Invoices",
        expected_volume: ExpectedVolume::UpTo1000,
    };
    let asked = EarlyAccess::new(app.database.clone(), app.shared_clock());
    asked.file(request, ACTOR).await.expect("asks");
    let (id, secret) = key(&app, oresund, "ERP", KeyMode::Live).await;
    let last_four = &secret[secret.len() - 4..];
    app.accounts().suspend(oresund, "does not pay", ACTOR).await.expect("suspends");

    let (one, other) = ("Fenwick Marine Supplies Ltd", "Øresund Bådudstyr A/S");
    let page = sam.page(ACCOUNTS).await;
    assert_eq!(listed(&page), [one, other]);
    for part in
        ["2 accounts, by name", "Waiting", "Suspended", "Standard", "signe@oresund-baad.example", "Never"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    let (both, first, second) = (vec![one, other], vec![one], vec![other]);
    for (typed, expected) in [
        ("fenwick", &first),
        ("  MARINE supplies ", &first),
        ("fen\0wick\0", &first),
        ("øresund", &second),
        ("ØRESUND bådudstyr", &second),
        ("%", &vec![]),
        ("_", &vec![]),
        ("helen@FENWICK", &first),
        ("tomasz@", &first),
        (".example", &both),
        ("gb 123 4567 82", &first),
        ("6388047v", &first),
        ("DE-136.695.976", &first),
        ("pennine", &first),
        (last_four, &second),
        (&*format!("cv_live_…{last_four}"), &second),
        (&*format!("cv_test_…{last_four}"), &vec![]),
        (&*id.to_string(), &second),
        (&*fenwick.to_string(), &first),
        ("nobody at all", &vec![]),
        ("' OR 1=1 --", &vec![]),
    ] {
        let address = searched(&sam, typed).await;
        assert!(address.starts_with(ACCOUNTS), "{address}");
        let page = sam.page(&address).await;
        assert_eq!(&listed(&page), expected, "{typed:?}: {page}");
        if expected.is_empty() {
            assert!(page.contains("No account matches"), "{typed:?}: {page}");
        }
    }
    let tomasz = app.members().list(fenwick).await.expect("members").pop().expect("the last by name").id;
    app.members().remove(fenwick, tomasz, ACTOR).await.expect("removes");
    for typed in ["tomasz@", "removed", &tomasz.to_string()[..5]] {
        assert!(
            listed(&sam.page(&searched(&sam, typed).await).await).is_empty(),
            "{typed:?}: it has no address"
        );
    }
    assert_eq!(listed(&sam.page("/staff/accounts?find=fen%00wick").await), [one]);
    let page = sam.page("/staff/accounts?find=fenwick&page=7").await;
    assert_eq!(listed(&page), [one], "of fewer pages the first");
    for page in ["0", "-1", "x", "99999999999999999999999"] {
        assert_eq!(sam.get(&format!("{ACCOUNTS}?page={page}")).await.status, 200, "{page}");
    }
}

#[tokio::test]
async fn many_accounts_are_listed_by_page() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    for place in 0..120 {
        let name = format!("Acme & {place:03}");
        app.accounts().create(&name, &Limits::default(), ACTOR).await.expect("account");
    }
    let first = sam.page("/staff/accounts?find=acme+%26").await;
    assert!(first.contains("1 to 50 of 120") && first.contains("find=acme+%26&amp;page=2"), "{first}");
    let last = sam.page("/staff/accounts?find=acme+%26&page=3").await;
    assert_eq!(listed(&last).len(), 20);
    assert!(last.contains("101 to 120 of 120") && last.contains("Acme &amp; 119"), "{last}");
}

/// A whole key is on nobody's page, in no address and nowhere in the database after it was pasted.
#[tokio::test]
async fn a_pasted_key_is_recognised_and_nothing_of_it_is_kept() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let acme = app.accounts().create("acme", &Limits::default(), ACTOR).await.expect("account");
    let (id, secret) = key(&app, acme, "Till", KeyMode::Live).await;
    let foreign = {
        let elsewhere = TestApp::start().await;
        let other = elsewhere.accounts().create("acme", &Limits::default(), ACTOR).await.expect("account");
        key(&elsewhere, other, "Till", KeyMode::Test).await.1
    };
    let last_four = secret[secret.len() - 4..].to_owned();
    let mut seen = Vec::new();
    for typed in [
        secret.clone(),
        format!(" {secret}\r\n"),
        format!("Authorization: Bearer {secret}"),
        secret[8..].to_owned(),
        format!("{} {}", &secret[..20], &secret[20..]),
    ] {
        let address = searched(&sam, &typed).await;
        assert_eq!(address, format!("/staff/accounts/{acme}?key={id}#key-{id}"), "{typed:?}");
        let page = sam.page(address.split('#').next().expect("an address")).await;
        let told = format!("The key that was looked up is “Till”, ending {last_four}, of this account.");
        assert!(page.contains(&told), "{page}");
        seen.extend([address, page]);
    }
    for (typed, expected) in [
        (foreign.clone(), format!("?find=cv_test_%E2%80%A6{}&key=unknown", &foreign[foreign.len() - 4..])),
        (secret[..30].to_owned(), "?key=broken".to_owned()),
        (format!("{}x", &secret[..45]), "?key=broken".to_owned()),
        (secret[8..44].to_owned(), "?key=broken".to_owned()),
    ] {
        // By the form, and typed into the address.
        let by_hand: String = url::form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        let by_hand = sam.get(&format!("{ACCOUNTS}?find={by_hand}")).await;
        assert_eq!(by_hand.status, 303, "{typed:?}");
        for address in [searched(&sam, &typed).await, by_hand.header("location").expect("on").to_owned()] {
            assert_eq!(address, format!("{ACCOUNTS}{expected}"), "{typed:?}");
            let page = sam.page(&address).await;
            assert!(page.contains("class=\"notice\""), "{page}");
            seen.extend([address, page]);
        }
    }
    // Nor does it come back from a form that something was wrong with, or into the audit log.
    let revoke = format!("{ACCOUNTS}/{acme}/keys/{id}/revoke");
    let answer = sam.post(&revoke, &[("reason", &format!("{secret} leaked")), ("confirm", &secret)]).await;
    assert_eq!(answer.status, 422);
    assert!(answer.html().contains("Leave the key out"), "{answer:?}");
    seen.push(answer.html().to_owned());
    seen.push(sam.page("/staff/audit").await);
    for text in &seen {
        for key in [&secret, &foreign] {
            assert!(!text.contains(&key[8..20]) && !text.contains(&key[30..]), "{text}");
        }
    }
    assert_eq!(listed_key(&app, acme, id).await.status, KeyStatus::Active);
    if DatabaseKind::of_this_run() == DatabaseKind::Sqlite {
        app.database.checkpoint().await.expect("moved");
        let path = app.database_url().trim_start_matches("sqlite://").to_owned();
        for file in [path.clone(), format!("{path}-wal")] {
            let bytes = std::fs::read(&file).unwrap_or_default();
            for key in [&secret, &foreign] {
                let part = &key.as_bytes()[8..24];
                assert!(!bytes.windows(part.len()).any(|window| window == part), "{file}");
            }
        }
    }
}

/// The program, which logs everything it can.
#[tokio::test]
async fn a_pasted_key_is_in_no_log() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().expect("folder");
    let server = serve(&app, folder.path());
    let secret = issue_key(folder.path());
    let form = [("find", secret.as_str())];
    let post = app.http.post(format!("http://{}{ACCOUNTS}", server.address)).form(&form);
    assert_eq!(
        Answer::of(post).await.header("location"),
        Some("/staff/sign-in?return_to=%2Fstaff%2Faccounts")
    );
    let by_hand = app.http.get(format!("http://{}{ACCOUNTS}?find={secret}", server.address));
    assert_eq!(Answer::of(by_hand).await.status, 303);
    let mut server = server;
    server.terminate();
    let log = server.ended();
    assert!(log.contains("route=\"/staff/accounts\"") || log.contains("/staff/accounts"), "{log}");
    assert!(!log.contains(&secret[8..20]), "{log}");
}

#[tokio::test]
async fn the_page_of_an_account_tells_all_but_secrets_and_whom_it_asks_about() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let (acme, helen) = app.owner("Acme Marine", "helen@acme.example").await;
    let (_, secret) = key(&app, acme, "Checkout", KeyMode::Live).await;
    let (_, ended) = key(&app, acme, "Old ERP", KeyMode::Test).await;
    let raj = app.member(acme, ("raj@acme.example", "Raj Patel"), Role::Viewer).await;
    app.members().remove(acme, raj, ACTOR).await.expect("removes");
    let request = NewKeyRequest {
        account_id: acme,
        member_id: helen,
        company: "Acme Marine Ltd",
        vat_number: Some(number("DE136695976")),
        intended_use: "Invoices",
        expected_volume: ExpectedVolume::UpTo1000,
    };
    let asked = EarlyAccess::new(app.database.clone(), app.shared_clock());
    let request = asked.file(request, ACTOR).await.expect("asks");
    let by = Actor::support(sam.id, [198, 51, 100, 7].into());
    app.onboarding().decline(request, "We do not know you yet", (&by, "Sam Smith")).await.expect("declines");
    let call = app
        .http
        .post(app.url("/v1/verify-vat"))
        .bearer_auth(&secret)
        .json(&serde_json::json!({ "vatNumbers": ["FR40303265045", "DE136695976"] }));
    assert_eq!(Answer::of(call).await.status, 200);
    let page = sam.page(&format!("{ACCOUNTS}/{acme}")).await;
    for part in [
        "<h1>Acme Marine</h1>",
        "Counted in September 2026",
        "2 of 50,000",
        "Requests, 30 days</dt><dd>1</dd>",
        "Checks with evidence</dt><dd>2</dd>",
        "Checkout",
        &secret[secret.len() - 4..],
        "Old ERP",
        &ended[ended.len() - 4..],
        "Helen Fenwick",
        "helen@acme.example",
        "Raj Patel",
        "address removed",
        "Removed ",
        "Acme Marine Ltd",
        "We do not know you yet",
        "Request for keys declined",
        "Sam Smith, support",
        "All 10 entries in the audit log",
        "href=\"/staff/audit?account=Acme+Marine\"",
        "100, as the plan has it",
        &format!("/staff/accounts/{acme}/suspend"),
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    for part in [&secret[8..20], &ended[8..20], "FR40303265045", "argon2"] {
        assert!(!page.contains(part), "{part} in {page}");
    }
    for unknown in [Uuid::nil().to_string(), "nonsense".to_owned(), "..%2Faudit".to_owned()] {
        for deed in ["", "/plan", "/suspend", "/restore"] {
            let answer = sam.get(&format!("{ACCOUNTS}/{unknown}{deed}")).await;
            assert_eq!(answer.status, 404, "{unknown}{deed}");
        }
    }
}

#[tokio::test]
async fn a_plan_is_changed_with_a_reason_and_holds_at_once() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let customer = app.customer("acme").await;
    let acme = customer.account_id;
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200);
    let path = format!("{ACCOUNTS}/{acme}/plan");
    for (form, field) in [
        (
            &[("plan", "standard"), ("requests_per_minute", "0"), ("reason", "agreed")][..],
            "requests_per_minute",
        ),
        (&[("plan", "standard"), ("numbers_per_month", "many"), ("reason", "agreed")], "numbers_per_month"),
        (&[("plan", "standard"), ("numbers_per_month", "7")], "reason"),
        (&[("plan", "nonsense"), ("reason", "agreed")], "plan"),
    ] {
        let answer = sam.post(&path, form).await;
        assert_eq!(answer.status, 422, "{form:?}");
        assert!(answer.html().contains(&format!("href=\"#{field}\"")), "{form:?}: {answer:?}");
    }
    assert_eq!(detail_of_last(&app, acme).await.0, Deed::KeyIssued, "nothing was changed");
    let form = [
        ("plan", "standard"),
        ("requests_per_minute", ""),
        ("numbers_per_month", "1"),
        ("reason", "Agreed with Helen\r\non the phone"),
    ];
    let answer = sam.post(&path, &form).await;
    assert_eq!(answer.header("location"), Some(&*format!("{ACCOUNTS}/{acme}?done=plan")));
    assert_eq!(customer.verify(&["FR40303265045"]).await.status, 429, "the allowance is used up");
    let (deed, by, detail) = detail_of_last(&app, acme).await;
    assert_eq!((deed, by), (Deed::PlanChanged, Some(sam.id)));
    let words =
        "plan standard, the plan's requests a minute, 1 numbers a month: Agreed with Helen\r\non the phone";
    assert_eq!(detail, words);
    let page = sam.page(&path).await;
    assert!(page.contains("name=\"numbers_per_month\" type=\"text\" value=\"1\""), "{page}");
}

#[tokio::test]
async fn an_account_is_suspended_and_restored_at_once_and_once() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let customer = app.customer("acme").await;
    let acme = customer.account_id;
    let reader = app.signed_in_as(acme, "Maya Okafor", Role::Owner).await;
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200);
    let (suspend, restore) = (format!("{ACCOUNTS}/{acme}/suspend"), format!("{ACCOUNTS}/{acme}/restore"));
    let good = [("reason", "A key was found in public"), ("confirm", " acme ")];
    for (form, field) in [
        (&[("reason", ""), ("confirm", "acme")][..], "reason"),
        (&[("reason", "does not pay"), ("confirm", "Acme")], "confirm"),
    ] {
        let answer = sam.post(&suspend, form).await;
        assert_eq!(answer.status, 422, "{form:?}");
        assert!(answer.html().contains(&format!("href=\"#{field}\"")), "{answer:?}");
    }
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200, "nothing was done");
    let elsewhere = sam.post_from_elsewhere(&suspend, &good).await;
    assert_eq!(elsewhere.status, 403, "another site");
    for _ in 0..2 {
        let answer = sam.post(&suspend, &good).await;
        assert_eq!(answer.header("location"), Some(&*format!("{ACCOUNTS}/{acme}?done=suspended")));
        assert_eq!(customer.verify(&["DE136695976"]).await.status, 403);
    }
    let told = (Deed::AccountSuspended, Some(sam.id), "A key was found in public".to_owned());
    assert_eq!(detail_of_last(&app, acme).await, told);
    assert!(reader.page("/portal").await.contains("acme is suspended"), "people stay signed in");
    let page = sam.page(&format!("{ACCOUNTS}/{acme}?done=suspended")).await;
    assert!(page.contains("The account is suspended.") && !page.contains("/suspend\""), "{page}");
    assert_eq!(sam.get(&suspend).await.header("location"), Some(&*format!("{ACCOUNTS}/{acme}")));

    let page = sam.page(&restore).await;
    assert!(page.contains("A key was found in public"), "{page}");
    assert_eq!(sam.post(&restore, &[("reason", " ")]).await.status, 422);
    for _ in 0..2 {
        let answer = sam.post(&restore, &[("reason", "The key is revoked")]).await;
        assert_eq!(answer.header("location"), Some(&*format!("{ACCOUNTS}/{acme}?done=restored")));
        assert_eq!(customer.verify(&["DE136695976"]).await.status, 200);
    }
    let events = events_of(&app.database, acme).await;
    let deeds: Vec<_> = events.iter().map(|event| event.deed).collect();
    assert_eq!(
        deeds[deeds.len() - 2..],
        [Deed::AccountSuspended, Deed::AccountRestored],
        "each once: {deeds:?}"
    );
    assert_eq!(app.mail.to("owner@acme.example").len(), 0, "nobody is mailed");
}

#[tokio::test]
async fn a_leaked_key_is_revoked_at_once_with_a_reason() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let customer = app.customer("acme").await;
    let acme = customer.account_id;
    let listed = customer.listed_key(&app).await;
    let other = app.accounts().create("other", &Limits::default(), ACTOR).await.expect("account");
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200);
    let path = format!("{ACCOUNTS}/{acme}/keys/{}/revoke", listed.id);
    let good = [("reason", "Found in a public repository"), ("confirm", listed.last_four.as_str())];
    let page = sam.page(&path).await;
    assert!(page.contains("Revoke “test”") && page.contains(&listed.last_four), "{page}");
    for wrong in [&[("reason", "x"), ("confirm", "test")][..], &[("reason", ""), good[1]]] {
        assert_eq!(sam.post(&path, wrong).await.status, 422, "{wrong:?}");
    }
    for unknown in [
        format!("{ACCOUNTS}/{other}/keys/{}/revoke", listed.id),
        format!("{ACCOUNTS}/{acme}/keys/{}/revoke", Uuid::nil()),
        format!("{ACCOUNTS}/{acme}/keys/nonsense/revoke"),
    ] {
        assert_eq!(sam.get(&unknown).await.status, 404, "{unknown}");
        assert_eq!(sam.post(&unknown, &good).await.status, 404, "{unknown}");
    }
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200, "nothing was done");
    for _ in 0..2 {
        let answer = sam.post(&path, &good).await;
        assert_eq!(answer.header("location"), Some(&*format!("{ACCOUNTS}/{acme}?done=revoked")));
        assert_eq!(customer.verify(&["DE136695976"]).await.status, 401);
    }
    let told = (Deed::KeyRevoked, Some(sam.id), "test: Found in a public repository".to_owned());
    assert_eq!(detail_of_last(&app, acme).await, told);
    assert_eq!(sam.get(&path).await.header("location"), Some(&*format!("{ACCOUNTS}/{acme}")));
    let page = sam.page(&format!("{ACCOUNTS}/{acme}")).await;
    assert!(page.contains("Revoked") && !page.contains(&path), "{page}");
}

#[tokio::test]
async fn a_member_is_signed_out_everywhere_with_a_reason_and_told_by_mail() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let (acme, _) = app.owner("Acme Marine", "owner@acme.example").await;
    let maya = app.member(acme, ("maya@acme.example", "Maya Okafor"), Role::Member).await;
    let (other, _) = app.owner("Other", "raj@other.example").await;
    let (here, there) = (app.signed_in("maya@acme.example").await, app.signed_in("maya@acme.example").await);
    let owner = app.signed_in("owner@acme.example").await;
    let path = format!("{ACCOUNTS}/{acme}/members/{maya}/sign-out");
    assert!(sam.page(&format!("{ACCOUNTS}/{acme}")).await.contains(&path));
    let page = sam.page(&path).await;
    assert!(page.contains("Sign out Maya Okafor") && page.contains("2 browsers"), "{page}");

    let good = [("reason", "The laptop was stolen"), ("confirm", " maya@acme.example ")];
    for (form, field) in
        [(&[("reason", " "), good[1]][..], "reason"), (&[good[0], ("confirm", "Maya Okafor")], "confirm")]
    {
        let answer = sam.post(&path, form).await;
        assert_eq!(answer.status, 422, "{form:?}");
        assert!(answer.html().contains(&format!("href=\"#{field}\"")), "{answer:?}");
    }
    for unknown in [
        format!("{ACCOUNTS}/{other}/members/{maya}/sign-out"),
        format!("{ACCOUNTS}/{acme}/members/{}/sign-out", Uuid::nil()),
        format!("{ACCOUNTS}/{acme}/members/nonsense/sign-out"),
    ] {
        assert_eq!(sam.get(&unknown).await.status, 404, "{unknown}");
        assert_eq!(sam.post(&unknown, &good).await.status, 404, "{unknown}");
    }
    assert_eq!(sam.post_from_elsewhere(&path, &good).await.status, 403, "another site");
    assert_eq!(here.get("/portal").await.status, 200, "nothing was done");

    for _ in 0..2 {
        let answer = sam.post(&path, &good).await;
        assert_eq!(answer.header("location"), Some(&*format!("{ACCOUNTS}/{acme}?done=signed-out")));
        assert_eq!((here.get("/portal").await.status, there.get("/portal").await.status), (303, 303));
    }
    assert_eq!(owner.get("/portal").await.status, 200, "the others stay");
    let told = (Deed::SessionsEnded, Some(sam.id), "sessions: 2: The laptop was stolen".to_owned());
    assert_eq!(detail_of_last(&app, acme).await, told);
    let letters = app.mail_to("maya@acme.example", 1).await;
    let kinds: Vec<_> = letters.iter().map(|letter| letter.kind).collect();
    assert_eq!(kinds, [MessageKind::SignedOutBySupport], "once");
    assert!(sam.page(&format!("{ACCOUNTS}/{acme}?done=signed-out")).await.contains("signed out everywhere"));
    assert!(sam.page(&path).await.contains("that is nowhere"));
    assert_eq!(app.signed_in("maya@acme.example").await.get("/portal").await.status, 200, "the rest stays");
    app.members().remove(acme, maya, ACTOR).await.expect("removes");
    assert_eq!(sam.get(&path).await.status, 404, "is no member any more");
}

/// The second factor was seen too long ago: what is dangerous asks for it again, and keeps what was typed.
#[tokio::test]
async fn dangerous_deeds_ask_for_the_second_factor_again() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let customer = app.customer("acme").await;
    let acme = customer.account_id;
    let listed = customer.listed_key(&app).await;
    app.clock.advance(std::time::Duration::from_mins(16));
    let maya = app.member(acme, ("maya@acme.example", "Maya Okafor"), Role::Member).await;
    for (deed, confirm) in [
        ("suspend".to_owned(), "acme"),
        (format!("keys/{}/revoke", listed.id), listed.last_four.as_str()),
        (format!("members/{maya}/sign-out"), "maya@acme.example"),
    ] {
        let path = format!("{ACCOUNTS}/{acme}/{deed}");
        assert!(sam.page(&path).await.contains("name=\"code\""), "{path}");
        let form = [("reason", "Found <b>in</b> public"), ("confirm", confirm)];
        let answer = sam.post(&path, &form).await;
        assert_eq!(answer.status, 422, "{path}");
        let page = answer.html();
        assert!(
            page.contains("href=\"#code\"") && page.contains("Found &lt;b&gt;in&lt;/b&gt; public"),
            "{page}"
        );
        assert!(page.contains(&format!("value=\"{confirm}\"")), "{page}");
    }
    let calls = customer.verify(&["DE136695976"]).await;
    assert_eq!(calls.status, 200, "nothing was done");
    let form = [("plan", "standard"), ("reason", "agreed")];
    assert_eq!(
        sam.post(&format!("{ACCOUNTS}/{acme}/plan"), &form).await.status,
        303,
        "that is not dangerous"
    );
}

#[tokio::test]
async fn stored_markup_is_text_on_every_page() {
    let app = TestApp::start().await;
    let sam = app.support(MARKUP).await;
    let (acme, helen) = app.owner(MARKUP, "helen@acme.example").await;
    let maya = app.member(acme, ("maya@acme.example", MARKUP), Role::Member).await;
    let (id, _) = key(&app, acme, MARKUP, KeyMode::Live).await;
    let request = NewKeyRequest {
        account_id: acme,
        member_id: helen,
        company: MARKUP,
        vat_number: None,
        intended_use: MARKUP,
        expected_volume: ExpectedVolume::UpTo1000,
    };
    let asked = EarlyAccess::new(app.database.clone(), app.shared_clock());
    let request = asked.file(request, ACTOR).await.expect("asks");
    app.onboarding().decline(request, MARKUP, (ACTOR, "Sam Smith")).await.expect("declines");
    let mut pages = Vec::new();
    let sign_out = format!("/members/{maya}/sign-out");
    for path in ["", "/suspend", "/plan", &format!("/keys/{id}/revoke"), &sign_out] {
        pages.push(sam.page(&format!("{ACCOUNTS}/{acme}{path}")).await);
    }
    let form = [("reason", MARKUP), ("confirm", MARKUP), ("plan", MARKUP), ("requests_per_minute", MARKUP)];
    for path in ["/plan", "/suspend", &format!("/keys/{id}/revoke"), &sign_out] {
        let answer = sam.post(&format!("{ACCOUNTS}/{acme}{path}"), &form).await;
        // The company is called like that, so it can be suspended by this name.
        if answer.status != 303 {
            pages.push(answer.html().to_owned());
        }
    }
    pages.push(sam.page(&format!("{ACCOUNTS}/{acme}/restore")).await);
    let query: String = url::form_urlencoded::byte_serialize(MARKUP.as_bytes()).collect();
    pages.push(sam.page(&format!("{ACCOUNTS}?find={query}")).await);
    pages.push(sam.page(ACCOUNTS).await);
    for page in pages {
        assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert"), "{page}");
    }
}

#[tokio::test]
async fn a_database_that_is_away_is_no_empty_list() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    app.database.main.execute_unprepared("DROP TABLE audit_chain").await.expect("drops");
    let refused = app.accounts().create("acme", &Limits::default(), ACTOR).await;
    refused.expect_err("without its event there is no deed");
    assert!(sam.page(ACCOUNTS).await.contains("No account yet"), "and the deed was undone");
    app.database.main.execute_unprepared("DROP TABLE api_keys").await.expect("drops");
    let typed = format!("cv_live_{}", "a".repeat(32));
    assert_eq!(sam.post(ACCOUNTS, &[("find", &typed)]).await.status, 303);
    assert_eq!(sam.get("/staff/accounts?find=abcd").await.status, 503);
}
