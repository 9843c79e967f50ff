//! The description of the API: committed, served, and true.

use std::{collections::BTreeSet, fs, path::Path};

use crossvat::{
    accounts::Limits,
    api::{document, error_code::ErrorCode},
    audit::Actor,
};
use serde_json::{Value, json};

use crate::support::{Answer, TestApp};

fn described() -> Value {
    serde_json::from_str(&document()).expect("JSON")
}

#[test]
fn the_committed_document_is_the_one_the_code_makes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.json");
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(committed.trim_end() == document().trim_end(), "docs/openapi.json is stale: run `make openapi`");
}

#[tokio::test]
async fn the_served_document_is_the_same_and_needs_no_key() {
    let app = TestApp::start().await;
    let answer = Answer::of(app.http.get(app.url("/v1/openapi.json"))).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    assert_eq!(answer.body, described());
    assert!(answer.body["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
}

#[test]
fn every_status_of_the_error_table_is_described() {
    let description = described();
    let responses = description["paths"]["/verify-vat"]["post"]["responses"].as_object().expect("responses");
    let account = description["paths"]["/account"]["get"]["responses"].as_object().expect("responses");
    for status in ["401", "403", "500", "503"] {
        assert!(account.contains_key(status), "{status}");
    }
    let told: BTreeSet<&str> = responses.keys().map(String::as_str).collect();
    for code in ErrorCode::ALL {
        let status = code.status().as_u16().to_string();
        // 404 and 405 belong to other paths and methods.
        let elsewhere = matches!(code, ErrorCode::NotFound | ErrorCode::MethodNotAllowed);
        assert_eq!(told.contains(status.as_str()), !elsewhere, "{status}");
        if !elsewhere {
            let text = responses[&status]["description"].as_str().expect("text");
            assert!(text.contains(code.as_str()), "{status} does not name {}", code.as_str());
        }
    }
}

#[tokio::test]
async fn a_result_has_no_field_that_the_document_does_not_describe() {
    let app = TestApp::start().await;
    let answer = app
        .customer("acme")
        .await
        .verify_with(
            &["gb980780684", "DE136695978"],
            serde_json::json!({ "requesterVatNumbers": ["GB434031494"] }),
        )
        .await;
    let schemas = &described()["components"]["schemas"];
    let known = schemas["VerificationResult"]["properties"].as_object().expect("properties");
    for result in answer.results() {
        for field in result.as_object().expect("an object").keys() {
            assert!(known.contains_key(field), "{field}");
        }
        for required in schemas["VerificationResult"]["required"].as_array().expect("required") {
            assert!(result.get(required.as_str().unwrap()).is_some(), "{required} is missing in {result}");
        }
    }
}

#[test]
fn the_request_is_described_as_strictly_as_it_is_read() {
    let schema = &described()["components"]["schemas"]["VerifyVatRequest"];
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], serde_json::json!(["vatNumbers"]));
    for (name, property) in schema["properties"].as_object().expect("properties") {
        assert!(property["type"].is_string(), "{name} may not be null: {property}");
    }
    assert_eq!(schema["properties"]["vatNumbers"]["items"]["maxLength"], 64);
    assert_eq!(schema["properties"]["vatNumbers"]["maxItems"], 100);
}

/// The headers that the document says are always there.
fn always_there(description: &Value, answer: &Value) -> BTreeSet<String> {
    let headers = answer["headers"].as_object().expect("headers");
    let is_required = |header: &Value| match header["$ref"].as_str().and_then(|place| place.strip_prefix('#'))
    {
        Some(place) => description.pointer(place).expect("it is there")["required"] == true,
        None => header["required"] == true,
    };
    headers.iter().filter(|(_, header)| is_required(header)).map(|(name, _)| name.clone()).collect()
}

#[tokio::test]
async fn headers_that_are_always_there_are_and_all_others_are_described() {
    let app = TestApp::start().await;
    let description = described();
    let customer = app.customer("acme").await;
    let sandbox = customer.in_the_sandbox(&app).await;
    let tight =
        app.customer_with("tight", &Limits { requests_per_minute: Some(1), ..Limits::default() }).await;
    tight.verify(&["DE136695976"]).await;
    let suspended = app.customer("suspended").await;
    app.accounts().suspend(suspended.account_id, "unpaid", &Actor::COMMAND_LINE).await.expect("suspends");
    let plain =
        |kind: &'static str, body: &'static str| customer.request().header("content-type", kind).body(body);
    let numbers = "{\"vatNumbers\":[\"DE136695976\"]}";
    let answers = [
        ("/verify-vat", "post", customer.verify(&["DE136695976"]).await),
        ("/verify-vat", "post", Answer::of(plain("application/json", "{")).await),
        ("/verify-vat", "post", Answer::of(app.http.post(app.url("/v1/verify-vat")).body(numbers)).await),
        ("/verify-vat", "post", suspended.verify(&["DE136695976"]).await),
        ("/verify-vat", "post", Answer::of(plain("text/plain", numbers)).await),
        ("/verify-vat", "post", customer.verify(&[]).await),
        ("/verify-vat", "post", tight.verify(&["DE136695976"]).await),
        ("/verify-vat", "post", sandbox.verify(&["DE999993011"]).await),
        ("/account", "get", customer.account().await),
        ("/account", "get", Answer::of(app.http.get(app.url("/v1/account"))).await),
        ("/account", "get", suspended.account().await),
        ("/status", "get", Answer::of(app.http.get(app.url("/v1/status"))).await),
    ];
    let seen: BTreeSet<u16> = answers.iter().map(|(.., answer)| answer.status).collect();
    assert_eq!(Vec::from_iter(seen), [200, 400, 401, 403, 415, 422, 429, 503]);
    for (path, method, answer) in answers {
        let told = &description["paths"][path][method]["responses"][answer.status.to_string()];
        let always = always_there(&description, told);
        assert!(
            always.contains("X-Request-Id") && always.contains("Cache-Control"),
            "{path} {}",
            answer.status
        );
        for header in &always {
            assert!(answer.header(header).is_some(), "{path} {}: no {header}", answer.status);
        }
        for header in ["RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate"] {
            let is_told = told["headers"].get(header).is_some();
            assert!(is_told || answer.header(header).is_none(), "{path} {}: {header}", answer.status);
        }
    }
}

#[test]
fn what_is_left_out_of_answers_is_never_null_instead() {
    let mut optional = 0;
    for (name, schema) in described()["components"]["schemas"].as_object().expect("schemas") {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (field, of) in schema["properties"].as_object().expect("fields") {
            if !required.contains(&Value::from(field.as_str())) {
                assert!(of["type"].is_string(), "{name}.{field}: {of}");
                optional += 1;
            }
        }
    }
    assert!(optional > 10, "{optional}: are they still found?");
}

#[tokio::test]
async fn what_the_schema_alone_would_let_in_is_told_and_refused() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let described = described();
    let fields = &described["components"]["schemas"]["VerifyVatRequest"]["properties"];
    assert_eq!(fields["supplierCountry"]["pattern"], "^[A-Za-z]{2}$");
    // JSON Schema takes 60.0 for an integer, and knows no list of countries and no forms of VAT numbers.
    for (field, value, told) in [
        ("maxAgeSeconds", json!(60.0), "60.0 is refused"),
        ("supplierCountry", json!("QQ"), "ISO 3166-1"),
        ("requesterVatNumbers", json!(["GB434031494", "GB980780684"]), "at most one GB and one EU or XI"),
    ] {
        assert!(fields[field]["description"].as_str().is_some_and(|text| text.contains(told)), "{field}");
        let answer = customer.post(&json!({ "vatNumbers": ["DE136695976"], field: value })).await;
        answer.assert_problem(422, "validation_failed");
    }
}
