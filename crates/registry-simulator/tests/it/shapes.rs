//! Our bodies have the fields of the recorded ones, no more and no fewer, and values of the same kind.

use std::collections::BTreeMap;

use registry_simulator::{Answer, Condition, Settings};
use serde_json::{Value, json};

use crate::support::{CREDENTIALS, GERMAN, IRISH, World, json_of};

/// The kind of every value by its path, with a list's entries taken together.
fn shape(value: &Value) -> BTreeMap<String, &'static str> {
    fn walk(path: &str, value: &Value, shape: &mut BTreeMap<String, &'static str>) {
        let kind = match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    walk(&format!("{path}.{name}"), value, shape);
                }
                "object"
            }
            Value::Array(entries) => {
                for value in entries {
                    walk(&format!("{path}[]"), value, shape);
                }
                "array"
            }
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Null => "null",
        };
        shape.insert(path.to_owned(), kind);
    }
    let mut map = BTreeMap::new();
    walk("$", value, &mut map);
    map
}

macro_rules! assert_shape {
    ($request:expr, $status:literal, $fixture:literal) => {
        let (status, body) = json_of($request).await;
        let recorded: Value = serde_json::from_str(include_str!(concat!("fixtures/", $fixture))).unwrap();
        assert_eq!(status, $status, "{}", $fixture);
        assert_eq!(shape(&body), shape(&recorded), "{}", $fixture);
    };
}

#[tokio::test]
async fn hmrcs_bodies() {
    let world = World::with(Settings { hmrc_calls_per_second: None, ..Settings::default() }).await;
    let token = world.token().await;
    assert_shape!(world.token_request(&CREDENTIALS), 200, "hmrc-token-200.json");
    assert_shape!(
        world.token_request(&[("client_secret", "x"), ("client_id", "x"), CREDENTIALS[2]]),
        401,
        "hmrc-token-401.json"
    );
    assert_shape!(world.hmrc(&token, "553557881"), 200, "hmrc-200.json");
    assert_shape!(world.hmrc(&token, "553557881/146295999727"), 200, "hmrc-200-requester.json");
    assert_shape!(world.hmrc(&token, "948561936944"), 200, "hmrc-200-12-digit.json");
    assert_shape!(world.hmrc(&token, "436189915"), 200, "hmrc-200-minimal-address.json");
    assert_shape!(world.hmrc(&token, "123456789"), 404, "hmrc-404.json");
}

#[tokio::test]
async fn viess_bodies() {
    let world = World::start().await;
    let vies = world.simulator.vies();
    assert_shape!(world.vies(IRISH), 200, "vies-200-valid.json");
    assert_shape!(world.vies_web(IRISH), 200, "vies-ms-200-requester.json");
    let two = json!({ "countryCode": "IE", "vatNumber": "1", "requesterMemberStateCode": "GB", "requesterNumber": "1" });
    assert_shape!(world.vies_body(&two), 400, "vies-400-two-errors.json");
    assert_shape!(world.vies_body(&json!([])), 500, "vies-500-errorWrappers.json");
    vies.set_member_state("DE", Condition::Down);
    assert_shape!(world.vies(GERMAN), 200, "vies-200-error-ms-unavailable.json");
    assert_shape!(world.vies_web(GERMAN), 200, "vies-userError-ms-unavailable.json");
    let magic = world.client.post(format!("{}/check-vat-test-service", world.simulator.vies_base_url()));
    assert_shape!(
        magic.json(&json!({ "countryCode": "DE", "vatNumber": "100" })),
        200,
        "vies-test-service-100.json"
    );
}

#[tokio::test]
async fn the_status_pages_equal_the_recorded_ones() {
    let world = World::start().await;
    let vies = world.simulator.vies();
    let page = || world.client.get(format!("{}/check-status", world.simulator.vies_base_url()));
    for (country, condition) in
        [("DE", Condition::Down), ("EL", Condition::Down), ("HU", Condition::Unmonitored)]
    {
        vies.set_member_state(country, condition);
    }
    let recorded: Value =
        serde_json::from_str(include_str!("fixtures/vies-check-status-200-degraded.json")).unwrap();
    assert_eq!(json_of(page()).await.1, recorded);
    vies.set_condition(Condition::Down);
    let recorded: Value =
        serde_json::from_str(include_str!("fixtures/vies-check-status-200-down.json")).unwrap();
    assert_eq!(json_of(page()).await.1, recorded);
}

#[tokio::test]
async fn recorded_bodies_can_be_replayed_byte_for_byte() {
    let world = World::start().await;
    let recorded = include_bytes!("fixtures/vies-userError-ms-unavailable.json");
    world.simulator.vies().script(IRISH.0, IRISH.1, Answer::raw(200, "application/json", *recorded));
    let body = world.vies_web(IRISH).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(body.as_ref(), recorded);
}
