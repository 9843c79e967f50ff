//! `/portal/check`: starting a run, and the list of runs.

use std::time::Duration;

use axum::{
    extract::{DefaultBodyLimit, FromRequest, Multipart, Query, Request, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{
    Check, CheckChoices, ChosenOptions, Fault as FormFault, RunItem, grouped, with_suggestion,
};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;
use vat::{Prefix, SupplierCountry, pasted::PastedError};

use super::{
    super::{
        fault::Fault, moments::instant_to_the_minute, state::Portal, unsent::Fields, visit::MemberVisit,
    },
    may_ask, name_of, not_allowed, phase_of, starter_of,
    upload::{File, MAX_BYTES, MAX_DRAINED, Submitted},
    waits_for,
};
use crate::{
    batch_checks::{BatchError, GivenNumber, InputError, NewRun, Run, numbers_of_file, numbers_of_text},
    verification::requesters::Requesters,
};

/// What the address of the page says.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in super::super) struct Shown {
    page: String,
    examples: String,
}

/// What is kept of a form while its sender signs in: the numbers of a file stand in the field afterwards.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Typed {
    token: String,
    numbers: String,
    requester: String,
    age: String,
    supplier: String,
}

/// What a form holds, to be kept while its sender signs in; `None` when it is none.
pub(in super::super) async fn typed_fields(mut request: Request) -> Option<Fields> {
    DefaultBodyLimit::max(MAX_DRAINED).apply(&mut request);
    let form = Multipart::from_request(request, &()).await.ok()?;
    let mut submitted = Submitted::read(form).await.ok()?;
    if submitted.file.is_some()
        && let Ok((numbers, _)) = numbers_of(&submitted)
    {
        submitted.numbers = in_their_lines(&numbers);
    }
    let Submitted { token, numbers, requester, age, supplier, .. } = submitted;
    let fields = [
        ("token", token),
        ("numbers", numbers),
        ("requester", requester),
        ("age", age),
        ("supplier", supplier),
    ];
    Some(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// `GET /portal/check`
pub(in super::super) async fn show(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Query(shown): Query<Shown>,
) -> Result<Response, Fault> {
    let typed = reader.visit.typed_before::<Typed>().await?;
    let shows_readings = typed.is_some() || !shown.examples.is_empty();
    let submitted = match typed {
        Some(Typed { token, numbers, requester, age, supplier }) => {
            Submitted { token, numbers, requester, age, supplier, ..Submitted::default() }
        }
        None if shows_readings => Submitted { numbers: Check::examples(), ..Submitted::default() },
        None => Submitted::default(),
    };
    let page = shown.page.parse().unwrap_or(1).clamp(1, 1000);
    // The form that was kept is still the same one, which may have been sent from elsewhere meanwhile.
    let kept = submitted.token.parse::<Uuid>().ok();
    let mut page = page_with(&portal, &reader, submitted, shows_readings, page).await?;
    if let Some(kept) = kept {
        page.token = kept.to_string();
    }
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

/// `POST /portal/check`
pub(in super::super) async fn start(
    State(portal): State<Portal>,
    reader: MemberVisit,
    form: Multipart,
) -> Result<Response, Fault> {
    let submitted = match Submitted::read(form).await {
        Ok(submitted) => submitted,
        Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Submitted { too_large: Some("numbers"), ..Submitted::default() }
        }
        Err(error) => return Ok(error.into_response()),
    };
    if let Some(refusal) = may_ask(&portal, &reader).await? {
        return Ok(refusal);
    }
    if let Some(field) = submitted.too_large {
        let words = format!(
            "This is more than {} MB. Send the numbers alone, up to 10,000 at a time",
            MAX_BYTES / (1024 * 1024)
        );
        return refuse(
            &portal,
            &reader,
            submitted,
            StatusCode::PAYLOAD_TOO_LARGE,
            FormFault::new(field, words),
        )
        .await;
    }
    if !submitted.suggestion.is_empty() || submitted.deed == "read" {
        return read_only(&portal, &reader, submitted).await;
    }
    let (numbers, file_name) = match numbers_of(&submitted) {
        Ok(found) => found,
        Err(fault) => {
            return refuse(&portal, &reader, submitted, StatusCode::UNPROCESSABLE_ENTITY, fault).await;
        }
    };
    let new = NewRun {
        account_id: reader.account.id,
        member_id: reader.member.id,
        token: token_of(&portal, &submitted, &numbers),
        file_name,
        numbers,
        requesters: requesters_of(&reader, &submitted.requester),
        max_age: submitted
            .age
            .parse()
            .ok()
            .and_then(|age| AGES.contains(&age).then(|| Duration::from_secs(age))),
        supplier_country: SupplierCountry::parse(&submitted.supplier),
    };
    match portal.batch_checks.start(new).await {
        Ok(run) => Ok(Redirect::to(&format!("/portal/check/{run}")).into_response()),
        Err(BatchError::UnknownMember) => Ok(not_allowed(&reader).await),
        Err(error) => Err(error.into()),
    }
}

/// Ages that may be chosen, in seconds.
const AGES: [u64; 3] = [0, 3600, 86_400];

/// Comes back with how the numbers are read, a suggestion taken and a file's content in the field.
async fn read_only(
    portal: &Portal,
    reader: &MemberVisit,
    mut submitted: Submitted,
) -> Result<Response, Fault> {
    if let Some(text) = with_suggestion(&submitted.numbers, &submitted.suggestion) {
        submitted.numbers = text;
    }
    if submitted.file.is_some() {
        match numbers_of(&submitted) {
            Ok((numbers, _)) => submitted.numbers = in_their_lines(&numbers),
            Err(fault) => {
                return refuse(portal, reader, submitted, StatusCode::UNPROCESSABLE_ENTITY, fault).await;
            }
        }
    }
    let page = page_with(portal, reader, submitted, true, 1).await?;
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

async fn refuse(
    portal: &Portal,
    reader: &MemberVisit,
    submitted: Submitted,
    status: StatusCode,
    fault: FormFault,
) -> Result<Response, Fault> {
    let mut page = page_with(portal, reader, submitted, false, 1).await?;
    page.faults = vec![fault];
    Ok(reader.visit.page(status, page).await)
}

/// The numbers in order, and the name of the file that they came from.
fn numbers_of(submitted: &Submitted) -> Result<(Vec<GivenNumber>, Option<String>), FormFault> {
    match &submitted.file {
        Some(_) if !submitted.numbers.trim().is_empty() => {
            Err(FormFault::new("file", "Paste numbers or choose a file, not both"))
        }
        Some(File { name, content }) => numbers_of_file(content)
            .map(|numbers| (numbers, Some(name.clone())))
            .map_err(|error| FormFault::new("file", worded(error, "file"))),
        None => numbers_of_text(&submitted.numbers)
            .map(|numbers| (numbers, None))
            .map_err(|error| FormFault::new("numbers", worded(error, "numbers"))),
    }
}

/// Numbers as they are pasted, in the lines in which they stood.
fn in_their_lines(numbers: &[GivenNumber]) -> String {
    let mut text = String::new();
    let mut line = 1;
    for (index, number) in numbers.iter().enumerate() {
        if index > 0 && number.line <= line {
            text.push_str(", ");
        }
        while line < number.line {
            text.push('\n');
            line += 1;
        }
        text.push_str(&number.text);
    }
    text
}

fn worded(error: InputError, field: &str) -> String {
    match error {
        InputError::NotText(_) => {
            "The file is not text. In a spreadsheet, save the sheet as CSV and choose that file".to_owned()
        }
        InputError::Pasted(PastedError::Nothing) if field == "file" => {
            "There are no numbers in the file".to_owned()
        }
        InputError::Pasted(PastedError::Nothing) => {
            "Paste at least one VAT number, or choose a file".to_owned()
        }
        InputError::Pasted(PastedError::TooMany { found }) => format!(
            "There are {} numbers in it, and 10,000 are checked at a time: send them in parts",
            grouped(found as u64)
        ),
    }
}

/// The same form with the same numbers starts one run however often it is sent; one that was gone back to and changed
/// starts another.
fn token_of(portal: &Portal, submitted: &Submitted, numbers: &[GivenNumber]) -> Uuid {
    let Ok(form) = submitted.token.parse::<Uuid>() else { return portal.batch_checks.new_token() };
    let mut digest = Sha256::new();
    digest.update(form.as_bytes());
    let options = [&submitted.requester, &submitted.age, &submitted.supplier];
    for text in options.into_iter().chain(numbers.iter().map(|number| &number.text)) {
        digest.update(text.as_bytes());
        digest.update([0]);
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest.finalize()[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// The requesters that were chosen; `None`: as the account has set them.
fn requesters_of(reader: &MemberVisit, chosen: &str) -> Option<Requesters> {
    let terms = &reader.account.terms;
    let number = match chosen {
        "gb" => terms.gb_requester,
        "eu" => terms.eu_requester,
        "none" => None,
        _ => return None,
    };
    let mut requesters = Requesters::default();
    if let Some(number) = number {
        // The first of its registry.
        requesters.add(number).ok()?;
    }
    Some(requesters)
}

async fn page_with(
    portal: &Portal,
    reader: &MemberVisit,
    submitted: Submitted,
    shows_readings: bool,
    page: u64,
) -> Result<Check, Fault> {
    let offset = (page - 1) * Check::RUNS_ON_A_PAGE;
    let runs = portal.batch_checks.list(reader.account.id, offset, Check::RUNS_ON_A_PAGE).await?;
    Ok(Check {
        token: portal.batch_checks.new_token().to_string(),
        numbers: submitted.numbers,
        shows_readings,
        choices: choices(reader),
        chosen: ChosenOptions {
            requester: submitted.requester,
            age: submitted.age,
            supplier: submitted.supplier,
        },
        faults: Vec::new(),
        waits_for: waits_for(portal, reader).await?,
        runs: runs.runs.iter().map(|run| item(portal, reader, run)).collect(),
        total: runs.total,
        offset,
    })
}

fn item(portal: &Portal, reader: &MemberVisit, run: &Run) -> RunItem {
    RunItem {
        id: run.id.to_string(),
        name: name_of(run),
        phase: phase_of(run.state),
        rows: run.counts.rows.into(),
        waiting: run.counts.waiting.into(),
        unavailable: run.counts.unavailable.into(),
        by: starter_of(run, reader),
        started: instant_to_the_minute(run.created_at, portal.clock.now()),
    }
}

fn choices(reader: &MemberVisit) -> CheckChoices {
    let terms = &reader.account.terms;
    let nobody = "Nobody: no proof".to_owned();
    let requesters = match (terms.gb_requester, terms.eu_requester) {
        (None, None) => vec![("", nobody)],
        (Some(only), None) | (None, Some(only)) => vec![("", only.to_string()), ("none", nobody)],
        (Some(gb), Some(eu)) => vec![
            ("", format!("{gb} and {eu}")),
            ("gb", gb.to_string()),
            ("eu", eu.to_string()),
            ("none", nobody),
        ],
    };
    let own = terms.max_age.as_secs();
    let others = AGES.into_iter().zip(["0", "3600", "86400"]).filter(|(age, _)| *age != own);
    let ages =
        [("", age_in_words(own))].into_iter().chain(others.map(|(age, sent)| (sent, age_in_words(age))));
    CheckChoices { requesters, ages: ages.collect(), supplier: supplier_in_words(terms.supplier_country) }
}

/// How old an answer may be, to follow "Answers may be".
fn age_in_words(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0 => return "fresh from the registry".to_owned(),
        seconds if seconds.is_multiple_of(86_400) && seconds > 86_400 => (seconds / 86_400, "day"),
        seconds if seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        seconds if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        seconds => (seconds, "second"),
    };
    format!("up to {count} {unit}{} old", if count == 1 { "" } else { "s" })
}

fn supplier_in_words(country: Option<SupplierCountry>) -> String {
    match country.map(SupplierCountry::as_str) {
        None => "Not said".to_owned(),
        Some(code) => Prefix::from_code(code).map_or(code, Prefix::country_name).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{GivenNumber, age_in_words, in_their_lines};

    #[test]
    fn numbers_of_a_file_are_shown_in_the_lines_in_which_they_stood() {
        for (numbers, text) in [
            (&[][..], ""),
            (&[(1, "DE1"), (2, "DE2")], "DE1\nDE2"),
            (&[(2, "DE1"), (5, "DE2")], "\nDE1\n\n\nDE2"),
            (&[(1, "DE1"), (1, "DE2"), (2, "DE3"), (2, "DE4")], "DE1, DE2\nDE3, DE4"),
        ] {
            let given = |(line, text): &(u32, &str)| GivenNumber { line: *line, text: (*text).to_owned() };
            assert_eq!(in_their_lines(&numbers.iter().map(given).collect::<Vec<_>>()), text);
        }
    }

    #[test]
    fn ages_are_told_in_the_largest_unit_that_fits() {
        for (seconds, words) in [
            (0, "fresh from the registry"),
            (1, "up to 1 second old"),
            (90, "up to 90 seconds old"),
            (300, "up to 5 minutes old"),
            (3600, "up to 1 hour old"),
            (86_400, "up to 24 hours old"),
            (604_800, "up to 7 days old"),
        ] {
            assert_eq!(age_in_words(seconds), words);
        }
    }
}
