//! `/staff/accounts/{id}`: one account, with everything support needs to answer its people.

use std::collections::HashMap;

use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use chrono::{DateTime, TimeDelta, Utc};
use crossvat_app::portal::{
    AccountDeed, AccountMember, AccountRequest, AccountStanding, AccountUsage, KeyRow, StaffAccount, grouped,
};
use serde::Deserialize;
use uuid::Uuid;

use super::{claim_links::rows, deeds};
use crate::{
    accounts::AccountDetail,
    audit::{LogFilter, Start, Total},
    early_access::{KeyRequest, KeyRequestState},
    evidence::HistoryFilter,
    members::Member,
    portal::{
        address::address,
        fault::Fault,
        keys::row,
        moments::{instant, to_the_second},
        state::Portal,
        visit::{StaffVisit, role_word},
    },
    usage::{Period, UsageFilter},
};

/// Events of the account that are listed here.
const LATEST: u64 = 50;
/// Days of what is called lately.
const LATELY: u32 = 30;

/// What was just done, or found.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Asked {
    done: String,
    key: String,
}

/// `GET /staff/accounts/{id}`
pub(in crate::portal) async fn page(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let Some(detail) = account(&portal, &id).await? else { return Ok(staff.visit.not_found().await) };
    let (id, now) = (detail.account.id, portal.clock.now());
    let members = portal.members.list(id).await?;
    let keys = key_rows(&portal, id, &members).await?;
    let requests = portal.early_access.of_account(id).await?;
    let log = portal.audit.page(&LogFilter::of_account(id), Start::Newest, LATEST).await?;
    let evidence = evidence(&portal, id, now).await?;
    let terms = &detail.account.terms;
    let waits = requests.iter().any(|request| request.state == KeyRequestState::Open);
    let done = match asked.done.as_str() {
        "plan" => Some("Plan and limits are changed. They hold from the next request on.".to_owned()),
        "suspended" => {
            Some("The account is suspended. Within a second every key of it is refused.".to_owned())
        }
        "restored" => Some("The account is restored. Within a second its keys open again.".to_owned()),
        "revoked" => Some("The key is revoked. Within a second nothing opens with it any more.".to_owned()),
        "signed-out" => Some("The member is signed out everywhere, and was told by mail.".to_owned()),
        _ => keys.iter().find(|key| key.id == asked.key).map(|key| {
            format!(
                "The key that was looked up is “{}”, ending {}, of this account.",
                key.name, key.last_four
            )
        }),
    };
    let page = StaffAccount {
        id: id.to_string(),
        name: terms.name.to_string(),
        standing: match (terms.suspended, waits) {
            (true, _) => AccountStanding::Suspended,
            (false, true) => AccountStanding::Waiting,
            (false, false) => AccountStanding::Active,
        },
        since: instant(detail.created_at, now),
        plan: detail.plan_name.clone(),
        requests_per_minute: (
            grouped(terms.requests_per_minute.into()),
            detail.agreed.requests_per_minute.is_some(),
        ),
        numbers_per_month: (grouped(terms.numbers_per_month), detail.agreed.numbers_per_month.is_some()),
        requesters: [terms.gb_requester, terms.eu_requester]
            .into_iter()
            .flatten()
            .map(|number| number.to_string())
            .collect(),
        supplier_country: terms.supplier_country.map(|country| country.as_str().to_owned()),
        usage: match usage(&portal, &detail, now).await {
            Ok(usage) => Some(usage),
            Err(error) => {
                tracing::warn!(%error, "what was used cannot be told");
                None
            }
        },
        evidence,
        keys,
        links: rows(&portal, Some(id), LATEST).await?,
        members: members.into_iter().map(|member| of_member(member, now)).collect(),
        requests: requests.into_iter().map(|request| of_request(request, now)).collect(),
        deeds: log
            .entries
            .iter()
            .map(|entry| AccountDeed {
                what: deeds::words(entry.event.deed).to_owned(),
                detail: entry.event.detail.clone(),
                by: deeds::by(entry),
                when: to_the_second(entry.event.at, now),
            })
            .collect(),
        all_deeds: (
            address("/staff/audit", &[("account", &*terms.name)]),
            match log.total {
                Total::Exactly(1) => "The entry in the audit log".to_owned(),
                Total::Exactly(total) => format!("All {} entries in the audit log", grouped(total)),
                Total::MoreThan(total) => {
                    format!("More than {} entries in the audit log", grouped(total))
                }
            },
        ),
        done,
    };
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// The account that an address names.
pub(super) async fn account(portal: &Portal, id: &str) -> Result<Option<AccountDetail>, Fault> {
    let Ok(id) = id.parse::<Uuid>() else { return Ok(None) };
    Ok(portal.accounts.detail(id).await?)
}

/// The account's keys as they may be shown, newest first.
pub(super) async fn key_rows(
    portal: &Portal,
    account: Uuid,
    members: &[Member],
) -> Result<Vec<KeyRow>, Fault> {
    let names: HashMap<Uuid, String> =
        members.iter().map(|member| (member.id, member.name.clone())).collect();
    let now = portal.clock.now();
    let keys = portal.api_keys.list(account).await?;
    Ok(keys.iter().map(|key| row(key, &names, now)).collect())
}

async fn usage(
    portal: &Portal,
    detail: &AccountDetail,
    now: DateTime<Utc>,
) -> Result<AccountUsage, crate::usage::UsageError> {
    let id = detail.account.id;
    let month = portal.usage.this_month(id).await?;
    let lately = portal.usage.by_day(id, Period::up_to(now, LATELY.into()), &UsageFilter::default()).await?;
    Ok(AccountUsage {
        month: month.month.start().format("%B %Y").to_string(),
        used: month.numbers,
        allowed: detail.account.terms.numbers_per_month,
        requests: lately.total.requests,
        numbers: lately.total.outcomes.total(),
        refused: lately.total.refused,
        refusals: lately.refusals.into_iter().take(3).map(|refusal| (refusal.code, refusal.calls)).collect(),
    })
}

/// Of how many checks evidence is kept, and of how many of lately.
async fn evidence(portal: &Portal, account: Uuid, now: DateTime<Utc>) -> Result<(u64, u64), Fault> {
    let lately = now - TimeDelta::days(LATELY.into());
    let all = portal.evidence.count(account, &HistoryFilter::default()).await?;
    let since = HistoryFilter { from: Some(lately), ..HistoryFilter::default() };
    Ok((all, portal.evidence.count(account, &since).await?))
}

fn of_member(member: Member, now: DateTime<Utc>) -> AccountMember {
    AccountMember {
        id: member.id.to_string(),
        name: member.name,
        email: member.email,
        role: role_word(member.role),
        active: member.has_password,
        since: instant(member.created_at, now),
        removed: member.removed_at.map(|at| instant(at, now)),
    }
}

fn of_request(request: KeyRequest, now: DateTime<Utc>) -> AccountRequest {
    AccountRequest {
        company: request.company,
        vat_number: request.vat_number.map(|number| number.to_string()),
        asker: request.asker.email.unwrap_or(request.asker.name),
        state: match request.state {
            KeyRequestState::Open => "Waits for an answer",
            KeyRequestState::Approved => "Approved",
            KeyRequestState::Declined => "Declined",
            KeyRequestState::Withdrawn => "Withdrawn",
        },
        asked: instant(request.created_at, now),
        reason: request.reason,
    }
}
