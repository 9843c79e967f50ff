//! `/staff/registries`: what support sees of the ways to the registries, and opens and closes by hand.

use std::time::Duration;

use crossvat::audit::{AuditLog, Deed, LogFilter, Start};
use registry_simulator::{Answer as Says, Condition};
use serde_json::json;
use uuid::Uuid;

use crate::support::{Answer, SupportPerson, TestApp, database::DatabaseKind, plain};

const PAGE: &str = "/staff/registries";
const WHY: &str = "HMRC has announced maintenance";

/// The prefixes of the member states that a page lists.
fn listed(page: &str) -> Vec<String> {
    let table = page.split("<tbody").nth(1).unwrap_or_default();
    let prefixes = table.split("<abbr>").skip(1).filter_map(|rest| rest.split_once("</abbr>"));
    prefixes.map(|(prefix, _)| prefix.to_owned()).collect()
}

/// The value of a form's hidden field.
fn token(page: &str) -> String {
    let field = page.split("name=\"token\" value=\"").nth(1).expect("a token");
    field.split('"').next().expect("a value").to_owned()
}

async fn opens(sam: &SupportPerson, code: &str, time: &str) -> Answer {
    let path = format!("{PAGE}/{code}/open");
    let token = token(&sam.page(&path).await);
    sam.post(&path, &[("token", &token), ("time", time), ("reason", WHY)]).await
}

/// What the audit log says of breakers, newest first.
async fn deeds(app: &TestApp) -> Vec<(Deed, Option<Uuid>, String)> {
    let log = AuditLog::new(app.database.main.clone());
    let page = log.page(&LogFilter::default(), Start::Newest, 50).await.expect("events");
    let events = page.entries.into_iter().map(|entry| entry.event);
    let breakers = events.filter(|event| matches!(event.deed, Deed::BreakerOpened | Deed::BreakerClosed));
    breakers.map(|event| (event.deed, event.actor_id, event.detail)).collect()
}

#[tokio::test]
async fn what_lookups_met_is_told_and_what_was_sent_instead_of_an_answer_is_text() {
    const SENT: &str = "</pre><script>alert(1)</script>closed";
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let empty = sam.page(PAGE).await;
    for words in [
        "<h1>Nobody has asked lately</h1>",
        "None since this server started",
        "Nothing was answered in the last 15 minutes",
        "No breaker is open, nobody waits, and no lookup of the last 15 minutes was in vain.",
        "None at hand: the next lookup fetches one",
    ] {
        assert!(empty.contains(words), "{words} in {empty}");
    }
    let customer = app.customer("acme").await;
    app.simulator.vies().script("PL", "8567346215", Says::raw(502, "text/html", SENT));
    customer.verify(&["GB980780684", "DE136695976", "PL8567346215"]).await;
    let page = sam.page(PAGE).await;
    let words = plain(&page);
    for part in [
        // Three times nothing that VIES itself would say.
        "VIES does not answer",
        "08:41:07 UTC",
        "of 3.0",
        "0 of 8",
        "Nobody",
        "for the slowest in a hundred",
        "Good until",
        "from Poland, 08:41:07 UTC",
        "Not well 1",
        "All 28",
        "0 of 3",
    ] {
        assert!(words.contains(part), "{part} in {words}");
    }
    assert_eq!(listed(&page), ["PL"]);
    // Beside VIES and beside Poland.
    assert_eq!(
        page.matches("HTTP 502\n&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;closed").count(),
        2,
        "{page}"
    );
    assert!(!page.contains("<script>alert"), "{page}");
    let all = sam.page("/staff/registries?show=all").await;
    assert_eq!(listed(&all).len(), 28);
    let says_several = page.contains("others have their own");
    assert_eq!(says_several, DatabaseKind::of_this_run() == DatabaseKind::Postgres, "{page}");
    // A quarter of an hour later it is no news, but still the last one.
    app.clock.advance(Duration::from_mins(16));
    let later = sam.page(PAGE).await;
    assert!(listed(&later).is_empty() && later.contains("from Poland"), "{later}");
}

/// HMRC is asked with a token that opens it to whoever has it.
#[tokio::test]
async fn no_page_shows_a_secret_that_an_answer_repeats() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let customer = app.customer("acme").await;
    customer.verify(&["GB980780684"]).await;
    let [token] = &*app.simulator.hmrc().issued_tokens() else { panic!("one token") };
    let echo = format!("you sent Authorization: Bearer {token}");
    app.simulator.hmrc().script("434031494", Says::raw(500, "text/plain", echo.as_str()));
    customer.verify(&["GB434031494"]).await;
    let page = sam.page(PAGE).await;
    assert!(page.contains("you sent Authorization: Bearer [secret]"), "{page}");
    assert!(!page.contains(token.as_str()) && !page.contains("sandbox-secret"), "{page}");
}

#[tokio::test]
async fn a_breaker_is_opened_for_a_time_with_a_reason_and_closed_again() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let customer = app.customer("acme").await;
    let path = "/staff/registries/HMRC/open";
    let form = sam.page(path).await;
    for words in ["Until 08:46 UTC today", "Until 09:41 UTC today", "Numbers of the United Kingdom"] {
        assert!(plain(&form).contains(words), "{words} in {form}");
    }
    let token = token(&form);
    for (time, reason, words) in [
        ("forever", WHY, "Choose for how long"),
        ("3600", "", "Say why in one line"),
        ("3600", "It\nstops", "Say why in one line"),
        ("3600", "cv_live_0123456789abcdefghijklmnopqrstuvwxyzABCDE", "Leave the key out"),
    ] {
        let answer = sam.post(path, &[("token", &token), ("time", time), ("reason", reason)]).await;
        assert_eq!(answer.status, 422, "{reason}");
        let page = answer.html();
        assert!(page.contains(words) && page.contains(&token), "{words} in {page}");
        assert_eq!(page.contains(WHY), reason == WHY, "what was typed is kept: {page}");
        assert_eq!(page.contains("value=\"3600\" checked"), time == "3600", "{page}");
        assert!(!page.contains("0123456789abcdef"), "{page}");
    }
    assert_eq!(deeds(&app).await, []);

    let wanted = [("token", &*token), ("time", "3600"), ("reason", WHY)];
    for _ in 0..2 {
        let answer = sam.post(path, &wanted).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some("/staff/registries?done=opened&of=HMRC"))
        );
    }
    assert_eq!(deeds(&app).await, [(Deed::BreakerOpened, Some(sam.id), format!("HMRC, for 1 h: {WHY}"))]);
    let page = plain(&sam.page("/staff/registries?done=opened&of=HMRC").await);
    for words in [
        "HMRC is not asked",
        "HMRC is asked nothing from now on. Every server obeys within a second.",
        "By Sam Smith, 08:41 UTC today, until 09:41 UTC today: HMRC has announced maintenance",
        "Close the breaker of HMRC",
    ] {
        assert!(page.contains(words), "{words} in {page}");
    }
    let answer = customer.verify(&["GB980780684", "DE136695976"]).await;
    assert_eq!(answer.only_unresolved()["reason"], "registry_unavailable");
    let wait: u64 = answer.header("retry-after").expect("a header").parse().expect("seconds");
    assert!((3590..=3600).contains(&wait), "{wait}");
    let partial = customer.verify_with(&["GB980780684"], json!({ "partial": true })).await;
    assert_eq!(partial.results()[0]["status"], "unavailable");
    assert!(app.simulator.calls_about("GB", "980780684").is_empty());
    // Everybody reads it at the foot of the page and on the page about it.
    let footer = plain(app.visitor().get("/sign-in").await.html());
    assert!(footer.contains("HMRC is not asked at present. VIES answers."), "{footer}");
    let audit = plain(&sam.page("/staff/audit").await);
    assert!(audit.contains("Breaker opened HMRC, for 1 h: HMRC has announced maintenance"), "{audit}");

    let path = "/staff/registries/HMRC/close";
    let form = sam.page(path).await;
    assert!(plain(&form).contains("HMRC is asked again within a second, on every server"), "{form}");
    let token = self::token(&form);
    for _ in 0..2 {
        let answer = sam.post(path, &[("token", &token)]).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some("/staff/registries?done=closed&of=HMRC"))
        );
    }
    assert_eq!(deeds(&app).await.len(), 2);
    assert_eq!(deeds(&app).await[0], (Deed::BreakerClosed, Some(sam.id), "HMRC".to_owned()));
    assert_eq!(customer.verify(&["GB980780684"]).await.results()[0]["valid"], true);
    let page = plain(&sam.page("/staff/registries?done=closed&of=HMRC").await);
    assert!(page.contains("HMRC is asked again.") && page.contains("Open the breaker of HMRC"), "{page}");
    for path in ["/staff/registries/XX/open", "/staff/registries/GB/open", "/staff/registries/hmrc/close"] {
        assert_eq!(sam.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn what_opened_by_itself_says_why_and_can_be_closed() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    let customer = app.customer("acme").await;
    app.simulator.vies().set_member_state("PL", Condition::Down);
    for place in 0..5 {
        customer.verify(&[&format!("PL{}", 8_567_346_210_u64 + place)]).await;
    }
    let page = sam.page(PAGE).await;
    assert_eq!(listed(&page), ["PL"]);
    assert!(page.contains("aria-label=\"Close the breaker of Poland\""), "{page}");
    assert!(plain(&page).contains("Poland does not answer"), "{page}");
    let form = sam.page("/staff/registries/PL/close").await;
    assert!(plain(&form).contains("its own system does not answer, since 08:41:07 UTC"), "{form}");
    app.simulator.vies().set_member_state("PL", Condition::Up);
    let closed = sam.post("/staff/registries/PL/close", &[("token", &token(&form))]).await;
    assert_eq!(closed.status, 303);
    assert_eq!(customer.verify(&["PL8567346215"]).await.results()[0]["valid"], true);
    assert_eq!(deeds(&app).await, [(Deed::BreakerClosed, Some(sam.id), "Poland".to_owned())]);
    let nothing = sam.get("/staff/registries/PL/close").await;
    assert_eq!((nothing.status, nothing.header("location")), (303, Some(PAGE)), "nothing is open");
}

#[tokio::test]
async fn a_browser_that_was_left_open_opens_no_breaker_and_does_not_stay_signed_in_by_looking() {
    let app = TestApp::start().await;
    let sam = app.support("Sam Smith").await;
    app.clock.advance(Duration::from_mins(16));
    for (code, deed, form) in [
        ("PL", "open", &[("token", ""), ("time", "hand"), ("reason", WHY), ("code", "000000")][..]),
        ("PL", "close", &[("token", ""), ("code", "")]),
    ] {
        let answer = sam.post(&format!("{PAGE}/{code}/{deed}"), form).await;
        assert_eq!(answer.status, 422, "{deed}");
        assert!(answer.html().contains("Code from your app"), "{}", answer.html());
        assert_eq!(answer.html().contains(WHY), deed == "open", "what was typed is kept");
    }
    assert_eq!(deeds(&app).await, []);
    let code = sam.code(&app);
    let form = [("token", ""), ("time", "hand"), ("reason", WHY), ("code", &code)];
    assert_eq!(sam.post("/staff/registries/PL/open", &form).await.status, 303);

    // Half an hour in which nobody sits before it.
    for _ in 0..2 {
        app.clock.advance(Duration::from_mins(11));
        assert_eq!(sam.look_by_itself(PAGE).await.status, 200);
    }
    app.clock.advance(Duration::from_mins(9));
    let ended = sam.look_by_itself(PAGE).await;
    assert_eq!(ended.status, 303);
    assert!(ended.header("location").is_some_and(|to| to.starts_with("/staff/sign-in")), "{ended:?}");
    // Somebody who sits there stays.
    sam.sign_in_again(&app).await;
    for _ in 0..4 {
        app.clock.advance(Duration::from_mins(11));
        assert_eq!(sam.get(PAGE).await.status, 200);
    }
}

#[tokio::test]
async fn who_waits_when_a_breaker_is_opened_is_told_at_once() {
    let app = TestApp::with().set("HMRC__REQUESTS_PER_SECOND", "0.5").start().await;
    let sam = app.support("Sam Smith").await;
    let customer = app.customer("acme").await;
    let waiting = async { customer.verify(&["GB980780684", "GB434031494", "GB553557881"]).await };
    let opening = async {
        let path = "/staff/registries/HMRC/open";
        let form = loop {
            let form = plain(&sam.page(path).await);
            if form.contains("of 1 account wait") {
                break form;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        assert!(form.contains("now and will be answered as unavailable at once."), "{form}");
        let queue = plain(&sam.page(PAGE).await);
        assert!(queue.contains("Longest wait") && queue.contains("deadline 25 s"), "{queue}");
        assert_eq!(opens(&sam, "HMRC", "300").await.status, 303);
    };
    let (answer, ()) = tokio::join!(waiting, opening);
    answer.assert_problem(503, "registry_unavailable");
    let unresolved = answer.body["unresolved"].as_array().expect("unresolved");
    assert!(!unresolved.is_empty() && unresolved.iter().all(|one| one["reason"] == "registry_unavailable"));
}
