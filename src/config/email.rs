//! `[email]`: how mail leaves this server.

use std::{path::PathBuf, str::FromStr, time::Duration};

use lettre::{Address, message::Mailbox};
use secrecy::SecretString;

use super::{
    http::HttpConfig,
    settings::{ConfigError, Settings},
    types::{is_this_machine, seconds},
};

const TRANSPORT: &str = "email.transport";
/// What nothing else than sending by SMTP needs.
const OF_SMTP: [&str; 4] = ["email.host", "email.port", "email.user", "email.password"];

/// How mail leaves this server.
#[derive(Clone, Debug)]
pub struct EmailConfig {
    /// Whom it comes from.
    pub from: Mailbox,
    /// Who hears of each new request for keys; `None`: nobody.
    pub requests_to: Option<Address>,
    /// Which way it goes.
    pub transport: EmailTransport,
}

/// Which way mail goes.
#[derive(Clone, Debug)]
pub enum EmailTransport {
    /// Into files in a folder, for running on one's own machine.
    File {
        /// The folder; it is made when it is missing.
        folder: PathBuf,
    },
    /// To a mail server, which sends it on.
    Smtp(SmtpConfig),
}

/// A mail server that takes mail from us.
#[derive(Clone, Debug)]
pub struct SmtpConfig {
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is protected.
    pub security: SmtpSecurity,
    /// How we make ourselves known; `None`: not at all.
    pub credentials: Option<SmtpCredentials>,
    /// Time limit of reaching the server, and again of handing a letter over.
    pub timeout: Duration,
}

/// How the connection to a mail server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpSecurity {
    /// TLS after a plain beginning (RFC 3207). A server that does not offer it is not used.
    StartTls,
    /// TLS from the beginning (RFC 8314, section 3.3).
    Tls,
    /// Not at all; only on this machine.
    None,
}

/// How we make ourselves known to a mail server.
#[derive(Clone, Debug)]
pub struct SmtpCredentials {
    /// The name.
    pub user: String,
    /// The password.
    pub password: SecretString,
}

impl EmailConfig {
    /// `None` when no transport is set: nothing is sent.
    pub(super) fn from_settings(settings: &Settings, http: &HttpConfig) -> Result<Option<Self>, ConfigError> {
        let transport = match settings.text(TRANSPORT) {
            "" => {
                let needless = ["email.folder", "email.requests_to"];
                refuse_set(settings, &needless, "nothing, since email.transport is not set")?;
                refuse_set(settings, &OF_SMTP, "nothing, since email.transport is not set")?;
                return Ok(None);
            }
            "file" => {
                refuse_set(settings, &OF_SMTP, "nothing, since email.transport is file")?;
                let expected = "the path of a folder, since email.transport is file";
                let folder = settings
                    .parse_if("email.folder", expected, |folder: &PathBuf| !folder.as_os_str().is_empty())?;
                EmailTransport::File { folder }
            }
            "smtp" => {
                refuse_set(settings, &["email.folder"], "nothing, since email.transport is smtp")?;
                EmailTransport::Smtp(SmtpConfig::from_settings(settings)?)
            }
            other => return Err(settings.unexpected(TRANSPORT, "smtp or file", &format!("{other:?}"))),
        };
        if http.public_url.is_none() && !http.bind.ip().is_loopback() {
            let expected = "the address that links in mail begin with, since email.transport is set";
            return Err(settings.unexpected("http.public_url", expected, "nothing"));
        }
        let expected = "whom mail comes from, such as Crossvat <crossvat@example.org>";
        // Addresses beyond ASCII need servers that few have (RFC 6531).
        let is_ascii = |from: &Mailbox| from.email.to_string().is_ascii();
        let from = settings.parse_if("email.from", expected, is_ascii)?;
        let requests_to =
            settings.parse_optional("email.requests_to", "an address such as support@example.org")?;
        Ok(Some(Self { from, requests_to, transport }))
    }
}

impl SmtpConfig {
    fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let security: SmtpSecurity = settings.parse("email.tls", "starttls, tls or none")?;
        let is_host =
            |host: &String| !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c == '/');
        let host: String = settings.parse_if(
            "email.host",
            "the name of a mail server such as mail.example.org, since email.transport is smtp",
            is_host,
        )?;
        if security == SmtpSecurity::None && !is_this_machine(&host) {
            return Err(settings.unexpected(
                "email.tls",
                "starttls or tls: mail holds secret links, so none is for localhost alone",
                &format!("\"none\" for {host}"),
            ));
        }
        let port = settings.parse_optional("email.port", "a port such as 587")?;
        Ok(Self {
            host,
            port: port.unwrap_or_else(|| security.usual_port()),
            security,
            credentials: SmtpCredentials::from_settings(settings)?,
            timeout: seconds(settings, "email.timeout_seconds")?,
        })
    }
}

impl SmtpCredentials {
    fn from_settings(settings: &Settings) -> Result<Option<Self>, ConfigError> {
        let (user, password) = (settings.text("email.user"), settings.text("email.password"));
        let missing = match (user.is_empty(), password.is_empty()) {
            (true, true) => return Ok(None),
            (false, false) => {
                return Ok(Some(Self { user: user.to_owned(), password: password.into() }));
            }
            (true, false) => ("email.user", "a value, since email.password has one"),
            (false, true) => ("email.password", "a value, since email.user has one"),
        };
        Err(settings.unexpected(missing.0, missing.1, "nothing"))
    }
}

impl SmtpSecurity {
    const fn usual_port(self) -> u16 {
        match self {
            Self::StartTls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

impl FromStr for SmtpSecurity {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "starttls" => Ok(Self::StartTls),
            "tls" => Ok(Self::Tls),
            "none" => Ok(Self::None),
            _ => Err(()),
        }
    }
}

/// A setting that would do nothing is a mistake.
fn refuse_set(settings: &Settings, keys: &[&str], expected: &'static str) -> Result<(), ConfigError> {
    match keys.iter().find(|key| !settings.text(key).is_empty()) {
        Some(key) => Err(settings.unexpected(key, expected, "a value")),
        None => Ok(()),
    }
}
