//! What is common to everybody who signs in, a member of an account or one of the support staff: who it is, the name,
//! the e-mail address; and what is kept of texts that people type. Values only: they are stored by `members` and `staff`,
//! their passwords are in `passwords`.

mod email_address;
mod typed;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

pub use self::{
    email_address::{BadEmailAddress, EmailAddress},
    typed::{checked_line, checked_text, searched_text},
};

/// Longest name a person may have, in characters.
const MAX_NAME: usize = 100;

/// Somebody who signs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Person {
    /// A member of an account.
    Member(Uuid),
    /// One of the support staff.
    Support(Uuid),
}

impl Person {
    /// Who it is, if a member.
    #[must_use]
    pub const fn member_id(self) -> Option<Uuid> {
        match self {
            Self::Member(id) => Some(id),
            Self::Support(_) => None,
        }
    }

    /// Who it is, if one of the support staff.
    #[must_use]
    pub const fn support_id(self) -> Option<Uuid> {
        match self {
            Self::Member(_) => None,
            Self::Support(id) => Some(id),
        }
    }

    /// The identifier among their kind.
    #[must_use]
    pub const fn id(self) -> Uuid {
        match self {
            Self::Member(id) | Self::Support(id) => id,
        }
    }
}

/// What somebody is called by those who know them: the first word of the name.
#[must_use]
pub fn first_name(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or_default()
}

/// A name that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a person's name needs 1 to {MAX_NAME} characters, not counting blanks around it")]
pub struct BadPersonName;

/// The name as it is kept, without blanks around it.
///
/// # Errors
/// It is empty, too long or holds control characters.
pub fn checked_person_name(typed: &str) -> Result<&str, BadPersonName> {
    checked_line(typed, MAX_NAME).ok_or(BadPersonName)
}
