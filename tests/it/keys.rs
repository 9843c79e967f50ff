//! Where a key may be seen: by its holder, once, and nowhere else.

use std::process::Stdio;

use sea_orm::EntityTrait;
use serde_json::json;

use crate::support::{Answer, TestApp};

#[tokio::test]
async fn the_database_holds_a_hash_and_the_last_four() {
    let app = TestApp::start().await;
    let key = app.customer("acme").await.key;
    let rows = crossvat::db::entities::api_key::Entity::find().all(&app.database.main).await.expect("rows");
    let [row] = rows.as_slice() else { panic!("one key") };
    assert_eq!(row.last_four, key[key.len() - 4..]);
    assert_eq!(row.secret_hash.len(), 32);
    assert!(!format!("{row:?}").contains(&key[8..40]));
}

#[tokio::test]
async fn an_account_is_made_once_for_its_name() {
    let app = TestApp::start().await;
    let first = app.customer("acme").await;
    let again = app.customer("  acme ").await;
    let other = app.customer("Acme").await;
    assert_eq!(first.account_id, again.account_id);
    assert_ne!(first.account_id, other.account_id);
    assert_ne!(first.key, again.key);
}

/// The real program, so that its log is the real one.
#[tokio::test]
async fn no_part_of_a_key_reaches_the_log_wherever_it_is_sent() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().expect("folder");
    let mut server = crate::command_line::serve(&app, folder.path());
    let key = crate::command_line::issue_key(folder.path());
    let url = |path: &str| format!("http://{}{path}", server.address);
    let body = json!({ "vatNumbers": ["DE136695976", "GB980780684", key.clone()] });
    for request in [
        app.http.post(url("/v1/verify-vat")).bearer_auth(&key).json(&body),
        app.http.post(url(&format!("/v1/verify-vat?key={key}"))).json(&body),
        app.http.post(url(&format!("/v1/{key}"))),
        app.http.get(url(&format!("/{key}"))),
        app.http.post(url("/v1/verify-vat")).bearer_auth(format!("{key}x")).json(&body),
        app.http
            .post(url("/v1/verify-vat"))
            .bearer_auth(&key)
            .header("content-type", "application/json")
            .body(key.clone()),
        app.http.get(url("/v1/none")).header("x-request-id", format!("{key} ")),
    ] {
        let answer = Answer::of(request).await;
        assert_ne!(answer.status, 500, "{answer:?}");
    }
    let log = server.stop();
    let lines =
        log.matches(r#""message":"answered""#).count() + log.matches(r#""message":"refused""#).count();
    assert!(lines >= 7, "the log was really read: {log}");
    for secret in ["sandbox-secret", "Bearer "] {
        assert!(!log.contains(secret), "{secret} stands in the log:\n{log}");
    }
    let secret = &key[8..];
    for at in 0..secret.len() - 6 {
        assert!(!log.contains(&secret[at..at + 6]), "{} stands in the log:\n{log}", &secret[at..at + 6]);
    }
}

#[test]
fn issue_key_prints_the_key_and_nothing_else() {
    let folder = tempfile::tempdir().expect("folder");
    let output = crate::command_line::program(folder.path())
        .args(["issue-key", "--organisation", "Acme Ltd", "--name", "checkout", "--expires", "2099-01-01"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .expect("runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(printed.lines().count(), 1);
    assert!(crossvat::api_keys::PresentedKey::parse(printed.trim_end()).is_some(), "{printed}");
}

#[test]
fn issue_key_says_what_is_wrong_and_prints_no_key() {
    let folder = tempfile::tempdir().expect("folder");
    for (arguments, said) in [
        (
            vec!["issue-key", "--organisation", "", "--name", "a"],
            "an account's name needs 1 to 200 characters",
        ),
        (vec!["issue-key", "--organisation", "A", "--name", " "], "a key's name needs 1 to 100 characters"),
        (
            vec!["issue-key", "--organisation", "A", "--name", "a", "--expires", "2001-01-01"],
            "expire in the past",
        ),
        (
            vec!["issue-key", "--organisation", "A", "--name", "a", "--expires", "soon"],
            "expected a day such as",
        ),
        (vec!["issue-key", "--name", "a"], "--organisation <NAME>"),
    ] {
        let output = crate::command_line::program(folder.path()).args(&arguments).output().expect("runs");
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(said), "{arguments:?}: {errors}");
    }
}
