//! A key as it is shown, and the states of its life.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{KeyMode, secret, store::KeyRow};
use crate::audit::ActorKind;

/// Where a key is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyStatus {
    /// It opens.
    Active,
    /// It opens a little longer: another key has taken its place.
    Expiring,
    /// Its time is over.
    Expired,
    /// Somebody ended it.
    Revoked,
}

impl KeyStatus {
    pub(super) fn of(row: &KeyRow, now: DateTime<Utc>) -> Self {
        if row.revoked_at.is_some() {
            Self::Revoked
        } else if row.expires_at.is_some_and(|end| end <= now) {
            Self::Expired
        } else if row.rotated_to.is_some() {
            Self::Expiring
        } else {
            Self::Active
        }
    }

    /// Whether it opens nothing any more.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Expired | Self::Revoked)
    }

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expiring => "expiring",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

/// A key, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// Its identifier.
    pub id: Uuid,
    /// What it is for, in the words of its maker.
    pub name: String,
    /// Whether it reaches the registries or the sandbox.
    pub mode: KeyMode,
    /// The end of its secret, to recognise it by.
    pub last_four: String,
    /// Where it is in its life.
    pub status: KeyStatus,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// What kind of somebody made it.
    pub made_by_kind: ActorKind,
    /// Who, where there is more than one of the kind.
    pub made_by_id: Option<Uuid>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// When it ends or ended by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// When somebody ended it.
    pub revoked_at: Option<DateTime<Utc>>,
}

impl ApiKey {
    pub(super) fn of(row: KeyRow, now: DateTime<Utc>) -> Self {
        Self {
            status: KeyStatus::of(&row, now),
            id: row.id,
            name: row.name,
            mode: row.mode,
            last_four: row.last_four,
            created_at: row.created_at,
            made_by_kind: row.made_by_kind,
            made_by_id: row.made_by_id,
            last_used_at: row.last_used_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
        }
    }
}

impl KeyMode {
    /// The beginning of every key of this mode.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Live => secret::LIVE_PREFIX,
            Self::Test => secret::TEST_PREFIX,
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }
}
