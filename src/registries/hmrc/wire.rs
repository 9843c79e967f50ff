//! What HMRC sends, read strictly. Status and code are judged together; texts, which HMRC may change without
//! notice, only where nothing else tells two cases apart.

use std::time::Duration;

use secrecy::SecretString;
use serde::Deserialize;
use vat::VatNumber;

use crate::{
    registries::{
        body::{Body, as_code},
        disclosed::{disclosed, noted},
    },
    verification::registry::{RegistryAnswer, RegistryError, Trader, Trouble, TroubleKind, Verdict},
};

/// HMRC's tokens live for four hours; whatever it says, none is used for longer than this.
const LONGEST_LIFE: Duration = Duration::from_hours(24);

/// A token as issued.
pub(super) struct IssuedToken {
    pub(super) secret: SecretString,
    pub(super) life: Duration,
}

#[derive(Deserialize)]
struct TokenIssued {
    access_token: SecretString,
    /// Seconds.
    expires_in: u64,
}

#[derive(Deserialize)]
struct TokenFault {
    error: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    target: Target,
    consultation_number: Option<String>,
    processing_date: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Target {
    name: String,
    vat_number: String,
    address: Address,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Address {
    line1: Option<String>,
    line2: Option<String>,
    line3: Option<String>,
    line4: Option<String>,
    line5: Option<String>,
    postcode: Option<String>,
    country_code: Option<String>,
}

/// The API's own errors, and with `code` absent the Play framework's.
#[derive(Deserialize)]
struct Fault {
    code: Option<String>,
    message: String,
}

pub(super) fn read_token(body: &Body) -> Result<IssuedToken, Trouble> {
    let status = body.status.as_u16();
    if status == 200 {
        let issued: TokenIssued = body.json().ok_or_else(|| body.unreadable())?;
        let life = Duration::from_secs(issued.expires_in).min(LONGEST_LIFE);
        return Ok(IssuedToken { secret: issued.access_token, life });
    }
    let error = body.json::<TokenFault>().map(|fault| fault.error);
    let kind = match (status, &error) {
        (429, _) => TroubleKind::RegistryBusy,
        (500.., _) => TroubleKind::RegistryUnavailable,
        (400 | 401, _) | (_, Some(_)) => TroubleKind::NotConfigured,
        _ => return Err(body.unreadable()),
    };
    let said = error.as_deref().map_or("no readable body", as_code);
    Err(Trouble::new(kind, format!("token endpoint: HTTP {status}, {said}"))
        .with_retry_after(body.retry_after))
}

pub(super) fn read_lookup(body: &Body, asked: &VatNumber) -> Result<RegistryAnswer, RegistryError> {
    if body.status.as_u16() == 200 {
        let found: Found = body.json().ok_or_else(|| body.unreadable())?;
        if found.target.vat_number != asked.national() {
            return Err(Trouble::new(TroubleKind::Unreadable, "the answer is about another number").into());
        }
        return Ok(RegistryAnswer {
            verdict: Verdict::Registered(found.target.into()),
            consultation_number: found.consultation_number.as_deref().and_then(noted),
            dated: found.processing_date.as_deref().and_then(noted),
        });
    }
    let Some(fault) = body.json::<Fault>() else {
        return Err(without_readable_body(body).into());
    };
    let code = fault.code.as_deref().unwrap_or_default();
    let answer = |verdict| Ok(RegistryAnswer { verdict, consultation_number: None, dated: None });
    let kind = match (body.status.as_u16(), code) {
        (404, "NOT_FOUND") => return answer(Verdict::NotRegistered),
        // 400 names whichever number it refuses; the target's refusal outweighs the requester's.
        (400, "INVALID_REQUEST") if fault.message.contains("targetVrn") => {
            return answer(Verdict::FormRefused);
        }
        (400, "INVALID_REQUEST") if fault.message.contains("requesterVrn") => {
            return Err(RegistryError::RequesterRefused { number_is_known: false });
        }
        (403, "INVALID_REQUEST") => return Err(RegistryError::RequesterRefused { number_is_known: true }),
        (401, "MISSING_CREDENTIALS" | "INCORRECT_ACCESS_TOKEN_TYPE") | (405 | 406, _) => {
            TroubleKind::NotConfigured
        }
        (401, _) => return Err(RegistryError::CredentialsRefused),
        (403, _) => TroubleKind::CallerBlocked,
        (404 | 501, _) => TroubleKind::QuestionNotUnderstood,
        (429, _) => TroubleKind::RegistryBusy,
        (503, "SCHEDULED_MAINTENANCE") => TroubleKind::RegistryClosed,
        (504, _) => TroubleKind::TimedOut,
        (500.., _) => TroubleKind::RegistryUnavailable,
        _ => TroubleKind::Unreadable,
    };
    Err(trouble(kind, body, as_code(code)).into())
}

/// A proxy's page or nothing at all. The status alone is trusted where it blames the caller, and where waiting is
/// the answer whoever sent it.
fn without_readable_body(body: &Body) -> Trouble {
    let kind = match body.status.as_u16() {
        403 => TroubleKind::CallerBlocked,
        406 => TroubleKind::NotConfigured,
        429 => TroubleKind::RegistryBusy,
        504 => TroubleKind::TimedOut,
        _ => return body.unreadable(),
    };
    trouble(kind, body, "no readable body")
}

fn trouble(kind: TroubleKind, body: &Body, said: &str) -> Trouble {
    Trouble::new(kind, format!("HTTP {}, {said}", body.status.as_u16())).with_retry_after(body.retry_after)
}

impl From<Target> for Trader {
    fn from(target: Target) -> Self {
        let Address { line1, line2, line3, line4, line5, postcode, country_code } = target.address;
        let foreign = country_code.filter(|code| code != "GB");
        let parts: Vec<String> = [line1, line2, line3, line4, line5, postcode, foreign]
            .into_iter()
            .flatten()
            .filter_map(|part| disclosed(&part))
            .collect();
        Self {
            name: disclosed(&target.name),
            address: Some(parts.join(", ")).filter(|address| !address.is_empty()),
        }
    }
}
