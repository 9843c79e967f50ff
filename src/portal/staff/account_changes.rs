//! `/staff/accounts/{id}/…`: plan and limits, suspending and restoring, ending a key that has leaked. Each asks why, and what
//! is dangerous asks for the second factor too. Sent twice, each does one thing.

use axum::{
    Form,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{
    ChangePlan, ChangedAccount, Fault as FormFault, KeyRow, KeyState, RestoreAccount, RevokeLeakedKey,
    SuspendAccount,
};
use serde::Deserialize;

use super::{
    account::{account, key_rows},
    limits::{limits, plans},
};
use crate::{
    accounts::{AccountDetail, AccountError, checked_reason},
    api_keys::{KeyError, holds_secret},
    audit::{Deed, LogFilter, Start},
    portal::{fault::Fault, moments::instant, state::Portal, typed::worded, visit::StaffVisit},
};

/// What a form about a plan sends.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct WantedPlan {
    plan: String,
    requests_per_minute: String,
    numbers_per_month: String,
    reason: String,
}

/// What a form sends that suspends, restores or revokes.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Judgement {
    pub(super) reason: String,
    pub(super) confirm: String,
    code: String,
}

/// `GET /staff/accounts/{id}/plan`
pub(in crate::portal) async fn plan_form(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let Some(detail) = account(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    let or_empty = |limit: Option<u64>| limit.map(|limit| limit.to_string()).unwrap_or_default();
    let agreed = &detail.agreed;
    let wanted = WantedPlan {
        plan: agreed.plan.clone(),
        requests_per_minute: or_empty(agreed.requests_per_minute.map(u64::from)),
        numbers_per_month: or_empty(agreed.numbers_per_month),
        reason: String::new(),
    };
    let page = plan_page(&portal, &detail, wanted, Vec::new()).await?;
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/accounts/{id}/plan`
pub(in crate::portal) async fn change_plan(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
    Form(wanted): Form<WantedPlan>,
) -> Result<Response, Fault> {
    let Some(detail) = account(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    let id = detail.account.id;
    let (limits, mut faults) =
        match limits(&wanted.plan, &wanted.requests_per_minute, &wanted.numbers_per_month) {
            Ok(limits) => (Some(limits), Vec::new()),
            Err(faults) => (None, faults),
        };
    faults.extend(fault_of_reason(&wanted.reason));
    if let Some(limits) = limits.filter(|_| faults.is_empty()) {
        match portal.accounts.change_limits(id, &limits, &wanted.reason, &staff.actor()).await {
            Ok(()) => return Ok(done(&detail, "plan")),
            Err(error @ AccountError::UnknownPlan) => faults.push(FormFault::new("plan", worded(&error))),
            Err(error) => return Err(error.into()),
        }
    }
    let page = plan_page(&portal, &detail, wanted, faults).await?;
    Ok(staff.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
}

/// `GET /staff/accounts/{id}/suspend`
pub(in crate::portal) async fn suspend_form(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let Some(detail) = account(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    if detail.account.terms.suspended {
        return Ok(to_account(&detail));
    }
    let page = suspend_page(&portal, &staff, &detail, (Judgement::default(), Vec::new())).await?;
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/accounts/{id}/suspend`
pub(in crate::portal) async fn suspend(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
    Form(judgement): Form<Judgement>,
) -> Result<Response, Fault> {
    let Some(detail) = account(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    let mut faults: Vec<_> = fault_of_reason(&judgement.reason).into_iter().collect();
    if judgement.confirm.trim() != &*detail.account.terms.name {
        faults.push(FormFault::new("confirm", "Type the company’s name exactly as it stands above"));
    }
    if let Some(faults) = proved(&staff, &judgement, faults).await? {
        let page = suspend_page(&portal, &staff, &detail, (judgement, faults)).await?;
        return Ok(staff.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
    }
    portal.accounts.suspend(detail.account.id, &judgement.reason, &staff.actor()).await?;
    Ok(done(&detail, "suspended"))
}

/// `GET /staff/accounts/{id}/restore`
pub(in crate::portal) async fn restore_form(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let Some(detail) = account(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    if !detail.account.terms.suspended {
        return Ok(to_account(&detail));
    }
    let page = restore_page(&portal, &staff, &detail, (Judgement::default(), Vec::new())).await?;
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/accounts/{id}/restore`
pub(in crate::portal) async fn restore(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
    Form(judgement): Form<Judgement>,
) -> Result<Response, Fault> {
    let Some(detail) = account(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    let faults = fault_of_reason(&judgement.reason).into_iter().collect();
    if let Some(faults) = proved(&staff, &judgement, faults).await? {
        let page = restore_page(&portal, &staff, &detail, (judgement, faults)).await?;
        return Ok(staff.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
    }
    portal.accounts.restore(detail.account.id, &judgement.reason, &staff.actor()).await?;
    Ok(done(&detail, "restored"))
}

/// `GET /staff/accounts/{id}/keys/{key}/revoke`
pub(in crate::portal) async fn revoke_form(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path((id, key)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let Some((detail, key)) = account_and_key(&portal, &id, &key).await? else {
        return Ok(staff.visit.not_found().await);
    };
    if has_ended(&key) {
        return Ok(to_account(&detail));
    }
    let page = revoke_page(&staff, &detail, key, (Judgement::default(), Vec::new()));
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// `POST /staff/accounts/{id}/keys/{key}/revoke`
pub(in crate::portal) async fn revoke(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path((id, key)): Path<(String, String)>,
    Form(judgement): Form<Judgement>,
) -> Result<Response, Fault> {
    let Some((detail, row)) = account_and_key(&portal, &id, &key).await? else {
        return Ok(staff.visit.not_found().await);
    };
    let mut faults: Vec<_> = fault_of_reason(&judgement.reason).into_iter().collect();
    if judgement.confirm.trim() != row.last_four {
        let words = "Type the last four characters of the key exactly as they stand above";
        faults.push(FormFault::new("confirm", words));
    }
    if let Some(faults) = proved(&staff, &judgement, faults).await? {
        let page = revoke_page(&staff, &detail, row, (judgement, faults));
        return Ok(staff.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
    }
    let Ok(key) = key.parse() else { return Ok(staff.visit.not_found().await) };
    let reason = judgement.reason.trim();
    match portal.api_keys.revoke_because(reason, detail.account.id, key, &staff.actor()).await {
        // Sent twice, it has ended by the first.
        Ok(()) | Err(KeyError::Ended) => Ok(done(&detail, "revoked")),
        Err(error) => Err(error.into()),
    }
}

/// What needs changing before something dangerous is done. The second factor is looked at last: a code works once.
pub(super) async fn proved(
    staff: &StaffVisit,
    judgement: &Judgement,
    mut faults: Vec<FormFault>,
) -> Result<Option<Vec<FormFault>>, Fault> {
    if faults.is_empty() {
        faults.extend(staff.prove(&judgement.code).await?);
    }
    Ok((!faults.is_empty()).then_some(faults))
}

pub(super) fn fault_of_reason(reason: &str) -> Option<FormFault> {
    if holds_secret(reason) {
        return Some(FormFault::new("reason", "Leave the key out: its last four characters are enough"));
    }
    checked_reason(reason).err().map(|error| FormFault::new("reason", worded(&error)))
}

/// What was typed as it may be shown again.
pub(super) fn shown(typed: &str) -> String {
    if holds_secret(typed) { String::new() } else { typed.to_owned() }
}

async fn account_and_key(
    portal: &Portal,
    id: &str,
    key: &str,
) -> Result<Option<(AccountDetail, KeyRow)>, Fault> {
    let Some(detail) = account(portal, id).await? else { return Ok(None) };
    let members = portal.members.list(detail.account.id).await?;
    let rows = key_rows(portal, detail.account.id, &members).await?;
    Ok(rows.into_iter().find(|row| row.id == key).map(|row| (detail, row)))
}

const fn has_ended(key: &KeyRow) -> bool {
    matches!(key.state, KeyState::Expired | KeyState::Revoked)
}

pub(super) fn to_account(detail: &AccountDetail) -> Response {
    Redirect::to(&format!("/staff/accounts/{}", detail.account.id)).into_response()
}

pub(super) fn done(detail: &AccountDetail, what: &str) -> Response {
    Redirect::to(&format!("/staff/accounts/{}?done={what}", detail.account.id)).into_response()
}

pub(super) fn changed(detail: &AccountDetail) -> ChangedAccount {
    ChangedAccount { id: detail.account.id.to_string(), name: detail.account.terms.name.to_string() }
}

async fn plan_page(
    portal: &Portal,
    detail: &AccountDetail,
    wanted: WantedPlan,
    faults: Vec<FormFault>,
) -> Result<ChangePlan, Fault> {
    Ok(ChangePlan {
        account: changed(detail),
        plans: plans(portal).await?,
        plan: wanted.plan,
        requests_per_minute: shown(&wanted.requests_per_minute),
        numbers_per_month: shown(&wanted.numbers_per_month),
        reason: shown(&wanted.reason),
        faults,
    })
}

async fn suspend_page(
    portal: &Portal,
    staff: &StaffVisit,
    detail: &AccountDetail,
    (judgement, faults): (Judgement, Vec<FormFault>),
) -> Result<SuspendAccount, Fault> {
    let keys = portal.api_keys.list(detail.account.id).await?;
    let now = portal.clock.now();
    Ok(SuspendAccount {
        account: changed(detail),
        open_keys: keys.iter().filter(|key| !key.status.has_ended()).count() as u64,
        last_used: keys.iter().filter_map(|key| key.last_used_at).max().map(|at| instant(at, now)),
        reason: shown(&judgement.reason),
        confirm: shown(&judgement.confirm),
        asks_for_code: staff.asks_for_code(),
        faults,
    })
}

async fn restore_page(
    portal: &Portal,
    staff: &StaffVisit,
    detail: &AccountDetail,
    (judgement, faults): (Judgement, Vec<FormFault>),
) -> Result<RestoreAccount, Fault> {
    let filter = LogFilter { deed: Some(Deed::AccountSuspended), ..LogFilter::of_account(detail.account.id) };
    let last = portal.audit.page(&filter, Start::Newest, 1).await?.entries.pop();
    let now = portal.clock.now();
    Ok(RestoreAccount {
        account: changed(detail),
        suspended: last.map(|entry| (entry.event.detail, instant(entry.event.at, now))),
        reason: shown(&judgement.reason),
        asks_for_code: staff.asks_for_code(),
        faults,
    })
}

fn revoke_page(
    staff: &StaffVisit,
    detail: &AccountDetail,
    key: KeyRow,
    (judgement, faults): (Judgement, Vec<FormFault>),
) -> RevokeLeakedKey {
    RevokeLeakedKey {
        account: changed(detail),
        key,
        reason: shown(&judgement.reason),
        // It may be a whole key.
        confirm: shown(&judgement.confirm),
        asks_for_code: staff.asks_for_code(),
        faults,
    }
}
