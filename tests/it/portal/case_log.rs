//! Cases from public reports, as somebody meets them who uses the pages. The API's are in the `case_log` beside this folder.

use registry_simulator::Answer as Says;
use serde_json::json;

use super::check::{run_of, text, until_done, value};
use crate::support::{
    Browser, TestApp,
    everything_stored::{everything_stored, hexadecimal},
};

/// laravel/vat-calculator 90.
#[tokio::test]
async fn g01_dashes_for_a_name_are_told_as_what_spain_does_not_publish() {
    let app = TestApp::start().await;
    app.simulator.vies().script("ES", "B75149773", Says::valid("---", "---"));
    let maya = Browser::of_owner(&app, "fenwick").await;
    let run = run_of(&maya.post_parts("/portal/check", &[("numbers", None, b"ESB75149773")]).await);
    until_done(&app, maya.account_id, run).await;
    let shown = maya.page(&format!("/portal/check/{run}")).await;
    let (_, rows) = shown.split_once("id=\"run-rows\"").expect("rows");
    let (_, evidence) = rows.split_once("href=\"/portal/history/").expect("evidence");
    let evidence = format!("/portal/history/{}", evidence.split('"').next().expect("an identifier"));
    for path in [format!("/portal/check/{run}"), "/portal/history".to_owned(), evidence] {
        // Without the marks between texts.
        let page = maya.page(&path).await.replace("<!>", "");
        assert!(page.contains("Not disclosed by Spain"), "{path}: {page}");
        assert!(!page.contains("---"), "{path}: {page}");
    }
    for file in [format!("/portal/check/{run}/results.csv"), "/portal/history.csv".to_owned()] {
        let file = maya.page(&file).await;
        assert!(file.contains("ESB75149773") && !file.contains("---"), "{file}");
    }
}

/// jofme/D365FinanceToolbox 59, viruschidai/validate-vat 33.
#[tokio::test]
async fn l02_the_consultation_number_stands_in_history_evidence_and_file() {
    let app = TestApp::start().await;
    let body = json!({
        "countryCode": "DK", "vatNumber": "13612870", "requestDate": "2024-11-24T23:25:51.619Z", "valid": true,
        "requestIdentifier": "WAPIAAAAZNgfuVoL", "name": "Microsoft Danmark ApS",
        "address": "Kanalvej 7\n2800 Kongens Lyngby\n", "traderName": "---",
    });
    app.simulator.vies().script("DK", "13612870", Says::raw(200, "application/json", body.to_string()));
    let maya = Browser::of_owner(&app, "fenwick").await;
    maya.post("/portal/settings", &[("part", "numbers"), ("eu", "DK28866984")]).await;
    let run = run_of(&maya.post_parts("/portal/check", &[("numbers", None, b"DK13612870")]).await);
    until_done(&app, maya.account_id, run).await;
    let history = maya.page("/portal/history").await;
    assert!(history.contains("WAPIAAAAZNgfuVoL"), "{history}");
    let (_, evidence) = history.split_once("href=\"/portal/history/").expect("evidence");
    let evidence = maya.page(&format!("/portal/history/{}", evidence.split('"').next().expect("it"))).await;
    for part in ["WAPIAAAAZNgfuVoL", "DK28866984", "Microsoft Danmark ApS", "Kanalvej 7"] {
        assert!(evidence.contains(part), "{part}: {evidence}");
    }
    for file in [format!("/portal/check/{run}/results.csv"), "/portal/history.csv".to_owned()] {
        let file = maya.page(&file).await;
        assert!(file.contains("WAPIAAAAZNgfuVoL"), "{file}");
        assert!(file.contains("Kanalvej 7, 2800 Kongens Lyngby"), "{file}");
    }
}

/// girder/girder 2221, `FusionAuth` 2536.
#[tokio::test]
async fn p04_a_new_key_is_shown_once_and_only_its_hash_is_kept() {
    let app = TestApp::start().await;
    let maya = Browser::of_owner(&app, "fenwick").await;
    let viewer = maya.colleague(&app, crossvat::members::Role::Viewer).await;
    let sam = app.support("Sam Ortiz").await;
    let form = maya.page("/portal/keys/new").await;
    let token = value(&form, "token");
    let sent = [("token", token), ("name", "Checkout"), ("kind", "live"), ("expires", "")];
    let made = maya.post("/portal/keys/new", &sent).await;
    assert_eq!((made.status, made.header("cache-control")), (200, Some("no-store")));
    let (_, secret) = text(&made).split_once("Bearer cv_live_").expect("the key");
    let random: String = secret.chars().take_while(char::is_ascii_alphanumeric).collect();
    assert!(random.len() > 30, "{random}");
    // The page read again sends the form again.
    let again = maya.post("/portal/keys/new", &sent).await;
    assert_eq!((again.status, again.header("location")), (303, Some("/portal/keys?done=made")));

    let id = app.api_keys().list(maya.account_id).await.expect("keys")[0].id;
    for path in [
        "/portal".to_owned(),
        "/portal/keys".to_owned(),
        "/portal/keys?done=made".to_owned(),
        "/portal/keys/new".to_owned(),
        format!("/portal/keys/{id}/rename"),
        format!("/portal/keys/{id}/rotate"),
        format!("/portal/keys/{id}/revoke"),
        "/portal/usage".to_owned(),
        "/portal/settings".to_owned(),
        "/staff".to_owned(),
        "/staff/accounts".to_owned(),
        format!("/staff/accounts?find={}", &random[..4]),
        format!("/staff/accounts/{}", maya.account_id),
        "/staff/audit".to_owned(),
    ] {
        for reader in [&*maya, &*viewer, &*sam] {
            assert!(!text(&reader.get(&path).await).contains(&random), "{path}");
        }
    }
    let list = maya.page("/portal/keys").await;
    for part in ["Checkout", "cv_live_", &random[random.len() - 4..]] {
        assert!(list.contains(part), "{part}: {list}");
    }
    let stored = everything_stored(&app.database.main).await;
    assert!(stored.contains("Checkout"), "everything is looked through");
    for written in
        [random.clone(), hexadecimal(random.as_bytes()), hexadecimal(random.as_bytes()).to_lowercase()]
    {
        assert!(!stored.contains(&written));
    }
}

/// leptos-rs/leptos 1891 and 2321.
#[tokio::test]
async fn q01_without_a_script_the_form_leads_to_a_page_with_both_results() {
    let app = TestApp::start().await;
    app.simulator.vies().script("IE", "6388047V", Says::valid("Ballycotton & Sons", "Pier Road"));
    let maya = Browser::of_owner(&app, "fenwick").await;
    let sent = maya.post_parts("/portal/check", &[("numbers", None, b"IE6388047V\nDE1")]).await;
    let run = run_of(&sent);
    assert_eq!(sent.header("location"), Some(&*format!("/portal/check/{run}")), "a page of the portal");
    until_done(&app, maya.account_id, run).await;
    let page = maya.page(&format!("/portal/check/{run}")).await;
    assert!(page.contains("<title>") && page.contains("</html>"), "a whole page");
    let (_, rows) = page.split_once("<tbody").expect("rows");
    for part in ["Ballycotton &amp; Sons", "Valid", "DE1", "Malformed"] {
        assert!(rows.contains(part), "{part}: {rows}");
    }
}
