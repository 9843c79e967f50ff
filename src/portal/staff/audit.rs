//! `/staff/audit`: who did what, by page or as a file. The address holds the filter.

use audit_chain::Hash;
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, SecondsFormat, Utc};
use crossvat_app::portal::{AuditQuery, AuditRow, Fault as FormFault, StaffAudit};
use serde::Deserialize;

use super::deeds;
use crate::{
    audit::{ActorKind, Deed, LogEntry, LogFilter, LogPlace, Start, code_of, every_deed},
    people::searched_text,
    portal::{
        address::address,
        fault::Fault,
        listing::{self, days_of},
        moments::to_the_second,
        state::Portal,
        visit::StaffVisit,
    },
};

/// Events of a page.
const PAGE_SIZE: u64 = 50;
/// Longest text that is searched for, in characters; no name or address is longer.
const LONGEST: usize = 254;
/// The columns of the file.
const HEADINGS: [&str; 14] = [
    "Number",
    "At (UTC)",
    "What",
    "Detail",
    "Company",
    "Account",
    "To whom",
    "Subject",
    "By",
    "Email address",
    "Kind",
    "From",
    "Event",
    "Hash",
];

/// What the address says.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Asked {
    deed: String,
    person: String,
    account: String,
    from: String,
    to: String,
    older: String,
    newer: String,
}

impl Asked {
    /// The filter, or what of it needs changing. A deed that there is not is left out.
    fn filter(&self) -> Result<LogFilter, Vec<FormFault>> {
        let (first, last) = days_of(&self.from, &self.to)?;
        let text = |typed: &str| Some(searched_text(typed, LONGEST)).filter(|typed| !typed.is_empty());
        let filter = LogFilter {
            deed: every_deed().find(|deed| code_of(*deed) == self.deed),
            person: text(&self.person),
            account: text(&self.account),
            ..LogFilter::default()
        };
        Ok(filter.on_days(first, last))
    }

    /// Where the page begins. A place that is none is the beginning.
    fn start(&self) -> Start<LogPlace> {
        let older = self.older.parse::<LogPlace>().map(Start::OlderThan);
        older.or_else(|_| self.newer.parse().map(Start::NewerThan)).unwrap_or_default()
    }

    /// The same filter at another address.
    fn at(&self, path: &str, place: (&str, &str)) -> String {
        let pairs = [
            ("deed", &*self.deed),
            ("person", self.person.trim()),
            ("account", self.account.trim()),
            ("from", self.from.trim()),
            ("to", self.to.trim()),
            place,
        ];
        address(path, &pairs)
    }

    fn query(&self) -> AuditQuery {
        AuditQuery {
            deed: self.deed.clone(),
            person: self.person.clone(),
            account: self.account.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
        }
    }
}

/// `GET /staff/audit`
pub(in crate::portal) async fn page(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let mut page = StaffAudit {
        query: asked.query(),
        faults: Vec::new(),
        deeds: deed_choices(),
        caption: String::new(),
        rows: Vec::new(),
        part: String::new(),
        newer: None,
        older: None,
        csv: asked.at("/staff/audit.csv", ("", "")),
    };
    let status = match asked.filter() {
        Ok(filter) => {
            let found = portal.audit.page(&filter, asked.start(), PAGE_SIZE).await?;
            let link = |name, place: Option<LogPlace>| {
                place.map(|place| asked.at("/staff/audit", (name, &place.to_string())))
            };
            let now = portal.clock.now();
            page.caption = listing::caption(found.total, ("entry", "entries"), (filter.from, filter.until));
            page.part = listing::part(found.first, found.entries.len(), found.total);
            (page.newer, page.older) = (link("newer", found.newer), link("older", found.older));
            page.rows = found.entries.iter().map(|entry| row(entry, now)).collect();
            StatusCode::OK
        }
        Err(faults) => {
            page.faults = faults;
            StatusCode::UNPROCESSABLE_ENTITY
        }
    };
    Ok(staff.visit.page(status, page).await)
}

/// `GET /staff/audit.csv`
pub(in crate::portal) async fn file(
    State(portal): State<Portal>,
    _staff: StaffVisit,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let Ok(filter) = asked.filter() else {
        return Ok(Redirect::to(&asked.at("/staff/audit", ("", ""))).into_response());
    };
    let export = portal.audit.export(filter);
    Ok(listing::file(("audit", portal.clock.now().date_naive()), &HEADINGS, export, cells))
}

fn cells(entry: &LogEntry) -> [String; 14] {
    let event = &entry.event;
    let id = |id: Option<uuid::Uuid>| id.map(|id| id.to_string()).unwrap_or_default();
    [
        event.sequence.to_string(),
        event.at.to_rfc3339_opts(SecondsFormat::Micros, true),
        deeds::words(event.deed).to_owned(),
        event.detail.clone(),
        entry.account.clone().unwrap_or_default(),
        id(event.account_id),
        deeds::subject(entry).unwrap_or_default(),
        id(event.subject_id),
        deeds::by(entry),
        deeds::address_of(entry.actor.as_ref()).unwrap_or_default(),
        match event.actor_kind {
            ActorKind::CommandLine => "Command line",
            ActorKind::Member => "Member",
            ActorKind::Support => "Support",
            ActorKind::Visitor => "Visitor",
        }
        .to_owned(),
        event.from_address.clone().unwrap_or_default(),
        event.id.to_string(),
        Hash::try_from(&*event.hash).map(|hash| hash.to_string()).unwrap_or_default(),
    ]
}

fn row(entry: &LogEntry, now: DateTime<Utc>) -> AuditRow {
    let event = &entry.event;
    let account = event.account_id.zip(entry.account.clone());
    AuditRow {
        what: deeds::words(event.deed).to_owned(),
        detail: event.detail.clone(),
        account: account.map(|(id, name)| (format!("/staff/accounts/{id}"), name)),
        subject: deeds::subject(entry),
        by: deeds::by(entry),
        by_address: deeds::address_of(entry.actor.as_ref()),
        when: to_the_second(event.at, now),
        from: event.from_address.clone(),
    }
}

fn deed_choices() -> Vec<(String, String)> {
    let choice = |deed: Deed| (code_of(deed), deeds::words(deed).to_owned());
    let mut choices: Vec<_> = every_deed().map(choice).collect();
    choices.sort_by(|one, other| one.1.cmp(&other.1));
    choices
}
