//! Whether an account may make keys and ask: what support has decided about it.

use super::{fault::Fault, state::Portal, visit::MemberVisit};
use crate::early_access::{KeyRequest, Standing};

/// What an account may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Everything.
    Open,
    /// Nothing before support has answered this request.
    Waiting(Box<KeyRequest>),
    /// Nothing: support has declined this request.
    Declined(Box<KeyRequest>),
    /// Nothing: it has taken this request back.
    Withdrawn(Box<KeyRequest>),
    /// Nothing at present.
    Suspended,
}

/// What the reader's account may do. One that nobody signed up for was made by support, and is open.
pub(super) async fn access_of(portal: &Portal, reader: &MemberVisit) -> Result<Access, Fault> {
    Ok(access_with(reader, &requests_of(portal, reader).await?))
}

/// What the reader's account has asked, newest first; nothing where nobody has to ask.
pub(super) async fn requests_of(portal: &Portal, reader: &MemberVisit) -> Result<Vec<KeyRequest>, Fault> {
    if !portal.keys_on_request {
        return Ok(Vec::new());
    }
    Ok(portal.early_access.of_account(reader.account.id).await?)
}

/// What the reader's account may do, which has asked this.
pub(super) fn access_with(reader: &MemberVisit, requests: &[KeyRequest]) -> Access {
    if reader.account.terms.suspended {
        return Access::Suspended;
    }
    let standing = Standing::of(requests.iter().map(|request| request.state));
    let latest = requests.first().cloned().map(Box::new);
    match (standing, latest) {
        (Standing::Waiting, Some(request)) => Access::Waiting(request),
        (Standing::Declined, Some(request)) => Access::Declined(request),
        (Standing::Withdrawn, Some(request)) => Access::Withdrawn(request),
        _ => Access::Open,
    }
}
