//! `/portal/check/{run}`: one run, what can be done about it, and its rows as a file.

use axum::{
    Form,
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{CheckRun, Progress, ResultRow, RowFilter, RowKind, RowSort, Stopping, grouped};
use serde::Deserialize;
use uuid::Uuid;
use vat::{Advice, AdviceCode, Prefix, Registry, ReverseCharge, Status};

use super::{
    super::{
        fault::Fault,
        moments::{instant_to_the_minute, time_of_day},
        state::Portal,
        visit::MemberVisit,
    },
    may_ask, name_of, not_allowed, phase_of, starter_of, waits_for,
};
use crate::{
    batch_checks::{
        BatchError, CountryCount, Counts, FirstRow, Pause, PauseReason, Row, RowOrder, RowOutcome, RowQuery,
        Run, RunState, StopReason,
    },
    people::searched_text,
    spreadsheet::Separator,
    verification::gateway::{RegistryPart, RegistryState},
};

/// The country of texts that begin with none.
const NO_COUNTRY: &str = "ZZ";
/// Longest text that is looked for, in characters.
const MAX_FIND: usize = 100;
/// A run has no more pages.
const MAX_PAGE: u64 = 200;

/// What the address of the page says.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in super::super) struct Shown {
    outcome: String,
    country: String,
    find: String,
    sort: String,
    dir: String,
    page: String,
}

/// What is to be done about a run.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in super::super) struct Deed {
    #[serde(rename = "do")]
    deed: String,
}

/// `GET /portal/check/{run}`
pub(in super::super) async fn show(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(run): Path<String>,
    Query(shown): Query<Shown>,
) -> Result<Response, Fault> {
    let Some(run) = own_run(&portal, &reader, &run).await? else {
        return Ok(reader.visit.not_found().await);
    };
    // A button's form has nothing to be filled in; the page says that it was not sent.
    reader.visit.typed_before::<Deed>().await?;
    let filter = filter_of(shown, run.state);
    let account = reader.account.id;
    let found = portal.batch_checks.rows(account, run.id, &query_of(&filter)).await?;
    let countries = portal.batch_checks.countries(account, run.id, None).await?;
    let unanswered = match run.counts.unavailable {
        0 => Vec::new(),
        _ => portal.batch_checks.countries(account, run.id, Some(RowOutcome::Unavailable)).await?,
    };
    let advised = match run.state {
        RunState::Done => Some(portal.batch_checks.advised(account, run.id).await?),
        RunState::Running | RunState::Stopped => None,
    };
    let now = portal.clock.now();
    let page = CheckRun {
        advised,
        id: run.id.to_string(),
        name: name_of(&run),
        phase: phase_of(run.state),
        is_working: run.is_working,
        progress: progress_of(run.counts),
        still_silent: still_silent(&portal, &unanswered),
        unanswered: unanswered.into_iter().map(|one| (name_of_country(&one.country), one.rows)).collect(),
        holds_up: holds_up(&portal, &run),
        by: starter_of(&run, &reader),
        started: match run.ended_at {
            Some(end) if end.date_naive() == run.created_at.date_naive() => time_of_day(run.created_at, now),
            _ => instant_to_the_minute(run.created_at, now),
        },
        ended: run.ended_at.map(|at| instant_to_the_minute(at, now)),
        requesters: requesters_in_words(&run),
        stopping: match reader.may_change() {
            false => Stopping::NotAllowed,
            true if portal.batch_checks.stops_anything(&run).await? => Stopping::Offered,
            true => Stopping::InVain,
        },
        may_ask: waits_for(&portal, &reader).await?.is_none(),
        filter,
        countries: countries.into_iter().map(country_in_words).collect(),
        rows: found
            .rows
            .into_iter()
            .map(|row| {
                let answered = row
                    .decided_at
                    .filter(|_| row.evidence_id.is_some())
                    .map(|at| instant_to_the_minute(at, now));
                // A registry that has it registered knows better.
                let of_sandbox = row.outcome != RowOutcome::Valid
                    && portal.docs.sandbox.iter().any(|entry| entry.number == row.vat_number);
                ResultRow { answered, of_sandbox, ..shown_row(row) }
            })
            .collect(),
        total: found.total,
    };
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

/// `POST /portal/check/{run}`
pub(in super::super) async fn change(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(run): Path<String>,
    Form(Deed { deed }): Form<Deed>,
) -> Result<Response, Fault> {
    let Some(run) = own_run(&portal, &reader, &run).await? else {
        return Ok(reader.visit.not_found().await);
    };
    if !reader.may_change() {
        return Ok(not_allowed(&reader).await);
    }
    let (account, member, checks) = (reader.account.id, reader.member.id, &portal.batch_checks);
    match deed.as_str() {
        "stop" => checks.stop(account, run.id).await?,
        "resume" | "retry" => {
            if let Some(refusal) = may_ask(&portal, &reader).await? {
                return Ok(refusal);
            }
            if deed == "resume" {
                checks.resume(account, run.id, member).await?;
            } else {
                checks.retry_unavailable(account, run.id, member).await?;
            }
        }
        _ => {}
    }
    Ok(Redirect::to(&format!("/portal/check/{}", run.id)).into_response())
}

/// How the file is to be written.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in super::super) struct Wanted {
    separator: String,
}

/// `GET /portal/check/{run}/results.csv`
pub(in super::super) async fn csv(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(run): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Fault> {
    let Some(run) = own_run(&portal, &reader, &run).await? else {
        return Ok(reader.visit.not_found().await);
    };
    let (separator, suffix) = match &*wanted.separator {
        "semicolon" => (Separator::Semicolon, "-semicolons"),
        _ => (Separator::Comma, ""),
    };
    let content = portal.batch_checks.csv(reader.account.id, run.id, separator).await?;
    // Nothing of it was typed by anybody.
    let name = format!("vat-check-{}{suffix}.csv", run.created_at.format("%Y-%m-%d-%H%M"));
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, content).into_response())
}

/// A run of the reader's account.
async fn own_run(portal: &Portal, reader: &MemberVisit, run: &str) -> Result<Option<Run>, Fault> {
    let Ok(run) = run.parse::<Uuid>() else { return Ok(None) };
    match portal.batch_checks.find(reader.account.id, run).await {
        Ok(run) => Ok(Some(run)),
        Err(BatchError::Unknown) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What is not understood is as if it were not there.
fn filter_of(shown: Shown, state: RunState) -> RowFilter {
    let mut kinds = STATUSES.into_iter().map(RowKind::Outcome).chain([RowKind::Waiting, RowKind::Advised]);
    let is_country = |code: &str| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    let sorts = [RowSort::Place, RowSort::Number, RowSort::Outcome, RowSort::Name];
    // As long as a run goes on, nothing should move.
    let sort = if state == RunState::Done { RowSort::Outcome } else { RowSort::Place };
    RowFilter {
        kind: kinds.find(|kind| kind.as_str() == shown.outcome),
        country: Some(shown.country).filter(|code| is_country(code)).unwrap_or_default(),
        find: searched_text(&shown.find, MAX_FIND),
        sort: sorts.into_iter().find(|sort| sort.as_str() == shown.sort).unwrap_or(sort),
        descending: shown.dir == "desc",
        page: shown.page.parse().unwrap_or(1).clamp(1, MAX_PAGE),
    }
}

const STATUSES: [Status; 5] =
    [Status::Valid, Status::NotRegistered, Status::Malformed, Status::Unsupported, Status::Unavailable];

fn query_of(filter: &RowFilter) -> RowQuery {
    RowQuery {
        outcome: match filter.kind {
            None | Some(RowKind::Advised) => None,
            Some(RowKind::Waiting) => Some(RowOutcome::Waiting),
            Some(RowKind::Outcome(status)) => Some(match status {
                Status::Valid => RowOutcome::Valid,
                Status::NotRegistered => RowOutcome::NotRegistered,
                Status::Malformed => RowOutcome::Malformed,
                Status::Unsupported => RowOutcome::Unsupported,
                Status::Unavailable => RowOutcome::Unavailable,
            }),
        },
        advised: filter.kind == Some(RowKind::Advised),
        country: Some(filter.country.clone()).filter(|country| !country.is_empty()),
        search: filter.find.clone(),
        order: match filter.sort {
            RowSort::Place => RowOrder::Place,
            RowSort::Number => RowOrder::Number,
            RowSort::Outcome => RowOrder::Outcome,
            RowSort::Name => RowOrder::Name,
        },
        descending: filter.descending,
        offset: filter.offset(),
        limit: RowFilter::ROWS_ON_A_PAGE,
    }
}

fn progress_of(counts: Counts) -> Progress {
    Progress {
        rows: counts.rows.into(),
        waiting: counts.waiting.into(),
        outcomes: [
            (Status::Valid, counts.valid.into()),
            (Status::NotRegistered, counts.not_registered.into()),
            (Status::Malformed, counts.malformed.into()),
            (Status::Unsupported, counts.unsupported.into()),
            (Status::Unavailable, counts.unavailable.into()),
        ],
    }
}

/// Why a run does not go on, or not at present.
fn holds_up(portal: &Portal, run: &Run) -> Option<String> {
    if let Some(reason) = run.stop_reason {
        let words = match reason {
            StopReason::Asked if run.is_working => {
                "The part that is on its way, up to 100 numbers, is still taken in."
            }
            StopReason::Asked => "Nothing is lost: it goes on where it stopped.",
            StopReason::AllowanceUsedUp => {
                "The month’s allowance is used up. Nothing is lost: send it on when there is allowance again."
            }
            StopReason::AccountSuspended => "The account is suspended. Nothing is lost.",
            StopReason::MemberLeft => {
                "Whoever it was asked for may not ask any more. Nothing is lost: another member can send it on."
            }
        };
        return Some(words.to_owned());
    }
    match run.pause? {
        Pause::EarlierRuns => Some("It waits for earlier runs of the account.".to_owned()),
        Pause::Until { reason, moment } => {
            let why = match reason {
                PauseReason::RateLimit => "The account’s limit of requests a minute is reached",
                PauseReason::NotRecorded => "Answers cannot be recorded at present",
                PauseReason::RegistriesBusy => "The registries are busy",
            };
            let seconds = (moment - portal.clock.now()).num_seconds().max(1);
            Some(format!("{why}; it goes on by itself in {seconds} s."))
        }
    }
}

fn requesters_in_words(run: &Run) -> String {
    let known = [Registry::Hmrc, Registry::Vies].map(|registry| run.requesters.known_to(registry));
    let known: Vec<String> = known.into_iter().flatten().map(|number| number.to_string()).collect();
    if known.is_empty() {
        "Asked in nobody’s name, so without consultation numbers.".to_owned()
    } else {
        format!("Asked in the name of {}.", known.join(" and "))
    }
}

fn country_in_words(CountryCount { country, rows }: CountryCount) -> (String, String) {
    let words = format!("{}, {}", name_of_country(&country), grouped(rows));
    (country, words)
}

fn name_of_country(code: &str) -> String {
    match Prefix::from_code(code) {
        Some(prefix) => prefix.country_name().to_owned(),
        None if code == NO_COUNTRY => "No country".to_owned(),
        None => code.to_owned(),
    }
}

/// Countries of numbers without an answer that do not answer now either, as far as anybody asked lately and may ask.
fn still_silent(portal: &Portal, unanswered: &[CountryCount]) -> Vec<String> {
    let held = portal.registry_status.holds().held();
    let is_held = |prefix: Prefix| {
        [RegistryPart::of(prefix), RegistryPart::Whole(prefix.registry())]
            .iter()
            .any(|part| held.contains_key(part))
    };
    let prefixes = unanswered.iter().filter_map(|one| Prefix::from_code(&one.country));
    prefixes
        .filter(|prefix| {
            is_held(*prefix) || matches!(portal.availability.of(*prefix), RegistryState::Refusing { .. })
        })
        .map(|prefix| prefix.country_name().to_owned())
        .collect()
}

fn shown_row(row: Row) -> ResultRow {
    ResultRow {
        notes: notes_of(&row),
        outcome: match row.outcome {
            RowOutcome::Waiting => None,
            RowOutcome::Valid => Some(Status::Valid),
            RowOutcome::NotRegistered => Some(Status::NotRegistered),
            RowOutcome::Malformed => Some(Status::Malformed),
            RowOutcome::Unsupported => Some(Status::Unsupported),
            RowOutcome::Unavailable => Some(Status::Unavailable),
        },
        reverse_charge: row.reverse_charge.map(|decision| match decision {
            ReverseCharge::NotValid => "No",
            ReverseCharge::Unverified => "Not known",
            ReverseCharge::SupplierCountryNotGiven | ReverseCharge::CrossBorder => "Eligible",
            ReverseCharge::Domestic => "Domestic",
        }),
        line: row.line.map(u64::from),
        submitted: row.submitted,
        vat_number: row.vat_number,
        name: row.name,
        address: row.address,
        answered: None,
        evidence: row.evidence_id.map(|id| id.to_string()),
        of_sandbox: false,
    }
}

/// What is to be known about a row. That blanks were left out is not; that a name is kept back is told in its place; and of
/// what is no number the page itself says why.
fn notes_of(row: &Row) -> Vec<String> {
    let mut notes = Vec::new();
    if row.registry.is_some() {
        let is_valid = row.outcome == RowOutcome::Valid;
        notes.extend(row.advice.iter().filter_map(|advice| note_of(advice, is_valid)));
    }
    if let Some(FirstRow { place, line }) = row.same_as {
        let (word, number) = line.map_or(("as row", place), |line| ("as in line", line));
        notes.push(format!("The same number {word} {}; it was asked once.", grouped(number.into())));
    }
    notes
}

/// A piece of advice, as short as a table wants the commonest.
fn note_of(advice: &Advice, is_valid: bool) -> Option<String> {
    let words = match advice.code {
        AdviceCode::SeparatorsRemoved | AdviceCode::NotDisclosedByMemberState => return None,
        AdviceCode::CheckDigitsDoNotFit if is_valid => return None,
        AdviceCode::CheckDigitsDoNotFit => "The check digits do not fit: look for a slip.",
        AdviceCode::NewRegistrationsTakeTime => "New registrations take about two weeks to appear.",
        AdviceCode::NationalRegistrationMayExist => "Perhaps registered at home only.",
        _ => &advice.message,
    };
    Some(words.to_owned())
}
