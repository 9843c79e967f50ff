//! The columns of the file that a run can be had as.

use chrono::SecondsFormat;
use vat::{Registry, ReverseCharge, Status, UnresolvedReason, VatNumber};

use super::{super::RowOutcome, Row};

pub(super) const HEADINGS: [&str; 15] = [
    "Line",
    "Row",
    "As pasted",
    "VAT number",
    "Outcome",
    "Name",
    "Address",
    "Note",
    "Reverse charge",
    "Registry",
    "Asked in the name of",
    "Consultation number",
    "Answered at (UTC)",
    "Reason",
    "Evidence",
];

/// The cells of a row, under the headings.
pub(super) fn cells(row: &Row) -> [String; 15] {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        row.line.map_or_else(String::new, |line| line.to_string()),
        row.place.to_string(),
        row.submitted.clone(),
        row.vat_number.clone(),
        word(row.outcome).to_owned(),
        text(&row.name),
        text(&row.address),
        note(row),
        row.reverse_charge.map_or("", reverse_charge).to_owned(),
        row.registry.map_or("", Registry::name).to_owned(),
        text(&row.requester.clone().filter(|_| !row.requester_refused)),
        text(&row.consultation_number),
        row.decided_at.map_or_else(String::new, |at| at.to_rfc3339_opts(SecondsFormat::Secs, true)),
        row.reason.map_or("", UnresolvedReason::as_str).to_owned(),
        row.evidence_id.map_or_else(String::new, |id| id.to_string()),
    ]
}

/// Why nobody was asked, and what is to be known of it.
fn note(row: &Row) -> String {
    let unread = row.registry.is_none().then(|| VatNumber::parse(&row.submitted).why_no_number()).flatten();
    let advice = row.advice.iter().map(|advice| &*advice.message);
    unread.as_deref().into_iter().chain(advice).collect::<Vec<_>>().join(" ")
}

const fn word(outcome: RowOutcome) -> &'static str {
    match outcome {
        RowOutcome::Waiting => "Waiting",
        RowOutcome::Valid => Status::Valid.word(),
        RowOutcome::NotRegistered => Status::NotRegistered.word(),
        RowOutcome::Malformed => Status::Malformed.word(),
        RowOutcome::Unsupported => Status::Unsupported.word(),
        RowOutcome::Unavailable => Status::Unavailable.word(),
    }
}

const fn reverse_charge(decision: ReverseCharge) -> &'static str {
    match decision {
        ReverseCharge::NotValid => "No",
        ReverseCharge::Unverified => "Not known",
        ReverseCharge::SupplierCountryNotGiven | ReverseCharge::CrossBorder => "Eligible",
        ReverseCharge::Domestic => "Domestic",
    }
}
