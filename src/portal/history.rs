//! `/portal/history`: what of the reader's account was asked, by page or as a file. The address holds the filter.

use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, SecondsFormat, Utc};
use crossvat_app::portal::{Fault as FormFault, History, HistoryQuery, HistoryRow, Trader};
use serde::Deserialize;
use vat::{Prefix, Registry, Status};

use super::{
    address::address,
    fault::Fault,
    listing::{self, days_of},
    moments::instant_to_the_minute,
    state::Portal,
    visit::MemberVisit,
};
use crate::evidence::{CallerName, Cursor, EvidenceOutcome, EvidenceRow, HistoryEntry, HistoryFilter, Start};

/// Rows of a page.
const PAGE_SIZE: u64 = 50;
/// The columns of the file.
const HEADINGS: [&str; 14] = [
    "VAT number",
    "Outcome",
    "Name",
    "Address",
    "Registry",
    "Answered at (UTC)",
    "Dated by the registry",
    "Consultation number",
    "Asked in the name of",
    "Requester refused",
    "By",
    "Reason",
    "Request",
    "Evidence",
];

/// What the address says.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    find: String,
    outcome: String,
    registry: String,
    from: String,
    to: String,
    older: String,
    newer: String,
}

impl Asked {
    /// The filter, or what of it needs changing. Codes that nobody is given are left out.
    fn filter(&self) -> Result<HistoryFilter, Vec<FormFault>> {
        let (first, last) = days_of(&self.from, &self.to)?;
        let find = Some(self.find.trim().to_owned()).filter(|find| !find.is_empty());
        let filter = HistoryFilter {
            find,
            outcome: outcome_of(&self.outcome),
            registry: registry_of(&self.registry),
            ..HistoryFilter::default()
        };
        Ok(filter.on_days(first, last))
    }

    /// Where the page begins. A place that is none is the beginning.
    fn start(&self) -> Start<Cursor> {
        let older = self.older.parse::<Cursor>().map(Start::OlderThan);
        older.or_else(|_| self.newer.parse().map(Start::NewerThan)).unwrap_or_default()
    }

    /// The same filter at another address.
    fn at(&self, path: &str, place: (&str, &str)) -> String {
        let pairs = [
            ("find", self.find.trim()),
            ("outcome", &*self.outcome),
            ("registry", &*self.registry),
            ("from", self.from.trim()),
            ("to", self.to.trim()),
            place,
        ];
        address(path, &pairs)
    }

    fn query(&self) -> HistoryQuery {
        HistoryQuery {
            find: self.find.clone(),
            outcome: self.outcome.clone(),
            registry: self.registry.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
        }
    }
}

/// `GET /portal/history`
pub(super) async fn page(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let csv = asked.at("/portal/history.csv", ("", ""));
    let (status, page) = match asked.filter() {
        Ok(filter) => {
            let start = asked.start();
            let found = portal.evidence.history(reader.account.id, &filter, start, PAGE_SIZE).await?;
            let link = |name, cursor: Option<Cursor>| {
                cursor.map(|cursor| asked.at("/portal/history", (name, &cursor.to_string())))
            };
            let now = portal.clock.now();
            let page = History {
                query: asked.query(),
                faults: Vec::new(),
                caption: listing::caption(found.total, ("check", "checks"), (filter.from, filter.until)),
                part: listing::part(found.first, found.entries.len(), found.total),
                newer: link("newer", found.newer),
                older: link("older", found.older),
                rows: found.entries.into_iter().map(|entry| row(entry, now)).collect(),
                csv,
            };
            (StatusCode::OK, page)
        }
        Err(faults) => {
            let page = History {
                query: asked.query(),
                faults,
                caption: String::new(),
                part: String::new(),
                newer: None,
                older: None,
                rows: Vec::new(),
                csv,
            };
            (StatusCode::UNPROCESSABLE_ENTITY, page)
        }
    };
    Ok(reader.visit.page(status, page).await)
}

/// `GET /portal/history.csv`
pub(super) async fn file(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let Ok(filter) = asked.filter() else {
        return Ok(Redirect::to(&asked.at("/portal/history", ("", ""))).into_response());
    };
    let export = portal.evidence.export(reader.account.id, filter);
    Ok(listing::file(("history", portal.clock.now().date_naive()), &HEADINGS, export, cells))
}

fn cells(entry: &HistoryEntry) -> [String; 14] {
    let row = &entry.evidence;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        row.vat_number.clone(),
        status_of(row.outcome).word().to_owned(),
        text(&row.name),
        text(&row.address),
        registry_word(row).to_owned(),
        row.received_at.to_rfc3339_opts(SecondsFormat::Millis, true),
        text(&row.registry_dated),
        text(&row.consultation_number),
        text(&row.requester),
        if row.requester_refused { "Yes" } else { "" }.to_owned(),
        caller_words(&entry.caller),
        text(&row.reason),
        row.request_id.clone(),
        row.id.to_string(),
    ]
}

fn row(entry: HistoryEntry, now: DateTime<Utc>) -> HistoryRow {
    let by = match &entry.caller {
        CallerName::Key { name, .. } | CallerName::Member { name, .. } => name.clone(),
        CallerName::Unknown { .. } => "Somebody who is gone".to_owned(),
    };
    let row = entry.evidence;
    HistoryRow {
        id: row.id.to_string(),
        status: status_of(row.outcome),
        registry: registry_word(&row).to_owned(),
        when: instant_to_the_minute(row.received_at, now),
        trader: match row.name.clone() {
            Some(name) => Trader::Named(name),
            None => Trader::Unnamed(unnamed(&row)),
        },
        by,
        consultation_number: row.consultation_number,
        vat_number: row.vat_number,
    }
}

/// Why a row has no name, where that says something.
pub(super) fn unnamed(row: &EvidenceRow) -> String {
    match row.outcome {
        EvidenceOutcome::Valid => format!("Not disclosed by {}", answerer(row)),
        EvidenceOutcome::Unavailable => format!("{} did not answer", answerer(row)),
        EvidenceOutcome::NotRegistered | EvidenceOutcome::Malformed => String::new(),
    }
}

/// Who answers behind the registry: the member state, or HMRC itself.
pub(super) fn answerer(row: &EvidenceRow) -> String {
    match prefix_of(row) {
        Some(prefix) if prefix.registry() == Registry::Vies => country(prefix),
        _ => registry_word(row).to_owned(),
    }
}

fn country(prefix: Prefix) -> String {
    let article = if matches!(prefix, Prefix::Nl | Prefix::Gb) { "the " } else { "" };
    format!("{article}{}", prefix.country_name())
}

fn prefix_of(row: &EvidenceRow) -> Option<Prefix> {
    row.vat_number.get(..2).and_then(Prefix::from_code)
}

/// The outcome as people read it.
pub(super) const fn status_of(outcome: EvidenceOutcome) -> Status {
    match outcome {
        EvidenceOutcome::Valid => Status::Valid,
        EvidenceOutcome::NotRegistered => Status::NotRegistered,
        EvidenceOutcome::Malformed => Status::Malformed,
        EvidenceOutcome::Unavailable => Status::Unavailable,
    }
}

/// A caller with what tells one key from another.
pub(super) fn caller_words(caller: &CallerName) -> String {
    match caller {
        CallerName::Key { name, mode, last_four, .. } => format!("{name}, {}…{last_four}", mode.prefix()),
        CallerName::Member { name, .. } => name.clone(),
        CallerName::Unknown { id } => format!("somebody who is gone ({id})"),
    }
}

/// The registry that was asked, by name.
pub(super) fn registry_word(row: &EvidenceRow) -> &'static str {
    registry_of(&row.registry).unwrap_or(Registry::Vies).name()
}

/// The registry of a code.
pub(super) fn registry_of(code: &str) -> Option<Registry> {
    match code {
        "hmrc" => Some(Registry::Hmrc),
        "vies" => Some(Registry::Vies),
        _ => None,
    }
}

fn outcome_of(code: &str) -> Option<EvidenceOutcome> {
    let all = [
        EvidenceOutcome::Valid,
        EvidenceOutcome::NotRegistered,
        EvidenceOutcome::Malformed,
        EvidenceOutcome::Unavailable,
    ];
    all.into_iter().find(|outcome| status_of(*outcome).as_str() == code)
}
