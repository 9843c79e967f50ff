//! What a session holds of the person who is signed in.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{passwords::PasswordFingerprint, people::Person};

/// Where a session's data holds [`SignedIn`]. The store copies it into columns, by which a person's sessions are found.
pub const SIGNED_IN: &str = "signed_in";
/// What is kept of a program's name for itself, in characters.
const MAX_USER_AGENT: usize = 255;

/// Who signed in, and from where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedIn {
    person: Person,
    password: PasswordFingerprint,
    client_address: Option<IpAddr>,
    user_agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proved_at: Option<DateTime<Utc>>,
}

impl SignedIn {
    /// Somebody who signs in now, with this password.
    #[must_use]
    pub fn new(
        (person, password): (Person, PasswordFingerprint),
        client_address: Option<IpAddr>,
        user_agent: Option<&str>,
    ) -> Self {
        let shown = |c: &char| !c.is_control();
        let cut = |text: &str| text.chars().filter(shown).take(MAX_USER_AGENT).collect();
        Self { person, password, client_address, user_agent: user_agent.map(cut), proved_at: None }
    }

    /// Who.
    #[must_use]
    pub const fn person(&self) -> Person {
        self.person
    }

    /// With which password; a session is kept only while it is the present one.
    #[must_use]
    pub const fn password(&self) -> PasswordFingerprint {
        self.password
    }

    /// The same, for somebody who has changed the password here.
    #[must_use]
    pub fn with_password(self, password: PasswordFingerprint) -> Self {
        Self { password, ..self }
    }

    /// The same, for somebody whose second factor was seen now.
    #[must_use]
    pub fn proved(self, now: DateTime<Utc>) -> Self {
        Self { proved_at: Some(now), ..self }
    }

    /// When the second factor was seen last in this session, if ever.
    #[must_use]
    pub const fn proved_at(&self) -> Option<DateTime<Utc>> {
        self.proved_at
    }

    /// From where.
    #[must_use]
    pub const fn client_address(&self) -> Option<IpAddr> {
        self.client_address
    }

    /// With what program.
    #[must_use]
    pub fn user_agent(&self) -> Option<&str> {
        self.user_agent.as_deref()
    }
}
