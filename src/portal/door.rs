//! Where one comes in: members and support staff have a door each, and neither opens with what opens the other.

use super::theme::own_path;
use crate::people::Person;

/// A way in, with what lies behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Door {
    /// Of the members of accounts.
    Members,
    /// Of the support staff.
    Staff,
}

impl Door {
    /// The one through which a person comes in.
    pub(super) const fn of(person: Person) -> Self {
        match person {
            Person::Member(_) => Self::Members,
            Person::Support(_) => Self::Staff,
        }
    }

    /// Where the password is asked for.
    pub(super) const fn sign_in(self) -> &'static str {
        match self {
            Self::Members => "/sign-in",
            Self::Staff => "/staff/sign-in",
        }
    }

    /// Where the second factor is asked for.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Members => "/sign-in/code",
            Self::Staff => "/staff/sign-in/code",
        }
    }

    /// Where a second factor is set up.
    pub(super) const fn second_factor(self) -> &'static str {
        match self {
            Self::Members => "/portal/settings/second-factor",
            Self::Staff => "/staff/second-factor",
        }
    }

    /// Where one goes who was on the way to `return_to`, or to nowhere in particular.
    pub(super) fn home_or(self, return_to: &str) -> &str {
        match (own_path(return_to), self) {
            ("/", Self::Members) => "/portal",
            ("/", Self::Staff) => "/staff",
            (own, _) => own,
        }
    }
}
