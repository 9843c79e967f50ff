//! Sending over sockets to a mail server.

use std::{sync::Arc, time::Duration};

use crossvat::{
    config::{SmtpConfig, SmtpCredentials, SmtpSecurity},
    email::{Mailer, Round, SendError, Smtp},
};
use futures_util::future::join_all;

use super::{HELEN, Post, deliver, letter};
use crate::support::smtp_server::{SmtpServer, Taken, Tls, tls_of_localhost};

/// How long a test's server is waited for.
const LIMIT: Duration = Duration::from_secs(5);

fn config(server: &SmtpServer) -> SmtpConfig {
    SmtpConfig {
        host: "localhost".to_owned(),
        port: server.port(),
        security: SmtpSecurity::None,
        credentials: None,
        timeout: Duration::from_secs(10),
    }
}

fn smtp(config: &SmtpConfig) -> Smtp {
    let from = "Crossvat <crossvat@vat.example.org>".parse().expect("a sender");
    Smtp::new(config, from).expect("a TLS set-up")
}

async fn send(config: &SmtpConfig) -> Result<(), SendError> {
    smtp(config).send(&letter(1, "Choose a new password", "One.\n")).await
}

#[tokio::test]
async fn a_letter_arrives_as_it_was_written() {
    let server = SmtpServer::start(Tls::Never).await;
    let body = "Für Åsa:\n\n.\n..und weiter\n";
    smtp(&config(&server)).send(&letter(1, "Grüße", body)).await.expect("taken");
    let [Taken { from, to, letter, over_tls }] = &server.taken()[..] else { panic!("{:?}", server.taken()) };
    assert_eq!((&**from, &**to, over_tls), ("crossvat@vat.example.org", HELEN, &false));
    assert!(letter.starts_with("From: Crossvat <crossvat@vat.example.org>\n"), "{letter}");
    assert!(letter.contains("\nSubject: =?utf-8?b?R3LDvMOfZQ==?=\n"), "{letter}");
    assert!(letter.contains("\n\nF=C3=BCr =C3=85sa:\n\n.\n..und weiter\n"), "{letter}");
    assert_eq!(server.commands().last().map(String::as_str), Some("QUIT"));
    assert_eq!(server.commands()[0], "EHLO vat.example.org");
}

#[tokio::test]
async fn what_a_server_answers_tells_whether_to_try_again_and_whom_it_concerns() {
    let never = |text: &str| SendError::Never(text.to_owned());
    let not_now = |text: &str| SendError::NotNow(text.to_owned());
    let away = |text: &str| SendError::Away(text.to_owned());
    for (at, answer, expected) in [
        (
            "RCPT",
            "550 5.1.1 <helen@fenwickmarine.example>: no such user",
            never("the mail server answered 550 5.1.1 about the receiver"),
        ),
        ("RCPT", "451 4.7.1 Greylisted", not_now("the mail server answered 451 4.7.1 about the receiver")),
        ("RCPT", "452 full", not_now("the mail server answered 452 about the receiver")),
        ("DATA", "554 no", never("the mail server answered 554 about the letter")),
        ("LETTER", "552 5.3.4 too big", never("the mail server answered 552 5.3.4 about the letter")),
        ("LETTER", "421 4.3.2 going down", not_now("the mail server answered 421 4.3.2 about the letter")),
        ("LETTER", "what", not_now("the mail server's answer made no sense about the letter")),
        // No letter's fault, even when it sounds final.
        ("CONNECT", "554 5.7.1 go away", away("the mail server answered 554 5.7.1 on connecting")),
        ("EHLO", "502 5.5.1 what?", away("the mail server answered 502 5.5.1 on connecting")),
        ("MAIL", "550 5.7.1 not you", away("the mail server answered 550 5.7.1 about the sender")),
        ("CONNECT", "HTTP/1.1 400 Bad Request", away("the mail server's answer made no sense on connecting")),
    ] {
        let server = SmtpServer::start(Tls::Never).await;
        server.answer(at, answer);
        assert_eq!(send(&config(&server)).await, Err(expected), "{at} {answer}");
        assert_eq!(server.taken(), []);
        assert_eq!(send(&config(&server)).await, Ok(()), "after {at} {answer}");
        assert_eq!(server.taken().len(), 1);
    }
}

#[tokio::test]
async fn a_server_that_falls_silent_is_not_waited_for_longer_than_the_limit() {
    let cases = [
        ("CONNECT", false),
        ("EHLO", false),
        ("MAIL", false),
        ("RCPT", true),
        ("DATA", true),
        ("LETTER", true),
    ];
    join_all(cases.map(async |(at, is_about_the_letter)| {
        let server = SmtpServer::start(Tls::Never).await;
        server.be_silent_at(at);
        let silent = |when: &str| format!("the mail server gave no answer in time {when}");
        let expected = if is_about_the_letter {
            SendError::NotNow(silent("about the letter"))
        } else {
            SendError::Away(silent("on connecting"))
        };
        assert_eq!(send(&SmtpConfig { timeout: LIMIT, ..config(&server) }).await, Err(expected), "{at}");
    }))
    .await;
    // The letter is taken: that the farewell is not answered changes nothing.
    let server = SmtpServer::start(Tls::Never).await;
    server.be_silent_at("QUIT");
    assert_eq!(send(&config(&server)).await, Ok(()));
}

#[tokio::test]
async fn letters_outlast_a_server_that_is_away_and_one_that_greylists() {
    let post = Post::open().await;
    let mut server = SmtpServer::start(Tls::Never).await;
    let outbox = post.outbox(Some(Arc::new(smtp(&config(&server)))));
    server.stop();
    for address in ["late@b.co", HELEN] {
        post.enqueue_to(address).await;
    }
    let away = deliver(&outbox).await.away.expect("nobody is there");
    assert!(away.contains("cannot be used on connecting") && away.contains("refused"), "{away}");
    server.start_again().await;
    server.answer("RCPT", "450 4.2.0 Greylisted, see http://postgrey.example/");
    // Who has not been tried yet goes first.
    assert_eq!(deliver(&outbox).await, Round { put_off: 1, ..Round::default() });
    post.advance(10);
    assert_eq!(deliver(&outbox).await, Round { sent: 2, ..Round::default() });
    let mut to: Vec<_> = server.taken().into_iter().map(|taken| taken.to).collect();
    to.sort();
    assert_eq!(to, [HELEN, "late@b.co"]);
    assert_eq!(post.waiting().await, 0);
}

#[tokio::test]
async fn a_user_and_password_are_shown_and_must_be_taken() {
    let server = SmtpServer::start(Tls::Never).await;
    let credentials = SmtpCredentials { user: "crossvat".to_owned(), password: "hunter2".into() };
    let known = SmtpConfig { credentials: Some(credentials), ..config(&server) };
    assert_eq!(send(&known).await, Ok(()));
    // RFC 4616: the base64 of "\0crossvat\0hunter2".
    assert!(server.commands().contains(&"AUTH PLAIN AGNyb3NzdmF0AGh1bnRlcjI=".to_owned()));
    server.answer("AUTH", "535 5.7.8 crossvat: no");
    let refused = SendError::Away("the mail server answered 535 5.7.8 on signing in".to_owned());
    assert_eq!(send(&known).await, Err(refused));
    assert_eq!(server.taken().len(), 1);
}

#[tokio::test]
async fn nothing_is_said_without_tls_where_tls_is_wanted() {
    let plain = SmtpServer::start(Tls::Never).await;
    let credentials = || Some(SmtpCredentials { user: "crossvat".to_owned(), password: "hunter2".into() });
    let starttls =
        SmtpConfig { security: SmtpSecurity::StartTls, credentials: credentials(), ..config(&plain) };
    let Err(SendError::Away(reason)) = send(&starttls).await else { panic!("it must not be sent") };
    assert!(reason.contains("STARTTLS is not supported"), "{reason}");
    assert_eq!(plain.commands(), ["EHLO vat.example.org"]);
    // One that speaks plainly from the beginning.
    let tls = SmtpConfig { security: SmtpSecurity::Tls, timeout: LIMIT, ..starttls };
    assert!(matches!(send(&tls).await, Err(SendError::Away(_))));
    assert_eq!(plain.taken(), []);
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_is_told_nothing() {
    let (_certificate, acceptor) = tls_of_localhost();
    for (tls, security) in [
        (Tls::Offered(acceptor.clone()), SmtpSecurity::StartTls),
        (Tls::FromTheBeginning(acceptor), SmtpSecurity::Tls),
    ] {
        let server = SmtpServer::start(tls).await;
        let Err(SendError::Away(reason)) = send(&SmtpConfig { security, ..config(&server) }).await else {
            panic!("it must not be sent")
        };
        assert!(reason.contains("certificate"), "{reason}");
        assert_eq!(server.taken(), []);
        assert!(!server.commands().iter().any(|command| command.starts_with("MAIL")));
    }
}
