//! A link as it is shown, and the states of its life.

use chrono::{DateTime, Utc};
use sea_orm::DbErr;
use uuid::Uuid;

use super::{PreparedKey, Purpose, store::LinkRow};
use crate::people::Person;

/// Where a link is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkState {
    /// Nobody has looked at it.
    Sent,
    /// Somebody, or a scanner of mail, has looked at it.
    Opened,
    /// It did what it was for.
    Used,
    /// Its time is over.
    Expired,
    /// It was taken back, or another took its place.
    Withdrawn,
}

impl LinkState {
    fn of(row: &LinkRow, now: DateTime<Utc>) -> Self {
        if row.used_at.is_some() {
            Self::Used
        } else if row.withdrawn_at.is_some() {
            Self::Withdrawn
        } else if row.expires_at <= now {
            Self::Expired
        } else if row.opened_at.is_some() {
            Self::Opened
        } else {
            Self::Sent
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Opened => "opened",
            Self::Used => "used",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A link, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneTimeLink {
    /// Its identifier.
    pub id: Uuid,
    /// What it is for.
    pub purpose: Purpose,
    /// For whom it is.
    pub person: Person,
    /// The member's account; none for support staff.
    pub account_id: Option<Uuid>,
    /// The key that it brings.
    pub key: Option<PreparedKey>,
    /// Where it is in its life.
    pub state: LinkState,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When its time is over.
    pub expires_at: DateTime<Utc>,
    /// When somebody first looked at it.
    pub opened_at: Option<DateTime<Utc>>,
    /// When it was used.
    pub used_at: Option<DateTime<Utc>>,
    /// When it was withdrawn.
    pub withdrawn_at: Option<DateTime<Utc>>,
}

impl OneTimeLink {
    pub(super) fn of(row: &LinkRow, now: DateTime<Utc>) -> Result<Self, DbErr> {
        let member = row.member_id.map(Person::Member);
        let person = member.or(row.staff_id.map(Person::Support));
        Ok(Self {
            state: LinkState::of(row, now),
            person: person.ok_or_else(|| DbErr::RecordNotFound(format!("the person of link {}", row.id)))?,
            id: row.id,
            purpose: row.purpose,
            account_id: row.account_id,
            key: key_of(row),
            created_at: row.created_at,
            expires_at: row.expires_at,
            opened_at: row.opened_at,
            used_at: row.used_at,
            withdrawn_at: row.withdrawn_at,
        })
    }
}

fn key_of(row: &LinkRow) -> Option<PreparedKey> {
    Some(PreparedKey { name: row.key_name.clone()?, mode: row.key_mode? })
}
