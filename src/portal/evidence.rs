//! `/portal/history/{id}`: one row of the own account's history as a document. Another account's is not found.

use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use chrono::SecondsFormat;
use crossvat_app::portal::EvidenceSheet;
use vat::{Registry, Status};

use super::{
    fault::Fault,
    history::{answerer, caller_words, registry_of, registry_word, status_of, unnamed},
    state::Portal,
    visit::MemberVisit,
};
use crate::{
    accounts::Account,
    evidence::{EvidenceRow, HistoryEntry},
};

/// `GET /portal/history/{id}`
pub(super) async fn sheet(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let Ok(id) = id.parse() else { return Ok(reader.visit.not_found().await) };
    let Some(entry) = portal.evidence.find(reader.account.id, id).await? else {
        return Ok(reader.visit.not_found().await);
    };
    Ok(reader.visit.page(StatusCode::OK, document(entry, &reader.account)).await)
}

fn document(entry: HistoryEntry, account: &Account) -> EvidenceSheet {
    let by = caller_words(&entry.caller);
    let row = entry.evidence;
    let status = status_of(row.outcome);
    let not_given = || match (status, unnamed(&row)) {
        (Status::Valid, why) => why,
        _ => "None was given".to_owned(),
    };
    EvidenceSheet {
        status,
        day: row.received_at.format("%-d %B %Y").to_string(),
        heading: heading(&row, status),
        sentence: sentence(&row, status),
        name: row.name.clone().unwrap_or_else(not_given),
        address: row.address.clone(),
        proof: row.consultation_number.clone().ok_or_else(|| no_proof(&row, status).to_owned()),
        answered: (
            row.received_at.to_rfc3339_opts(SecondsFormat::Millis, true),
            row.received_at.format("%-d %B %Y, %H:%M:%S%.3f UTC").to_string(),
        ),
        registry_dated: row.registry_dated.clone(),
        company: account.terms.name.to_string(),
        requester: row.requester.clone(),
        requester_refused: row.requester_refused,
        by,
        request_id: row.request_id.clone(),
        record: row.id.to_string(),
        vat_number: row.vat_number,
    }
}

fn heading(row: &EvidenceRow, status: Status) -> String {
    let number = &row.vat_number;
    match (status, &row.name) {
        (Status::Valid, Some(name)) => name.clone(),
        (Status::Valid, None) => format!("{number} is registered"),
        (Status::NotRegistered, _) => format!("{number} is not registered"),
        (Status::Unavailable, _) => format!("{number} was not checked"),
        _ => format!("{number} is not a number that {} takes", registry_word(row)),
    }
}

fn sentence(row: &EvidenceRow, status: Status) -> String {
    let at = row.received_at.format("On %-d %B %Y at %H:%M:%S UTC");
    let (who, answerer) = match registry_of(&row.registry) {
        Some(Registry::Hmrc) => ("HM Revenue & Customs", String::new()),
        _ => ("the European Commission’s VIES", answerer(row)),
    };
    let answering =
        if answerer.is_empty() { who.to_owned() } else { format!("{who}, answering for {answerer},") };
    match status {
        Status::Valid => format!("{at} {answering} confirmed that this VAT number is registered."),
        Status::NotRegistered => format!("{at} {answering} said that this VAT number is not registered."),
        Status::Unavailable => {
            let of = if answerer.is_empty() { String::new() } else { format!(" for {answerer}") };
            let reason = row.reason.as_deref().map(reason_words).unwrap_or_default();
            format!("{at} {who} had given no answer{of}{reason}.")
        }
        _ => format!("{at} {answering} refused the form of this number."),
    }
}

/// Why there was no answer, as the end of a sentence.
fn reason_words(code: &str) -> &'static str {
    match code {
        "registry_unavailable" => ": the registry did not work",
        "member_state_unavailable" => ": the member state’s own register did not work",
        "timeout" | "deadline" => ": none came in time",
        "throttled" => ": it wanted fewer questions",
        "blocked" => ": it refused this service’s questions",
        "registry_unreadable" => ": what it sent could not be understood",
        "not_configured" => ": this service had no access to it",
        _ => "",
    }
}

/// Why there is no consultation number.
fn no_proof(row: &EvidenceRow, status: Status) -> &'static str {
    match status {
        Status::Unavailable => "None: nothing was answered",
        _ if row.requester_refused => "None: the registry does not know the requester",
        _ if row.requester.is_none() => "None: no requester was named, and only to one is it given",
        _ => "None: the registry gave none",
    }
}
