//! What HMRC sends, read strictly. Status and code are judged together; texts, which HMRC may change without
//! notice, only where nothing else tells two cases apart.

use secrecy::SecretString;
use serde::Deserialize;
use vat::VatNumber;

use super::{access_token::refused, client::is_echo_of};
use crate::{
    registries::body::Body,
    verification::registry::{RegistryAnswer, RegistryError, Trader, Trouble, TroubleKind, Verdict},
};

/// A lookup's reply as far as the client must tell cases apart.
#[derive(Debug)]
pub(super) enum LookupReply {
    Answer(RegistryAnswer),
    /// The token is wrong or has expired.
    TokenRefused,
}

#[derive(Deserialize)]
pub(super) struct IssuedToken {
    pub(super) access_token: SecretString,
    /// Seconds.
    pub(super) expires_in: u64,
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
    if body.status.is_success() {
        return body.json().ok_or_else(|| body.unreadable());
    }
    if let Some(fault) = body.json::<TokenFault>() {
        // An unknown `error` is as long as its sender likes; ours to log is only its start.
        return Err(refused(status, &fault.error.chars().take(64).collect::<String>()));
    }
    Err(match status {
        400 | 401 | 500.. => refused(status, "without a readable body"),
        _ => body.unreadable(),
    })
}

pub(super) fn read_lookup(body: &Body, asked: &VatNumber) -> Result<LookupReply, RegistryError> {
    if body.status.as_u16() == 200 {
        let found: Found = body.json().ok_or_else(|| body.unreadable())?;
        if !is_echo_of(asked, &found.target.vat_number) {
            return Err(Trouble::new(TroubleKind::Unreadable, "the answer is about another number").into());
        }
        return Ok(LookupReply::Answer(RegistryAnswer {
            verdict: Verdict::Registered(found.target.into()),
            consultation_number: found.consultation_number.filter(|number| !number.trim().is_empty()),
            dated: found.processing_date,
        }));
    }
    let Some(fault) = body.json::<Fault>() else {
        return Err(without_readable_body(body).into());
    };
    let code = fault.code.as_deref().unwrap_or_default();
    let answer =
        |verdict| Ok(LookupReply::Answer(RegistryAnswer { verdict, consultation_number: None, dated: None }));
    let kind = match (body.status.as_u16(), code) {
        (404, "NOT_FOUND") => return answer(Verdict::NotRegistered),
        // 400 names whichever number it refuses; the target's refusal outweighs the requester's.
        (400, "INVALID_REQUEST") if fault.message.contains("targetVrn") => {
            return answer(Verdict::FormRefused);
        }
        (400, "INVALID_REQUEST") if fault.message.contains("requesterVrn") => {
            return Err(RegistryError::RequesterRefused);
        }
        (403, "INVALID_REQUEST") => return Err(RegistryError::RequesterRefused),
        (401, "MISSING_CREDENTIALS" | "INCORRECT_ACCESS_TOKEN_TYPE") | (405 | 406, _) => {
            TroubleKind::NotConfigured
        }
        (401, _) => return Ok(LookupReply::TokenRefused),
        (403, _) => TroubleKind::CallerBlocked,
        (404 | 501, _) => TroubleKind::QuestionNotUnderstood,
        (429, _) => TroubleKind::RegistryBusy,
        (503, "SCHEDULED_MAINTENANCE") => TroubleKind::RegistryClosed,
        (504, _) => TroubleKind::TimedOut,
        (500.., _) => TroubleKind::RegistryUnavailable,
        _ => TroubleKind::Unreadable,
    };
    let mut trouble = Trouble::new(kind, detail(body, code));
    trouble.retry_after = body.retry_after;
    Err(trouble.into())
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
    Trouble { kind, detail: detail(body, "without a readable body"), retry_after: body.retry_after }
}

fn detail(body: &Body, code: &str) -> String {
    format!("HTTP {} {}", body.status.as_u16(), code.chars().take(64).collect::<String>())
}

impl From<Target> for Trader {
    fn from(target: Target) -> Self {
        let Address { line1, line2, line3, line4, line5, postcode, country_code } = target.address;
        let foreign = country_code.filter(|code| code != "GB");
        let parts: Vec<String> = [line1, line2, line3, line4, line5, postcode, foreign]
            .into_iter()
            .flatten()
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect();
        Self {
            name: Some(target.name.trim().to_owned()).filter(|name| !name.is_empty()),
            address: Some(parts.join(", ")).filter(|address| !address.is_empty()),
        }
    }
}
