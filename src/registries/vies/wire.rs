//! What VIES sends, read strictly. Errors come with HTTP 200 as often as not, and `valid: false` comes with every
//! error in one of the two shapes: an error always beats a boolean.

use std::time::Duration;

use serde::Deserialize;

use crate::{
    registries::{
        body::{Body, as_code},
        disclosed::{disclosed, noted},
    },
    verification::registry::{RegistryAnswer, RegistryError, Trader, Trouble, TroubleKind, Verdict},
};

/// Both shapes of an answer at once: `valid` and `errorWrappers` are the REST interface's, `isValid` and `userError`
/// the web page's.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reply {
    country_code: Option<String>,
    vat_number: Option<String>,
    request_date: Option<String>,
    valid: Option<bool>,
    is_valid: Option<bool>,
    user_error: Option<String>,
    action_succeed: Option<bool>,
    error_wrappers: Option<Vec<Option<ErrorWrapper>>>,
    request_identifier: Option<String>,
    name: Option<String>,
    address: Option<String>,
}

#[derive(Deserialize)]
struct ErrorWrapper {
    error: Option<String>,
}

/// What an error code means. Ordered: of several codes in one answer the greatest decides, so that no refusal of
/// our input hides an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Requester,
    Form,
    Trouble(Severity),
}

/// Trouble in the order of its reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    NumberBlocked,
    MemberStateBusy,
    MemberStateExhausted,
    TimedOut,
    MemberStateUnavailable,
    Unknown,
    RegistryBusy,
    RegistryExhausted,
    RegistryUnavailable,
    OurFault,
    CallerBlocked,
}

/// Reads the answer to a question about `national` of `country`.
pub(super) fn read_answer(
    body: &Body,
    country: &str,
    national: &str,
) -> Result<RegistryAnswer, RegistryError> {
    let Some(reply) = body.json::<Reply>() else {
        // A proxy's page. Only "too many" means the same whoever says it.
        return Err(match body.status.as_u16() {
            429 => busy(body),
            _ => body.unreadable(),
        }
        .into());
    };
    if let Some(error) = reply.error(body.retry_after) {
        return error;
    }
    match body.status.as_u16() {
        200 => {}
        429 => return Err(busy(body).into()),
        500.. => return Err(unavailable(body).into()),
        _ => return Err(body.unreadable().into()),
    }
    let registered = reply.verdict().ok_or_else(|| body.unreadable())?;
    if !reply.is_about(country, national) {
        return Err(Trouble::new(TroubleKind::Unreadable, "the answer is about another number").into());
    }
    let verdict = if registered {
        Verdict::Registered(Trader {
            name: reply.name.as_deref().and_then(disclosed),
            address: reply.address.as_deref().and_then(disclosed),
        })
    } else {
        Verdict::NotRegistered
    };
    Ok(RegistryAnswer {
        verdict,
        consultation_number: reply.request_identifier.as_deref().and_then(noted),
        dated: reply.request_date.as_deref().and_then(noted),
    })
}

fn busy(body: &Body) -> Trouble {
    with_status(TroubleKind::RegistryBusy, body)
}

fn unavailable(body: &Body) -> Trouble {
    with_status(TroubleKind::RegistryUnavailable, body)
}

fn with_status(kind: TroubleKind, body: &Body) -> Trouble {
    Trouble::new(kind, format!("HTTP {} without a code", body.status.as_u16()))
        .with_retry_after(body.retry_after)
}

impl Reply {
    /// The error this reply carries, in whichever shape; `None` when it carries none.
    fn error(&self, retry_after: Option<Duration>) -> Option<Result<RegistryAnswer, RegistryError>> {
        let wrapped =
            self.error_wrappers.iter().flatten().map(|wrapper| {
                wrapper.as_ref().and_then(|wrapper| wrapper.error.as_deref()).unwrap_or_default()
            });
        let user_error =
            self.user_error.as_deref().filter(|word| !matches!(word.trim(), "VALID" | "INVALID"));
        let worst =
            wrapped.chain(user_error).map(|code| (Fault::of(code), code)).max_by_key(|(fault, _)| *fault);
        match worst {
            Some((Fault::Requester, _)) => {
                Some(Err(RegistryError::RequesterRefused { number_is_known: false }))
            }
            Some((Fault::Form, _)) => Some(Ok(RegistryAnswer {
                verdict: Verdict::FormRefused,
                consultation_number: None,
                dated: self.request_date.as_deref().and_then(noted),
            })),
            Some((Fault::Trouble(severity), code)) => {
                Some(Err(Trouble::new(severity.kind(), as_code(code)).with_retry_after(retry_after).into()))
            }
            None if self.action_succeed == Some(false) => {
                Some(Err(Trouble::new(TroubleKind::Unreadable, "a failure without a code").into()))
            }
            None => None,
        }
    }

    /// Yes or no; `None` when the reply contradicts itself or does not say.
    fn verdict(&self) -> Option<bool> {
        match (self.valid, self.is_valid, self.user_error.as_deref().map(str::trim)) {
            (Some(valid), None, None) => Some(valid),
            (None, Some(true), Some("VALID")) => Some(true),
            (None, Some(false), Some("INVALID")) => Some(false),
            _ => None,
        }
    }

    /// Whether the reply echoes the question. The web page's shape names no country.
    fn is_about(&self, country: &str, national: &str) -> bool {
        let same_country = match &self.country_code {
            Some(echoed) => echoed == country,
            None => self.is_valid.is_some(),
        };
        let same_number = self
            .vat_number
            .as_deref()
            .is_some_and(|echoed| echoed == national || echoed.strip_prefix(country) == Some(national));
        same_country && same_number
    }
}

impl Fault {
    /// Codes arrive padded with blanks and as the first word of a sentence (DragonBe/vies, issue 15).
    fn of(code: &str) -> Self {
        let word = code.split(|c: char| c.is_whitespace() || c == ':').find(|word| !word.is_empty());
        match word.unwrap_or_default() {
            "INVALID_INPUT" => Self::Form,
            "INVALID_REQUESTER_INFO" => Self::Requester,
            "SERVICE_UNAVAILABLE" => Self::Trouble(Severity::RegistryUnavailable),
            "MS_UNAVAILABLE" => Self::Trouble(Severity::MemberStateUnavailable),
            "TIMEOUT" => Self::Trouble(Severity::TimedOut),
            "GLOBAL_MAX_CONCURRENT_REQ" | "SERVER_BUSY" => Self::Trouble(Severity::RegistryBusy),
            "MS_MAX_CONCURRENT_REQ" => Self::Trouble(Severity::MemberStateBusy),
            "GLOBAL_MAX_CONCURRENT_REQ_TIME" => Self::Trouble(Severity::RegistryExhausted),
            "MS_MAX_CONCURRENT_REQ_TIME" => Self::Trouble(Severity::MemberStateExhausted),
            "VAT_BLOCKED" => Self::Trouble(Severity::NumberBlocked),
            "IP_BLOCKED" => Self::Trouble(Severity::CallerBlocked),
            word => match word.strip_prefix("VOW-ERR-") {
                Some("11") => Self::Trouble(Severity::OurFault),
                Some(number) if number.len() == 4 && number.starts_with("26") => Self::Form,
                Some(number)
                    if number.len() == 4 && (number.starts_with("25") || number.starts_with("27")) =>
                {
                    Self::Requester
                }
                Some(_) => Self::Trouble(Severity::RegistryUnavailable),
                None => Self::Trouble(Severity::Unknown),
            },
        }
    }
}

impl Severity {
    const fn kind(self) -> TroubleKind {
        match self {
            Self::NumberBlocked => TroubleKind::NumberBlocked,
            Self::MemberStateBusy => TroubleKind::MemberStateBusy,
            Self::MemberStateExhausted => TroubleKind::MemberStateExhausted,
            Self::TimedOut => TroubleKind::TimedOut,
            Self::MemberStateUnavailable => TroubleKind::MemberStateUnavailable,
            Self::Unknown => TroubleKind::Unreadable,
            Self::RegistryBusy => TroubleKind::RegistryBusy,
            Self::RegistryExhausted => TroubleKind::RegistryExhausted,
            Self::RegistryUnavailable => TroubleKind::RegistryUnavailable,
            Self::OurFault => TroubleKind::QuestionNotUnderstood,
            Self::CallerBlocked => TroubleKind::CallerBlocked,
        }
    }
}
