//! The controls over HTTP, under `/control`: what the handles do, for `curl` and for browser tests. Bodies are
//! JSON whatever their `Content-Type` says. Calls to these paths are not in the log.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    routing::{get, post, put},
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    condition::Condition, hmrc::ConsultationNumbers, script::Script, vies::member_states, world::World,
};

/// What `GET /control` answers.
const HELP: &str = r#"Controls of the registry simulator (PUT and POST are the same; every field may be left out):

GET    /control/log                every call, a line each; DELETE forgets them and the counters
GET    /control/calls              the same as JSON
GET    /control/state              conditions, scripts and counters as JSON
POST   /control/reset              back to the start
PUT    /control/now                {"now": "2026-07-15T09:43:17Z"}; null goes back to the real time
PUT    /control/vies               {"condition": "down", "delay_ms": 500, "limit": 8, "limit_per_member_state": 3,
                                    "refuses_unknown_requesters": true}; a limit of 0 is none
PUT    /control/vies/DE            {"condition": "down", "delay_ms": 500}
PUT    /control/hmrc               {"condition": "down", "delay_ms": 500, "backend_failing": true,
                                    "calls_per_second": 3, "consultation_numbers": "hyphens",
                                    "token_lifetime_s": 60, "client_id": "a", "client_secret": "b"}
PUT    /control/hmrc/tokens        a script for the token endpoint
DELETE /control/hmrc/tokens        revokes every token
PUT    /control/numbers/DE811569869    a script; DELETE forgets it. GB numbers are HMRC's, all others VIES's

Conditions: "up", "down", "silent", "html", "unmonitored", {"answering": STEP}
Script:     {"steps": [STEP, STEP], "then": STEP}; each step is for one call, "then" for all calls after them
Step:       {"answer": "usual" | "valid" | "not_registered" | "error" | "html" | "empty" | "truncated" | "cut_off" |
             "raw" | "reset" | "silence", "delay_ms": 100, "body_ms": 100}
            "valid" has name and address, "error" code (and status, message), "html" status,
            "raw" body (and status, content_type)
"#;

type Outcome = Result<&'static str, (StatusCode, String)>;

/// The paths below `/control`.
pub(crate) fn router() -> Router<Arc<World>> {
    Router::new()
        .route("/", get(async || HELP))
        .route("/log", get(log).delete(clear_log))
        .route("/calls", get(calls))
        .route("/state", get(state))
        .route("/reset", post(reset))
        .route("/now", put(set_now).post(set_now))
        .route("/vies", put(set_vies).post(set_vies))
        .route("/vies/{country}", put(set_member_state).post(set_member_state))
        .route("/hmrc", put(set_hmrc).post(set_hmrc))
        .route("/hmrc/tokens", put(script_tokens).post(script_tokens).delete(revoke_tokens))
        .route("/numbers/{number}", put(script).post(script).delete(unscript))
        .method_not_allowed_fallback(async || (StatusCode::METHOD_NOT_ALLOWED, HELP))
        .fallback(async || (StatusCode::NOT_FOUND, HELP))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Now {
    now: Option<DateTime<Utc>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberStateControl {
    condition: Option<Condition>,
    delay_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ViesControl {
    condition: Option<Condition>,
    delay_ms: Option<u64>,
    limit: Option<u32>,
    limit_per_member_state: Option<u32>,
    refuses_unknown_requesters: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HmrcControl {
    condition: Option<Condition>,
    delay_ms: Option<u64>,
    backend_failing: Option<bool>,
    calls_per_second: Option<u32>,
    consultation_numbers: Option<ConsultationNumbers>,
    token_lifetime_s: Option<u64>,
    client_id: Option<String>,
    client_secret: Option<String>,
}

async fn log(State(world): State<Arc<World>>) -> String {
    let mut text = String::new();
    for call in world.log.calls() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{call}");
    }
    text
}

async fn calls(State(world): State<Arc<World>>) -> Json<Value> {
    Json(json!(world.log.calls()))
}

async fn clear_log(State(world): State<Arc<World>>) -> &'static str {
    world.clear_log();
    "ok\n"
}

async fn state(State(world): State<Arc<World>>) -> Json<Value> {
    Json(json!({
        "in_flight": world.log.in_flight(),
        "peak_in_flight": world.log.peak_in_flight(),
        "hmrc": world.hmrc.describe(),
        "vies": world.vies.describe(),
    }))
}

async fn reset(State(world): State<Arc<World>>) -> &'static str {
    world.reset();
    "ok\n"
}

async fn set_now(State(world): State<Arc<World>>, body: Bytes) -> Outcome {
    world.clock.set(read::<Now>(&body)?.now);
    Ok("ok\n")
}

async fn set_vies(State(world): State<Arc<World>>, body: Bytes) -> Outcome {
    let control: ViesControl = read(&body)?;
    let vies = &world.vies;
    if let Some(condition) = control.condition {
        vies.set_condition(condition);
    }
    if let Some(delay) = control.delay_ms {
        vies.set_delay(Duration::from_millis(delay));
    }
    if let Some(limit) = control.limit {
        vies.set_limit(none_if_zero(limit));
    }
    if let Some(limit) = control.limit_per_member_state {
        vies.set_limit_per_member_state(none_if_zero(limit));
    }
    if let Some(refuses) = control.refuses_unknown_requesters {
        vies.set_refuses_unknown_requesters(refuses);
    }
    Ok("ok\n")
}

async fn set_member_state(
    State(world): State<Arc<World>>,
    Path(country): Path<String>,
    body: Bytes,
) -> Outcome {
    let control: MemberStateControl = read(&body)?;
    let country = served_by_vies(&country)?;
    if let Some(condition) = control.condition {
        world.vies.set_member_state(country, condition);
    }
    if let Some(delay) = control.delay_ms {
        world.vies.set_member_state_delay(country, Duration::from_millis(delay));
    }
    Ok("ok\n")
}

async fn set_hmrc(State(world): State<Arc<World>>, body: Bytes) -> Outcome {
    let control: HmrcControl = read(&body)?;
    let hmrc = &world.hmrc;
    match (&control.client_id, &control.client_secret) {
        (Some(client_id), Some(client_secret)) => hmrc.set_credentials(client_id, client_secret),
        (None, None) => {}
        _ => return Err((StatusCode::BAD_REQUEST, "client_id and client_secret go together\n".to_owned())),
    }
    if let Some(condition) = control.condition {
        hmrc.set_condition(condition);
    }
    if let Some(delay) = control.delay_ms {
        hmrc.set_delay(Duration::from_millis(delay));
    }
    if let Some(failing) = control.backend_failing {
        hmrc.set_backend_failing(failing);
    }
    if let Some(limit) = control.calls_per_second {
        hmrc.set_calls_per_second(none_if_zero(limit));
    }
    if let Some(form) = control.consultation_numbers {
        hmrc.set_consultation_numbers(form);
    }
    if let Some(lifetime) = control.token_lifetime_s {
        hmrc.set_token_lifetime(Duration::from_secs(lifetime));
    }
    Ok("ok\n")
}

async fn script_tokens(State(world): State<Arc<World>>, body: Bytes) -> Outcome {
    world.hmrc.script_tokens(read::<Script>(&body)?);
    Ok("ok\n")
}

async fn revoke_tokens(State(world): State<Arc<World>>) -> &'static str {
    world.hmrc.revoke_tokens();
    "ok\n"
}

async fn script(State(world): State<Arc<World>>, Path(number): Path<String>, body: Bytes) -> Outcome {
    let script: Script = read(&body)?;
    match split(&number)? {
        ("GB", vrn) => world.hmrc.script(vrn, script),
        (country, number) => world.vies.script(country, number, script),
    }
    Ok("ok\n")
}

async fn unscript(State(world): State<Arc<World>>, Path(number): Path<String>) -> Outcome {
    match split(&number)? {
        ("GB", vrn) => world.hmrc.unscript(vrn),
        (country, number) => world.vies.unscript(country, number),
    }
    Ok("ok\n")
}

/// The code that VIES knows a country by, whose letters may be small here.
fn served_by_vies(country: &str) -> Result<&'static str, (StatusCode, String)> {
    member_states().find(|served| served.eq_ignore_ascii_case(country)).ok_or_else(|| {
        let known: Vec<&str> = member_states().collect();
        (StatusCode::BAD_REQUEST, format!("VIES does not serve {country:?}, only {}\n", known.join(", ")))
    })
}

fn split(number: &str) -> Result<(&str, &str), (StatusCode, String)> {
    number
        .split_at_checked(2)
        .filter(|(country, _)| country.bytes().all(|byte| byte.is_ascii_uppercase()))
        .ok_or_else(|| (StatusCode::BAD_REQUEST, "a number starts with its two-letter prefix\n".to_owned()))
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, (StatusCode, String)> {
    serde_json::from_slice(body).map_err(|error| (StatusCode::BAD_REQUEST, format!("{error}\n")))
}

fn none_if_zero(limit: u32) -> Option<u32> {
    (limit > 0).then_some(limit)
}
