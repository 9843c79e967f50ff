//! The use case by which people come in with what was mailed to them. What is needed of the password is worked out first;
//! then the link is used up and its deed done in one transaction, so that no link is spent for nothing.
//!
//! Not here: the pages, how often something may be tried, and the links that bring keys, which are in `onboarding`.

mod choose_password;
mod confirm;
mod invite;

use sea_orm::DbErr;
use thiserror::Error;

use crate::{
    clock::SharedClock,
    db::Database,
    email::Outbox,
    members::{MemberError, Members},
    one_time_links::{LinkError, OneTimeLinks},
    staff::{Staff, StaffError},
};

/// The ways in by mail.
#[derive(Clone)]
pub struct WaysIn(Services);

/// What they work with.
#[derive(Clone)]
pub struct Services {
    /// Where all of them keep what they know.
    pub db: Database,
    /// The people of accounts.
    pub members: Members,
    /// The support staff.
    pub staff: Staff,
    /// The links.
    pub links: OneTimeLinks,
    /// The letters.
    pub outbox: Outbox,
    /// The time.
    pub clock: SharedClock,
}

/// Somebody cannot come in. Nothing was done, and a link can be used as before.
#[derive(Debug, Error)]
pub enum WayInError {
    /// Because of who it is.
    #[error(transparent)]
    Member(#[from] MemberError),
    /// Because of who of the support staff it is.
    #[error(transparent)]
    Staff(#[from] StaffError),
    /// Because of the link.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl WaysIn {
    /// The use case over its services.
    #[must_use]
    pub const fn new(services: Services) -> Self {
        Self(services)
    }
}
