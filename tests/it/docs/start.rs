//! A number of the sandbox is tried on the start page, without an account and without a script.

use std::time::Duration;

use serde_json::Value;

use super::{between, page};
use crate::support::{Answer, TestApp, plain};

async fn tried(app: &TestApp, number: &str) -> Answer {
    let typed: String = url::form_urlencoded::byte_serialize(number.as_bytes()).collect();
    Answer::of(app.http.get(app.url(&format!("/?try={typed}")))).await
}

/// What the slip says, as it is read.
fn slip(answer: &Answer) -> String {
    plain(between(answer.html(), "id=\"first-try\"", "</section>"))
}

#[tokio::test]
async fn the_sandbox_answers_on_the_page_and_no_registry_is_asked() {
    let app = TestApp::start().await;
    for (number, parts) in [
        ("GB999910095", ["Valid", "Quillfeather Imaginary Goods Ltd"]),
        ("de 999 991 005", ["Valid", "Not disclosed by the member state"]),
        ("FR76999992001", ["Not registered", "the sandbox plays it"]),
        ("FR20999993017", ["Unavailable", "France does not answer VIES at present"]),
        ("CHE-116.281.710", ["Unsupported", "The same as a program gets it"]),
    ] {
        let answer = tried(&app, number).await;
        assert_eq!(answer.status, 200, "{number}");
        let slip = slip(&answer);
        for part in parts {
            assert!(slip.contains(part), "{number}: {part} in {slip}");
        }
        assert!(
            answer.html().contains(&format!("id=\"try\" name=\"try\" type=\"text\" value=\"{number}\"")),
            "{number}"
        );
        app.clock.advance(Duration::from_mins(1));
    }
    assert!(app.simulator.calls().is_empty(), "no registry was asked");
}

#[tokio::test]
async fn the_json_is_the_api_s_own() {
    let app = TestApp::start().await;
    let answer = tried(&app, "FR20999993017").await;
    let shown: Value =
        serde_json::from_str(&plain(between(answer.html(), "<code id=\"tried-json\">", "</code>")))
            .expect("JSON");
    let sandbox = app.customer("acme").await.in_the_sandbox(&app).await;
    let told = sandbox.verify_with(&["FR20999993017"], serde_json::json!({ "partial": true })).await;
    assert_eq!(shown, told.body);
}

#[tokio::test]
async fn the_page_shows_an_answer_before_anybody_asks() {
    let app = TestApp::start().await;
    for _ in 0..20 {
        let html = page(&app, "/").await;
        assert!(plain(&html).contains("VOORBEELD LANTAARN B.V."), "{html}");
    }
}

#[tokio::test]
async fn a_number_that_may_be_somebody_s_gets_no_verdict() {
    let app = TestApp::start().await;
    for number in ["GB980780684", "DE136695976"] {
        let answer = tried(&app, number).await;
        let slip = slip(&answer);
        assert!(slip.contains("not one of the sandbox’s numbers") && slip.contains("Not asked"), "{slip}");
        assert!(!slip.contains("\"status\""), "no JSON says that it is not registered");
    }
}

#[tokio::test]
async fn an_address_tries_five_numbers_a_minute() {
    let app = TestApp::start().await;
    for _ in 0..5 {
        assert_eq!(tried(&app, "GB999910095").await.status, 200);
    }
    let refused = tried(&app, "GB999910095").await;
    assert_eq!(refused.status, 429);
    let wait: u64 = refused.header("retry-after").and_then(|wait| wait.parse().ok()).expect("seconds");
    assert_eq!(wait, 60, "all five were tried at one moment");
    let told = slip(&refused);
    assert!(told.contains(&format!("Try again in {wait} seconds")), "{told}");
    assert!(!told.contains("Quillfeather"), "nothing was looked at");
    assert_eq!(Answer::of(app.http.get(app.url("/"))).await.status, 200, "the page itself is not limited");
    app.clock.advance(Duration::from_secs(wait));
    assert_eq!(tried(&app, "GB999910095").await.status, 200);
}

#[tokio::test]
async fn what_is_typed_stays_text_and_is_not_too_long() {
    let app = TestApp::start().await;
    let answer = tried(&app, "\"><script>alert(1)</script>").await;
    assert_eq!(answer.status, 200);
    assert!(!answer.html().contains("<script>alert"));
    let answer = tried(&app, &"9".repeat(65)).await;
    assert_eq!(answer.status, 422);
    assert!(slip(&answer).contains("64 characters at most"));
    assert_eq!(Answer::of(app.http.get(app.url("/?try=a&try=b&try=%ff"))).await.status, 200);
}
