//! HMRC's doubtful "no". When the store behind its lookup of one number fails, HMRC says "not found" (its published source,
//! `VatRegisteredCompaniesConnector`, since March 2026); the lookup with a requester says that it failed. So a first "no" to
//! a lookup without requester is asked once more, when there is a turn that nobody else wants.

use std::time::Duration;

use moka::sync::Cache;
use tokio::time::Instant;
use vat::{Registry, VatNumber};

use super::desk::Urgency;
use crate::verification::registry::{Lookup, RegistryAnswer, TroubleKind, Verdict};

/// A store that stumbled needs a moment.
pub(super) const PAUSE: Duration = Duration::from_secs(1);
/// Nobody waits longer for a second word, which is nearly always the first.
const PATIENCE: Duration = Duration::from_secs(5);
/// The answer must leave before the call's deadline.
const SPARE: Duration = Duration::from_millis(250);
/// Numbers of which it is remembered what HMRC said: nothing else of them is.
const MOST: u64 = 50_000;
const REMEMBERED_FOR: Duration = Duration::from_hours(24);

/// What HMRC said of numbers lately.
pub(super) struct Doubts {
    seen: Cache<VatNumber, Seen>,
}

/// What is known of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Registered,
    /// It was asked twice, or together with a requester.
    SurelyNot,
}

/// How a doubtful "no" is to be asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    pub(super) urgency: Urgency,
    pub(super) until: Instant,
    /// It contradicts what HMRC said lately: alone it is no answer.
    pub(super) contradicts: bool,
}

impl Default for Doubts {
    fn default() -> Self {
        Self { seen: Cache::builder().max_capacity(MOST).time_to_live(REMEMBERED_FOR).build() }
    }
}

impl Doubts {
    /// Whether the first answer to a lookup must be asked again; `deadline` is its call's.
    pub(super) fn about(&self, lookup: Lookup, answer: &RegistryAnswer, deadline: Instant) -> Option<Doubt> {
        if lookup.number.registry() != Registry::Hmrc || answer.verdict != Verdict::NotRegistered {
            return None;
        }
        let seen = self.seen.get(&lookup.number);
        if lookup.requester.is_some() || seen == Some(Seen::SurelyNot) {
            return None;
        }
        let in_time = deadline.checked_sub(SPARE).unwrap_or(deadline);
        Some(match seen {
            Some(Seen::Registered) => Doubt { urgency: Urgency::Usual, until: in_time, contradicts: true },
            _ => Doubt {
                urgency: Urgency::Idle,
                until: in_time.min(Instant::now() + PATIENCE),
                contradicts: false,
            },
        })
    }

    /// Remembers an answer that is given to callers.
    pub(super) fn note(&self, lookup: Lookup, answer: &RegistryAnswer, asked_twice: bool) {
        let seen = match answer.verdict {
            Verdict::Registered(_) => Seen::Registered,
            Verdict::NotRegistered if asked_twice || lookup.requester.is_some() => Seen::SurelyNot,
            Verdict::NotRegistered | Verdict::FormRefused => return,
        };
        if lookup.number.registry() == Registry::Hmrc {
            self.seen.insert(lookup.number, seen);
        }
    }
}

/// Whether trouble at the second lookup says that the first was trouble too.
pub(super) const fn confirms_doubt(kind: TroubleKind) -> bool {
    matches!(
        kind,
        TroubleKind::RegistryUnavailable
            | TroubleKind::RegistryClosed
            | TroubleKind::TimedOut
            | TroubleKind::Unreadable
    )
}
