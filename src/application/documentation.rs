//! What the documentation is made from: the API's own tables and description, and the sandbox's numbers. Neither front end
//! knows the other.

use std::sync::Arc;

use crossvat_app::docs::{ErrorEntry, SandboxEntry};
use vat::Status;

use crate::{
    api::{self, error_code::ErrorCode},
    portal::{DocsParts, UnreadableDescription, reference_of},
    registries::sandbox::{
        HMRC_CONSULTATION_NUMBER, NUMBERS, SandboxNumber, SandboxOutcome, VIES_CONSULTATION_NUMBER,
    },
};

/// All of it.
///
/// # Errors
/// The API's description cannot be read: a defect.
pub(super) fn parts() -> Result<DocsParts, UnreadableDescription> {
    Ok(DocsParts {
        errors: ErrorCode::ALL.iter().copied().map(error_entry).collect(),
        sandbox: NUMBERS.iter().map(sandbox_entry).collect(),
        proofs: (HMRC_CONSULTATION_NUMBER, VIES_CONSULTATION_NUMBER),
        reference: Arc::new(reference_of(&api::document())?),
        answer: api::answer_text,
    })
}

const fn error_entry(code: ErrorCode) -> ErrorEntry {
    ErrorEntry {
        code: code.as_str(),
        status: code.status().as_u16(),
        title: code.title(),
        meaning: code.meaning(),
        remedy: code.remedy(),
    }
}

fn sandbox_entry(entry: &SandboxNumber) -> SandboxEntry {
    let (status, trader) = match entry.outcome {
        SandboxOutcome::Registered(trader) | SandboxOutcome::RegisteredSlowly(trader) => {
            (Status::Valid, trader)
        }
        SandboxOutcome::NotRegistered | SandboxOutcome::RequesterRefused => (Status::NotRegistered, None),
        SandboxOutcome::FormRefused => (Status::Malformed, None),
        SandboxOutcome::Trouble(_) | SandboxOutcome::Deadline => (Status::Unavailable, None),
    };
    SandboxEntry {
        number: entry.number,
        status,
        says: entry.says,
        name: trader.map(|trader| trader.name),
        rare: !matches!(entry.outcome, SandboxOutcome::Registered(_) | SandboxOutcome::NotRegistered),
        requester: entry.outcome == SandboxOutcome::RequesterRefused,
    }
}
