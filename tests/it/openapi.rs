//! The description of the API: committed, served, and true.

use std::{collections::BTreeSet, fs, path::Path};

use crossvat::api::{document, error_code::ErrorCode};
use serde_json::Value;

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
