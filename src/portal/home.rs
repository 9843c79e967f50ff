//! `/portal`: the next sensible step for the reader's account, or how it stands.

use axum::{extract::State, http::StatusCode, response::Response};
use chrono::{DateTime, TimeDelta, Utc};
use crossvat_app::portal::{Home, HomeRefusal, Instant, Limits, Step, ToDo, Today};
use futures_util::future::{join3, try_join3};

use super::{
    access::{Access, access_with, requests_of},
    address::address,
    check::name_of,
    fault::Fault,
    key_request::stands,
    moments::instant,
    registries_now::registries_now,
    state::Portal,
    visit::MemberVisit,
};
use crate::{
    api_keys::{ApiKey, KeyMode, KeyStatus},
    batch_checks::{Run, RunState},
    early_access::KeyRequest,
    usage::{AllowanceLeft, CallerName, Figures, HourlyRefusals, UsageError},
};

/// Refusals that are listed.
const REFUSALS: u64 = 5;
/// Runs that are looked through for something to do.
const RUNS: u64 = 20;
/// Of each kind of thing to do, so many are listed.
const OF_EACH: usize = 3;
/// What an older run left open is not asked about any more.
const RUN_MATTERS_FOR: TimeDelta = TimeDelta::days(7);

/// What was used.
struct Used {
    today: Figures,
    left: Option<AllowanceLeft>,
    refusals: Vec<HourlyRefusals>,
}

/// `GET /portal`
pub(super) async fn home(State(portal): State<Portal>, reader: MemberVisit) -> Result<Response, Fault> {
    let requests = requests_of(&portal, &reader).await?;
    let access = access_with(&reader, &requests);
    if let Some(page) = stands(&portal, &reader, &access).await? {
        return Ok(reader.visit.page(StatusCode::OK, page).await);
    }
    let account = reader.account.id;
    let (keys, runs, used) = join3(
        portal.api_keys.list(account),
        portal.batch_checks.list(account, 0, RUNS),
        used(&portal, &reader),
    )
    .await;
    let (keys, runs) = (keys?, runs?);
    let used = match used {
        Ok(used) => Some(used),
        Err(error) => {
            tracing::warn!(%error, "what was used cannot be told");
            None
        }
    };
    let step = if is_in_use(&keys, runs.total, used.as_ref()) {
        Step::None
    } else if keys.iter().all(|key| key.status.has_ended()) {
        Step::Key
    } else {
        Step::FirstCall
    };
    let now = portal.clock.now();
    let terms = &reader.account.terms;
    let page = Home {
        account: terms.name.to_string(),
        now: instant(now, now),
        step,
        suspended: access == Access::Suspended,
        approved: approved(&requests, now),
        may_change: reader.may_change(),
        is_owner: reader.is_owner(),
        limits: Limits {
            requests_per_minute: terms.requests_per_minute,
            numbers_per_month: terms.numbers_per_month,
        },
        to_do: to_do(&reader, &keys, &runs.runs, used.as_ref(), now),
        refusals: used.as_ref().map(|used| refusals(&used.refusals, now)).unwrap_or_default(),
        today: used.map(|used| today(&used, now)),
        registries: registries_now(&portal, now),
        api: portal.public_url.to_string(),
    };
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

async fn used(portal: &Portal, reader: &MemberVisit) -> Result<Used, UsageError> {
    let account = reader.account.id;
    let (today, left, refusals) = try_join3(
        portal.usage.today(account),
        portal.usage.allowance_left(account),
        portal.usage.latest_refusals(account, REFUSALS),
    )
    .await?;
    Ok(Used { today, left, refusals })
}

/// Whether anything was ever asked, by a program or by a person here.
fn is_in_use(keys: &[ApiKey], runs: u64, used: Option<&Used>) -> bool {
    let counted = used.and_then(|used| used.left.as_ref()).is_some_and(|left| left.used > 0);
    runs > 0 || counted || keys.iter().any(|key| key.last_used_at.is_some())
}

/// When support has approved what the account had to ask for.
fn approved(requests: &[KeyRequest], now: DateTime<Utc>) -> Option<Instant> {
    let answered = requests.iter().filter_map(|request| request.decided_at).max();
    answered.map(|answered| instant(answered, now))
}

fn today(used: &Used, now: DateTime<Utc>) -> Today {
    let outcomes = &used.today.outcomes;
    let day = now.format("%Y-%m-%d").to_string();
    Today {
        used: used.left.as_ref().map_or(0, |left| left.used),
        whole_again: whole_again(used),
        valid: outcomes.valid,
        not_registered: outcomes.not_registered,
        not_asked: outcomes.malformed + outcomes.unsupported,
        unavailable: outcomes.unavailable,
        requests: used.today.requests,
        refused: used.today.refused,
        without_answer: address("/portal/history", &[("outcome", "unavailable"), ("from", &day)]),
    }
}

/// The first day of the next month, UTC.
fn whole_again(used: &Used) -> String {
    used.left.as_ref().map(|left| left.month.end().format("%-d %B").to_string()).unwrap_or_default()
}

fn to_do(
    reader: &MemberVisit,
    keys: &[ApiKey],
    runs: &[Run],
    used: Option<&Used>,
    now: DateTime<Utc>,
) -> Vec<ToDo> {
    if !reader.may_change() || reader.account.terms.suspended {
        return Vec::new();
    }
    let old_keys = keys.iter().filter_map(|key| old_key(key, now)).take(OF_EACH);
    let recent = runs.iter().filter(|run| now - run.created_at <= RUN_MATTERS_FOR);
    let mut to_do: Vec<ToDo> = old_keys.chain(recent.filter_map(open_run).take(OF_EACH)).collect();
    if let Some(used) = used
        && let Some(left) = used.left.as_ref().map(AllowanceLeft::left)
        && left < reader.account.terms.numbers_per_month / 10
    {
        to_do.push(ToDo::Allowance { left, whole_again: whole_again(used) });
    }
    let mut open_keys = keys.iter().filter(|key| !key.status.has_ended()).peekable();
    if open_keys.peek().is_some() && open_keys.all(|key| key.mode == KeyMode::Test) {
        to_do.push(ToDo::LiveKey);
    }
    let terms = &reader.account.terms;
    if reader.is_owner() && terms.gb_requester.is_none() && terms.eu_requester.is_none() {
        to_do.push(ToDo::Requester);
    }
    to_do
}

fn old_key(key: &ApiKey, now: DateTime<Utc>) -> Option<ToDo> {
    if key.status != KeyStatus::Expiring || key.mode != KeyMode::Live {
        return None;
    }
    Some(ToDo::OldKey {
        name: key.name.clone(),
        last_four: key.last_four.clone(),
        ends: instant(key.expires_at?, now),
        last_used: instant(key.last_used_at?, now),
    })
}

fn open_run(run: &Run) -> Option<ToDo> {
    let (id, name) = (run.id.to_string(), name_of(run));
    match run.state {
        RunState::Stopped => Some(ToDo::Stopped { id, name, waiting: run.counts.waiting.into() }),
        RunState::Done if run.counts.unavailable > 0 => {
            Some(ToDo::Unanswered { id, name, numbers: run.counts.unavailable.into() })
        }
        RunState::Done | RunState::Running => None,
    }
}

fn refusals(found: &[HourlyRefusals], now: DateTime<Utc>) -> Vec<HomeRefusal> {
    found
        .iter()
        .map(|refusal| HomeRefusal {
            remedy: remedy(&refusal.code),
            code: refusal.code.clone(),
            calls: refusal.calls,
            hour: instant(refusal.hour, now),
            by: match &refusal.caller {
                CallerName::Key { name, .. } | CallerName::Member { name, .. } => name.clone(),
                CallerName::Unknown { .. } => "Somebody who is gone".to_owned(),
            },
        })
        .collect()
}

/// What to do about calls that are refused with a code, as short as a table wants it. The code's own entry says more.
fn remedy(code: &str) -> &'static str {
    match code {
        "registry_unavailable" => "Send it again: a registry did not answer",
        "rate_limited" => "Put more numbers into each call",
        "quota_exceeded" => "Use earlier answers, or ask for a larger plan",
        "validation_failed" | "unsupported_media_type" | "body_too_large" => "Mend the program: see the code",
        "overloaded" | "internal_error" | "request_timeout" => "Send it again",
        _ => "See the code",
    }
}
