//! `GET /v1/status`.

use axum::{
    Json,
    extract::State,
    http::{HeaderName, header},
};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use super::response::timestamp;
use crate::{
    api::ApiState,
    registry_status::{Day, PartStatus, Since, SliceState, Status},
    verification::gateway::{RegistryPart, SLICE},
};

/// Asking more often tells nothing new.
const KEPT_FOR: (HeaderName, &str) = (header::CACHE_CONTROL, "public, max-age=5");

/// How the registries and the member states behind VIES are, by this service's own lookups.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::api) struct StatusResponse {
    /// When this was put together.
    #[schema(format = DateTime)]
    at: String,
    /// HMRC, then VIES as a whole.
    registries: Vec<StatusItem>,
    /// Those whom VIES asks, Northern Ireland with them, in the order of their prefixes.
    member_states: Vec<StatusItem>,
    /// Whether `last24Hours` could be read. If not, it says `not_measured` throughout.
    history_known: bool,
}

/// How one of them is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusItem {
    /// `HMRC`, `VIES`, or the prefix of a member state's numbers.
    #[schema(example = "PL")]
    code: &'static str,
    /// Its name.
    #[schema(example = "Poland")]
    name: &'static str,
    /// How it is, by the lookups of the last 15 minutes.
    #[schema(schema_with = crate::api::openapi::registry_state_schema)]
    state: &'static str,
    /// Since when; `null` when nothing is measured, or for all of the last 24 hours.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    since: Option<String>,
    /// What an answer usually takes, in milliseconds; `null` when that is not known.
    #[schema(required = true)]
    usual_milliseconds: Option<u64>,
    /// Why there is no answer; `null` when there is one, or the reason is not known.
    #[schema(schema_with = crate::api::openapi::unresolved_reason_or_null_schema, required = true)]
    reason: Option<&'static str>,
    /// Why this service does not ask at all, where its staff decided so; `null` otherwise.
    #[schema(required = true)]
    note: Option<String>,
    /// The last 24 hours without a gap, oldest first, exact to five minutes. Of five minutes in which lookups met different
    /// things, the worst counts.
    last24_hours: Vec<StretchItem>,
}

/// A stretch of time in which nothing changed.
#[derive(Debug, Serialize, ToSchema)]
struct StretchItem {
    /// Its beginning.
    #[schema(format = DateTime)]
    from: String,
    /// Its end; that of the last stretch may lie up to five minutes ahead.
    #[schema(format = DateTime)]
    to: String,
    /// How it was.
    #[schema(schema_with = crate::api::openapi::registry_state_schema)]
    state: &'static str,
}

/// How the registries are
///
/// HMRC, VIES and each member state as this service's own lookups met them: now and in the last 24 hours. No key is needed.
#[utoipa::path(
    get,
    path = "/status",
    operation_id = "status",
    tag = "status",
    responses(
        (status = 200, description = "How they are and were.", body = StatusResponse,
            headers(("Cache-Control" = String, description = "For how long asking again tells nothing new"))),
    ),
)]
pub(in crate::api) async fn status(
    State(state): State<ApiState>,
) -> ([(HeaderName, &'static str); 1], Json<StatusResponse>) {
    ([KEPT_FOR], Json(StatusResponse::new(&state.registry_status.status().await)))
}

impl StatusResponse {
    fn new(status: &Status) -> Self {
        let (registries, member_states) =
            status.parts.iter().partition::<Vec<_>, _>(|part| matches!(part.part, RegistryPart::Whole(_)));
        let items = |parts: Vec<&PartStatus>| parts.into_iter().map(StatusItem::new).collect();
        Self {
            at: timestamp(status.at),
            registries: items(registries),
            member_states: items(member_states),
            history_known: status.has_history,
        }
    }
}

impl StatusItem {
    fn new(PartStatus { part, now, hold, day }: &PartStatus) -> Self {
        let since = match now.since {
            Some(Since::At(at)) => Some(timestamp(at)),
            Some(Since::OverADay) | None => None,
        };
        Self {
            code: part.code(),
            name: part.name(),
            state: now.state.code(),
            since,
            usual_milliseconds: now.usual.map(|usual| u64::try_from(usual.as_millis()).unwrap_or(u64::MAX)),
            reason: now.reason.map(vat::UnresolvedReason::as_str),
            note: hold.as_ref().map(|hold| hold.reason.clone()),
            last24_hours: stretches(day),
        }
    }
}

fn stretches(day: &Day) -> Vec<StretchItem> {
    let mut from = day.begins();
    let item = |stretch: crate::registry_status::Stretch| {
        let begins = from;
        from = ends(begins, stretch.slices);
        StretchItem { from: timestamp(begins), to: timestamp(from), state: SliceState::code(stretch.state) }
    };
    day.stretches().into_iter().map(item).collect()
}

fn ends(from: DateTime<Utc>, slices: usize) -> DateTime<Utc> {
    from + i32::try_from(slices).map_or(TimeDelta::MAX, |slices| SLICE * slices)
}
