//! What the documentation shows as the server's answers are the server's answers.

use std::fs;

use serde_json::{Value, json};

use super::page;
use crate::support::{Answer, Customer, TestApp, plain};

/// A file of the documentation.
fn file(name: &str) -> String {
    fs::read_to_string(format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a file")
}

fn example(name: &str) -> Value {
    serde_json::from_str(&file(name)).expect("JSON")
}

/// A program with a test key, and the address that the examples name.
async fn caller() -> (TestApp, Customer) {
    let app = TestApp::with().set("HTTP__PUBLIC_URL", "https://crossvat.example").start().await;
    let caller = app.customer("Fenwick Marine Supplies").await.in_the_sandbox(&app).await;
    (app, caller)
}

async fn ask(caller: &Customer, question: &Value) -> Answer {
    Answer::of(caller.request().header("x-request-id", "nightly-run-17").json(question)).await
}

#[tokio::test]
async fn the_examples_are_what_the_server_answers() {
    let (app, caller) = caller().await;
    for (question, name, status) in [
        (example("examples/verify-vat.json"), "examples/verify-vat-200.json", 200),
        (json!({ "vatNumbers": [], "maxAge": 0 }), "examples/verify-vat-422.json", 422),
        (json!({ "vatNumbers": ["GB999920091", "FR20999993017"] }), "examples/verify-vat-503.json", 503),
        (
            json!({ "vatNumbers": ["GB999910095", "de 999 991 005", "FR76999992001"] }),
            "quickstart/answer.json",
            200,
        ),
    ] {
        let answer = ask(&caller, &question).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(answer.body, example(name), "{name} should be\n{:#}", answer.body);
    }
    let listed = caller.listed_key(&app).await;
    let mut account = example("examples/account-200.json");
    account["key"]["lastFour"] = json!(listed.last_four);
    let answer = app.customer("Fenwick Marine Supplies").await.with_key(&caller.key).account().await;
    assert_eq!(answer.body, account, "should be\n{:#}", answer.body);
}

#[tokio::test]
async fn the_pages_show_the_files_as_they_are() {
    let app = TestApp::start().await;
    for (language, name) in
        [("curl", "verify.sh"), ("javascript", "verify.mjs"), ("python", "verify.py"), ("rust", "verify.rs")]
    {
        let html = page(&app, &format!("/docs/quickstart?language={language}")).await;
        let shown = plain(super::between(&html, "<code id=\"program\">", "</code>"));
        assert_eq!(shown, file(&format!("quickstart/{name}")).trim_end(), "{name}");
        let printed = html.contains("<code id=\"printed\">");
        assert_eq!(printed, language != "curl");
        if printed {
            let shown = plain(super::between(&html, "<code id=\"printed\">", "</code>"));
            assert_eq!(shown, file("quickstart/printed.txt").trim_end());
        }
        assert!(plain(&html).contains(&format!("export CROSSVAT_URL={}", app.url(""))), "{language}");
    }
    let html = page(&app, "/docs/quickstart").await;
    assert!(html.contains("curl --silent"), "curl comes first");
    let reference = plain(&page(&app, "/docs/reference").await);
    for name in ["verify-vat", "verify-vat-200", "verify-vat-422", "verify-vat-503", "account-200"] {
        assert!(reference.contains(file(&format!("examples/{name}.json")).trim_end()), "{name}");
    }
}

#[test]
fn what_the_programs_print_is_what_the_answer_says() {
    let results = example("quickstart/answer.json");
    let line = |result: &Value| {
        let text = |field: &str| result[field].as_str().unwrap_or("-").to_owned();
        format!("{} {} {}\n", text("vatNumber"), text("status"), text("businessName"))
    };
    let printed: String = results["results"].as_array().expect("results").iter().map(line).collect();
    assert_eq!(printed, file("quickstart/printed.txt"));
}
