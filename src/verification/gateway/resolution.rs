//! What becomes of a lookup.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use uuid::Uuid;
use vat::{Status, UnresolvedReason};

use crate::verification::registry::{RegistryAnswer, Verdict};

/// What became of one lookup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The registry answered.
    Answered(Arc<Answered>),
    /// Nobody answered. Says nothing about the number.
    Unresolved(Unresolved),
}

/// A registry's answer and how it was got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The registry's word.
    pub answer: RegistryAnswer,
    /// When we received it.
    pub received_at: DateTime<Utc>,
    /// The registry refused the requester, so it was asked again without one.
    pub requester_refused: bool,
    /// The evidence of it, once there is any.
    pub evidence_id: Option<Uuid>,
}

/// Why a lookup has no answer, and when asking again can bring one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// What the caller is told.
    pub reason: UnresolvedReason,
    /// A wait after which asking again makes sense.
    pub retry_after: Duration,
    /// When we gave up.
    pub decided_at: DateTime<Utc>,
}

/// The queue moves on all the time, so a call that found it too long may come back soon.
const WAIT_AFTER_DEADLINE: Duration = Duration::from_secs(5);

impl Resolution {
    /// The call's time was over before anything was known.
    #[must_use]
    pub const fn past_deadline(decided_at: DateTime<Utc>) -> Self {
        let reason = UnresolvedReason::Deadline;
        Self::Unresolved(Unresolved { reason, retry_after: WAIT_AFTER_DEADLINE, decided_at })
    }

    /// The same, proved by the evidence `id` if it is an answer.
    #[must_use]
    pub fn proved_by(mut self, id: Uuid) -> Self {
        if let Self::Answered(answered) = &mut self {
            Arc::make_mut(answered).evidence_id = Some(id);
        }
        self
    }

    /// What it says of the number, in one word.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Self::Unresolved(_) => Status::Unavailable,
            Self::Answered(answered) => match answered.answer.verdict {
                Verdict::Registered(_) => Status::Valid,
                Verdict::NotRegistered => Status::NotRegistered,
                Verdict::FormRefused => Status::Malformed,
            },
        }
    }
}
