//! The pages as the server sends them. What a browser makes of them is tested in `end2end`.

use crossvat::api::error_code::ErrorCode;
use sea_orm::ConnectionTrait;
use serde_json::Value;

use crate::support::{Answer, Browser, TestApp, plain};

#[tokio::test]
async fn the_first_page_reads_a_number_without_a_script() {
    let app = TestApp::start().await;
    let answer = Answer::of(app.http.get(app.url("/?number=gr%20094259216"))).await;
    assert_eq!(answer.status, 200);
    let page = answer.body.as_str().expect("HTML");
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("EL094259216"), "{page}");
    assert!(page.contains("VIES"));
}

#[tokio::test]
async fn markup_in_the_number_stays_text() {
    let app = TestApp::start().await;
    let answer = Answer::of(app.http.get(app.url("/?number=%3Cscript%3Ealert(1)%3C/script%3E%22%3E"))).await;
    let page = answer.body.as_str().expect("HTML");
    assert!(!page.contains("<script>alert"), "{page}");
}

#[tokio::test]
async fn a_pages_policy_lets_only_its_own_script_run() {
    let app = TestApp::start().await;
    let mut nonces = Vec::new();
    for _ in 0..2 {
        let answer = Answer::of(app.http.get(app.url("/"))).await;
        let policy = answer.header("content-security-policy").expect("a policy").to_owned();
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "style-src 'self';"] {
            assert!(policy.contains(part), "{policy}");
        }
        let nonce = policy
            .split("'nonce-")
            .nth(1)
            .and_then(|rest| rest.split('\'').next())
            .expect("a nonce")
            .to_owned();
        let page = answer.body.as_str().expect("HTML");
        let scripts = page.matches("<script").count();
        assert_eq!(
            page.matches(&format!("nonce=\"{nonce}\"")).count(),
            scripts,
            "every script bears the nonce"
        );
        assert!(!page.contains(" style=\"") && !page.contains("<style"), "no inline style");
        nonces.push(nonce);
    }
    assert_ne!(nonces[0], nonces[1]);
}

#[tokio::test]
async fn an_unknown_page_is_404_in_html_and_an_unknown_call_404_in_json() {
    let app = TestApp::start().await;
    let page = Answer::of(app.http.get(app.url("/nowhere"))).await;
    assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")));
    Answer::of(app.http.get(app.url("/v1/nowhere"))).await.assert_problem(404, "not_found");
}

#[tokio::test]
async fn hashed_files_are_kept_for_ever_and_pages_never() {
    let app = TestApp::start().await;
    let file = Answer::of(app.http.get(app.url("/pkg/test.css"))).await;
    assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(Answer::of(app.http.get(app.url("/"))).await.header("cache-control"), Some("no-store"));
    for path in
        ["/pkg/absent.css", "/pkg/../test.db", "/pkg/%2e%2e/test.db", "/pkg/", "/test.db", "/manifest.json"]
    {
        let answer = Answer::of(app.http.get(app.url(path))).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_ne!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"), "{path}");
    }
}

#[tokio::test]
async fn files_say_what_they_are_and_go_out_in_the_smallest_form_that_is_taken() {
    let app = TestApp::start().await;
    for (path, content_type) in [
        ("/pkg/test.css", "text/css; charset=utf-8"),
        ("/pkg/test.js", "text/javascript; charset=utf-8"),
        ("/pkg/test.wasm", "application/wasm"),
        ("/favicon.svg", "image/svg+xml"),
        ("/favicon.ico", "image/x-icon"),
        ("/apple-touch-icon.png", "image/png"),
    ] {
        for (accepted, encoding, content) in [
            ("gzip, br", Some("br"), "as brotli"),
            ("gzip", Some("gzip"), "as gzip"),
            ("identity", None, "as it is"),
        ] {
            let asked = app.http.get(app.url(path)).header("accept-encoding", accepted);
            let answer = Answer::of(asked).await;
            assert_eq!((answer.status, answer.header("content-type")), (200, Some(content_type)), "{path}");
            assert_eq!(answer.header("vary"), Some("accept-encoding"), "{path}");
            assert_eq!(answer.header("content-encoding"), encoding, "{path}, {accepted}");
            let body = answer.body.as_str().expect("text");
            assert!(body.contains(content), "{path}, {accepted}: {body}");
            let head = app.http.head(app.url(path)).header("accept-encoding", accepted);
            let head = head.send().await.expect("an answer");
            let length = head.headers().get("content-length").and_then(|length| length.to_str().ok());
            assert_eq!(length, Some(&*body.len().to_string()), "{path}, {accepted}");
        }
    }
    let favicon = Answer::of(app.http.get(app.url("/favicon.svg"))).await;
    assert_eq!(favicon.header("cache-control"), Some("public, max-age=86400"));
}

#[tokio::test]
async fn the_theme_is_kept_in_a_cookie_and_printed_on_the_page() {
    let app = TestApp::start().await;
    let choose = |theme: &str, back: &str| {
        app.http
            .post(app.url("/theme"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(format!("theme={theme}&return_to={back}"))
    };
    let answer = Answer::of(choose("dark", "%2F%3Fnumber%3DDE1")).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some("/?number=DE1")));
    assert_eq!(
        answer.header("set-cookie"),
        Some("__Host-theme=dark; Path=/; Max-Age=31536000; Secure; SameSite=Lax")
    );
    let page = Answer::of(app.http.get(app.url("/")).header("cookie", "a=b; __Host-theme=dark")).await;
    assert!(page.body.as_str().unwrap().contains(r#"<html lang="en-GB" data-theme="dark">"#));
    let nonsense = Answer::of(choose("sepia", "https%3A%2F%2Fevil.example")).await;
    assert_eq!((nonsense.header("location"), nonsense.header("set-cookie")), (Some("/"), None));
    let from_elsewhere = Answer::of(choose("dark", "/").header("sec-fetch-site", "cross-site")).await;
    assert_eq!((from_elsewhere.status, from_elsewhere.header("set-cookie")), (403, None));
}

#[tokio::test]
async fn every_error_code_is_explained_where_its_type_leads() {
    let app = TestApp::start().await;
    let answer = Answer::of(app.http.get(app.url("/docs/errors"))).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let page = answer.body.as_str().expect("HTML");
    for code in ErrorCode::ALL {
        let id = format!("id=\"{}\"", code.as_str());
        assert_eq!(page.matches(&id).count(), 1, "{id}");
        let (_, entry) = page.split_once(&format!("<section {id}>")).expect("a section");
        let (entry, _) = entry.split_once("</section>").expect("its end");
        for part in [code.status().as_str(), code.title()] {
            assert!(entry.contains(part), "{code:?} does not say {part}: {entry}");
        }
        // Only words of code are marked up: the text without marks is the table's.
        let text = plain(entry);
        for part in [code.meaning(), code.remedy()] {
            assert!(text.contains(&part.replace('`', "")), "{code:?} does not say {part}: {text}");
        }
    }
    let problem = Answer::of(app.http.get(app.url("/v1/nowhere"))).await;
    assert_eq!(problem.body["type"], app.url("/docs/errors#not_found"));
}

#[tokio::test]
async fn every_fault_and_every_reason_of_the_description_is_explained() {
    let app = TestApp::start().await;
    let description = Answer::of(app.http.get(app.url("/v1/openapi.json"))).await.body;
    let page = Answer::of(app.http.get(app.url("/docs/errors"))).await;
    let page = page.body.as_str().expect("HTML");
    for (pointer, section) in [
        ("/components/schemas/Fault/properties/code/enum", "faults"),
        ("/components/schemas/UnresolvedNumber/properties/reason/enum", "reasons"),
    ] {
        let (_, section) = page.split_once(&format!("<section id=\"{section}\">")).expect("a section");
        let (_, rows) = section.split_once("<tbody").expect("a table");
        let (rows, _) = rows.split_once("</tbody>").expect("its end");
        let words = description.pointer(pointer).and_then(Value::as_array).expect("an enumeration");
        for word in words {
            let cell = format!("<code>{}</code>", word.as_str().expect("a word"));
            assert_eq!(rows.matches(&cell).count(), 1, "{cell} in {rows}");
        }
        assert_eq!(rows.matches("<tr").count(), words.len(), "nothing else is listed");
    }
}

#[tokio::test]
async fn every_page_links_the_pages_of_whoever_runs_the_server_that_are_set() {
    let app = TestApp::with()
        .set("SITE__IMPRINT_URL", "/imprint")
        .set("SITE__PRIVACY_URL", "https://example.org/privacy")
        .start()
        .await;
    let helen = Browser::of_owner(&app, "fenwick").await;
    let links = [
        "<a href=\"/imprint\" rel=\"external\">Imprint</a>",
        "<a href=\"https://example.org/privacy\" rel=\"external\">Privacy</a>",
    ];
    let linked = async |path: &str| {
        let page = helen.get(path).await;
        assert!(links.iter().all(|link| page.html().matches(link).count() == 1), "{path}: {page:?}");
        page.status
    };
    for path in ["/", "/docs", "/status", "/forgot-password", "/portal"] {
        assert_eq!(linked(path).await, 200, "{path}");
    }
    assert_eq!(linked("/no-such-page").await, 404);
    app.database.main.execute_unprepared("ALTER TABLE sessions RENAME TO gone").await.expect("renames");
    assert_eq!(linked("/portal").await, 503);
}
