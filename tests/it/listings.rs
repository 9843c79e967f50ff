//! What readers copy out of texts and run: every listing is run here, or else read by what it is for. A listing that is not in the
//! table fails.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use crossvat::config::Config;
use sea_orm::{ConnectionTrait, Database};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    command_line::{issue_key, serve},
    support::{TestApp, Visitor, plain, private_servers::PrivatePostgres},
    written::{files_below, read, root},
};

/// What is done with a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    /// A test of its own runs it, or holds it against what the server says.
    Run,
    /// It would change the machine: a shell reads it and does not run it, and the files that it names are there.
    Read,
    /// A server's settings can be read from it.
    Settings,
    /// Its folders and files are there.
    Folders,
    /// `make` knows it.
    Make,
}

/// Every listing: the text it stands in, what it begins with, and what is done with it.
const LISTINGS: [(&str, &str, Tried); 21] = [
    ("README.md", "curl http://127.0.0.1:8080/v1/verify-vat", Tried::Run),
    ("README.md", "{\n  \"results\"", Tried::Run),
    ("README.md", "curl -X PUT http://127.0.0.1:8090/control", Tried::Run),
    ("README.md", "read -rs password", Tried::Run),
    ("README.md", "cat \"$(ls run/mail/*.eml", Tried::Run),
    ("README.md", "CROSSVAT_HTTP__PUBLIC_URL=", Tried::Settings),
    ("README.md", "src/ ", Tried::Folders),
    ("docs/guides/limits.md", "RateLimit-Policy:", Tried::Run),
    ("docs/guides/running-it.md", "make run", Tried::Make),
    ("docs/guides/running-it.md", "sqlite3 crossvat.db", Tried::Run),
    ("docs/guides/running-it.md", "rm -f crossvat.db", Tried::Run),
    ("docs/operating/README.md", "install -m 755 crossvat", Tried::Read),
    ("docs/operating/README.md", "CROSSVAT_HMRC__CLIENT_ID=", Tried::Settings),
    ("docs/operating/README.md", "crossvat_as_service() {", Tried::Run),
    ("docs/operating/backup.md", "sqlite3 /var/lib/crossvat/crossvat.db", Tried::Run),
    ("docs/operating/backup.md", "systemctl stop crossvat", Tried::Run),
    ("docs/operating/backup.md", "pg_dump", Tried::Run),
    ("docs/operating/backup.md", "pg_restore", Tried::Run),
    ("docs/operating/backup.md", "crossvat --config crossvat.toml verify-audit", Tried::Run),
    ("docs/operating/upgrade.md", "sqlite3 /var/lib/crossvat/crossvat.db", Tried::Run),
    ("docs/operating/upgrade.md", "./crossvat --config", Tried::Run),
];

/// The listings of a text, in order.
fn listings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside: Option<String> = None;
    for line in text.lines() {
        if line.starts_with("```") {
            match inside.take() {
                Some(listing) => found.push(listing),
                None => inside = Some(String::new()),
            }
        } else if let Some(listing) = &mut inside {
            listing.push_str(line);
            listing.push('\n');
        }
    }
    assert_eq!(inside, None, "every listing has an end");
    found
}

/// The listing of a file that begins like this.
#[track_caller]
fn listing(file: &str, beginning: &str) -> String {
    let known = LISTINGS.iter().any(|(of, start, _)| (*of, *start) == (file, beginning));
    assert!(known, "{file}: {beginning} is not in the table");
    listings(&read(file)).into_iter().find(|listing| listing.starts_with(beginning)).expect("a listing")
}

/// What a shell prints that runs a script in a folder as an operator does; the program is on its path as `crossvat`.
async fn run(folder: &Path, script: &str, settings: &[(&str, &str)], typed: &str) -> String {
    // With nothing of the tests' own environment but where programs are.
    const ALONE: &str =
        r#"exec env --ignore-environment PATH="$0:$PATH" "${@:2}" bash -euo pipefail -c "$1""#;
    let program = Path::new(env!("CARGO_BIN_EXE_crossvat")).parent().expect("a folder");
    let mut command = Command::new("bash");
    command.args(["-c", ALONE]).arg(program).arg(script).current_dir(folder);
    command.args(settings.iter().map(|(name, value)| format!("{name}={value}")));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let typed = typed.to_owned();
    let running = tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().expect("bash is installed");
        // What reads nothing may have ended.
        let _unread = child.stdin.take().expect("piped").write_all(typed.as_bytes());
        child.wait_with_output().expect("ends")
    });
    let output = running.await.expect("no panic");
    let (printed, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{script}\n{printed}\n{said}");
    printed.into_owned()
}

#[test]
fn every_listing_is_known() {
    let mut texts: Vec<_> =
        files_below(&root().join("docs")).into_iter().chain([root().join("README.md")]).collect();
    texts.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    let mut left = LISTINGS.to_vec();
    for path in texts {
        let file = path.strip_prefix(root()).expect("ours").to_str().expect("text").to_owned();
        for listing in listings(&read(&file)) {
            let place = left.iter().position(|(of, start, _)| *of == file && listing.starts_with(start));
            let Some(place) = place else { panic!("{file}: nothing runs this:\n{listing}") };
            let (_, _, tried) = left.remove(place);
            match tried {
                Tried::Run => {}
                Tried::Read => assert_can_be_read(&file, &listing),
                Tried::Settings => assert_settings(&file, &listing),
                Tried::Folders => assert_folders(&listing),
                Tried::Make => {
                    assert!(is_target(listing.trim().strip_prefix("make ").expect("make")), "{listing}");
                }
            }
        }
    }
    assert!(left.is_empty(), "no text has {left:?}");
}

#[track_caller]
fn assert_can_be_read(file: &str, listing: &str) {
    let read = Command::new("bash").args(["-n", "-c", listing]).status();
    assert!(read.expect("bash is installed").success(), "{file}: {listing}");
    let folder = root().join(file).parent().expect("a folder").to_owned();
    for word in listing.split_whitespace().filter(|word| !word.contains('/')) {
        let ending = Path::new(word).extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("toml" | "service" | "timer")) {
            assert!(folder.join(word).is_file(), "{file}: {word}");
        }
    }
}

/// Secrets, which a text leaves out, are filled in.
#[track_caller]
fn assert_settings(file: &str, listing: &str) {
    let lines = listing.lines().filter(|line| !line.starts_with('#'));
    let mut settings: Vec<_> = lines
        .map(|line| {
            let (name, value) = line.split_once('=').expect("a setting");
            let secret = if name.ends_with("SECOND_FACTOR_KEY") {
                "00112233445566778899aabbccddeeff".repeat(2)
            } else {
                "secret".to_owned()
            };
            (name.to_owned(), value.trim_matches('"').replace('…', &secret))
        })
        .collect();
    let sets_mail =
        |settings: &[(String, String)]| settings.iter().any(|(name, _)| name == "CROSSVAT_EMAIL__TRANSPORT");
    let config = if sets_mail(&settings) {
        Config::load(None, settings)
    } else {
        // Secrets alone: the rest is in the file that goes with them.
        settings.push(("CROSSVAT_LOG__FORMAT".to_owned(), "json".to_owned()));
        Config::load(Some(&root().join("docs/operating/crossvat.toml")), settings)
    };
    let config = config.unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(config.email.is_some(), "{file}");
}

#[track_caller]
fn assert_folders(listing: &str) {
    let mut within = String::new();
    let mut looked_at = 0;
    for line in listing.lines() {
        if let Some(line) = line.strip_prefix("  ") {
            // Names stand before what is said of them, which two blanks or more keep apart; a line can be of several.
            let names = line.split("  ").next().unwrap_or_default();
            for name in
                names.split(' ').filter(|name| name.ends_with('/') || Path::new(name).extension().is_some())
            {
                assert!(root().join(&within).join(name).exists(), "{within}{name}");
                looked_at += 1;
            }
        } else {
            let names: Vec<_> = line.split("  ").next().unwrap_or_default().split(' ').collect();
            for name in &names {
                assert!(root().join(name).is_dir(), "{name}");
                looked_at += 1;
            }
            names[0].clone_into(&mut within);
        }
    }
    assert!(looked_at > 40, "{looked_at}: are they still found?");
}

fn is_target(name: &str) -> bool {
    read("Makefile").lines().any(|line| line.starts_with(&format!("{name}:")))
}

#[test]
fn every_command_in_a_text_is_one() {
    let mut texts = files_below(&root().join("docs"));
    texts.push(root().join("README.md"));
    texts.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    let (mut commands, mut targets) = (0, 0);
    for path in texts {
        let text = fs::read_to_string(&path).expect("text");
        // Listings are looked at apart.
        let prose: String = text.split("```").step_by(2).collect();
        for code in prose.split('`').skip(1).step_by(2) {
            let mut words = code.split(' ').skip_while(|word| word.starts_with("CROSSVAT_"));
            match (words.next(), words.next()) {
                (Some("make"), Some(target)) => {
                    assert!(is_target(target), "{}: {code}", path.display());
                    targets += 1;
                }
                (Some("crossvat"), Some(command))
                    if command != "help" && command.starts_with(char::is_alphabetic) =>
                {
                    let help = Command::new(env!("CARGO_BIN_EXE_crossvat"))
                        .args([command.trim_end_matches(','), "--help"])
                        .output()
                        .expect("runs");
                    let help = String::from_utf8(help.stdout).expect("text");
                    assert!(help.contains("Usage: crossvat"), "{}: {code}", path.display());
                    for option in code.split([' ', '[', ']']).filter(|word| word.starts_with("--")) {
                        assert!(help.contains(option), "{}: {code}: {help}", path.display());
                    }
                    commands += 1;
                }
                _ => {}
            }
        }
    }
    assert!(commands > 15 && targets > 10, "{commands} commands, {targets} targets: are they still found?");
}

#[test]
fn every_file_of_json_is_json() {
    let files = files_below(&root().join("docs"));
    let files: Vec<_> =
        files.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    assert!(files.len() >= 8, "{files:?}");
    for path in files {
        let read = serde_json::from_str::<Value>(&fs::read_to_string(&path).expect("text"));
        assert!(read.is_ok(), "{}: {read:?}", path.display());
    }
}

#[tokio::test]
async fn the_first_call_is_answered_as_the_readme_says() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().expect("folder");
    let server = serve(&app, folder.path());
    fs::create_dir(folder.path().join("run")).expect("a folder");
    fs::write(folder.path().join("run/key"), issue_key(folder.path())).expect("written");
    let simulator = app.simulator.hmrc_base_url();
    let here = |listing: String| {
        listing
            .replace("http://127.0.0.1:8080", &server.url(""))
            .replace("http://127.0.0.1:8090", simulator.trim_end_matches('/'))
    };

    let call = here(listing("README.md", "curl http://127.0.0.1:8080/v1/verify-vat"));
    let mut answer: Value = serde_json::from_str(&run(folder.path(), &call, &[], "").await).expect("JSON");
    let results = answer["results"].as_array_mut().expect("results");
    assert!(results.iter().all(|result| result["valid"] == true), "{results:?}");
    assert_eq!(results.len(), 5);
    let mut shown: Value = serde_json::from_str(&listing("README.md", "{\n  \"results\"")).expect("JSON");
    for result in [&mut results[0], &mut shown["results"][0]] {
        let at = result["timestamp"].take();
        assert!(chrono::DateTime::parse_from_rfc3339(at.as_str().expect("text")).is_ok(), "{at}");
    }
    assert_eq!(shown["results"][0], results[0]);

    let outage = here(listing("README.md", "curl -X PUT http://127.0.0.1:8090/control"));
    let printed = run(folder.path(), &outage, &[], "").await;
    let (_, problem) = printed.split_once("{\"type\":").expect("a problem");
    let problem: Value = serde_json::from_str(&format!("{{\"type\":{problem}")).expect("JSON");
    assert_eq!((&problem["status"], &problem["code"]), (&503.into(), &"registry_unavailable".into()));
    assert_eq!(problem["results"].as_array().map(Vec::len), Some(4), "{problem}");
    assert_eq!(problem["unresolved"].as_array().map(Vec::len), Some(1), "{problem}");
    assert_eq!(problem["unresolved"][0]["vatNumber"], "DE136695976");
}

#[tokio::test]
async fn the_call_on_the_first_page_is_answered() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    let page = app.visitor().page("/").await;
    let code = page.split("<code").find(|code| code.contains("$CROSSVAT_URL/v1/verify-vat")).expect("a call");
    let code = plain(code.split_once('>').and_then(|(_, code)| code.split_once("</code>")).expect("code").0);
    let folder = tempfile::tempdir().expect("folder");
    let settings = [("CROSSVAT_URL", &*app.url("")), ("CROSSVAT_KEY", &*customer.key)];
    let printed = run(folder.path(), &code, &settings, "").await;
    let answer: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(answer["results"].as_array().map(Vec::len), Some(2), "{answer}");
}

#[tokio::test]
async fn headers_of_a_counted_call_are_as_the_guide_shows_them() {
    let app = TestApp::start().await;
    let customer = app.customer("acme").await;
    customer.verify(&["DE136695976"]).await;
    app.clock.advance(Duration::from_secs(12));
    customer.verify(&["DE136695976"]).await;
    let answer = customer.verify(&["DE136695976"]).await;
    let sent = ["RateLimit-Policy", "RateLimit"]
        .map(|name| format!("{name}: {}\n", answer.header(name).expect("a header")));
    assert_eq!(listing("docs/guides/limits.md", "RateLimit-Policy:"), sent.concat());
}

#[tokio::test]
async fn the_newest_letter_is_shown() {
    let folder = tempfile::tempdir().expect("folder");
    fs::create_dir_all(folder.path().join("run/mail")).expect("a folder");
    for (name, text) in [("20260903T084107", "older"), ("20260903T084108", "newest")] {
        fs::write(folder.path().join(format!("run/mail/{name}-confirm-address-0.eml")), text)
            .expect("written");
    }
    let printed = run(folder.path(), &listing("README.md", "cat \"$(ls run/mail/*.eml"), &[], "").await;
    assert_eq!(printed, "newest");
}

/// A folder as an operator has it, with a SQLite database in which something was done.
struct Machine {
    folder: TempDir,
    /// What stands for commands that would change the machine.
    commands: String,
}

impl Machine {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().display();
        fs::create_dir_all(folder.path().join("backups")).expect("a folder");
        fs::create_dir_all(folder.path().join("bin")).expect("a folder");
        fs::copy(root().join("docs/operating/crossvat.toml"), folder.path().join("crossvat.toml"))
            .expect("copied");
        let machine = Self {
            commands: format!(
                "export CROSSVAT_DATABASE__URL=sqlite://{path}/crossvat.db\n\
                 systemctl() {{ printf '%s ' systemctl \"$@\"; }}\n\
                 install() {{ cp \"${{@: -2:1}}\" \"${{@: -1}}\"; }}\n\
                 systemd-run() {{ while [[ $1 == --* ]]; do shift; done; \"$@\"; }}\n"
            ),
            folder,
        };
        machine.run("crossvat create-account --name 'Before the copy'", "").await;
        machine
    }

    /// Runs a script with its folders in place of those of a machine.
    async fn run(&self, script: &str, typed: &str) -> String {
        let path = self.folder.path().display().to_string();
        let script = script
            .replace("/var/backups/crossvat", &format!("{path}/backups"))
            .replace("/var/lib/crossvat", &path)
            .replace("/etc/crossvat", &path)
            .replace("/usr/local/bin", &format!("{path}/bin"));
        run(self.folder.path(), &format!("{}{script}", self.commands), &[], typed).await
    }

    async fn accounts(&self) -> String {
        self.run("sqlite3 crossvat.db 'SELECT name FROM accounts ORDER BY name'", "").await
    }

    /// The number and hash of the last event of the audit log, as an operator notes them.
    async fn last_event(&self) -> String {
        let printed = self.run("crossvat verify-audit", "").await;
        let (_, last) = printed.split_once("last: ").unwrap_or_else(|| panic!("no last event: {printed}"));
        last.split_whitespace().next().expect("an event").to_owned()
    }
}

#[tokio::test]
async fn a_copy_of_sqlite_is_made_put_back_and_proved() {
    for (copy, copied, restore) in [
        (
            listing("docs/operating/backup.md", "sqlite3 /var/lib/crossvat/crossvat.db"),
            "backups/crossvat-*.db",
            listing("docs/operating/backup.md", "systemctl stop crossvat"),
        ),
        (
            listing("docs/guides/running-it.md", "sqlite3 crossvat.db"),
            "copy.db",
            listing("docs/guides/running-it.md", "rm -f crossvat.db"),
        ),
    ] {
        let machine = Machine::new().await;
        let noted = machine.last_event().await;
        machine.run(&copy, "").await;
        machine.run("crossvat create-account --name 'Since the copy'", "").await;
        assert_eq!(machine.accounts().await, "Before the copy\nSince the copy\n");
        machine.run(&format!("[ -e copy.db ] || mv {copied} copy.db\n{restore}"), "").await;
        assert_eq!(machine.accounts().await, "Before the copy\n");
        let prove = listing("docs/operating/backup.md", "crossvat --config crossvat.toml verify-audit");
        assert!(prove.contains(" 118:3f2a…"), "{prove}");
        machine.run(&prove.replace("118:3f2a…", &noted), "").await;
    }
}

#[tokio::test]
async fn a_newer_program_is_put_in_place_and_serves() {
    let app = TestApp::start().await;
    let machine = Machine::new().await;
    fs::copy(env!("CARGO_BIN_EXE_crossvat"), machine.folder.path().join("crossvat")).expect("copied");
    let upgrade = listing("docs/operating/upgrade.md", "sqlite3 /var/lib/crossvat/crossvat.db");
    machine.run(&upgrade.replace("http://127.0.0.1:8080", &app.url("")), "").await;
    for file in ["backups/before-upgrade.db", "bin/crossvat"] {
        assert!(machine.folder.path().join(file).is_file(), "{file}");
    }
    let printed = machine.run(&listing("docs/operating/upgrade.md", "./crossvat --config"), "").await;
    assert!(printed.contains("https://vat.example.org"), "{printed}");
}

#[tokio::test]
async fn commands_run_as_the_service_does() {
    let machine = Machine::new().await;
    fs::copy(env!("CARGO_BIN_EXE_crossvat"), machine.folder.path().join("bin/crossvat")).expect("copied");
    let typed = format!("{}\n", Visitor::PASSWORD);
    machine.run(&listing("docs/operating/README.md", "crossvat_as_service() {"), &typed).await;
    let staff = "sqlite3 crossvat.db 'SELECT email FROM support_staff'";
    assert_eq!(machine.run(staff, "").await, "sam@example.com\n");
    let machine = Machine::new().await;
    machine.run(&listing("README.md", "read -rs password"), &typed).await;
    assert_eq!(machine.run(staff, "").await, "sam@example.com\n");
}

#[tokio::test]
async fn a_copy_of_postgresql_is_made_put_back_and_proved() {
    let postgres = PrivatePostgres::start().await;
    let machine = Machine::new().await;
    let at = |url: &str, script: &str| format!("export CROSSVAT_DATABASE__URL={url}\n{script}");
    machine.run(&at(&postgres.url(), "crossvat create-account --name 'Before the copy'"), "").await;
    machine.run(&at(&postgres.url(), &listing("docs/operating/backup.md", "pg_dump")), "").await;

    let server = Database::connect(postgres.url()).await.expect("connects");
    server.execute_unprepared("CREATE DATABASE restored").await.expect("a database");
    let restored =
        format!("{}/restored", postgres.url().strip_suffix("/postgres").expect("its first database"));
    machine.run(&at(&restored, &listing("docs/operating/backup.md", "pg_restore")), "").await;
    let proved = machine.run(&at(&restored, "crossvat verify-audit"), "").await;
    assert!(proved.contains("last: "), "{proved}");
    let original = machine.run(&at(&postgres.url(), "crossvat verify-audit"), "").await;
    assert_eq!(proved, original);
}
