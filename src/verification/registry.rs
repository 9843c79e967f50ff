//! The port to a registry: one question, one answer or the reason why there is none.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use vat::{UnresolvedReason, VatNumber};

/// A tax authority's register that can be asked about one number at a time.
#[async_trait]
pub trait VatRegistry: Send + Sync {
    /// Asks once. Implementations answer only with what the registry said: whatever they cannot read for
    /// certain is an error, never a guess.
    ///
    /// # Errors
    /// The registry refused the requester, or there is no answer.
    async fn look_up(&self, lookup: Lookup) -> Result<RegistryAnswer, RegistryError>;

    /// Whether a lookup can be put to it at once. If not, it is made ready first, which takes a question of its own: a lookup
    /// that had to wait for that would come closer to the next than the registry allows.
    fn is_ready(&self) -> bool {
        true
    }

    /// Gets what a lookup needs: of all who ask for it at once, one does.
    ///
    /// # Errors
    /// It cannot be had.
    async fn make_ready(&self) -> Result<(), RegistryError> {
        Ok(())
    }

    /// For how long what was made ready can be used; `None`: nothing is needed, or nothing is at hand.
    fn ready_for(&self) -> Option<Duration> {
        None
    }
}

/// One question to one registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lookup {
    /// The number asked about.
    pub number: VatNumber,
    /// In whose name it is asked; gives a consultation number.
    pub requester: Option<VatNumber>,
}

/// What a registry said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryAnswer {
    /// Yes, no, or "not a number".
    pub verdict: Verdict,
    /// The registry's proof of the question. Opaque.
    pub consultation_number: Option<String>,
    /// The registry's own date or time of the answer, as it wrote it.
    pub dated: Option<String>,
}

/// The registry's word on a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Registered on the day of the answer.
    Registered(Trader),
    /// The registry does not confirm the number.
    NotRegistered,
    /// The registry refused the form of the number. Says nothing about registration.
    FormRefused,
}

/// Who is registered, as far as the registry discloses it. Never blank, never `---`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trader {
    /// The trader's name.
    pub name: Option<String>,
    /// Address lines joined with `, `.
    pub address: Option<String>,
}

/// Why a question got no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistryError {
    /// The registry did not accept the requester; without one it would answer.
    RequesterRefused {
        /// The refusal came after the number was found (HMRC's 403), so a later "no" cannot be true.
        number_is_known: bool,
    },
    /// Our credentials were refused and have been dropped; with new ones it may answer.
    CredentialsRefused,
    /// Nothing was said about the number.
    Trouble(Trouble),
}

/// A question that came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What went wrong.
    pub kind: TroubleKind,
    /// The registry's own code, or ours, for logs. Holds no number, name or secret.
    pub detail: String,
    /// How long the registry asked us to wait.
    pub retry_after: Option<Duration>,
    /// What the registry sent, if anything.
    pub raw: Option<RawAnswer>,
}

/// The beginning of what a registry sent, as it came. For the eyes of whoever looks into trouble: never for a log, since it
/// may hold anything.
#[derive(Clone, PartialEq, Eq)]
pub struct RawAnswer(Arc<str>);

/// A few letters tell nothing of a secret, and other words begin with them.
const LEAST_OF_A_SECRET: usize = 4;

impl RawAnswer {
    /// So many bytes of a body are kept.
    const MOST: usize = 2048;

    /// A status line, and the first 2 kB of the body.
    #[must_use]
    pub fn new(status: &str, body: &[u8]) -> Self {
        let body = String::from_utf8_lossy(&body[..body.len().min(Self::MOST)]);
        Self(format!("{status}\n{body}").into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same without a secret that was sent along with the question, should the answer repeat it.
    #[must_use]
    fn without(&self, secret: &str) -> Self {
        const GONE: &str = "[secret]";
        if secret.is_empty() {
            return self.clone();
        }
        let mut text = self.0.replace(secret, GONE);
        // Its beginning, where the end was cut off.
        let mut beginnings = (LEAST_OF_A_SECRET..secret.len()).rev().filter_map(|end| secret.get(..end));
        if let Some(beginning) = beginnings.find(|beginning| text.ends_with(beginning)) {
            text.truncate(text.len() - beginning.len());
            text.push_str(GONE);
        }
        Self(text.into())
    }
}

impl fmt::Debug for RawAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Trouble {
    /// Trouble without a wish of the registry's for a pause.
    pub fn new(kind: TroubleKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), retry_after: None, raw: None }
    }

    /// With the pause the registry asked for, if it did.
    #[must_use]
    pub fn with_retry_after(self, retry_after: Option<Duration>) -> Self {
        Self { retry_after, ..self }
    }

    /// The same, should what the registry sent repeat a secret that was sent to it.
    #[must_use]
    pub fn without(self, secret: &str) -> Self {
        let raw = self.raw.map(|raw| raw.without(secret));
        Self { raw, ..self }
    }

    /// With what the registry sent.
    #[must_use]
    pub fn with_raw(self, raw: Option<RawAnswer>) -> Self {
        Self { raw, ..self }
    }
}

impl From<Trouble> for RegistryError {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

/// The kinds of trouble. Each has one public reason and one way of being retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TroubleKind {
    /// The registry failed or cannot be reached.
    RegistryUnavailable,
    /// The registry says it is closed for a while (HMRC's scheduled maintenance).
    RegistryClosed,
    /// The registry does not know what we asked for: a fault of ours, such as a wrong path.
    QuestionNotUnderstood,
    /// The member state's own system does not answer.
    MemberStateUnavailable,
    /// No answer in time, by our limit or the registry's.
    TimedOut,
    /// Too many questions at once to one member state; passes within seconds.
    MemberStateBusy,
    /// Too many questions at once or in a second; passes within seconds.
    RegistryBusy,
    /// Too many questions to one member state in a window of time; passes within minutes.
    MemberStateExhausted,
    /// Too many questions in a window of time; passes within minutes.
    RegistryExhausted,
    /// This number may not be asked about.
    NumberBlocked,
    /// The registry refuses our address or application altogether.
    CallerBlocked,
    /// An answer whose meaning is not certain.
    Unreadable,
    /// Our credentials are missing or refused.
    NotConfigured,
}

impl TroubleKind {
    /// The reason a caller is told.
    #[must_use]
    pub const fn reason(self) -> UnresolvedReason {
        match self {
            Self::RegistryUnavailable | Self::RegistryClosed | Self::QuestionNotUnderstood => {
                UnresolvedReason::RegistryUnavailable
            }
            Self::MemberStateUnavailable => UnresolvedReason::MemberStateUnavailable,
            Self::TimedOut => UnresolvedReason::Timeout,
            Self::MemberStateBusy
            | Self::RegistryBusy
            | Self::MemberStateExhausted
            | Self::RegistryExhausted => UnresolvedReason::Throttled,
            Self::NumberBlocked | Self::CallerBlocked => UnresolvedReason::Blocked,
            Self::Unreadable => UnresolvedReason::RegistryUnreadable,
            Self::NotConfigured => UnresolvedReason::NotConfigured,
        }
    }

    /// The pause before the second try, where one can help within a call.
    #[must_use]
    pub const fn first_pause(self) -> Option<Duration> {
        match self {
            Self::RegistryUnavailable | Self::TimedOut | Self::MemberStateBusy | Self::Unreadable => {
                Some(Duration::from_millis(500))
            }
            Self::RegistryBusy => Some(Duration::from_secs(1)),
            Self::RegistryClosed
            | Self::QuestionNotUnderstood
            | Self::MemberStateUnavailable
            | Self::MemberStateExhausted
            | Self::RegistryExhausted
            | Self::NumberBlocked
            | Self::CallerBlocked
            | Self::NotConfigured => None,
        }
    }

    /// How long a caller should wait before asking again, when the registry did not say.
    #[must_use]
    pub const fn usual_wait(self) -> Duration {
        Duration::from_secs(match self {
            Self::MemberStateBusy | Self::RegistryBusy => 10,
            Self::RegistryUnavailable | Self::TimedOut => 30,
            Self::MemberStateUnavailable
            | Self::MemberStateExhausted
            | Self::RegistryExhausted
            | Self::Unreadable => 60,
            Self::RegistryClosed => 300,
            Self::QuestionNotUnderstood | Self::NumberBlocked | Self::CallerBlocked | Self::NotConfigured => {
                3600
            }
        })
    }

    /// Whether it stays until a person of ours does something.
    #[must_use]
    pub const fn needs_a_person(self) -> bool {
        matches!(self, Self::QuestionNotUnderstood | Self::CallerBlocked | Self::NotConfigured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_an_answer_holds_no_secret_not_even_where_it_is_cut() {
        const SECRET: &str = "0f8e7d6c5b4a39281706";
        let shown = |body: &str| {
            let raw = RawAnswer::new("HTTP 500", body.as_bytes());
            let trouble = Trouble::new(TroubleKind::Unreadable, "").with_raw(Some(raw)).without(SECRET);
            trouble.raw.map(|raw| raw.as_str().to_owned()).unwrap_or_default()
        };
        assert_eq!(
            shown("Authorization: Bearer 0f8e7d6c5b4a39281706!"),
            "HTTP 500\nAuthorization: Bearer [secret]!"
        );
        let filler = "x".repeat(RawAnswer::MOST - 7);
        assert_eq!(shown(&format!("{filler}{SECRET}")), format!("HTTP 500\n{filler}[secret]"));
        assert_eq!(shown("no such thing 0f8"), "HTTP 500\nno such thing 0f8");
    }
}
