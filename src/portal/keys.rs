//! `/portal/keys`: listing, making, renaming, rotating and revoking an account's keys. What a reader asks about is always
//! one of the own account's keys: another's is not found.

use std::collections::HashMap;

use axum::{
    Form,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use crossvat_app::portal::{
    Fault as FormFault, Instant, KeyRow, KeyState, Keys, KeysClosed, NewKey as NewKeyPage, NewSecret,
    NotAllowed, OldKey, Overlap as ShownOverlap, RenameKey, RevokeKey, RotateKey, grouped,
};
use rand::rngs::SysRng;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    access::{Access, access_of},
    fault::Fault,
    key_request::receiver,
    moments::{instant, instant_in_full, instant_to_the_minute},
    state::Portal,
    typed::worded,
    visit::MemberVisit,
};
use crate::{
    api_keys::{ApiKey, KeyError, KeyMode, KeyStatus, NewKey, Overlap},
    audit::ActorKind,
};

/// What a form about a new key sends.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wanted {
    token: String,
    name: String,
    kind: String,
    expires: String,
}

/// What a rotation sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Rotation {
    overlap: String,
}

/// What a revocation sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Revocation {
    confirm: String,
}

/// What a renaming sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Renaming {
    name: String,
}

/// What was just done.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Done {
    done: String,
}

/// `GET /portal/keys`
pub(super) async fn list(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Query(Done { done }): Query<Done>,
) -> Result<Response, Fault> {
    let (ended, open) =
        rows(&portal, &reader).await?.into_iter().partition(|(_, key)| key.status.has_ended());
    let shown = |rows: Vec<(KeyRow, ApiKey)>| rows.into_iter().map(|(row, _)| row).collect();
    let closed = closed(&portal, &reader).await?;
    let done = match done.as_str() {
        "revoked" => Some("The key is revoked. Within a second nothing opens with it any more."),
        "renamed" => Some("The key has its new name."),
        "ended" => Some("Nothing was changed: the key had ended before the form was sent."),
        "made" => Some(
            "The key was made already, when the form was sent for the first time. It is not shown again.",
        ),
        _ => None,
    };
    let page = Keys {
        open: shown(open),
        ended: shown(ended),
        may_change: reader.may_change(),
        closed,
        done: done.map(str::to_owned),
    };
    Ok(reader.visit.page(StatusCode::OK, page).await)
}

/// Why the account can have no keys made at present.
async fn closed(portal: &Portal, reader: &MemberVisit) -> Result<Option<KeysClosed>, Fault> {
    let request = |words| Some(("/portal/keys/request", words));
    let may_ask = |words| request(words).filter(|_| reader.may_change());
    Ok(match access_of(portal, reader).await? {
        Access::Open => None,
        Access::Waiting(asked) => Some(KeysClosed {
            heading: "Keys come with your approval",
            asked: Some(instant(asked.created_at, portal.clock.now())),
            words: format!("The answer goes to {} by mail.", receiver(&asked)),
            action: request("See the request"),
        }),
        Access::Declined(_) => Some(KeysClosed {
            heading: "Support has declined your request",
            asked: None,
            words: "The reason is on the first page of the portal. If something has changed, ask again."
                .to_owned(),
            action: may_ask("Ask again"),
        }),
        Access::Withdrawn(_) => Some(KeysClosed {
            heading: "Keys come with support’s approval",
            asked: None,
            words: "Your request is withdrawn. As long as nothing is asked, nothing can be approved."
                .to_owned(),
            action: may_ask("Ask for keys"),
        }),
        Access::Suspended => Some(KeysClosed {
            heading: "The account is suspended",
            asked: None,
            words: "The account is suspended: its keys are refused, and none can be made.".to_owned(),
            action: None,
        }),
    })
}

/// `GET /portal/keys/new`
pub(super) async fn new_form(State(portal): State<Portal>, reader: MemberVisit) -> Result<Response, Fault> {
    if let Some(refusal) = may_make(&portal, &reader).await? {
        return Ok(refusal);
    }
    let wanted = match reader.visit.typed_before::<Wanted>().await? {
        Some(wanted) => wanted,
        None => Wanted { token: portal.new_token(), kind: "test".to_owned(), ..Wanted::default() },
    };
    Ok(reader.visit.page(StatusCode::OK, new_page(&reader, wanted, Vec::new())).await)
}

/// `POST /portal/keys/new`
pub(super) async fn make(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Fault> {
    if let Some(refusal) = may_make(&portal, &reader).await? {
        return Ok(refusal);
    }
    let (expires_at, mut faults) = match end_of(&wanted.expires) {
        Ok(expires_at) => (expires_at, Vec::new()),
        Err(words) => (None, vec![FormFault::new("expires", words)]),
    };
    match portal.api_keys.accepts(&wanted.name, expires_at) {
        Ok(()) => {}
        Err(error @ KeyError::BadName) => faults.insert(0, FormFault::new("name", worded(&error))),
        Err(KeyError::ExpiresInThePast) => {
            faults.push(FormFault::new("expires", "Choose a day that is not over yet"));
        }
        Err(error) => return Err(error.into()),
    }
    let mode = match wanted.kind.as_str() {
        "live" => Some(KeyMode::Live),
        "test" => Some(KeyMode::Test),
        _ => None,
    };
    let (Some(mode), true) = (mode, faults.is_empty()) else {
        if mode.is_none() {
            faults.push(FormFault::new("kind", "Choose whether it is a test key or a live one"));
        }
        let page = new_page(&reader, wanted, faults);
        return Ok(reader.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
    };
    let new = NewKey {
        id: wanted.token.parse().ok(),
        account_id: reader.account.id,
        name: &wanted.name,
        mode,
        expires_at,
    };
    match portal.api_keys.issue(new, &reader.actor(), &mut SysRng).await {
        Ok(issued) => {
            let page = NewSecret {
                name: wanted.name.trim().to_owned(),
                secret: issued.secret.reveal().to_owned(),
                api: portal.public_url.to_string(),
                replaces: None,
            };
            Ok(reader.visit.page(StatusCode::OK, page).await)
        }
        Err(KeyError::AlreadyMade) => Ok(Redirect::to("/portal/keys?done=made").into_response()),
        Err(error) => Err(error.into()),
    }
}

/// `GET /portal/keys/{id}/rotate`
pub(super) async fn rotate_form(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let (row, _) = match own_key(&portal, &reader, &id, Life::Open).await? {
        Ok(found) => found,
        Err(refusal) => return Ok(refusal),
    };
    if row.state != KeyState::Active {
        return Ok(Redirect::to("/portal/keys").into_response());
    }
    let now = portal.clock.now();
    let overlaps = Overlap::ALL
        .map(|overlap| {
            let (value, words) = match overlap {
                Overlap::None => ("0", "Not at all"),
                Overlap::Hour => ("3600", "1 hour"),
                Overlap::Day => ("86400", "24 hours"),
                Overlap::Week => ("604800", "7 days"),
            };
            ShownOverlap { value, words, until: end_of_overlap(overlap, now) }
        })
        .to_vec();
    let chosen = reader.visit.typed_before::<Rotation>().await?.map(|rotation| rotation.overlap);
    let chosen = chosen.unwrap_or_else(|| "86400".to_owned());
    Ok(reader.visit.page(StatusCode::OK, RotateKey { key: row, overlaps, chosen }).await)
}

/// `POST /portal/keys/{id}/rotate`
pub(super) async fn rotate(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
    Form(rotation): Form<Rotation>,
) -> Result<Response, Fault> {
    let (row, key) = match own_key(&portal, &reader, &id, Life::Any).await? {
        Ok(found) => found,
        Err(refusal) => return Ok(refusal),
    };
    let chosen =
        Overlap::ALL.into_iter().find(|overlap| overlap.duration().as_secs().to_string() == rotation.overlap);
    let Some(overlap) = chosen else {
        return Ok(Redirect::to(&format!("/portal/keys/{id}/rotate")).into_response());
    };
    let account = reader.account.id;
    match portal.api_keys.rotate(account, key.id, overlap, &reader.actor(), &mut SysRng).await {
        Ok(issued) => {
            let old = OldKey { last_four: row.last_four, until: end_of_overlap(overlap, portal.clock.now()) };
            let page = NewSecret {
                name: row.name,
                secret: issued.secret.reveal().to_owned(),
                api: portal.public_url.to_string(),
                replaces: Some(old),
            };
            Ok(reader.visit.page(StatusCode::OK, page).await)
        }
        Err(KeyError::Rotated) => Ok(Redirect::to("/portal/keys?done=made").into_response()),
        Err(KeyError::Ended) => Ok(Redirect::to("/portal/keys?done=ended").into_response()),
        Err(error) => Err(error.into()),
    }
}

/// `GET /portal/keys/{id}/revoke`
pub(super) async fn revoke_form(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    match own_key(&portal, &reader, &id, Life::Open).await? {
        Ok((key, _)) => {
            let typed: Revocation = reader.visit.typed_before().await?.unwrap_or_default();
            let page = RevokeKey { key, confirm: typed.confirm, faults: Vec::new() };
            Ok(reader.visit.page(StatusCode::OK, page).await)
        }
        Err(refusal) => Ok(refusal),
    }
}

/// `POST /portal/keys/{id}/revoke`
pub(super) async fn revoke(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
    Form(Revocation { confirm }): Form<Revocation>,
) -> Result<Response, Fault> {
    let (row, key) = match own_key(&portal, &reader, &id, Life::Any).await? {
        Ok(found) => found,
        Err(refusal) => return Ok(refusal),
    };
    if confirm.trim() != row.name {
        let faults = vec![FormFault::new("confirm", "Type the key’s name exactly as it stands above")];
        let page = RevokeKey { key: row, confirm, faults };
        return Ok(reader.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await);
    }
    match portal.api_keys.revoke(reader.account.id, key.id, &reader.actor()).await {
        // Sent twice, it has ended by the first.
        Ok(()) | Err(KeyError::Ended) => Ok(Redirect::to("/portal/keys?done=revoked").into_response()),
        Err(error) => Err(error.into()),
    }
}

/// `GET /portal/keys/{id}/rename`
pub(super) async fn rename_form(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    match own_key(&portal, &reader, &id, Life::Open).await? {
        Ok((key, _)) => {
            let typed = reader.visit.typed_before::<Renaming>().await?;
            let name = typed.map_or_else(|| key.name.clone(), |typed| typed.name);
            let page = RenameKey { name, key, faults: Vec::new() };
            Ok(reader.visit.page(StatusCode::OK, page).await)
        }
        Err(refusal) => Ok(refusal),
    }
}

/// `POST /portal/keys/{id}/rename`
pub(super) async fn rename(
    State(portal): State<Portal>,
    reader: MemberVisit,
    Path(id): Path<String>,
    Form(Renaming { name }): Form<Renaming>,
) -> Result<Response, Fault> {
    let (row, key) = match own_key(&portal, &reader, &id, Life::Any).await? {
        Ok(found) => found,
        Err(refusal) => return Ok(refusal),
    };
    match portal.api_keys.rename(reader.account.id, key.id, &name, &reader.actor()).await {
        Ok(()) => Ok(Redirect::to("/portal/keys?done=renamed").into_response()),
        Err(error @ KeyError::BadName) => {
            let page = RenameKey { key: row, name, faults: vec![FormFault::new("name", worded(&error))] };
            Ok(reader.visit.page(StatusCode::UNPROCESSABLE_ENTITY, page).await)
        }
        Err(KeyError::Ended) => Ok(Redirect::to("/portal/keys?done=ended").into_response()),
        Err(error) => Err(error.into()),
    }
}

/// Until when the old key of a rotation goes on working; nothing when it stops at once.
fn end_of_overlap(overlap: Overlap, now: DateTime<Utc>) -> Option<Instant> {
    (overlap != Overlap::None).then(|| instant_in_full(now + overlap.duration(), now))
}

/// The answer to somebody who may not make keys now; `None` to one who may.
async fn may_make(portal: &Portal, reader: &MemberVisit) -> Result<Option<Response>, Fault> {
    if !reader.may_change() {
        return Ok(Some(not_allowed(reader).await));
    }
    let access = access_of(portal, reader).await?;
    Ok((access != Access::Open).then(|| Redirect::to("/portal/keys").into_response()))
}

async fn not_allowed(reader: &MemberVisit) -> Response {
    let words =
        "Keys are made and ended by members and owners. An owner of the account can give you another role.";
    reader.visit.page(StatusCode::FORBIDDEN, NotAllowed { words }).await
}

/// Which keys are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    /// Those that have not ended.
    Open,
    /// Those that have as well, for a form that was sent twice and has done its work the first time.
    Any,
}

/// A key of the reader's account, for somebody who may change it.
async fn own_key(
    portal: &Portal,
    reader: &MemberVisit,
    id: &str,
    life: Life,
) -> Result<Result<(KeyRow, ApiKey), Response>, Fault> {
    if !reader.may_change() {
        return Ok(Err(not_allowed(reader).await));
    }
    let is_meant =
        |(row, key): &(KeyRow, ApiKey)| row.id == id && (life == Life::Any || !key.status.has_ended());
    let found = rows(portal, reader).await?.into_iter().find(is_meant);
    match found {
        Some(found) => Ok(Ok(found)),
        None => Ok(Err(reader.visit.not_found().await)),
    }
}

async fn rows(portal: &Portal, reader: &MemberVisit) -> Result<Vec<(KeyRow, ApiKey)>, Fault> {
    let keys = portal.api_keys.list(reader.account.id).await?;
    let members = portal.members.list(reader.account.id).await?;
    let names: HashMap<Uuid, String> = members.into_iter().map(|member| (member.id, member.name)).collect();
    let now = portal.clock.now();
    Ok(keys.into_iter().map(|key| (row(&key, &names, now), key)).collect())
}

/// A key of people whose names these are, as it may be shown.
pub(super) fn row(key: &ApiKey, names: &HashMap<Uuid, String>, now: DateTime<Utc>) -> KeyRow {
    let made_by = match (key.made_by_kind, key.made_by_id.and_then(|id| names.get(&id))) {
        (_, Some(name)) => name.clone(),
        (ActorKind::CommandLine | ActorKind::Support, None) => "support".to_owned(),
        (ActorKind::Member | ActorKind::Visitor, None) => "a former member".to_owned(),
    };
    KeyRow {
        id: key.id.to_string(),
        name: key.name.clone(),
        live: key.mode == KeyMode::Live,
        last_four: key.last_four.clone(),
        state: match key.status {
            KeyStatus::Active => KeyState::Active,
            KeyStatus::Expiring => KeyState::Expiring,
            KeyStatus::Expired => KeyState::Expired,
            KeyStatus::Revoked => KeyState::Revoked,
        },
        made: instant(key.created_at, now),
        made_by,
        last_used: key.last_used_at.map(|at| instant(at, now)),
        ends: key.revoked_at.or(key.expires_at).map(|at| instant_to_the_minute(at, now)),
    }
}

/// The end of a day as it was typed; none when nothing was.
fn end_of(day: &str) -> Result<Option<DateTime<Utc>>, &'static str> {
    if day.trim().is_empty() {
        return Ok(None);
    }
    let words = "Write the day as year, month and day, such as 2027-03-02";
    let day: NaiveDate = day.trim().parse().map_err(|_| words)?;
    let next = day.checked_add_days(Days::new(1)).ok_or(words)?;
    Ok(Some(next.and_time(NaiveTime::MIN).and_utc()))
}

fn new_page(reader: &MemberVisit, wanted: Wanted, faults: Vec<FormFault>) -> NewKeyPage {
    NewKeyPage {
        token: wanted.token,
        name: wanted.name,
        kind: wanted.kind,
        expires: wanted.expires,
        faults,
        allowance: grouped(reader.account.terms.numbers_per_month),
    }
}

#[cfg(test)]
mod tests {
    use super::end_of;

    #[test]
    fn a_key_ends_with_its_last_day() {
        for (typed, end) in [
            ("", Ok(None)),
            ("  ", Ok(None)),
            ("2027-03-02", Ok(Some("2027-03-03T00:00:00+00:00".to_owned()))),
            (" 2026-12-31 ", Ok(Some("2027-01-01T00:00:00+00:00".to_owned()))),
            ("2027-02-30", Err(())),
            ("tomorrow", Err(())),
            ("02.03.2027", Err(())),
        ] {
            let found = end_of(typed).map(|end| end.map(|end| end.to_rfc3339())).map_err(drop);
            assert_eq!(found, end, "{typed:?}");
        }
    }
}
