//! Whether an account may make keys and ask: what support has decided about it.

use super::{fault::Fault, state::Portal, visit::MemberVisit};
use crate::early_access::KeyRequestState;

/// What an account may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Everything.
    Open,
    /// Nothing before support has answered.
    Waiting,
    /// Nothing: support said no, for this reason.
    Declined(String),
    /// Nothing at present.
    Suspended,
}

/// What the reader's account may do. One that nobody signed up for was made by support, and is open.
pub(super) async fn access_of(portal: &Portal, reader: &MemberVisit) -> Result<Access, Fault> {
    if reader.account.terms.suspended {
        return Ok(Access::Suspended);
    }
    if !portal.keys_on_request {
        return Ok(Access::Open);
    }
    let requests = portal.early_access.of_account(reader.account.id).await?;
    if requests.is_empty() || requests.iter().any(|request| request.state == KeyRequestState::Approved) {
        return Ok(Access::Open);
    }
    if requests.iter().any(|request| request.state == KeyRequestState::Open) {
        return Ok(Access::Waiting);
    }
    let latest = requests.into_iter().max_by_key(|request| request.decided_at);
    Ok(Access::Declined(latest.and_then(|request| request.reason).unwrap_or_default()))
}
