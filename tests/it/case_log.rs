//! Cases from public reports of such systems (the sources stand in the names' comments), tried on the running server.

use std::time::{Duration, Instant};

use crossvat::accounts::Limits;
use registry_simulator::{Answer as Says, Script};
use serde_json::{Value, json};

use crate::support::{Answer, Customer, TestApp};

/// An answer in the shape of VIES's own web page.
fn page_shape(number: &str, valid: bool, code: &str) -> Says {
    let (name, address) = if valid { ("EXAMPLE LTD", "1 HIGH STREET\nTOWN") } else { ("---", "---") };
    let body = json!({
        "isValid": valid, "requestDate": "2026-06-03T09:12:44.120Z", "userError": code, "name": name, "address": address,
        "requestIdentifier": "", "vatNumber": number,
        "viesApproximate": {
            "name": "---", "street": "---", "postalCode": "---", "city": "---", "companyType": "---",
            "matchName": 3, "matchStreet": 3, "matchPostalCode": 3, "matchCity": 3, "matchCompanyType": 3
        }
    });
    Says::raw(200, "application/json", body.to_string())
}

fn valid() -> Says {
    Says::valid("EXAMPLE LTD", "1 HIGH STREET\nTOWN")
}

/// A server on which every number of the case is registered unless the case says otherwise.
async fn set_up(registered: &[(&str, &str)]) -> (TestApp, Customer) {
    let app = TestApp::start().await;
    for (country, number) in registered {
        if *country == "GB" {
            app.simulator.hmrc().script(number, valid());
        } else {
            app.simulator.vies().script(country, number, valid());
        }
    }
    let customer = app.customer("acme").await;
    (app, customer)
}

fn codes(result: &Value) -> Vec<&str> {
    Answer::advice_codes(result)
}

/// odoo/odoo PR 153196, laravel/vat-calculator 192.
#[tokio::test]
async fn a01_an_outage_with_is_valid_false_is_unresolved() {
    for code in ["MS_UNAVAILABLE", "MS_MAX_CONCURRENT_REQ_TIME"] {
        let (app, customer) = set_up(&[]).await;
        app.simulator.vies().script("DE", "811569869", page_shape("811569869", false, code));
        let answer = customer.verify(&["DE811569869"]).await;
        let unresolved = answer.only_unresolved();
        assert_eq!(unresolved["countryCode"], "DE");
        assert_eq!(unresolved["routing"], "European Commission VIES API");
        assert!(!answer.body.to_string().contains("\"valid\":false"));
    }
}

/// jofme/D365FinanceToolbox 73, craftcms/commerce 2500.
#[tokio::test]
async fn a03_good_answers_survive_the_outage_of_another() {
    let (app, customer) = set_up(&[("GB", "245719348"), ("FR", "83404833048")]).await;
    app.simulator.vies().script("DE", "811569869", page_shape("811569869", false, "MS_UNAVAILABLE"));
    let answer = customer.verify(&["GB245719348", "FR83404833048", "DE811569869"]).await;
    assert_eq!(answer.only_unresolved()["index"], 2);
    let kept: Vec<(&str, bool)> = answer
        .results()
        .iter()
        .map(|r| (r["vatNumber"].as_str().unwrap(), r["valid"].as_bool().unwrap()))
        .collect();
    assert_eq!(kept, [("GB245719348", true), ("FR83404833048", true)]);
}

/// `taxjar/ex_vatcheck` 12 and 13.
#[tokio::test]
async fn a04_html_for_an_answer_is_unreadable_and_stays_out_of_our_body() {
    let (app, customer) = set_up(&[]).await;
    app.simulator.vies().script("IE", "6388047V", Says::raw(500, "text/html", "<html>Error</html>"));
    let answer = customer.verify(&["IE6388047V"]).await;
    assert_eq!(answer.only_unresolved()["reason"], "registry_unreadable");
    assert!(!answer.body.to_string().contains("html"));
}

/// laravel/vat-calculator 142, antiwork/gumroad PR 4793. At the product's own limits.
#[tokio::test]
async fn b01_silence_is_a_timeout_well_under_half_a_minute() {
    let (app, customer) = set_up(&[]).await;
    app.simulator.vies().script("IE", "6388047V", Says::Silence);
    let started = Instant::now();
    let answer = customer.verify(&["IE6388047V"]).await;
    assert_eq!(answer.only_unresolved()["reason"], "timeout");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

/// iconfinder/pyvat 42, ibericode/vat 79.
#[tokio::test]
async fn c01_a_throttle_is_waited_out_with_three_calls() {
    let (app, customer) = set_up(&[]).await;
    let busy = || page_shape("811569869", false, "MS_MAX_CONCURRENT_REQ");
    let script = Script::first([busy(), busy()]).then(page_shape("811569869", true, "VALID"));
    app.simulator.vies().script("DE", "811569869", script);
    assert_eq!(customer.verify(&["DE811569869"]).await.only_result()["valid"], true);
    assert_eq!(app.simulator.calls_about("DE", "811569869").len(), 3);
}

/// mediacloud/web-search 1172. Over two instances it is in `instances`.
#[tokio::test]
async fn c03_the_101st_call_in_a_minute_waits_and_another_key_is_not_touched() {
    let app = TestApp::start().await;
    let limits = Limits { requests_per_minute: Some(100), ..Limits::default() };
    let customer = app.customer_with("acme", &limits).await;
    for call in 1..=100 {
        assert_eq!(customer.verify(&["DE1"]).await.status, 200, "{call}");
    }
    app.clock.advance(Duration::from_secs(20));
    let refused = customer.verify(&["DE1"]).await;
    refused.assert_problem(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), Some("40"), "to the window's end");
    assert!(refused.header("ratelimit").is_some_and(|left| left.contains("r=0")), "{refused:?}");
    assert!(refused.header("ratelimit-policy").is_some_and(|policy| policy.contains("100")), "{refused:?}");
    assert_eq!(app.customer("other").await.verify(&["DE1"]).await.status, 200);
    app.clock.advance(Duration::from_secs(40));
    assert_eq!(customer.verify(&["DE1"]).await.status, 200);
}

/// koblas/stdnum-js 98, shopware/shopware 20379.
#[tokio::test]
async fn d01_what_people_type_is_read() {
    let (app, customer) = set_up(&[("NL", "859835832B01")]).await;
    let answer = customer.verify(&["nl 8598.35.832.b01"]).await;
    let result = answer.only_result();
    assert_eq!(result["vatNumber"], "NL859835832B01");
    assert_eq!(result["submitted"], "nl 8598.35.832.b01");
    assert_eq!(app.simulator.calls_about("NL", "859835832B01").len(), 1);
}

/// arthurdejong/python-stdnum 420, odoo/odoo PR 179078.
#[tokio::test]
async fn d03_a_repeated_prefix_is_collapsed_with_a_notice() {
    let (_app, customer) = set_up(&[("BE", "0477472701")]).await;
    let answer = customer.verify(&["BEBEBE0477472701"]).await;
    let result = answer.only_result();
    assert_eq!((result["vatNumber"].as_str(), result["valid"].as_bool()), (Some("BE0477472701"), Some(true)));
    assert!(codes(result).contains(&"prefix_repeated"));
}

/// yolk/valvat 62.
#[tokio::test]
async fn d05_a_missing_letter_is_suggested_and_not_supplied() {
    let (app, customer) = set_up(&[("AT", "U57194903")]).await;
    let answer = customer.verify(&["AT57194903"]).await;
    let result = answer.only_result();
    assert_eq!(
        (result["status"].as_str(), result["vatNumber"].as_str()),
        (Some("malformed"), Some("AT57194903"))
    );
    assert_eq!(result["advice"][0]["suggestion"], "ATU57194903");
    assert!(app.simulator.calls().is_empty());
}

/// arthurdejong/python-stdnum 256, valeriansaliou/node-sales-tax PR 64.
#[tokio::test]
async fn e01_greece_is_el_to_vies_and_in_the_answer() {
    let (app, customer) = set_up(&[("EL", "094019245")]).await;
    let answer = customer.verify(&["GR094019245"]).await;
    let result = answer.only_result();
    assert_eq!(
        (result["vatNumber"].as_str(), result["countryCode"].as_str()),
        (Some("EL094019245"), Some("EL"))
    );
    assert_eq!(result["routing"], "European Commission VIES API");
    assert_eq!(app.simulator.calls_about("EL", "094019245").len(), 1);
    assert_eq!(app.simulator.calls().len(), 1);
}

/// `taxjar/vat_check` 6, ddeboer/vatin 36.
#[tokio::test]
async fn e02_gb_goes_to_hmrc_alone_and_as_digits() {
    let (app, customer) = set_up(&[]).await;
    app.simulator.hmrc().script(
        "245719348",
        Says::raw(
            200,
            "application/json",
            r#"{"target":{"name":"BRITISH TELECOMMUNICATIONS PUBLIC LIMITED COMPANY","vatNumber":"245719348",
               "address":{"line1":"1 BRAHAM STREET","line2":"LONDON","postcode":"E1 8EE","countryCode":"GB"}},
               "processingDate":"2026-01-29T12:00:00+00:00"}"#,
        ),
    );
    let answer = customer.verify(&["GB245719348"]).await;
    let result = answer.only_result();
    assert_eq!(result["routing"], "HMRC API");
    assert_eq!(result["businessName"], "BRITISH TELECOMMUNICATIONS PUBLIC LIMITED COMPANY");
    assert_eq!(result["address"], "1 BRAHAM STREET, LONDON, E1 8EE");
    let lookup = &app.simulator.calls_about("GB", "245719348")[0];
    assert_eq!(lookup.path, "/organisations/vat/check-vat-number/lookup/245719348");
    assert!(app.simulator.calls().iter().all(|call| !call.path.contains("vies")));
}

/// DragonBe/vies 89, zapadi/vies-dotnet 38, ibericode/vat PR 24, apache/commons-validator PR 271.
#[tokio::test]
async fn f01_f03_f05_f07_numbers_that_strict_checks_refuse_are_asked_without_a_warning() {
    for (country, number) in
        [("NL", "000099998B57"), ("IE", "3706224MH"), ("FR", "4Z123456782"), ("GB", "199999982")]
    {
        let (_app, customer) = set_up(&[(country, number)]).await;
        let answer = customer.verify(&[&format!("{country}{number}")]).await;
        let result = answer.only_result();
        assert_eq!(result["valid"], true, "{result}");
        assert!(!codes(result).contains(&"check_digits_do_not_fit"), "{result}");
    }
}

/// odoo/odoo 40554.
#[tokio::test]
async fn f09_a_no_of_the_registry_comes_with_the_character_that_does_not_fit() {
    let (app, customer) = set_up(&[]).await;
    app.simulator.vies().script("ES", "B27471977", Says::NotRegistered);
    let answer = customer.verify(&["ESB27471977"]).await;
    let result = answer.only_result();
    assert_eq!(result["status"], "not_registered");
    let advice = result["advice"].as_array().unwrap();
    let told = advice.iter().find(|a| a["code"] == "check_digits_do_not_fit").expect("the advice");
    assert!(told["message"].as_str().unwrap().contains("character 7"), "{told}");
}

/// vatcheck.tax/en/api-docs: sample numbers that fail both check digits.
#[tokio::test]
async fn f11_failing_check_digits_are_advice_and_the_registry_decides() {
    let (_app, customer) = set_up(&[("GB", "123456789"), ("DE", "987654321")]).await;
    let answer = customer.verify(&["GB123456789", "DE987654321"]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let routes: Vec<&str> = answer.results().iter().map(|r| r["routing"].as_str().unwrap()).collect();
    assert_eq!(routes, ["HMRC API", "European Commission VIES API"]);
    for result in answer.results() {
        assert_eq!(result["valid"], true, "{result}");
        assert!(codes(result).contains(&"check_digits_do_not_fit"), "{result}");
    }
}

/// laravel/vat-calculator 90.
#[tokio::test]
async fn g01_dashes_for_a_name_are_no_name() {
    let (app, customer) = set_up(&[]).await;
    app.simulator.vies().script("ES", "B75149773", Says::valid("---", "---"));
    let answer = customer.verify(&["ESB75149773"]).await;
    let result = answer.only_result();
    assert_eq!(result["valid"], true);
    assert_eq!((result.get("businessName"), result.get("address")), (None, None));
    let advice = result["advice"].as_array().unwrap();
    assert!(
        advice.iter().any(|a| a["code"] == "not_disclosed_by_member_state"
            && a["message"].as_str().unwrap().contains("Spain"))
    );
}

/// DragonBe/vies 70, arthurdejong/python-stdnum 458.
#[tokio::test]
async fn i01_a_date_with_an_offset_is_accepted_and_our_timestamp_is_utc() {
    let (app, customer) = set_up(&[]).await;
    app.simulator.vies().script(
        "DE",
        "811569869",
        Says::raw(
            200,
            "application/json",
            r#"{"countryCode":"DE","vatNumber":"811569869","requestDate":"2019-08-31+02:00","valid":true,"name":"---","address":"---"}"#,
        ),
    );
    let answer = customer.verify(&["DE811569869"]).await;
    let result = answer.only_result();
    assert_eq!(result["valid"], true);
    assert_eq!(result["timestamp"], "2026-09-03T08:41:07.000Z");
}

/// mikkelkrogsholm/rentemester 144.
#[tokio::test]
async fn j01_nothing_is_kept_of_an_answer_that_was_none() {
    let (app, customer) = set_up(&[]).await;
    app.simulator.vies().script("DE", "811569869", Says::raw(200, "application/json", "{}"));
    customer.verify(&["DE811569869"]).await.only_unresolved();
    app.simulator.vies().script("DE", "811569869", page_shape("811569869", true, "VALID"));
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(customer.verify(&["DE811569869"]).await.only_result()["valid"], true);
}

/// hmrc/vat-registered-companies-api, definition.
#[tokio::test]
async fn k01_not_found_at_hmrc_is_not_registered_with_patience_advised() {
    let (app, customer) = set_up(&[]).await;
    app.simulator.hmrc().script(
        "123456782",
        Says::raw(
            404,
            "application/json",
            r#"{"code":"NOT_FOUND","message":"targetVrn does not match a registered company"}"#,
        ),
    );
    let answer = customer.verify(&["GB123456782"]).await;
    let result = answer.only_result();
    assert_eq!((result["status"].as_str(), result["valid"].as_bool()), (Some("not_registered"), Some(false)));
    let advice = result["advice"].as_array().unwrap();
    let patience = advice.iter().find(|a| a["code"] == "new_registrations_take_time").expect("the advice");
    assert!(patience["message"].as_str().unwrap().contains("two weeks"), "{patience}");
}

/// hmrc/vat-api 82.
#[tokio::test]
async fn k03_a_failing_token_endpoint_stops_uk_numbers_only() {
    let (app, customer) = set_up(&[("DE", "811569869")]).await;
    app.simulator.hmrc().script_tokens(Says::raw(500, "application/json", r#"{"error":"server_error"}"#));
    let alone = customer.verify(&["GB245719348"]).await;
    assert_eq!(alone.only_unresolved()["reason"], "registry_unavailable");
    let mixed = customer.verify(&["GB245719348", "DE811569869"]).await;
    assert_eq!(mixed.only_unresolved()["vatNumber"], "GB245719348");
    assert_eq!(mixed.results()[0]["valid"], true);
    assert!(!mixed.body.to_string().contains("sandbox-secret"));
}

/// jofme/D365FinanceToolbox 59, viruschidai/validate-vat 33.
#[tokio::test]
async fn l02_a_consultation_number_comes_back_with_the_requesters_call() {
    let (app, customer) = set_up(&[]).await;
    app.simulator.vies().script(
        "DK",
        "13612870",
        Says::raw(
            200,
            "application/json",
            r#"{"countryCode":"DK","vatNumber":"13612870","requestDate":"2024-11-24T23:25:51.619Z","valid":true,
                "requestIdentifier":"WAPIAAAAZNgfuVoL","name":"Microsoft Danmark ApS",
                "address":"Kanalvej 7\n2800 Kongens Lyngby\n","traderName":"---"}"#,
        ),
    );
    let answer =
        customer.verify_with(&["DK13612870"], json!({ "requesterVatNumbers": ["DK28866984"] })).await;
    let result = answer.only_result();
    assert_eq!(result["consultationNumber"], "WAPIAAAAZNgfuVoL");
    assert_eq!(result["address"], "Kanalvej 7, 2800 Kongens Lyngby");
}

/// strangerstudios/pmpro-vat-tax 18.
#[tokio::test]
async fn m01_a_domestic_sale_is_no_reverse_charge() {
    let (_app, customer) = set_up(&[("DK", "13612870")]).await;
    let answer = customer.verify_with(&["DK13612870"], json!({ "supplierCountry": "DK" })).await;
    let result = answer.only_result();
    assert_eq!(
        (result["valid"].as_bool(), result["reverseChargeEligible"].as_bool()),
        (Some(true), Some(false))
    );
    assert_eq!(result["reverseChargeReason"], "domestic");
}

/// bagisto/bagisto PR 11019.
#[tokio::test]
async fn o02_entries_that_are_no_strings_are_named_by_place() {
    let (app, customer) = set_up(&[]).await;
    let answer = customer.post(&json!({ "vatNumbers": ["DE811569869", null, 12345] })).await;
    answer.assert_problem(422, "validation_failed");
    assert_eq!(answer.faults(), [("/vatNumbers/1", "wrong_type"), ("/vatNumbers/2", "wrong_type")]);
    assert!(app.simulator.calls().is_empty());
}
