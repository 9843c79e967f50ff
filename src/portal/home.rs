//! `/portal`: the next sensible step for the reader's account.

use axum::{extract::State, http::StatusCode, response::Response};
use crossvat_app::portal::{Home, Step, Today, grouped};

use super::{
    access::{Access, access_of},
    fault::Fault,
    key_request::stands,
    state::Portal,
    visit::MemberVisit,
};

/// `GET /portal`
pub(super) async fn home(State(portal): State<Portal>, reader: MemberVisit) -> Result<Response, Fault> {
    let access = access_of(&portal, &reader).await?;
    if let Some(page) = stands(&portal, &reader, &access).await? {
        return Ok(reader.visit.page(StatusCode::OK, page).await);
    }
    let keys = portal.api_keys.list(reader.account.id).await?;
    let step = if keys.iter().all(|key| key.status.has_ended()) {
        Step::Key
    } else if keys.iter().all(|key| key.last_used_at.is_none()) {
        Step::FirstCall
    } else {
        Step::None
    };
    let terms = &reader.account.terms;
    let today = match portal.usage.this_month(reader.account.id).await {
        Ok(used) => Some(Today {
            requests: grouped(used.requests),
            numbers: used.numbers,
            allowance: terms.numbers_per_month,
            month: used.month.start().format("%B %Y").to_string(),
            per_minute: grouped(u64::from(terms.requests_per_minute)),
        }),
        Err(error) => {
            tracing::warn!(%error, "what was used cannot be told");
            None
        }
    };
    let page = Home {
        account: terms.name.to_string(),
        step,
        suspended: access == Access::Suspended,
        today,
        may_change: reader.may_change(),
    };
    Ok(reader.visit.page(StatusCode::OK, page).await)
}
