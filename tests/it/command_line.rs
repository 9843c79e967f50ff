//! The program as an operator runs it.

use std::{
    io::{Read, Write},
    path::Path,
    process::{Command, Output, Stdio},
    time::Duration,
};

use crossvat::config::Config;

use crate::support::{Answer, TestApp, database, program::Program};

/// The program with a database in `folder` and no other setting from outside.
pub fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crossvat"));
    command.env_clear().env("CROSSVAT_DATABASE__URL", database::url_for(folder)).stdin(Stdio::null());
    command
}

/// What comes of a command that is given `input`.
pub fn run_with_input(mut command: Command, input: &str) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("writes");
    child.wait_with_output().expect("ends")
}

/// A key of the program's database.
pub fn issue_key(folder: &Path) -> String {
    let output = program(folder)
        .args(["issue-key", "--organisation", "Acme", "--name", "test"])
        .output()
        .expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
}

/// Starts the program against `app`'s simulator and site, and logs everything.
pub fn serve(app: &TestApp, folder: &Path) -> Program {
    let mut command = program(folder);
    command
        .env("CROSSVAT_HMRC__CLIENT_ID", "sandbox-client")
        .env("CROSSVAT_HMRC__CLIENT_SECRET", "sandbox-secret");
    Program::serve(command, &app.simulator, app.site_directory(), "trace")
}

/// Browsers send the cookies of sessions that have ended, all day.
#[tokio::test]
async fn a_session_that_has_ended_is_no_suspicion() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().expect("folder");
    let by_default = Config::load(None, []).expect("the defaults").log.filter;
    for (filter, is_told) in [("info", true), (&*by_default, false)] {
        let mut server = Program::serve(program(folder.path()), &app.simulator, app.site_directory(), filter);
        let request =
            app.http.get(server.url("/portal")).header("cookie", "__Host-session=AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(request.send().await.expect("answers").status(), 303, "nobody is signed in");
        let log = server.stop();
        assert_eq!(log.contains("suspicious"), is_told, "{filter}: {log}");
        assert!(log.contains("\"message\":\"stopped\""), "{log}");
    }
    database::forget(folder.path());
}

#[tokio::test]
async fn a_call_that_was_accepted_is_answered_though_the_program_is_told_to_stop() {
    let app = TestApp::start().await;
    app.simulator.vies().set_delay(Duration::from_millis(800));
    let folder = tempfile::tempdir().expect("folder");
    let mut server = serve(&app, folder.path());
    let key = issue_key(folder.path());
    let request = app
        .http
        .post(format!("http://{}/v1/verify-vat", server.address))
        .bearer_auth(&key)
        .json(&serde_json::json!({ "vatNumbers": ["FR40303265045"] }));
    let call = tokio::spawn(Answer::of(request));
    while app.simulator.vies().in_flight() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    server.terminate();
    let answer = call.await.expect("answered");
    assert_eq!(answer.only_result()["valid"], true);
    let address = server.address;
    let log = server.ended();
    assert!(tokio::net::TcpStream::connect(address).await.is_err(), "nobody listens any more");
    assert!(log.contains("stopped"), "{log}");
}

#[test]
fn check_config_prints_every_setting_with_its_origin_and_no_secret() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("crossvat.toml");
    std::fs::write(&file, "[vies]\nmax_in_flight = 5\n").expect("write");
    let output = program(folder.path())
        .args(["check-config", "--config"])
        .arg(&file)
        .env("CROSSVAT_HMRC__CLIENT_ID", "someone")
        .env("CROSSVAT_HMRC__CLIENT_SECRET", "hunter2")
        .output()
        .expect("runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success());
    assert!(
        printed.contains("vies.max_in_flight = \"5\"  (")
            && printed.contains("crossvat.toml, vies.max_in_flight)")
    );
    assert!(printed.contains("hmrc.client_secret = (hidden)  (CROSSVAT_HMRC__CLIENT_SECRET)"));
    assert!(printed.contains("retention.usage_days = \"1096\"  (default)"), "{printed}");
    assert!(!printed.contains("hunter2"));
}

#[test]
fn a_bad_setting_ends_every_command_with_its_name() {
    let folder = tempfile::tempdir().expect("folder");
    for command in [
        &["serve"][..],
        &["migrate"],
        &["check-config"],
        &["issue-key", "--organisation", "a", "--name", "b"],
    ] {
        let output = program(folder.path())
            .args(command)
            .env("CROSSVAT_HTTP__BIND", "everywhere")
            .output()
            .expect("runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{command:?}");
        assert!(
            errors.contains(
                "CROSSVAT_HTTP__BIND: expected an address and port such as 127.0.0.1:8080, got \"everywhere\""
            ),
            "{errors}"
        );
    }
}

#[test]
fn migrate_makes_the_database_and_may_be_repeated() {
    let folder = tempfile::tempdir().expect("folder");
    let url = format!("sqlite://{}/new.db", folder.path().display());
    for _ in 0..2 {
        let migrate = program(folder.path()).env("CROSSVAT_DATABASE__URL", &url).arg("migrate").status();
        assert!(migrate.expect("runs").success());
    }
    let mut file = std::fs::File::open(folder.path().join("new.db")).expect("a file");
    let mut start = [0; 15];
    file.read_exact(&mut start).expect("not empty");
    assert_eq!(&start, b"SQLite format 3");
}

#[test]
fn what_looks_into_a_database_makes_none() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("missing.db");
    for arguments in [&["list-keys", "--organisation", "Acme"][..], &["purge"], &["verify-audit"]] {
        let mut command = program(folder.path());
        command.env("CROSSVAT_DATABASE__URL", format!("sqlite://{}", file.display())).args(arguments);
        let output = command.output().expect("runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}: {errors}");
        assert!(errors.contains("database"), "{arguments:?}: {errors}");
        assert!(!file.exists(), "{arguments:?}");
    }
}

#[test]
fn serve_says_what_is_missing() {
    let folder = tempfile::tempdir().expect("folder");
    let output = program(folder.path())
        .arg("serve")
        .env("CROSSVAT_HTTP__SITE_DIRECTORY", folder.path())
        .output()
        .expect("runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(errors.contains("manifest.json") && errors.contains("make site"), "{errors}");
}

#[test]
fn accounts_and_keys_are_made_listed_and_ended_on_the_command_line() {
    let folder = tempfile::tempdir().expect("folder");
    let run = |arguments: &[&str]| {
        let output = program(folder.path()).args(arguments).output().expect("runs");
        let text = |bytes| String::from_utf8(bytes).expect("text").trim_end().to_owned();
        (output.status.success(), text(output.stdout), text(output.stderr))
    };
    let (made, id, _) = run(&["create-account", "--name", "Acme", "--requests-per-minute", "7"]);
    assert!(made && id.parse::<uuid::Uuid>().is_ok(), "{id}");
    for (arguments, said) in [
        (&["create-account", "--name", "Acme"][..], "there is an account of this name already"),
        (&["create-account", "--name", "B", "--plan", "none"], "there is no such plan"),
        (&["create-account", "--name", "B", "--numbers-per-month", "0"], "a limit is a whole number from 1"),
        (&["list-keys", "--organisation", "Nobody"], "there is no account \"Nobody\""),
        (&["suspend-account", "--organisation", "Nobody", "--reason", "x"], "there is no account \"Nobody\""),
        (&["revoke-key", "018f0000-0000-7000-8000-000000000000"], "there is no such key"),
        (&["revoke-key", "cv_live_x"], "invalid value"),
    ] {
        let (done, printed, errors) = run(arguments);
        assert!(!done && printed.is_empty() && errors.contains(said), "{arguments:?}: {errors}");
    }
    let key = issue_key(folder.path());
    let (_, test_key, _) = run(&["issue-key", "--organisation", "Acme", "--name", "laptop", "--test"]);
    assert!(key.starts_with("cv_live_") && test_key.starts_with("cv_test_"));
    let (_, listed, _) = run(&["list-keys", "--organisation", "Acme"]);
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 2, "{listed}");
    assert!(lines[0].ends_with("laptop") && lines[0].contains("  active    cv_test_…"), "{listed}");
    assert!(lines[1].contains(&format!("cv_live_…{}  never", &key[key.len() - 4..])), "{listed}");
    assert!(!listed.contains(&key[8..20]));
    let id = lines[1].split(' ').next().expect("an identifier");
    assert_eq!(run(&["revoke-key", id]), (true, String::new(), String::new()));
    let (_, listed, _) = run(&["list-keys", "--organisation", "Acme"]);
    assert!(listed.contains(&format!("{id}  revoked ")), "{listed}");
    let (again, _, errors) = run(&["revoke-key", id]);
    assert!(!again && errors.contains("the key has ended already"), "{errors}");
}
