//! A row as it is shown.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use uuid::Uuid;
use vat::{Advice, Registry, ReverseCharge, SupplierCountry, UnresolvedReason, VatNumber};

use super::{super::RowOutcome, store::RowRow};
use crate::verification::{
    checked_number::CheckedNumber,
    gateway::{Answered, Resolution, Unresolved},
    registry::{RegistryAnswer, Trader, Verdict},
};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its place, from 1, as pasted.
    pub place: u32,
    /// The line of what it was taken from, as a spreadsheet shows it, from 1; of old rows it is unknown.
    pub line: Option<u32>,
    /// The first row with the same number, when this is another.
    pub same_as: Option<FirstRow>,
    /// The text as typed; of an overlong one the beginning.
    pub submitted: String,
    /// The number in canonical form; of what is none, the normalised text.
    pub vat_number: String,
    /// What became of it.
    pub outcome: RowOutcome,
    /// Why nobody answered.
    pub reason: Option<UnresolvedReason>,
    /// Who is asked about it; `None` when it is no number.
    pub registry: Option<Registry>,
    /// In whose name it was asked.
    pub requester: Option<String>,
    /// The registry answered, but not in that name.
    pub requester_refused: bool,
    /// The trader's name, where the registry gives it.
    pub name: Option<String>,
    /// The trader's address, on one line.
    pub address: Option<String>,
    /// The registry's proof.
    pub consultation_number: Option<String>,
    /// The evidence of the answer.
    pub evidence_id: Option<Uuid>,
    /// When the answer arrived, or it was decided without one.
    pub decided_at: Option<DateTime<Utc>>,
    /// Whether the customer accounts for the VAT; `None` as long as it waits.
    pub reverse_charge: Option<ReverseCharge>,
    /// What is worth knowing about it, as the API says it.
    pub advice: Vec<Advice>,
}

/// The first row with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstRow {
    /// Its place, from 1.
    pub place: u32,
    /// Its line, where that is known.
    pub line: Option<u32>,
}

impl Row {
    /// Seen from `supplier`. `line_of` knows the lines of first rows by their places.
    pub(super) fn of(
        row: RowRow,
        supplier: Option<SupplierCountry>,
        line_of: impl FnOnce(i32) -> Option<i32>,
    ) -> Self {
        let natural = |number: i32| u32::try_from(number).unwrap_or(0);
        let checked = checked(&row);
        Self {
            reverse_charge: checked.as_ref().map(|checked| checked.reverse_charge(supplier)),
            advice: checked
                .map_or_else(|| VatNumber::parse(&row.submitted).advice(), |checked| checked.advice()),
            place: natural(row.place),
            line: row.line.map(natural),
            same_as: (row.first_place != row.place).then(|| FirstRow {
                place: natural(row.first_place),
                line: line_of(row.first_place).map(natural),
            }),
            outcome: row.outcome,
            reason: row.reason.as_deref().and_then(reason_of),
            registry: row.registry.as_deref().and_then(registry_of),
            submitted: row.submitted,
            vat_number: row.vat_number,
            requester: row.requester,
            requester_refused: row.requester_refused,
            name: row.name,
            address: row.address,
            consultation_number: row.consultation_number,
            evidence_id: row.evidence_id,
            decided_at: row.decided_at,
        }
    }
}

/// What was known when the row was decided; `None` as long as it waits.
fn checked(row: &RowRow) -> Option<CheckedNumber> {
    let decided_at = row.decided_at?;
    let answered = |verdict| {
        Resolution::Answered(Arc::new(Answered {
            answer: RegistryAnswer {
                verdict,
                consultation_number: row.consultation_number.clone(),
                dated: None,
            },
            received_at: decided_at,
            requester_refused: row.requester_refused,
            evidence_id: row.evidence_id,
        }))
    };
    let resolution = match row.outcome {
        RowOutcome::Waiting => return None,
        RowOutcome::Valid => {
            answered(Verdict::Registered(Trader { name: row.name.clone(), address: row.address.clone() }))
        }
        RowOutcome::NotRegistered => answered(Verdict::NotRegistered),
        // Without a registry the text is no number, whatever is said here.
        RowOutcome::Malformed | RowOutcome::Unsupported => answered(Verdict::FormRefused),
        RowOutcome::Unavailable => Resolution::Unresolved(Unresolved {
            reason: row.reason.as_deref().and_then(reason_of).unwrap_or(UnresolvedReason::Deadline),
            retry_after: Duration::ZERO,
            decided_at,
        }),
    };
    Some(CheckedNumber::recalled(row.submitted.clone(), resolution, decided_at))
}

fn reason_of(code: &str) -> Option<UnresolvedReason> {
    UnresolvedReason::ALL.into_iter().find(|reason| reason.as_str() == code)
}

fn registry_of(code: &str) -> Option<Registry> {
    match code {
        "hmrc" => Some(Registry::Hmrc),
        "vies" => Some(Registry::Vies),
        _ => None,
    }
}
