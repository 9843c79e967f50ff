//! `/portal/keys/request`: what an account asks of support before it has keys. It is asked again after a no and can be taken
//! back while it waits. What was typed is read here for `/sign-up` too.

use axum::{
    Form,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, Utc};
use crossvat_app::portal::{
    AskForKeys, AskedForKeys, Fault as FormFault, NotAllowed, OwnNumberSaid, RequestFacts, RequestStands,
    RequestTyped, volume_words,
};
use serde::Deserialize;
use vat::{Status, VatNumber};

use super::{
    access::{Access, access_of},
    fault::Fault,
    moments::instant,
    own_numbers::askers_number,
    sign_in::too_many,
    state::Portal,
    typed::worded,
    visit::MemberVisit,
};
use crate::{
    early_access::{
        ExpectedVolume, KeyRequest, KeyRequestError, NewKeyRequest, NumberCheck, NumberOutcome, checked_use,
    },
    limits::LimitedAction,
    members::checked_company,
    people::first_name,
};

/// What a form about a request sends.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wanted {
    #[serde(rename = "do")]
    deed: String,
    company: String,
    vat_number: String,
    intended_use: String,
    volume: String,
}

/// What was typed, as far as it can be used.
pub(super) struct Read {
    pub(super) vat_number: Option<VatNumber>,
    pub(super) expected_volume: ExpectedVolume,
}

/// Reads what was typed about a company and its use. Else: everything that needs changing, in the order of the fields.
pub(super) fn read(typed: &RequestTyped) -> Result<Read, Vec<FormFault>> {
    let mut faults = Vec::new();
    if let Err(error) = checked_company(&typed.company) {
        faults.push(FormFault::new("company", worded(&error)));
    }
    let vat_number = askers_number(&typed.vat_number);
    if let Err(words) = vat_number {
        faults.push(FormFault::new("vat_number", words));
    }
    if let Err(error) = checked_use(&typed.intended_use) {
        faults.push(FormFault::new("intended_use", worded(&error)));
    }
    let expected_volume = ExpectedVolume::parse(&typed.volume);
    if expected_volume.is_none() {
        faults.push(FormFault::new("volume", "Choose about how many numbers you will check"));
    }
    match (vat_number, expected_volume) {
        (Ok(vat_number), Some(expected_volume)) if faults.is_empty() => {
            Ok(Read { vat_number, expected_volume })
        }
        _ => Err(faults),
    }
}

/// `GET /portal/keys/request`
pub(super) async fn show(State(portal): State<Portal>, reader: MemberVisit) -> Result<Response, Fault> {
    let (typed, declined) = match access_of(&portal, &reader).await? {
        Access::Waiting(request) => {
            let request = facts(&request, portal.clock.now());
            let page = AskedForKeys { request, may_change: reader.may_change() };
            return Ok(reader.visit.page(StatusCode::OK, page).await);
        }
        Access::Declined(request) => (typed_of(&request), request.reason),
        Access::Withdrawn(request) => (typed_of(&request), None),
        Access::Open | Access::Suspended => return Ok(Redirect::to("/portal/keys").into_response()),
    };
    if !reader.may_change() {
        return Ok(not_allowed(&reader).await);
    }
    Ok(reader.visit.page(StatusCode::OK, AskForKeys { typed, declined, faults: Vec::new() }).await)
}

/// `POST /portal/keys/request`
pub(super) async fn change(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Fault> {
    if !reader.may_change() {
        return Ok(not_allowed(&reader).await);
    }
    match (access_of(&portal, &reader).await?, wanted.deed.as_str()) {
        (Access::Waiting(request), "withdraw") => withdraw(&portal, &reader, &request).await,
        (Access::Declined(request), "ask") => ask(&portal, &reader, wanted, request.reason).await,
        (Access::Withdrawn(_), "ask") => ask(&portal, &reader, wanted, None).await,
        // Sent twice, it was done by the first.
        _ => Ok(Redirect::to("/portal").into_response()),
    }
}

async fn ask(
    portal: &Portal,
    reader: &MemberVisit,
    wanted: Wanted,
    declined: Option<String>,
) -> Result<Response, Fault> {
    let Wanted { deed: _, company, vat_number, intended_use, volume } = wanted;
    let typed = RequestTyped { company, vat_number, intended_use, volume };
    let again = async |status, faults| {
        let page = AskForKeys { typed: typed.clone(), declined: declined.clone(), faults };
        Ok(reader.visit.page(status, page).await)
    };
    let read = match read(&typed) {
        Ok(read) => read,
        Err(faults) => return again(StatusCode::UNPROCESSABLE_ENTITY, faults).await,
    };
    let account = reader.account.id;
    if let Err(refused) = portal.limiter.admit(&LimitedAction::KeyRequest { account }).await {
        let fault = FormFault { field: "company", ..too_many(refused) };
        return again(StatusCode::TOO_MANY_REQUESTS, vec![fault]).await;
    }
    let new = NewKeyRequest {
        account_id: account,
        member_id: reader.member.id,
        company: &typed.company,
        vat_number: read.vat_number,
        intended_use: &typed.intended_use,
        expected_volume: read.expected_volume,
    };
    match portal.early_access.file(new, &reader.actor()).await {
        Ok(request) => {
            if let Some(number) = read.vat_number {
                portal.check_own_number.begin(request, number, reader.visit.client).await;
            }
        }
        Err(KeyRequestError::AlreadyOpen) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(Redirect::to("/portal").into_response())
}

async fn withdraw(portal: &Portal, reader: &MemberVisit, request: &KeyRequest) -> Result<Response, Fault> {
    match portal.early_access.withdraw(reader.account.id, request.id, &reader.actor()).await {
        // Support may have been quicker: the first page says what came of it.
        Ok(()) | Err(KeyRequestError::Decided(_)) => Ok(Redirect::to("/portal").into_response()),
        Err(error) => Err(error.into()),
    }
}

async fn not_allowed(reader: &MemberVisit) -> Response {
    let words =
        "Keys are asked for by members and owners. An owner of the account can give you another role.";
    reader.visit.page(StatusCode::FORBIDDEN, NotAllowed { words }).await
}

/// What `/portal` says instead of its figures, when the account may not have keys yet.
pub(super) async fn stands(
    portal: &Portal,
    reader: &MemberVisit,
    access: &Access,
) -> Result<Option<RequestStands>, Fault> {
    let (may_change, is_owner) = (reader.may_change(), reader.is_owner());
    Ok(match access {
        Access::Open | Access::Suspended => None,
        Access::Waiting(request) => Some(RequestStands {
            heading: "Your request is with support",
            asked: Some(instant(request.created_at, portal.clock.now())),
            lead: format!(
                "The answer goes to {} by mail; then you create your keys here, yourself.",
                receiver(request)
            ),
            reason: None,
            action: Some("See the request"),
            is_owner,
        }),
        Access::Declined(request) => Some(RequestStands {
            heading: "Support has declined your request",
            asked: None,
            lead: "If something has changed or was left out, ask again.".to_owned(),
            reason: support_writes(portal, request).await?,
            action: may_change.then_some("Ask again"),
            is_owner,
        }),
        Access::Withdrawn(_) => Some(RequestStands {
            heading: "Your request is withdrawn",
            asked: None,
            lead: "Keys come with support’s approval, so nothing can be asked yet.".to_owned(),
            reason: None,
            action: may_change.then_some("Ask for keys"),
            is_owner,
        }),
    })
}

async fn support_writes(
    portal: &Portal,
    request: &KeyRequest,
) -> Result<Option<(String, String, crossvat_app::portal::Instant)>, Fault> {
    let (Some(reason), Some(at)) = (&request.reason, request.decided_at) else { return Ok(None) };
    let person = match request.decided_by {
        Some(id) => portal.staff.find(id).await?,
        None => None,
    };
    let first = person.map_or_else(|| "Somebody".to_owned(), |person| first_name(&person.name).to_owned());
    Ok(Some((reason.clone(), first, instant(at, portal.clock.now()))))
}

/// Where the answer goes: when whoever asked is no member any more, to the owner who has been one for the longest time.
pub(super) fn receiver(request: &KeyRequest) -> &str {
    request.asker.email.as_deref().unwrap_or("an owner of the account")
}

/// A request as pages tell it.
pub(super) fn facts(request: &KeyRequest, now: DateTime<Utc>) -> RequestFacts {
    RequestFacts {
        company: request.company.clone(),
        vat_number: request.vat_number,
        said: request.number_check.as_ref().map(|check| said(check, now)),
        intended_use: request.intended_use.clone(),
        volume: volume_words(request.expected_volume.as_str()),
        asked: instant(request.created_at, now),
        asker: request.asker.name.clone(),
        email: request.asker.email.clone(),
    }
}

fn said(check: &NumberCheck, now: DateTime<Utc>) -> OwnNumberSaid {
    OwnNumberSaid {
        status: match check.outcome {
            NumberOutcome::Valid => Status::Valid,
            NumberOutcome::NotRegistered => Status::NotRegistered,
            NumberOutcome::Malformed => Status::Malformed,
            NumberOutcome::Unavailable => Status::Unavailable,
        },
        trader: check.trader.clone(),
        at: instant(check.asked_at, now),
    }
}

fn typed_of(request: &KeyRequest) -> RequestTyped {
    RequestTyped {
        company: request.company.clone(),
        vat_number: request.vat_number.map(|number| number.to_string()).unwrap_or_default(),
        intended_use: request.intended_use.clone(),
        volume: request.expected_volume.as_str().to_owned(),
    }
}
