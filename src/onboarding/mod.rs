//! The use case by which companies come to their first key. They sign up and ask, and support decides; or support opens
//! the account itself. Either way a link goes out with its letter, and whoever it is for makes the key by using it: before
//! that there is no key, and nobody else ever sees it. Each step is one transaction over the services it needs.
//!
//! Not here: the pages, who may do what, and how often it may be tried.

mod claim;
mod decide;
mod issue;
mod sign_up;

use sea_orm::DbErr;
use thiserror::Error;

pub use self::{
    claim::Claimed,
    issue::{Issued, NewCustomer},
    sign_up::FirstRequest,
};
use crate::{
    api_keys::{ApiKeys, KeyError},
    clock::SharedClock,
    db::Database,
    early_access::{EarlyAccess, KeyRequestError},
    email::Outbox,
    members::{MemberError, Members},
    one_time_links::{LinkError, OneTimeLinks},
    people::BadEmailAddress,
};

/// The way to the first key.
#[derive(Clone)]
pub struct Onboarding(Services);

/// What it works with.
#[derive(Clone)]
pub struct Services {
    /// Where all of them keep what they know.
    pub db: Database,
    /// The people.
    pub members: Members,
    /// The requests.
    pub early_access: EarlyAccess,
    /// The links.
    pub links: OneTimeLinks,
    /// The keys.
    pub api_keys: ApiKeys,
    /// The letters.
    pub outbox: Outbox,
    /// The time.
    pub clock: SharedClock,
}

/// A step cannot be done. Nothing of it was.
#[derive(Debug, Error)]
pub enum OnboardingError {
    /// Because of who it is about.
    #[error(transparent)]
    Member(#[from] MemberError),
    /// Because of the request.
    #[error(transparent)]
    Request(#[from] KeyRequestError),
    /// Because of the link.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// Because of an address that cannot be one.
    #[error(transparent)]
    Email(#[from] BadEmailAddress),
    /// Because of the key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The account is not served at present.
    #[error("the account is suspended")]
    Suspended,
    /// The account has to ask, or to be answered, before anybody prepares a key for it.
    #[error("the account's own request has to be approved first")]
    NotApproved,
    /// The receiver only looks on.
    #[error("viewers take no keys")]
    Viewer,
    /// The form was sent before, for another person or another key.
    #[error("the form was sent before with something else in it")]
    FormUsed,
    /// The receiver was sent another link since.
    #[error("a newer link was sent to the same person")]
    Superseded,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl Onboarding {
    /// The use case over its services.
    #[must_use]
    pub const fn new(services: Services) -> Self {
        Self(services)
    }
}
