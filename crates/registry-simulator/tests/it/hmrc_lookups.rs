//! HMRC's lookups: the order of checks, what is found, proofs, the rate limit, the switches.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use registry_simulator::{Answer, Condition, ConsultationNumbers, Script, Settings};
use serde_json::{Value, json};

use crate::support::{ACCEPT, World, json_of};

async fn unlimited() -> World {
    World::with(Settings { hmrc_calls_per_second: None, ..Settings::default() }).await
}

#[tokio::test]
async fn numbers_are_judged_in_hmrcs_order() {
    let world = unlimited().await;
    let token = world.token().await;
    let both = "Invalid targetVrn and requesterVrn - Vrn parameters should be 9 or 12 digits";
    let requester = "Invalid requesterVrn - Vrn parameters should be 9 or 12 digits";
    let target = "Invalid targetVrn - Vrn parameters should be 9 or 12 digits";
    let not_found = "targetVrn does not match a registered company";
    let table = [
        ("GB553557881/12", 400, "INVALID_REQUEST", both),
        ("553557881/12", 400, "INVALID_REQUEST", requester),
        ("GD100/553557881", 400, "INVALID_REQUEST", target),
        ("5535578811", 400, "INVALID_REQUEST", target),
        ("553557881/123456789", 403, "INVALID_REQUEST", "requesterVrn does not match a registered company"),
        ("123456789/553557881", 404, "NOT_FOUND", not_found),
        ("123456789/123456788", 404, "NOT_FOUND", not_found),
        ("802311781", 404, "NOT_FOUND", not_found),
        // A branch's record is another record than its first nine digits.
        ("948561936", 404, "NOT_FOUND", not_found),
    ];
    for (path, status, code, message) in table {
        let (got, body) = json_of(world.hmrc(&token, path)).await;
        assert_eq!((got.as_u16(), &body), (status, &json!({ "code": code, "message": message })), "{path}");
    }
}

#[tokio::test]
async fn the_gateway_checks_accept_then_the_token() {
    let world = World::start().await;
    let token = world.token().await;
    let unknown = (404, "MATCHING_RESOURCE_NOT_FOUND");
    let accepts = [
        ("application/vnd.hmrc.1.0+json", unknown),
        ("*/*", unknown),
        ("application/json", unknown),
        ("application/vnd.hmrc.+json", (406, "ACCEPT_HEADER_INVALID")),
        ("application/vnd.hmrc.2.0+xml", (406, "ACCEPT_HEADER_INVALID")),
        ("nonsense", (406, "ACCEPT_HEADER_INVALID")),
        // Without a token: the version was fine, so the token is missed.
        (ACCEPT, (401, "MISSING_CREDENTIALS")),
    ];
    for (accept, expected) in accepts {
        let (status, body) = json_of(world.hmrc_bare("12").header("accept", accept)).await;
        assert_eq!((status.as_u16(), body["code"].as_str().unwrap()), expected, "{accept}");
    }
    let response = world.hmrc("made-up", "12").send().await.unwrap();
    assert_eq!(response.headers()["www-authenticate"], "Bearer realm=\"HMRC API Platform\"");
    assert_eq!(response.headers()["content-type"], ACCEPT);
    assert_eq!(response.json::<Value>().await.unwrap()["code"], "INVALID_CREDENTIALS");

    let url =
        format!("{}/organisations/vat/check-vat-number/lookup/553557881", world.simulator.hmrc_base_url());
    let (status, body) = json_of(world.client.post(url).header("accept", ACCEPT).bearer_auth(&token)).await;
    assert_eq!((status.as_u16(), body["code"].as_str()), (405, Some("METHOD_NOT_ALLOWED")));
    let url = format!("{}/organisations/vat/check-vat-number", world.simulator.hmrc_base_url());
    let (status, body) = json_of(world.client.get(url)).await;
    assert_eq!((status.as_u16(), body["code"].as_str()), (404, Some("MATCHING_RESOURCE_NOT_FOUND")));
    // None of these used up the three lookups of this second.
    for _ in 0..3 {
        assert_eq!(json_of(world.hmrc(&token, "553557881")).await.0, 200);
    }
}

#[tokio::test]
async fn found_traders_have_hmrcs_addresses_and_london_time() {
    let world = unlimited().await;
    let token = world.token().await;
    world.simulator.set_now(Some("2026-01-29T12:00:00.750Z".parse().unwrap()));
    let (_, body) = json_of(world.hmrc(&token, "245719348")).await;
    assert_eq!(
        body,
        json!({
            "target": {
                "name": "BRITISH TELECOMMUNICATIONS PUBLIC LIMITED COMPANY",
                "vatNumber": "245719348",
                "address": {
                    "line1": "1 BRAHAM STREET", "line2": "LONDON", "postcode": "E1 8EE", "countryCode": "GB"
                },
            },
            "processingDate": "2026-01-29T12:00:00+00:00",
        })
    );
    world.simulator.set_now(Some("2026-07-15T09:43:17Z".parse().unwrap()));
    let (_, body) = json_of(world.hmrc(&token, "436189915")).await;
    assert_eq!(body["processingDate"], "2026-07-15T10:43:17+01:00");
    assert_eq!(body["target"]["address"], json!({ "line1": "Rue des Essais 7", "countryCode": "FR" }));
    let (_, body) = json_of(world.hmrc(&token, "948561936944")).await;
    assert_eq!(body["target"]["address"]["line5"], "Nethershire");
    // Northern Ireland: the same digits that VIES knows with XI.
    assert_eq!(json_of(world.hmrc(&token, "110305836")).await.0, 200);
}

#[tokio::test]
async fn proofs_are_new_every_time_and_come_in_both_forms() {
    let world = unlimited().await;
    let token = world.token().await;
    let mut seen = HashSet::new();
    for (form, hyphens) in [(ConsultationNumbers::Letters, false), (ConsultationNumbers::Hyphens, true)] {
        world.simulator.hmrc().set_consultation_numbers(form);
        for _ in 0..3 {
            let (_, body) = json_of(world.hmrc(&token, "553557881/146295999727")).await;
            assert_eq!(body["requester"], "146295999727");
            let number = body["consultationNumber"].as_str().unwrap().to_owned();
            let letters = number.replace('-', "");
            assert_eq!(letters.len(), 9);
            assert!(letters.bytes().all(|byte| byte.is_ascii_alphabetic()));
            assert_eq!(number.match_indices('-').map(|(at, _)| at).eq([3, 7]), hyphens, "{number}");
            if hyphens {
                assert!(letters.bytes().all(|byte| byte.is_ascii_uppercase() && !b"BGIOSZ".contains(&byte)));
            }
            assert!(seen.insert(number));
        }
    }
    let (_, body) = json_of(world.hmrc(&token, "553557881")).await;
    assert_eq!((body.get("requester"), body.get("consultationNumber")), (None, None));
}

#[tokio::test]
async fn the_rate_limit_is_per_second_and_its_peak_is_readable() {
    let world = World::start().await;
    let token = world.token().await;
    assert!(answered_until_refused(&world, &token).await >= 3);
    assert_eq!((world.simulator.hmrc().throttled(), world.simulator.hmrc().peak_per_second()), (1, 4));

    tokio::time::sleep(Duration::from_secs(1)).await;
    world.simulator.clear_log();
    assert_eq!(json_of(world.hmrc(&token, "553557881")).await.0, 200);
    assert_eq!((world.simulator.hmrc().throttled(), world.simulator.hmrc().peak_per_second()), (0, 1));

    world.simulator.hmrc().set_calls_per_second(None);
    for _ in 0..6 {
        assert_eq!(json_of(world.hmrc(&token, "553557881")).await.0, 200);
    }
    world.simulator.hmrc().set_calls_per_second(Some(1));
    answered_until_refused(&world, &token).await;
}

/// Asks until it is refused, which a slow second may put off: how often it was answered before.
async fn answered_until_refused(world: &World, token: &str) -> usize {
    for answered in 0..1000 {
        let (status, body) = json_of(world.hmrc(token, "553557881")).await;
        if status != 200 {
            assert_eq!((status.as_u16(), body["code"].as_str()), (429, Some("MESSAGE_THROTTLED_OUT")));
            return answered;
        }
    }
    panic!("never refused");
}

#[tokio::test]
async fn a_failing_backend_hides_behind_a_404_without_a_requester() {
    let world = unlimited().await;
    let token = world.token().await;
    world.simulator.hmrc().set_backend_failing(true);
    let (status, body) = json_of(world.hmrc(&token, "553557881/146295999727")).await;
    assert_eq!((status.as_u16(), body["code"].as_str()), (500, Some("INTERNAL_SERVER_ERROR")));
    let (status, body) = json_of(world.hmrc(&token, "553557881")).await;
    assert_eq!((status.as_u16(), body["code"].as_str()), (404, Some("NOT_FOUND")));
    world.simulator.hmrc().set_backend_failing(false);
    assert_eq!(json_of(world.hmrc(&token, "553557881")).await.0, 200);
}

#[tokio::test]
async fn every_documented_error_can_be_scripted() {
    let world = unlimited().await;
    let token = world.token().await;
    let table = [
        (400, "INVALID_REQUEST"),
        (403, "INVALID_REQUEST"),
        (404, "NOT_FOUND"),
        (500, "INTERNAL_SERVER_ERROR"),
        (401, "MISSING_CREDENTIALS"),
        (401, "INVALID_CREDENTIALS"),
        (401, "UNAUTHORIZED"),
        (401, "INCORRECT_ACCESS_TOKEN_TYPE"),
        (403, "HTTPS_REQUIRED"),
        (403, "RESOURCE_FORBIDDEN"),
        (403, "INVALID_SCOPE"),
        (403, "FORBIDDEN"),
        (404, "MATCHING_RESOURCE_NOT_FOUND"),
        (405, "METHOD_NOT_ALLOWED"),
        (406, "ACCEPT_HEADER_INVALID"),
        (429, "MESSAGE_THROTTLED_OUT"),
        (501, "NOT_IMPLEMENTED"),
        (503, "SERVER_ERROR"),
        (503, "SCHEDULED_MAINTENANCE"),
        (504, "GATEWAY_TIMEOUT"),
    ];
    let steps = table.map(|(status, code)| match code {
        "INVALID_REQUEST" => Answer::error_with_status(code, status),
        code => Answer::error(code),
    });
    world.simulator.hmrc().script("GB245719348", Script::first(steps));
    for (status, code) in table {
        let (got, body) = json_of(world.hmrc(&token, "245719348")).await;
        assert_eq!((got.as_u16(), body["code"].as_str().unwrap()), (status, code));
        assert!(!body["message"].as_str().unwrap().is_empty());
    }
    assert_eq!(json_of(world.hmrc(&token, "245719348")).await.0, 200);
}

#[tokio::test]
async fn scripts_decide_about_targets_and_requesters() {
    let world = unlimited().await;
    let token = world.token().await;
    let hmrc = world.simulator.hmrc();
    hmrc.script("123456789", Answer::valid("Sample Ltd", "1 Sample Street\nZZ1 1ZZ"));
    let (_, body) = json_of(world.hmrc(&token, "123456789/123456789")).await;
    assert_eq!(body["target"]["name"], "Sample Ltd");
    assert!(body["consultationNumber"].is_string());
    hmrc.script("146295999727", Answer::NotRegistered);
    assert_eq!(json_of(world.hmrc(&token, "123456789/146295999727")).await.0, 403);
    assert_eq!(json_of(world.hmrc(&token, "146295999727")).await.0, 404);
    hmrc.unscript("146295999727");
    hmrc.unscript("123456789");
    assert_eq!(json_of(world.hmrc(&token, "123456789/146295999727")).await.0, 404);
}

#[tokio::test]
async fn hmrc_as_a_whole_can_be_down_silent_slow_or_something_else() {
    let world = unlimited().await;
    let token = world.token().await;
    let hmrc = world.simulator.hmrc();
    let lookup = || world.hmrc(&token, "553557881");

    hmrc.set_condition(Condition::Down);
    let (status, body) = json_of(lookup()).await;
    assert_eq!((status.as_u16(), body["code"].as_str()), (503, Some("SERVER_ERROR")));
    assert_eq!(json_of(world.token_request(&[])).await.0, 503);
    hmrc.set_condition(Condition::Answering(Answer::error("SCHEDULED_MAINTENANCE")));
    assert_eq!(json_of(lookup()).await.1["code"], "SCHEDULED_MAINTENANCE");
    hmrc.set_condition(Condition::Html);
    let response = lookup().send().await.unwrap();
    assert_eq!(response.status(), 503);
    assert!(response.text().await.unwrap().contains("<html"));
    hmrc.set_condition(Condition::Silent);
    assert!(lookup().timeout(Duration::from_millis(200)).send().await.unwrap_err().is_timeout());
    hmrc.set_condition(Condition::Up);
    hmrc.set_delay(Duration::from_millis(150));
    let asked = Instant::now();
    assert_eq!(json_of(lookup()).await.0, 200);
    assert!(asked.elapsed() >= Duration::from_millis(150));
}
