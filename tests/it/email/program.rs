//! Mail as the program itself sends it, set up as an operator does.

use std::{fs, sync::Arc, time::Duration};

use crossvat::{
    clock::SystemClock,
    db::{Database, entities::outbox_letter},
    email::Outbox,
};
use sea_orm::EntityTrait;
use uuid::Uuid;

use super::{HELEN, PUBLIC_URL, SECRET, enqueue, reset_password};
use crate::support::{
    Office,
    program::Program,
    smtp_server::{SmtpServer, Tls, tls_of_localhost},
};

const PASSWORD: &str = "hunter2hunter2";

/// Starts the program with these settings, has it send a letter to Helen, and gives its whole log.
async fn send_with(office: &Office, settings: &[(&str, &str)]) -> String {
    let mut command = office.program();
    command.envs(settings.iter().copied()).env("CROSSVAT_EMAIL__FROM", "Crossvat <crossvat@example.org>");
    let mut program = Program::serve(command, &office.simulator, office.folder(), "trace");
    let id = enqueue(&office.database, &outbox(office), HELEN, &reset_password()).await;
    until(async || tries(&office.database, id).await.is_none()).await;
    program.stop()
}

fn outbox(office: &Office) -> Outbox {
    Outbox::new(office.database.main.clone(), Arc::new(SystemClock::default()), PUBLIC_URL.into(), None)
}

/// How often a letter was taken up; `None` when it is gone.
async fn tries(db: &Database, id: Uuid) -> Option<i32> {
    let row = outbox_letter::Entity::find_by_id(id).one(&db.main).await.expect("answers");
    row.map(|row| row.tries)
}

async fn until(is_so: impl AsyncFn() -> bool) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), waiting).await.expect("comes about");
}

/// However much is logged.
fn holds_no_secret(log: &str) {
    for secret in [SECRET, HELEN, PASSWORD] {
        assert!(!log.contains(secret), "{log}");
    }
}

#[tokio::test]
async fn the_program_writes_letters_into_its_folder() {
    let office = Office::open().await;
    let folder = office.folder().join("mail");
    let path = folder.to_str().expect("text");
    let log =
        send_with(&office, &[("CROSSVAT_EMAIL__TRANSPORT", "file"), ("CROSSVAT_EMAIL__FOLDER", path)]).await;
    let files: Vec<_> = fs::read_dir(&folder).expect("a folder").collect::<Result<_, _>>().expect("entries");
    let [file] = &files[..] else { panic!("{files:?}") };
    let letter = fs::read_to_string(file.path()).expect("text");
    assert!(letter.contains(&format!("\r\n{PUBLIC_URL}/reset-password/{SECRET}\r\n")), "{letter}");
    assert!(log.contains("mail is written into a folder") && log.contains("mail was sent"), "{log}");
    holds_no_secret(&log);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_sends_over_tls_to_a_server_that_the_machine_vouches_for() {
    for way in ["starttls", "tls"] {
        let office = Office::open().await;
        let (certificate, acceptor) = tls_of_localhost();
        let trusted = office.folder().join("trusted.pem");
        fs::write(&trusted, certificate).expect("writes");
        let tls = if way == "tls" { Tls::FromTheBeginning(acceptor) } else { Tls::Offered(acceptor) };
        let server = SmtpServer::start(tls).await;
        let log = send_with(
            &office,
            &[
                ("SSL_CERT_FILE", trusted.to_str().expect("text")),
                ("CROSSVAT_EMAIL__TRANSPORT", "smtp"),
                ("CROSSVAT_EMAIL__HOST", "localhost"),
                ("CROSSVAT_EMAIL__PORT", &server.port().to_string()),
                ("CROSSVAT_EMAIL__TLS", way),
                ("CROSSVAT_EMAIL__USER", "crossvat"),
                ("CROSSVAT_EMAIL__PASSWORD", PASSWORD),
            ],
        )
        .await;
        let [taken] = &server.taken()[..] else { panic!("{way}: {:?}", server.taken()) };
        assert!(taken.over_tls && taken.to == HELEN, "{way}: {taken:?}");
        assert!(server.commands().iter().any(|command| command.starts_with("AUTH")), "{way}");
        assert!(log.contains("mail goes by SMTP") && log.contains("mail was sent"), "{log}");
        holds_no_secret(&log);
    }
}

#[tokio::test]
async fn that_no_mail_goes_out_is_said_once_and_that_it_does_again_as_well() {
    let office = Office::open().await;
    let mut server = SmtpServer::start(Tls::Never).await;
    server.stop();
    let mut command = office.program();
    command
        .env("CROSSVAT_EMAIL__TRANSPORT", "smtp")
        .env("CROSSVAT_EMAIL__FROM", "crossvat@example.org")
        .env("CROSSVAT_EMAIL__HOST", "127.0.0.1")
        .env("CROSSVAT_EMAIL__PORT", server.port().to_string())
        .env("CROSSVAT_EMAIL__TLS", "none");
    let mut program = Program::serve(command, &office.simulator, office.folder(), "info");
    let outbox = outbox(&office);
    for _ in 0..2 {
        let id = enqueue(&office.database, &outbox, HELEN, &reset_password()).await;
        until(async || tries(&office.database, id).await == Some(1)).await;
    }
    server.start_again().await;
    let id = enqueue(&office.database, &outbox, HELEN, &reset_password()).await;
    until(async || tries(&office.database, id).await.is_none()).await;
    let log = program.stop();
    for said in ["no mail goes out", "mail goes out again"] {
        assert_eq!(log.matches(said).count(), 1, "{said}: {log}");
    }
    assert!(log.contains("the mail server cannot be used on connecting"), "{log}");
}

#[tokio::test]
async fn a_program_that_sends_no_mail_says_so_when_it_starts() {
    let office = Office::open().await;
    let log = Program::serve(office.program(), &office.simulator, office.folder(), "info").stop();
    assert!(log.contains("email.transport is not set: no mail is sent"), "{log}");
}

#[tokio::test]
async fn a_program_whose_mail_would_travel_unprotected_does_not_start() {
    let office = Office::open().await;
    let output = office
        .program()
        .arg("serve")
        .env("CROSSVAT_EMAIL__TRANSPORT", "smtp")
        .env("CROSSVAT_EMAIL__FROM", "crossvat@example.org")
        .env("CROSSVAT_EMAIL__HOST", "mail.example.org")
        .env("CROSSVAT_EMAIL__TLS", "none")
        .output()
        .expect("runs");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(
        !output.status.success() && said.contains("CROSSVAT_EMAIL__TLS: expected starttls or tls"),
        "{said}"
    );
}
