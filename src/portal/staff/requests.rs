//! `/staff` and `/staff/requests/{id}`: what waits for an answer, and the answer. Of two who decide, the second is told who
//! was quicker.

use axum::{
    Form,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, Utc};
use crossvat_app::portal::{
    DecideRequest, Fault as FormFault, Instant, RequestCard, RequestDecision, SimilarAccount, StaffRequests,
};
use rand::rngs::SysRng;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    limits::{limits, plans},
    waiting::{ago, is_late},
};
use crate::{
    accounts::STANDARD_PLAN,
    api_keys::holds_secret,
    check_own_number::CheckError,
    early_access::{KeyRequest, KeyRequestError, KeyRequestState, Likeness, Similar, checked_reason},
    onboarding::OnboardingError,
    portal::{
        fault::Fault,
        key_request::{facts, receiver},
        moments::instant,
        state::Portal,
        typed::worded,
        visit::StaffVisit,
    },
};

/// Requests on the page.
const MOST: u64 = 20;

const TOO_QUICK: &str = "Somebody was quicker: the request had an answer when yours came. Nothing was sent.";

/// What was just decided.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Done {
    decided: String,
}

/// What a form about a request sends.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Answer {
    #[serde(rename = "do")]
    deed: String,
    plan: String,
    requests_per_minute: String,
    numbers_per_month: String,
    reason: String,
    code: String,
}

/// `GET /staff`
pub(in crate::portal) async fn queue(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Query(Done { decided }): Query<Done>,
) -> Result<Response, Fault> {
    let now = portal.clock.now();
    let (requests, total) = portal.early_access.open_requests(MOST).await?;
    let late = requests.first().is_some_and(|request| is_late(request.created_at, now));
    let similar = portal.early_access.similar(&requests).await?;
    let mut cards = Vec::with_capacity(requests.len());
    for (request, similar) in requests.iter().zip(similar) {
        cards.push(card(&portal, request, similar, now).await?);
    }
    let last = if total == 0 { last_decided(&portal, now).await? } else { None };
    let plan = portal.accounts.plans().await?.into_iter().find(|plan| plan.code == STANDARD_PLAN);
    let page = StaffRequests {
        cards,
        total,
        late,
        plan: plan.map(|plan| plan.name).unwrap_or_default(),
        done: done(&portal, &decided).await?,
        last,
    };
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `GET /staff/requests/{id}`
pub(in crate::portal) async fn show(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let Some(request) = find(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    let page = page(&portal, &staff, &request, Answer::default(), (None, Vec::new())).await?;
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/requests/{id}`
pub(in crate::portal) async fn decide(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
    Form(answer): Form<Answer>,
) -> Result<Response, Fault> {
    let Some(request) = find(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    if request.state != KeyRequestState::Open {
        return too_late(&portal, &staff, request.id).await;
    }
    match answer.deed.as_str() {
        "approve" => approve(&portal, &staff, request, answer).await,
        "decline" => decline(&portal, &staff, request, answer).await,
        "ask" => ask(&portal, &staff, request).await,
        _ => Ok(to(&request)),
    }
}

async fn approve(
    portal: &Portal,
    staff: &StaffVisit,
    request: KeyRequest,
    answer: Answer,
) -> Result<Response, Fault> {
    let plan = if answer.plan.is_empty() { STANDARD_PLAN } else { &answer.plan };
    let limits = match limits(plan, &answer.requests_per_minute, &answer.numbers_per_month) {
        Ok(limits) => limits,
        Err(faults) => return again(portal, staff, &request, answer, faults).await,
    };
    if let Some(fault) = staff.prove(&answer.code).await? {
        return again(portal, staff, &request, answer, vec![fault]).await;
    }
    match portal.onboarding.approve(request.id, &limits, &staff.actor(), &mut SysRng).await {
        Ok(()) => Ok(decided(&request)),
        Err(OnboardingError::Request(error @ KeyRequestError::UnknownPlan)) => {
            let faults = vec![FormFault::new("plan", worded(&error))];
            again(portal, staff, &request, answer, faults).await
        }
        Err(OnboardingError::Suspended) => {
            let note = "The account is suspended. Restore it first.";
            let page = page(portal, staff, &request, answer, (Some(note), Vec::new())).await?;
            Ok(staff.visit.page(StatusCode::CONFLICT, page).await)
        }
        Err(OnboardingError::Request(KeyRequestError::Decided(_))) => {
            too_late(portal, staff, request.id).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn decline(
    portal: &Portal,
    staff: &StaffVisit,
    request: KeyRequest,
    answer: Answer,
) -> Result<Response, Fault> {
    let fault = if holds_secret(&answer.reason) {
        Some("Leave the key out: the reason is mailed and kept".to_owned())
    } else {
        checked_reason(&answer.reason).err().map(|error| worded(&error))
    };
    if let Some(words) = fault {
        return again(portal, staff, &request, answer, vec![FormFault::new("reason", words)]).await;
    }
    if let Some(fault) = staff.prove(&answer.code).await? {
        return again(portal, staff, &request, answer, vec![fault]).await;
    }
    let by = (&staff.actor(), &*staff.person.name);
    match portal.onboarding.decline(request.id, &answer.reason, by).await {
        Ok(()) => Ok(decided(&request)),
        Err(OnboardingError::Request(KeyRequestError::Decided(_))) => {
            too_late(portal, staff, request.id).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn ask(portal: &Portal, staff: &StaffVisit, request: KeyRequest) -> Result<Response, Fault> {
    match portal.check_own_number.again(request.id).await {
        Ok(()) => Ok(to(&request)),
        Err(CheckError::TooMany(_)) => {
            let note = "Many own numbers were asked about in a short time. Wait a minute, then ask again.";
            let page = page(portal, staff, &request, Answer::default(), (Some(note), Vec::new())).await?;
            Ok(staff.visit.page(StatusCode::TOO_MANY_REQUESTS, page).await)
        }
        Err(error) => Err(error.into()),
    }
}

/// The form once more, with everything that was typed but the code.
async fn again(
    portal: &Portal,
    staff: &StaffVisit,
    request: &KeyRequest,
    answer: Answer,
    faults: Vec<FormFault>,
) -> Result<Response, Fault> {
    let page = page(portal, staff, request, answer, (None, faults)).await?;
    Ok(staff.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
}

/// Who decided what, to somebody who wanted to decide too.
async fn too_late(portal: &Portal, staff: &StaffVisit, request: Uuid) -> Result<Response, Fault> {
    let request = portal.early_access.find(request).await?;
    let page = page(portal, staff, &request, Answer::default(), (Some(TOO_QUICK), Vec::new())).await?;
    Ok(staff.visit.page(StatusCode::CONFLICT, page).await)
}

async fn page(
    portal: &Portal,
    staff: &StaffVisit,
    request: &KeyRequest,
    answer: Answer,
    (note, faults): (Option<&'static str>, Vec<FormFault>),
) -> Result<DecideRequest, Fault> {
    let similar = portal.early_access.similar(std::slice::from_ref(request)).await?;
    let similar = similar.into_iter().next().unwrap_or_default();
    Ok(DecideRequest {
        card: card(portal, request, similar, portal.clock.now()).await?,
        plans: plans(portal).await?,
        plan: if answer.plan.is_empty() { STANDARD_PLAN.to_owned() } else { answer.plan },
        requests_per_minute: answer.requests_per_minute,
        numbers_per_month: answer.numbers_per_month,
        reason: if holds_secret(&answer.reason) { String::new() } else { answer.reason },
        asks_for_code: staff.asks_for_code(),
        note,
        faults,
    })
}

async fn find(portal: &Portal, id: &str) -> Result<Option<KeyRequest>, Fault> {
    let Ok(id) = id.parse::<Uuid>() else { return Ok(None) };
    match portal.early_access.find(id).await {
        Ok(request) => Ok(Some(request)),
        Err(KeyRequestError::Unknown) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn card(
    portal: &Portal,
    request: &KeyRequest,
    similar: Vec<Similar>,
    now: DateTime<Utc>,
) -> Result<RequestCard, Fault> {
    let decision = match request.state {
        KeyRequestState::Open => None,
        _ => Some(RequestDecision {
            words: decision_words(portal, request).await?,
            at: request.decided_at.map(|at| instant(at, now)),
            reason: request.reason.clone(),
        }),
    };
    Ok(RequestCard {
        id: request.id.to_string(),
        account_id: request.account_id.to_string(),
        facts: facts(request, now),
        ago: ago(request.created_at, now),
        confirmed: request.asker.confirmed_at.map(|at| instant(at, now)),
        same_domain: similar.iter().any(|account| account.because.contains(&Likeness::MailDomain)),
        similar: similar.into_iter().map(similar_account).collect(),
        decision,
    })
}

fn similar_account(similar: Similar) -> SimilarAccount {
    let because: Vec<_> = similar
        .because
        .iter()
        .map(|likeness| match likeness {
            Likeness::MailDomain => "same mail domain",
            Likeness::VatNumber => "same VAT number",
            Likeness::Name => "same name",
        })
        .collect();
    let because = because.join(", ");
    let mut letters = because.chars();
    let because: String =
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    let owners = match similar.owners.as_slice() {
        [] => String::new(),
        [owner] => format!(". Owner: {owner}"),
        owners => format!(". Owners: {}", owners.join(", ")),
    };
    SimilarAccount {
        id: similar.account_id.to_string(),
        name: similar.name,
        why: format!("{because}{owners}"),
    }
}

/// What was decided, and by whom.
async fn decision_words(portal: &Portal, request: &KeyRequest) -> Result<String, Fault> {
    let deed = match request.state {
        KeyRequestState::Approved => "Approved",
        KeyRequestState::Declined => "Declined",
        KeyRequestState::Withdrawn => return Ok("Taken back by the account".to_owned()),
        KeyRequestState::Open => return Ok("Not decided".to_owned()),
    };
    let by = match request.decided_by {
        Some(id) => portal.staff.find(id).await?.map(|person| person.name),
        None => None,
    };
    Ok(format!("{deed} by {}", by.as_deref().unwrap_or("support")))
}

async fn last_decided(portal: &Portal, now: DateTime<Utc>) -> Result<Option<(String, Instant)>, Fault> {
    let Some(request) = portal.early_access.last_decided().await? else { return Ok(None) };
    let Some(at) = request.decided_at else { return Ok(None) };
    let decision = decision_words(portal, &request).await?;
    let mut letters = decision.chars();
    let decision: String =
        letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default();
    Ok(Some((format!("The last request, of {}, was {decision},", request.company), instant(at, now))))
}

/// What became of a request, to whoever has just decided it.
async fn done(portal: &Portal, request: &str) -> Result<Option<String>, Fault> {
    Ok(find(portal, request).await?.and_then(|request| match request.state {
        KeyRequestState::Approved => Some(format!(
            "{} is approved. A link to the first key is on its way to {}.",
            request.company,
            receiver(&request)
        )),
        KeyRequestState::Declined => Some(format!(
            "{} is declined. The reason is on its way to {}.",
            request.company,
            receiver(&request)
        )),
        KeyRequestState::Open | KeyRequestState::Withdrawn => None,
    }))
}

fn decided(request: &KeyRequest) -> Response {
    Redirect::to(&format!("/staff?decided={}", request.id)).into_response()
}

fn to(request: &KeyRequest) -> Response {
    Redirect::to(&format!("/staff/requests/{}", request.id)).into_response()
}
