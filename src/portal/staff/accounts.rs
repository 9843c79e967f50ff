//! `/staff/accounts`: finding an account. What is typed may be a whole key, so it is posted; the address holds what may be
//! shown of it.

use axum::{
    Form,
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use crossvat_app::portal::{AccountItem, AccountStanding, StaffAccounts};
use serde::Deserialize;

use crate::{
    accounts::SearchedFor,
    api_keys::{KeyEnding, TypedKey},
    people::searched_text,
    portal::{address::address, fault::Fault, moments::instant, state::Portal, visit::StaffVisit},
};

const ACCOUNTS: &str = "/staff/accounts";
/// Accounts of a page.
const PAGE_SIZE: u64 = 50;
/// Longest text that is searched for, in characters; no name or address is longer.
const LONGEST: usize = 254;

/// What is searched for, as it was typed.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Typed {
    find: String,
}

/// What the address says.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::portal) struct Asked {
    find: String,
    page: String,
    key: String,
}

/// `POST /staff/accounts`
pub(in crate::portal) async fn find(
    State(portal): State<Portal>,
    _staff: StaffVisit,
    Form(typed): Form<Typed>,
) -> Result<Response, Fault> {
    Ok(Redirect::to(&clean_address(&portal, &typed.find).await?).into_response())
}

/// `GET /staff/accounts`
pub(in crate::portal) async fn list(
    State(portal): State<Portal>,
    staff: StaffVisit,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let find = searched_text(&asked.find, LONGEST);
    let wanted = match TypedKey::find(&find) {
        None if find.is_empty() => SearchedFor::All,
        None => SearchedFor::Text(find.clone()),
        Some(TypedKey::Ending(KeyEnding { mode, last_four })) => SearchedFor::Key { mode, last_four },
        // Typed into the address by hand: it is not to stay there.
        Some(TypedKey::Whole(..) | TypedKey::Broken) => {
            return Ok(Redirect::to(&clean_address(&portal, &find).await?).into_response());
        }
    };
    let page = asked.page.parse::<u64>().unwrap_or(1).clamp(1, u64::from(u32::MAX));
    let offset = (page - 1) * PAGE_SIZE;
    let mut found = portal.accounts.search(&wanted, offset, PAGE_SIZE).await?;
    let offset = if found.rows.is_empty() && offset > 0 {
        // There are fewer by now.
        found = portal.accounts.search(&wanted, 0, PAGE_SIZE).await?;
        0
    } else {
        offset
    };
    let now = portal.clock.now();
    let note = match asked.key.as_str() {
        "unknown" => Some("No such key was ever made here. These accounts have one that ends alike, if any."),
        "broken" => Some(
            "That is a part of a key, or a mistyped one. Of a key only its end is kept: paste the whole key, or its last four characters.",
        ),
        _ => None,
    };
    let items = found.rows.into_iter().map(|row| AccountItem {
        id: row.id.to_string(),
        standing: match (row.suspended, row.waits) {
            (true, _) => AccountStanding::Suspended,
            (false, true) => AccountStanding::Waiting,
            (false, false) => AccountStanding::Active,
        },
        name: row.name,
        plan: row.plan,
        members: row.members,
        last_used: row.last_used_at.map(|at| instant(at, now)),
        owner: row.owner,
    });
    let pages = address(ACCOUNTS, &[("find", &find), ("page", "-")]);
    let page = StaffAccounts {
        items: items.collect(),
        offset,
        total: found.total,
        size: PAGE_SIZE,
        pages: pages.trim_end_matches('-').to_owned(),
        find,
        note,
    };
    Ok(staff.visit.page(StatusCode::OK, page).await)
}

/// Where what was typed is found, with nothing of a key in it but what is shown of one.
async fn clean_address(portal: &Portal, typed: &str) -> Result<String, Fault> {
    Ok(match TypedKey::find(typed) {
        Some(TypedKey::Whole(key, ending)) => match portal.api_keys.recognise(&key).await? {
            Some((account, key)) => format!("{ACCOUNTS}/{account}?key={}#key-{}", key.id, key.id),
            None => address(ACCOUNTS, &[("find", &ending.to_string()), ("key", "unknown")]),
        },
        Some(TypedKey::Ending(ending)) => address(ACCOUNTS, &[("find", &ending.to_string())]),
        Some(TypedKey::Broken) => address(ACCOUNTS, &[("key", "broken")]),
        None => address(ACCOUNTS, &[("find", &searched_text(typed, LONGEST))]),
    })
}
