//! The reference has all that the API's description has.

use crossvat::api::{document, error_code::ErrorCode};
use serde_json::Value;

use super::{between, page};
use crate::support::{Answer, TestApp, plain};

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

/// The text as a page shows it.
fn shown(value: &Value) -> String {
    value.as_str().expect("a text").replace('\n', " ").replace('`', "")
}

#[tokio::test]
async fn every_call_with_its_answers_is_there() {
    let app = TestApp::start().await;
    let html = page(&app, "/docs/reference").await;
    let headers = plain(between(&html, "<section id=\"headers\">", "</section>"));
    let (_, received) = headers.split_once("What you get").expect("two tables");
    let document: Value = serde_json::from_str(&document()).expect("JSON");
    for (path, methods) in members(&document["paths"]) {
        for (method, operation) in members(methods) {
            let id = operation["operationId"].as_str().expect("an identifier");
            let section = between(&html, &format!("<section id=\"{id}\">"), "</section>");
            let text = plain(section);
            assert!(text.starts_with(&format!("{} /v1{path}", method.to_uppercase())), "{text}");
            for about in [&operation["summary"], &operation["description"]] {
                assert!(text.contains(&shown(about)), "{about} in {text}");
            }
            for (status, response) in members(&operation["responses"]) {
                assert!(section.contains(&format!("data-kind=\"title\">{status}</th>")), "{status}");
                assert!(text.contains(&shown(&response["description"])), "{response}");
                for (header, of) in members(&response["headers"]) {
                    if of.get("$ref").is_some() {
                        assert!(received.contains(header), "{header} is told of in general");
                        continue;
                    }
                    let told = format!("With {header}: {}.", shown(&of["description"]));
                    assert!(text.contains(&told), "{told} in {text}");
                }
            }
        }
    }
    for code in ErrorCode::ALL {
        let link = format!(
            "<a href=\"/docs/errors#{code}\" rel=\"external\"><code>{code}</code></a>",
            code = code.as_str()
        );
        assert!(html.contains(&link), "{link}");
    }
}

#[tokio::test]
async fn every_field_with_its_meaning_and_values_is_there() {
    let app = TestApp::start().await;
    let html = page(&app, "/docs/reference").await;
    let document: Value = serde_json::from_str(&document()).expect("JSON");
    let mut fields = 0;
    for (schema, of) in members(&document["components"]["schemas"]) {
        let section = between(&html, &format!("<section id=\"{schema}\">"), "</section>");
        assert!(plain(section).contains(&shown(&of["description"])), "{schema}");
        for (name, field) in members(&of["properties"]) {
            fields += 1;
            let row = between(section, &format!("<code id=\"{schema}.{name}\">"), "</tr>");
            let text = plain(row);
            assert!(text.contains(&shown(&field["description"])), "{schema}.{name} is explained: {text}");
            for value in field["enum"].as_array().into_iter().flatten() {
                assert!(
                    row.contains(&format!("<code>{}</code>", value.as_str().unwrap_or("null"))),
                    "{value}"
                );
            }
            let required = of["required"].as_array().into_iter().flatten().any(|one| one == name);
            assert_eq!(text.contains("not always there"), !required, "{schema}.{name}: {text}");
        }
        assert_eq!(
            section.matches("<tr").count(),
            1 + members(&of["properties"]).count(),
            "nothing else is listed"
        );
    }
    assert!(fields > 50, "{fields}");
}

#[tokio::test]
async fn headers_that_are_described_are_sent() {
    let app = TestApp::start().await;
    let html = page(&app, "/docs/reference").await;
    let section = plain(between(&html, "<section id=\"headers\">", "</section>"));
    let sandbox = app.customer("acme").await.in_the_sandbox(&app).await;
    let answer = sandbox.verify(&["DE999993011"]).await;
    let (_, received) = section.split_once("What you get").expect("two tables");
    for header in ["X-Request-Id", "Cache-Control", "RateLimit-Policy", "RateLimit", "Retry-After"] {
        assert!(received.contains(header), "{header}");
        assert!(answer.header(header).is_some(), "{header}");
    }
    // It is not counted: nothing tells where it stands.
    let account = sandbox.account().await;
    assert_eq!(account.status, 200);
    let of_every_answer = ["X-Request-Id", "Cache-Control"];
    for header in ["X-Request-Id", "Cache-Control", "RateLimit-Policy", "RateLimit", "Retry-After"] {
        assert_eq!(account.header(header).is_some(), of_every_answer.contains(&header), "{header}");
    }
    assert!(received.contains("Of a call that is counted"), "{received}");
    let guide = plain(&page(&app, "/docs/limits").await);
    assert!(guide.contains("GET /v1/account is not counted and has neither header"), "{guide}");
}

#[tokio::test]
async fn a_word_is_found_in_fields_and_calls_without_a_script() {
    let app = TestApp::start().await;
    let html = page(&app, "/docs/reference?find=consultation").await;
    assert!(html.contains("id=\"VerificationResult.consultationNumber\""));
    assert!(!html.contains("id=\"VerificationResult.vatNumber\""));
    assert!(!html.contains("<section id=\"account\">"));
    assert!(html.contains("name=\"find\" type=\"search\" value=\"consultation\""), "{html}");
    assert!(plain(&html).contains("“consultation”: 0 calls and 3 fields."), "{}", plain(&html));
    let html = page(&app, "/docs/reference?find=429").await;
    assert!(html.contains("<section id=\"verifyVat\">") && !html.contains("data-kind=\"title\">200</th>"));
    let html = page(&app, "/docs/reference?find=%22%3E%3Cscript%3Ex").await;
    assert!(!html.contains("<script>x"));
    assert!(plain(&html).contains("Nothing here has “\"><script>x” in it."));
    let answer = Answer::of(app.http.get(app.url("/docs/reference?find=&find="))).await;
    assert_eq!(answer.status, 400);
}
