//! Sending by SMTP (RFC 5321): each letter over a connection of its own to a server that sends it on.

use std::{error::Error as _, time::Duration};

use async_trait::async_trait;
use lettre::{
    address::Address,
    message::Mailbox,
    transport::smtp::{
        Error,
        authentication::{Credentials, DEFAULT_MECHANISMS},
        client::{AsyncSmtpConnection, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::ClientId,
    },
};
use secrecy::ExposeSecret;
use tokio::time::timeout;

use super::{
    letter::{Letter, Travels},
    mailer::{Mailer, SendError},
};
use crate::config::{SmtpConfig, SmtpSecurity};

/// How long a server that has taken a letter may take to end the connection.
const FAREWELL_LIMIT: Duration = Duration::from_secs(2);

/// A mail server.
pub struct Smtp {
    host: String,
    port: u16,
    security: Security,
    credentials: Option<Credentials>,
    /// How we call ourselves: by the domain that our mail comes from.
    name: ClientId,
    from: Mailbox,
    limit: Duration,
}

enum Security {
    StartTls(TlsParameters),
    Tls(TlsParameters),
    None,
}

impl Smtp {
    /// The server that `config` names. It is not asked anything yet.
    ///
    /// # Errors
    /// The machine's TLS set-up is unusable.
    pub fn new(config: &SmtpConfig, from: Mailbox) -> Result<Self, Error> {
        let tls = || TlsParameters::new(config.host.clone());
        Ok(Self {
            host: config.host.clone(),
            port: config.port,
            security: match config.security {
                SmtpSecurity::StartTls => Security::StartTls(tls()?),
                SmtpSecurity::Tls => Security::Tls(tls()?),
                SmtpSecurity::None => Security::None,
            },
            credentials: config.credentials.as_ref().map(|credentials| {
                Credentials::new(credentials.user.clone(), credentials.password.expose_secret().to_owned())
            }),
            name: ClientId::Domain(from.email.domain().to_owned()),
            from,
            limit: config.timeout,
        })
    }

    /// A connection on which the server wants to know to whom our letter goes. Whatever goes wrong before is no letter's
    /// fault, whichever answer the server gives.
    async fn connect(&self) -> Result<AsyncSmtpConnection, Fault> {
        let server = (&*self.host, self.port);
        let from_the_beginning = match &self.security {
            Security::Tls(tls) => Some(tls.clone()),
            Security::StartTls(_) | Security::None => None,
        };
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, None, &self.name, from_the_beginning, None)
                .await
                .map_err(|error| Fault::at("on connecting", &error))?;
        if let Security::StartTls(tls) = &self.security {
            connection
                .starttls(tls.clone(), &self.name)
                .await
                .map_err(|error| Fault::at("on starting TLS", &error))?;
        }
        if let Some(credentials) = &self.credentials {
            connection
                .auth(DEFAULT_MECHANISMS, credentials)
                .await
                .map_err(|error| Fault::at("on signing in", &error))?;
        }
        connection
            .command(Mail::new(Some(self.from.email.clone()), Vec::new()))
            .await
            .map_err(|error| Fault::at("about the sender", &error))?;
        Ok(connection)
    }
}

#[async_trait]
impl Mailer for Smtp {
    async fn send(&self, letter: &Letter) -> Result<(), SendError> {
        let unwritable = || SendError::Never("the letter cannot be written".to_owned());
        let to = letter.receiver().ok_or_else(unwritable)?;
        let written = letter.written(&self.from, Travels::Far).ok_or_else(unwritable)?;
        let silent = |when: &str| format!("the mail server gave no answer in time {when}");
        let mut connection = match timeout(self.limit, self.connect()).await {
            Ok(connected) => connected.map_err(|fault| SendError::Away(fault.reason))?,
            Err(_) => return Err(SendError::Away(silent("on connecting"))),
        };
        let Ok(handed_over) = timeout(self.limit, hand_over(&mut connection, to, &written)).await else {
            return Err(SendError::NotNow(silent("about the letter")));
        };
        // Whether it says farewell changes nothing.
        let _farewell = timeout(FAREWELL_LIMIT, connection.quit()).await;
        handed_over.map_err(|fault| {
            if fault.is_final { SendError::Never(fault.reason) } else { SendError::NotNow(fault.reason) }
        })
    }

    fn longest(&self) -> Duration {
        2 * self.limit + FAREWELL_LIMIT
    }
}

/// The part of the conversation that is about one letter.
async fn hand_over(connection: &mut AsyncSmtpConnection, to: Address, written: &[u8]) -> Result<(), Fault> {
    let receiver = connection.command(Rcpt::new(to, Vec::new())).await;
    receiver.map_err(|error| Fault::at("about the receiver", &error))?;
    connection.command(Data).await.map_err(|error| Fault::at("about the letter", &error))?;
    connection.message(written).await.map_err(|error| Fault::at("about the letter", &error))?;
    Ok(())
}

struct Fault {
    reason: String,
    /// The server's last word (RFC 5321, section 4.2.1: an answer that begins with 5).
    is_final: bool,
}

impl Fault {
    fn at(when: &str, error: &Error) -> Self {
        let reason = match error.status() {
            Some(code) => {
                let words = error.source().map(ToString::to_string).unwrap_or_default();
                match enhanced_code(&words) {
                    Some(enhanced) => format!("the mail server answered {code} {enhanced} {when}"),
                    None => format!("the mail server answered {code} {when}"),
                }
            }
            // These quote what the server said.
            None if error.is_response() => format!("the mail server's answer made no sense {when}"),
            None => format!("the mail server cannot be used {when}: {error}"),
        };
        Self { reason, is_final: error.is_permanent() }
    }
}

/// The code that says more than the answer's own, such as `5.1.1` (RFC 3463, section 2).
fn enhanced_code(words: &str) -> Option<&str> {
    let code = words.split_whitespace().next()?;
    let mut parts = code.split('.');
    let is_number =
        |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = [parts.next()?, parts.next()?, parts.next()?];
    (parts.next().is_none() && numbers.into_iter().all(is_number)).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_servers_words_only_its_code_is_repeated() {
        for (words, code) in [
            ("5.1.1 <helen@fenwickmarine.example>: no such user", Some("5.1.1")),
            ("4.7.1 Greylisted", Some("4.7.1")),
            ("5.1", None),
            ("5.1.1.1", None),
            ("127.0.0.1234 blocked", None),
            ("<helen@fenwickmarine.example>: no such user", None),
            ("", None),
        ] {
            assert_eq!(enhanced_code(words), code, "{words}");
        }
    }
}
