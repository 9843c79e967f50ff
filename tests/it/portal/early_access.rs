//! A company asks for keys and support decides: both sides of it, from signing up to the answer.

use std::time::Duration;

use crossvat::{
    audit::{Actor, Deed},
    db::entities::{account, member},
    early_access::{ExpectedVolume, KeyRequestState, NewKeyRequest},
    email::{Letter, MessageKind},
    members::Role,
};
use registry_simulator::{Answer as Says, Condition};
use sea_orm::{ConnectionTrait, EntityTrait, IntoActiveModel};
use secrecy::ExposeSecret;
use uuid::Uuid;

use crate::support::{Answer, SupportPerson, TestApp, Visitor, events_of};

const MARKUP: &str = "</blockquote><script>alert(1)</script><b title=\"&amp;";
const USE: &str = "All suppliers before the monthly invoice run.";

/// The form of somebody who signs up, with their company's number.
fn sign_up<'a>(company: &'a str, email: &'a str, number: &'a str) -> [(&'a str, &'a str); 7] {
    [
        ("name", "Tomasz Wilk"),
        ("email", email),
        ("password", Visitor::PASSWORD),
        ("company", company),
        ("vat_number", number),
        ("intended_use", USE),
        ("volume", "up_to_10000"),
    ]
}

/// The path of the link in a letter.
pub(super) fn link(app: &TestApp, letter: &Letter) -> String {
    let text = letter.body.expose_secret();
    let start = text.find("http://").expect("a link");
    let link = text[start..].split_whitespace().next().expect("a link");
    link.strip_prefix(&format!("http://{}", app.address)).expect("our own").to_owned()
}

pub(super) fn heading(answer: &Answer) -> &str {
    let rest = answer.html().split_once("<h1>").expect("a heading").1;
    rest.split_once("</h1>").expect("its end").0
}

/// Somebody who has signed up, confirmed and signed in; and the account.
async fn asker(app: &TestApp, company: &str, email: &str, number: &str) -> (Visitor, Uuid) {
    let visitor = app.visitor();
    assert_eq!(visitor.post("/sign-up", &sign_up(company, email, number)).await.status, 200);
    let letter = app.mail_to(email, 1).await.remove(0);
    let confirmed = visitor.post(&link(app, &letter), &[("password", Visitor::PASSWORD)]).await;
    assert_eq!(confirmed.header("location"), Some("/portal"));
    let account = app.accounts().named(company).await.expect("answers").expect("there").id;
    (visitor, account)
}

/// The request of an account that support is to decide, as the path of its page.
async fn request_of(app: &TestApp, account: Uuid) -> String {
    let requests = app.early_access().of_account(account).await.expect("requests");
    format!("/staff/requests/{}", requests[0].id)
}

/// The page once it says `words`: what is asked while nobody waits takes a moment.
async fn page_with(reader: &Visitor, path: &str, words: &str) -> String {
    let asked = async {
        loop {
            // The framework's marks between texts are no words.
            let page = reader.page(path).await.replace("<!>", "");
            if page.contains(words) {
                return page;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), asked).await.expect("it is said in time")
}

async fn deeds(app: &TestApp, account: Uuid) -> Vec<Deed> {
    let events = events_of(&app.database, account).await;
    events.iter().map(|event| event.deed).collect()
}

#[tokio::test]
async fn a_request_is_asked_seen_and_approved() {
    let app = TestApp::start().await;
    app.simulator.vies().script("DK", "13585628", Says::valid("ØRESUND BÅDUDSTYR A/S", "Havnegade 1"));
    let (signe, account) =
        asker(&app, "Øresund Bådudstyr A/S", "signe@oresund.example", "dk 13 58 56 28").await;
    let home = signe.get("/portal").await;
    assert_eq!(heading(&home), "Your request is with support");
    let keys = signe.page("/portal/keys").await;
    assert!(keys.contains("Keys come with your approval"), "{keys}");
    assert!(!keys.contains("/portal/keys/new"), "nothing leads to where nothing can be made");
    let own = signe.page("/portal/keys/request").await;
    for part in ["Øresund Bådudstyr A/S", USE, "Up to 10,000", "signe@oresund.example", "<abbr"] {
        assert!(own.contains(part), "{part} in {own}");
    }
    assert!(!own.contains("ØRESUND BÅDUDSTYR"), "what the registry says is for support: {own}");

    let priya = app.support("Priya Nair").await;
    let queue = page_with(&priya, "/staff", "ØRESUND BÅDUDSTYR").await;
    for part in [
        "1 request for early access",
        "It has waited less than one working day.",
        "Øresund Bådudstyr A/S",
        USE,
        "Tomasz Wilk, signe@oresund.example",
        "Address confirmed",
        "Up to 10,000 numbers a month",
        "Approve, Standard plan",
        "Issue a key by phone",
    ] {
        assert!(queue.replace("<!>", "").contains(part), "{part} in {queue}");
    }
    let request = request_of(&app, account).await;
    let approved = priya
        .post(
            &request,
            &[
                ("do", "approve"),
                ("plan", "standard"),
                ("requests_per_minute", "300"),
                ("numbers_per_month", "75,000"),
            ],
        )
        .await;
    assert_eq!(approved.status, 303);
    let after = priya.page(approved.header("location").expect("back")).await;
    assert!(
        after.contains("Øresund Bådudstyr A/S is approved. A link to the first key is on its way"),
        "{after}"
    );
    assert!(after.contains("No request waits") && after.contains("was approved by Priya Nair,"), "{after}");

    let letters = app.mail_to("signe@oresund.example", 2).await;
    assert_eq!(letters[1].kind, MessageKind::KeyRequestApproved);
    let terms = app.accounts().find(account).await.expect("answers").expect("there").terms;
    assert_eq!((terms.requests_per_minute, terms.numbers_per_month), (300, 75_000));
    assert_eq!(heading(&signe.get("/portal").await), "Your access is approved");
    assert_eq!(
        signe.get("/portal/keys/request").await.header("location"),
        Some("/portal/keys"),
        "there is nothing to ask for any more"
    );
    let done = deeds(&app, account).await;
    assert!(done.ends_with(&[Deed::KeyRequestApproved, Deed::LinkIssued]), "{done:?}");
}

#[tokio::test]
async fn while_a_request_waits_or_is_declined_no_key_is_made_or_changed() {
    let app = TestApp::start().await;
    let (helen, account) = asker(&app, "Fenwick Marine", "helen@fenwick.example", "").await;
    let priya = app.support("Priya Nair").await;
    let refused = async |state: &str| {
        for path in ["/portal/keys/new", "/portal/check"] {
            let form = [("name", "ERP"), ("kind", "live"), ("numbers", "DE136695976")];
            let answer = if path == "/portal/check" {
                let parts = [("numbers", None, &b"DE136695976"[..])];
                helen.post_parts(path, &parts).await
            } else {
                helen.post(path, &form).await
            };
            let to = path.trim_end_matches("/new");
            assert_eq!((answer.status, answer.header("location")), (303, Some(to)), "{state} {path}");
        }
        for deed in ["rotate", "revoke", "rename"] {
            let path = format!("/portal/keys/{}/{deed}", Uuid::nil());
            assert_eq!(helen.post(&path, &[("name", "x")]).await.status, 404, "{state} {deed}");
        }
        assert_eq!(helen.get("/portal/keys/new").await.header("location"), Some("/portal/keys"), "{state}");
        assert!(app.api_keys().list(account).await.expect("keys").is_empty(), "{state}");
    };
    refused("waiting").await;
    let request = request_of(&app, account).await;
    let declined = priya.post(&request, &[("do", "decline"), ("reason", "Which company are you?")]).await;
    assert_eq!(declined.status, 303);
    refused("declined").await;
    let again = sign_up("Fenwick Marine", "", "");
    let form: Vec<_> = again.into_iter().skip(3).chain([("do", "ask")]).collect();
    assert_eq!(helen.post("/portal/keys/request", &form).await.status, 303);
    assert_eq!(helen.post("/portal/keys/request", &[("do", "withdraw")]).await.status, 303);
    assert_eq!(heading(&helen.get("/portal").await), "Your request is withdrawn");
    refused("withdrawn").await;
}

#[tokio::test]
async fn a_declined_request_is_told_by_mail_and_can_be_asked_again() {
    let app = TestApp::start().await;
    let (helen, account) = asker(&app, "Fenwick Marine", "helen@fenwick.example", "GB434031494").await;
    let priya = app.support("Priya Nair").await;
    let request = request_of(&app, account).await;
    let (long, customer) = ("ø".repeat(2001), app.customer("Somebody").await);
    for (reason, kept) in [("", ""), (" \n ", ""), (&*long, &*long), (&*customer.key, "")] {
        let answer = priya.post(&request, &[("do", "decline"), ("reason", reason)]).await;
        assert_eq!(answer.status, 422, "{reason}");
        assert!(answer.html().contains("<title>Error: Request of Fenwick Marine"), "{reason}");
        assert!(!answer.html().contains(&customer.key), "a key is not shown again");
        assert!(answer.html().contains(kept), "what was typed is kept");
    }
    let reason = "Which company are you?\r\nBcc: everybody@evil.example\r\n\r\nWrite from its own domain.";
    let declined = priya.post(&request, &[("do", "decline"), ("reason", reason)]).await;
    assert_eq!(declined.status, 303);
    let letters = app.mail_to("helen@fenwick.example", 2).await;
    let letter = &letters[1];
    assert_eq!(letter.kind, MessageKind::KeyRequestDeclined);
    let body = letter.body.expose_secret();
    assert!(body.contains("Priya of Crossvat support has declined") && !body.contains("Nair"), "{body}");
    assert!(body.contains("Bcc: everybody@evil.example"), "a line of the text, and no more: {body}");
    assert_eq!(&*letter.subject.to_string(), "Your request for API keys is declined");
    assert_eq!(app.mail.to("everybody@evil.example").len(), 0);

    let home = helen.page("/portal").await;
    assert!(
        home.contains("Support has declined your request") && home.contains("Which company are you?"),
        "{home}"
    );
    let form = helen.page("/portal/keys/request").await;
    assert!(form.contains("value=\"GB434031494\"") && form.contains("Why it was declined"), "{form}");
    for (field, bad, words) in [
        ("company", "", "A company's name needs 1 to"),
        ("vat_number", "434031494", "Begin with the country"),
        ("intended_use", " ", "Say what you will check and when"),
        ("volume", "many", "Choose about how many"),
    ] {
        let form = sign_up("Fenwick <b>Marine</b>", "", "GB434031494");
        let form: Vec<_> = form
            .into_iter()
            .skip(3)
            .map(|(name, value)| if name == field { (name, bad) } else { (name, value) })
            .chain([("do", "ask")])
            .collect();
        let answer = helen.post("/portal/keys/request", &form).await;
        assert_eq!(answer.status, 422, "{field}");
        assert!(answer.html().replace("&#x27;", "'").contains(words), "{field}: {answer:?}");
        if field != "company" {
            assert!(answer.html().contains("Fenwick &lt;b&gt;Marine"), "{field}: what was typed is kept");
        }
    }
    let again: Vec<_> =
        sign_up("Fenwick Marine", "", "GB434031494").into_iter().skip(3).chain([("do", "ask")]).collect();
    for _ in 0..2 {
        // Sent twice, it is asked once.
        assert_eq!(helen.post("/portal/keys/request", &again).await.header("location"), Some("/portal"));
    }
    let requests = app.early_access().of_account(account).await.expect("requests");
    let states: Vec<_> = requests.iter().map(|request| request.state).collect();
    assert_eq!(states, [KeyRequestState::Open, KeyRequestState::Declined]);
}

/// Nobody need look whether somebody waits.
#[tokio::test]
async fn each_new_request_is_told_once_to_the_address_that_is_set() {
    const TOLD: &str = "support@crossvat.example";
    let app = TestApp::with()
        .set("ACCOUNTS__SIGNUP", "early_access")
        .set("EMAIL__REQUESTS_TO", "Support@Crossvat.example")
        .set("EMAIL__TRANSPORT", "file")
        .set("EMAIL__FOLDER", "letters")
        .set("EMAIL__FROM", "Crossvat <crossvat@crossvat.example>")
        .start()
        .await;
    let (helen, account) = asker(&app, "Fenwick <b>Marine", "helen@fenwick.example", "").await;
    let letters = app.mail_to(TOLD, 1).await;
    assert_eq!(letters[0].kind, MessageKind::KeyRequestFiled);
    assert_eq!(&*letters[0].subject.to_string(), "Fenwick <b>Marine asks for API keys");
    let body = letters[0].body.expose_secret();
    assert!(body.contains("Fenwick <b>Marine asks") && !body.contains("helen@"), "{body}");
    assert_eq!(link(&app, &letters[0]), "/staff");

    // Whoever signs up once more asks nothing new.
    let again = sign_up("Fenwick Sails", "helen@fenwick.example", "");
    assert_eq!(app.visitor().post("/sign-up", &again).await.status, 200);
    assert_eq!(helen.post("/portal/keys/request", &[("do", "withdraw")]).await.status, 303);
    let asks = async || {
        let form = sign_up("Fenwick Boats", "", "").into_iter().skip(3).chain([("do", "ask")]);
        helen.post("/portal/keys/request", &form.collect::<Vec<_>>()).await.status
    };
    // Without its letter no request is there, and no letter without its request.
    let db = &app.database.main;
    db.execute_unprepared("ALTER TABLE outbox RENAME TO away").await.expect("renames");
    assert_eq!(asks().await, 503);
    db.execute_unprepared("ALTER TABLE away RENAME TO outbox").await.expect("renames");
    let requests = app.early_access().of_account(account).await.expect("requests");
    assert_eq!(requests.len(), 1, "{requests:?}");
    for _ in 0..2 {
        assert_eq!(asks().await, 303);
    }
    // Letters go out in turn: once this one has, so have all before it.
    helen.post("/forgot-password", &[("email", "helen@fenwick.example")]).await;
    app.mail_to("helen@fenwick.example", 3).await;
    let told: Vec<_> = app.mail.to(TOLD).iter().map(|letter| letter.subject.to_string()).collect();
    assert_eq!(told, ["Fenwick <b>Marine asks for API keys", "Fenwick Boats asks for API keys"]);
}

#[tokio::test]
async fn the_answer_to_whoever_was_removed_goes_to_an_owner_and_pages_say_so() {
    let app = TestApp::start().await;
    let (tomasz, account) = asker(&app, "Fenwick Marine", "tomasz@fenwick.example", "").await;
    let helen = app.member(account, ("helen@fenwick.example", "Helen Fenwick"), Role::Owner).await;
    let asker = app.members().list(account).await.expect("members").pop().expect("the last by name").id;
    let by_helen = Actor::member(helen, [203, 0, 113, 9].into());
    app.members().remove(account, asker, &by_helen).await.expect("removes");
    assert_eq!(tomasz.get("/portal").await.status, 303, "signed out");
    let reader = app.signed_in("helen@fenwick.example").await;
    for path in ["/portal", "/portal/keys", "/portal/keys/request"] {
        let page = reader.page(path).await.replace("<!>", "");
        assert!(page.contains("to an owner of the account"), "{path}: {page}");
        assert!(!page.contains("tomasz@fenwick.example") && !page.contains("removed"), "{path}: {page}");
    }
    let priya = app.support("Priya Nair").await;
    let queue = priya.page("/staff").await.replace("<!>", "");
    assert!(queue.contains("Tomasz Wilk <small>No member any more</small>"), "{queue}");
    let request = request_of(&app, account).await;
    let declined = priya.post(&request, &[("do", "decline"), ("reason", "Which company are you?")]).await;
    let after = priya.page(declined.header("location").expect("back")).await.replace("<!>", "");
    assert!(after.contains("The reason is on its way to an owner of the account."), "{after}");
    let letter = app.mail_to("helen@fenwick.example", 1).await.remove(0);
    assert_eq!(letter.kind, MessageKind::KeyRequestDeclined);
}

#[tokio::test]
async fn a_viewer_sees_the_request_and_neither_asks_nor_withdraws() {
    let app = TestApp::start().await;
    let (helen, account) = asker(&app, "Fenwick Marine", "helen@fenwick.example", "").await;
    let viewer = app.signed_in_as(account, "Vera", Role::Viewer).await;
    let page = viewer.page("/portal/keys/request").await;
    assert!(page.contains(USE) && !page.contains("Withdraw the request"), "{page}");
    assert_eq!(viewer.post("/portal/keys/request", &[("do", "withdraw")]).await.status, 403);
    let other = app.owner("Other", "owner@other.example").await;
    let stranger = app.signed_in("owner@other.example").await;
    assert_eq!(stranger.post("/portal/keys/request", &[("do", "withdraw")]).await.status, 303);
    let open = app.early_access().of_account(account).await.expect("requests");
    assert_eq!(open[0].state, KeyRequestState::Open, "{other:?} has taken back nothing of others");
    assert_eq!(helen.post("/portal/keys/request", &[("do", "withdraw")]).await.status, 303);
    assert_eq!(viewer.get("/portal/keys/request").await.status, 403, "there is only a form now");
    assert_eq!(viewer.post("/portal/keys/request", &[("do", "ask")]).await.status, 403);
}

#[tokio::test]
async fn the_second_decision_is_told_of_the_first() {
    let app = TestApp::start().await;
    let (_, account) = asker(&app, "Fenwick Marine", "helen@fenwick.example", "").await;
    let (priya, owen) = (app.support("Priya Nair").await, app.support("Owen Hughes").await);
    let request = request_of(&app, account).await;
    assert_eq!(priya.post(&request, &[("do", "approve")]).await.status, 303);
    for deed in [("do", "approve"), ("do", "decline"), ("do", "ask")] {
        let late = owen.post(&request, &[deed, ("reason", "No.")]).await;
        assert_eq!(late.status, 409, "{deed:?}");
        assert!(late.html().contains("Somebody was quicker"), "{deed:?}");
        assert!(late.html().contains("Approved by Priya Nair"), "{deed:?}");
        assert!(!late.html().contains("value=\"approve\""), "{deed:?}");
    }
    assert!(owen.page(&request).await.contains("Approved by Priya Nair"));
    assert_eq!(app.mail_to("helen@fenwick.example", 2).await.len(), 2, "and one letter says so");
    for nowhere in ["/staff/requests/none", "/staff/requests/018f0000-0000-7000-8000-000000000000"] {
        assert_eq!(owen.get(nowhere).await.status, 404);
        assert_eq!(owen.post(nowhere, &[("do", "approve")]).await.status, 404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_decide_at_once_one_does() {
    let app = TestApp::start().await;
    let (priya, owen) = (app.support("Priya Nair").await, app.support("Owen Hughes").await);
    for round in 0..5 {
        let email = format!("asker@round{round}.example");
        let (account, member) = app.owner(&format!("Round {round}"), &email).await;
        let request = NewKeyRequest {
            account_id: account,
            member_id: member,
            company: "Round",
            vat_number: None,
            intended_use: USE,
            expected_volume: ExpectedVolume::More,
        };
        app.early_access().file(request, &Actor::COMMAND_LINE).await.expect("files");
        let path = request_of(&app, account).await;
        let (yes, no) = tokio::join!(
            priya.post(&path, &[("do", "approve")]),
            owen.post(&path, &[("do", "decline"), ("reason", "No.")])
        );
        let mut statuses = [yes.status, no.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [303, 409], "{yes:?} {no:?}");
        let approved = yes.status == 303;
        let letter = &app.mail_to(&email, 1).await[0];
        let kind = if approved { MessageKind::KeyRequestApproved } else { MessageKind::KeyRequestDeclined };
        assert_eq!(letter.kind, kind);
        let links = app.links().claims(Some(account), 9).await.expect("links").len();
        assert_eq!(links, usize::from(approved), "no link without the decision");
    }
}

#[tokio::test]
async fn a_decision_needs_the_second_factor_of_lately_and_keeps_what_was_typed() {
    let app = TestApp::start().await;
    let (_, account) = asker(&app, "Fenwick Marine", "helen@fenwick.example", "").await;
    let priya = app.support("Priya Nair").await;
    let request = request_of(&app, account).await;
    app.clock.advance(Duration::from_mins(16));
    for form in [
        vec![("do", "approve"), ("requests_per_minute", "250"), ("plan", "standard")],
        vec![("do", "decline"), ("reason", "Which company are you?")],
    ] {
        let answer = priya.post(&request, &form).await;
        assert_eq!(answer.status, 422, "{form:?}");
        assert!(answer.html().contains("name=\"code\""), "{form:?}");
        assert!(answer.html().contains(form[1].1), "{form:?}: what was typed is kept");
    }
    let issued = priya
        .post(
            "/staff/issue",
            &[
                ("company", "Pennine Winches"),
                ("contact", "Dev Malik"),
                ("email", "dev@pennine.example"),
                ("name", "ERP, Leeds"),
                ("kind", "test"),
                ("plan", "standard"),
            ],
        )
        .await;
    assert_eq!(issued.status, 422);
    for kept in ["Pennine Winches", "Dev Malik", "dev@pennine.example", "ERP, Leeds", "name=\"code\""] {
        assert!(issued.html().contains(kept), "{kept}");
    }
    let requests = app.early_access().of_account(account).await.expect("requests");
    assert_eq!(requests[0].state, KeyRequestState::Open);
    assert!(app.accounts().named("Pennine Winches").await.expect("answers").is_none());
    let wrong = priya.post(&request, &[("do", "approve"), ("code", "000000")]).await;
    assert_eq!(wrong.status, 422);
    let code = priya.code(&app);
    assert_eq!(priya.post(&request, &[("do", "approve"), ("code", &code)]).await.status, 303);
    assert_eq!(priya.get("/staff").await.status, 200);
}

#[tokio::test]
async fn an_outage_says_nothing_of_the_number_and_holds_nothing_up() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("DK", Condition::Down);
    let (_, account) = asker(&app, "Øresund", "signe@oresund.example", "DK13585628").await;
    let priya = app.support("Priya Nair").await;
    let request = request_of(&app, account).await;
    let queue = page_with(&priya, "/staff", "VIES did not answer").await;
    assert!(
        queue.contains("Unavailable") && queue.contains("This says nothing about the number."),
        "{queue}"
    );
    assert!(!queue.contains("Not registered"), "{queue}");
    app.simulator.vies().set_member_state("DK", Condition::Up);
    app.simulator.vies().script("DK", "13585628", Says::valid("ØRESUND A/S", "Havnegade 1"));
    let asked = priya.post(&request, &[("do", "ask")]).await;
    assert_eq!(asked.header("location"), Some(&*request));
    let page = priya.page(&request).await;
    assert!(page.contains("ØRESUND A/S") && page.contains("Valid"), "{page}");
    assert_eq!(priya.post(&request, &[("do", "approve")]).await.status, 303);
}

#[tokio::test]
async fn a_number_that_is_not_registered_is_told_to_support_and_as_a_doubt_to_the_asker() {
    let app = TestApp::start().await;
    let (signe, account) = asker(&app, "Øresund", "signe@oresund.example", "DE136695975").await;
    let priya = app.support("Priya Nair").await;
    page_with(&priya, &request_of(&app, account).await, "Not registered").await;
    let own = signe.page("/portal/keys/request").await;
    assert!(own.contains("VIES does not confirm this number."), "{own}");
}

#[tokio::test]
async fn signing_up_is_no_way_to_ask_the_registries() {
    let app = TestApp::start().await;
    let visitor = app.visitor();
    let priya = app.support("Priya Nair").await;
    for place in 0..8 {
        let (company, email) = (format!("Company {place}"), format!("asker@place{place}.example"));
        let number = format!("DK1358562{place}");
        let answer = visitor.post("/sign-up", &sign_up(&company, &email, &number)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        for said in ["Valid<", "Not registered<", "VIES"] {
            let main = answer.html().split("<main").nth(1).and_then(|rest| rest.split("</main").next());
            assert!(!main.expect("a page").contains(said), "the answer says nothing of the number");
        }
        if place < 5 {
            let account = app.accounts().named(&company).await.expect("answers").expect("there").id;
            page_with(&priya, &request_of(&app, account).await, "VIES, ").await;
        }
    }
    let asked =
        (0..8).filter(|place| !app.simulator.calls_about("DK", &format!("1358562{place}")).is_empty());
    assert_eq!(asked.count(), 5, "more are filed than asked about");
    let account = app.accounts().named("Company 7").await.expect("answers").expect("there").id;
    let unasked = request_of(&app, account).await;
    page_with(&priya, &unasked, "VIES was not asked yet").await;
    assert_eq!(priya.post(&unasked, &[("do", "ask")]).await.status, 303);
    assert_eq!(app.simulator.calls_about("DK", "13585627").len(), 1);
}

#[tokio::test]
async fn support_sees_accounts_that_a_request_resembles() {
    let app = TestApp::start().await;
    app.owner("Pennine Winches Ltd", "alan@pennine.example").await;
    app.owner("Gmail Traders", "somebody@gmail.com").await;
    let (_, account) = asker(&app, "Pennine Winches", "dev@pennine.example", "").await;
    let priya = app.support("Priya Nair").await;
    let page = priya.page(&request_of(&app, account).await).await;
    for part in
        ["Pennine Winches Ltd", "Same mail domain, same name. Owner: Helen Fenwick", "already has an account"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    for (company, email) in [("Another", "other@gmail.com"), ("Pennine", "x@y.example")] {
        let (_, account) = asker(&app, company, email, "").await;
        let page = priya.page(&request_of(&app, account).await).await;
        assert!(page.contains("<dd>None</dd>") && !page.contains("already has an account"), "{page}");
    }
}

#[tokio::test]
async fn a_company_is_recognised_however_its_name_is_written() {
    let app = TestApp::start().await;
    for (place, (there, asks)) in [
        ("Velaria-Tirrena", "Velaria Tirrena S.r.l."),
        ("(Ørsted) & Søn ApS", "ØRSTED SØN"),
        ("100% Rope", "100 Rope Ltd"),
        ("Αθηναϊκή Ναυτιλιακή", "ΑΘΗΝΑΪΚΉ ΝΑΥΤΙΛΙΑΚΉ"),
    ]
    .into_iter()
    .enumerate()
    {
        app.owner(there, &format!("owner{place}@gmail.com")).await;
        let (_, account) = asker(&app, asks, &format!("asker{place}@gmail.com"), "").await;
        let page = app.support("Priya Nair").await.page(&request_of(&app, account).await).await;
        assert!(page.contains("Same name. Owner: Helen Fenwick"), "{there} for {asks}: {page}");
    }
}

#[tokio::test]
async fn a_request_that_resembles_many_accounts_takes_nothing_from_the_others() {
    let app = TestApp::start().await;
    let (account, owner) = app.owner("Pennine Winches", "alan@pennine.example").await;
    let db = &app.database.main;
    let account = account::Entity::find_by_id(account).one(db).await.expect("answers").expect("there");
    let owner = member::Entity::find_by_id(owner).one(db).await.expect("answers").expect("there");
    let (accounts, members): (Vec<_>, Vec<_>) = (1..=201)
        .map(|place| {
            let id = Uuid::from_u128(place);
            let name = format!("Everywhere {place}");
            let account = account::Model { id, name, ..account.clone() };
            let email = format!("owner{place}@everywhere.example");
            let owner = member::Model { id, account_id: id, email, ..owner.clone() };
            (account.into_active_model(), owner.into_active_model())
        })
        .unzip();
    account::Entity::insert_many(accounts).exec_without_returning(db).await.expect("inserts");
    member::Entity::insert_many(members).exec_without_returning(db).await.expect("inserts");
    asker(&app, "Everywhere", "asker@everywhere.example", "").await;
    asker(&app, "Ropes", "asker@pennine.example", "").await;
    let queue = app.support("Priya Nair").await.page("/staff").await;
    assert!(queue.contains("Everywhere 1<") && queue.contains(">Pennine Winches<"), "{queue}");
}

#[tokio::test]
async fn who_waits_longer_than_a_working_day_is_said() {
    let app = TestApp::start().await;
    asker(&app, "First", "asker@first.example", "").await;
    app.clock.advance(Duration::from_hours(26));
    asker(&app, "Second", "asker@second.example", "").await;
    let priya = app.support("Priya Nair").await;
    let queue = priya.page("/staff").await;
    assert!(queue.contains("2 requests for early access"), "{queue}");
    assert!(queue.contains("The first has waited longer than one working day."), "{queue}");
    assert!(queue.find(">First<") < queue.find(">Second<"), "oldest first: {queue}");
    assert!(queue.contains("1 day 2 h ago") && queue.contains("just now"), "{queue}");
}

#[tokio::test]
async fn what_askers_and_support_type_is_shown_as_text() {
    let app = TestApp::start().await;
    let visitor = app.visitor();
    let mut form = sign_up(MARKUP, "helen@fenwick.example", "").to_vec();
    form[5].1 = MARKUP;
    assert_eq!(visitor.post("/sign-up", &form).await.status, 200);
    let letter = app.mail_to("helen@fenwick.example", 1).await.remove(0);
    visitor.post(&link(&app, &letter), &[("password", Visitor::PASSWORD)]).await;
    visitor.sign_in("helen@fenwick.example", Visitor::PASSWORD).await;
    let account = app.accounts().named(MARKUP).await.expect("answers").expect("there").id;
    let priya = app.support("Priya Nair").await;
    let request = request_of(&app, account).await;
    let pages = async |path: &str, reader: &Visitor| {
        let page = reader.page(path).await;
        assert!(!page.contains("<script>alert"), "{path}: {page}");
        assert!(page.contains("&lt;script&gt;alert"), "{path}: it is there as text");
    };
    for path in ["/staff", &request, &format!("/staff/accounts/{account}")] {
        pages(path, &priya).await;
    }
    pages("/portal/keys/request", &visitor).await;
    let declined = priya.post(&request, &[("do", "decline"), ("reason", MARKUP)]).await;
    assert_eq!(declined.status, 303);
    for path in [declined.header("location").expect("back"), &request] {
        pages(path, &priya).await;
    }
    for path in ["/portal", "/portal/keys/request"] {
        pages(path, &visitor).await;
    }
}

#[tokio::test]
async fn who_signs_up_has_all_of_it_or_nothing() {
    let app = TestApp::start().await;
    app.database.main.execute_unprepared("DROP TABLE key_requests").await.expect("drops");
    let answer =
        app.visitor().post("/sign-up", &sign_up("Fenwick Marine", "helen@fenwick.example", "")).await;
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("60")));
    assert!(answer.html().contains("Look whether it was done before you send it again"), "{answer:?}");
    assert!(app.accounts().named("Fenwick Marine").await.expect("answers").is_none());
    assert!(app.mail.to("helen@fenwick.example").is_empty());
}

/// Support decides by the address of a page that somebody else may have sent: forms of other sites change nothing.
#[tokio::test]
async fn another_site_decides_nothing() {
    let app = TestApp::start().await;
    let (_, account) = asker(&app, "Fenwick Marine", "helen@fenwick.example", "").await;
    let priya: SupportPerson = app.support("Priya Nair").await;
    let request = request_of(&app, account).await;
    for (path, form) in [
        (&*request, [("do", "approve")]),
        ("/staff/issue", [("company", "x")]),
        ("/staff/links/x", [("do", "again")]),
    ] {
        assert_eq!(priya.post_from_elsewhere(path, &form).await.status, 403, "{path}");
    }
    let requests = app.early_access().of_account(account).await.expect("requests");
    assert_eq!(requests[0].state, KeyRequestState::Open);
}
