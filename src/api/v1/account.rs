//! `GET /v1/account`.

use std::time::Duration;

use axum::{Json, extract::State};
use serde::Serialize;
use utoipa::ToSchema;

use super::response::timestamp;
use crate::{
    api::{
        ApiState,
        error_code::ErrorCode,
        extract::Authenticated,
        problem::{ApiError, Problem},
    },
    api_keys::Caller,
    usage::MonthUsage,
    verify_vat::Asker,
};

/// A database that is away comes back within seconds, or somebody has to see to it.
const WAIT_FOR_DATABASE: Duration = Duration::from_secs(5);

/// The calling key, its account, and what was used this month.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct AccountResponse {
    /// The account.
    account: AccountItem,
    /// The calling key.
    key: KeyItem,
    /// What the account may use.
    limits: LimitsItem,
    /// What it has used with live keys.
    usage: UsageItem,
}

/// The account.
#[derive(Debug, Serialize, ToSchema)]
struct AccountItem {
    /// Its name.
    name: String,
    /// Its plan.
    #[schema(example = "standard")]
    plan: String,
    /// Whether it is served: an account that is not gets an error here as well.
    #[schema(example = "active")]
    state: &'static str,
}

/// A key, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeyItem {
    /// What it is for, in the words of its maker.
    name: String,
    /// How it begins.
    #[schema(example = "cv_live_")]
    prefix: &'static str,
    /// How it ends.
    #[schema(min_length = 4, max_length = 4)]
    last_four: String,
    /// `live` keys reach the registries, `test` keys the sandbox.
    #[schema(example = "live")]
    mode: &'static str,
    /// When it ends by itself; `null`: never.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    expires_at: Option<String>,
}

/// What the account may use.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LimitsItem {
    /// Requests served in any 60 seconds, over all live keys and checks in the portal; as many again over all test keys.
    requests_per_minute: u32,
    /// Numbers that registries answer in a calendar month, UTC.
    numbers_per_month: u64,
}

/// What the account has used this month with live keys.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UsageItem {
    /// The month, UTC.
    #[schema(example = "2026-09")]
    month: String,
    /// Calls that were answered.
    requests: u64,
    /// Numbers that count against `numbersPerMonth`.
    numbers: u64,
    /// When the next month begins.
    #[schema(format = DateTime)]
    resets_at: String,
}

/// The calling key and its account
///
/// What the key is, what its account may use and what it has used this month. Not counted against the rate limit.
#[utoipa::path(
    get,
    path = "/account",
    operation_id = "account",
    tag = "account",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The key, its account, its limits and its usage.", body = AccountResponse),
        (status = 401, description = "`missing_credentials`, `invalid_key`, `key_revoked`, `key_expired`", body = Problem, content_type = "application/problem+json",
            headers(("WWW-Authenticate" = String, description = "RFC 6750"))),
        (status = 403, description = "`account_suspended`", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "`internal_error`", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "`overloaded`", body = Problem, content_type = "application/problem+json",
            headers(("Retry-After" = u64, description = "Seconds after which asking again makes sense"))),
    ),
)]
pub(in crate::api) async fn account(
    State(state): State<ApiState>,
    Authenticated { caller, .. }: Authenticated,
) -> Result<Json<AccountResponse>, ApiError> {
    state.verify_vat.note_use(&Asker::from(caller.as_ref()));
    let used = state.usage.this_month(caller.account_id).await.map_err(|error| {
        tracing::error!(%error, "cannot read usage");
        ApiError::new(ErrorCode::Overloaded, "Usage cannot be read at present.")
            .retry_after(WAIT_FOR_DATABASE)
    })?;
    Ok(Json(AccountResponse::new(&caller, used)))
}

impl AccountResponse {
    fn new(caller: &Caller, used: MonthUsage) -> Self {
        let terms = &caller.terms;
        Self {
            account: AccountItem {
                name: terms.name.to_string(),
                plan: terms.plan.to_string(),
                state: "active",
            },
            key: KeyItem {
                name: caller.key_name.clone(),
                prefix: caller.mode.prefix(),
                last_four: caller.last_four.clone(),
                mode: caller.mode.as_str(),
                expires_at: caller.expires_at.map(timestamp),
            },
            limits: LimitsItem {
                requests_per_minute: terms.requests_per_minute,
                numbers_per_month: terms.numbers_per_month,
            },
            usage: UsageItem {
                month: used.month.first_day().format("%Y-%m").to_string(),
                requests: used.requests,
                numbers: used.numbers,
                resets_at: timestamp(used.month.end()),
            },
        }
    }
}
