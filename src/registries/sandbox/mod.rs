//! The sandbox behind test keys: a registry of fixed numbers that shows every outcome, failures included. It holds a
//! table and a clock, and opens no connection.
//!
//! A number of the table is nines (in some countries eights), then three digits that say what it shows, then its
//! check digits: `DE99999 301 1`. The three digits are those of the VIES test service (file
//! `checkVatTestService.wsdl`) as far as it has one for the case:
//!
//! | digits | shows |
//! | --- | --- |
//! | 100, 105 | registered; the second answers slowly |
//! | 200, 201 | not registered; form refused |
//! | 202 | a requester that the registry refuses |
//! | 300, 301 | registry or member state unavailable |
//! | 302, 303, 304 | timeout; deadline of the call; an answer that cannot be read |
//! | 400, 402 | blocked; no credentials |
//! | 500, 600 | throttled by the registry or for one member state |

mod number;
mod table;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::SecondsFormat;
use tokio::time::{sleep, sleep_until, timeout_at};
use vat::{Registry, UnresolvedReason, VatNumber};

pub use self::{
    number::{SandboxNumber, SandboxOutcome, SandboxTrader},
    table::NUMBERS,
};
use crate::{
    clock::SharedClock,
    verification::{
        gateway::{Answered, Asking, Resolution, Resolve, Unresolved},
        registry::{Lookup, RegistryAnswer, Verdict},
    },
};

/// How long a slow answer takes.
pub const SLOW: Duration = Duration::from_secs(5);

/// The proof that every registered GB number comes with when there is a requester. Shaped as HMRC's.
pub const HMRC_CONSULTATION_NUMBER: &str = "ALL-MAD-EUP";

/// As [`HMRC_CONSULTATION_NUMBER`] for all other numbers, shaped as VIES's.
pub const VIES_CONSULTATION_NUMBER: &str = "WAPIAllMadeUp000";

/// Stands in the gateway's place for test keys.
pub struct Sandbox {
    clock: SharedClock,
}

impl Sandbox {
    /// A sandbox whose answers are dated by `clock`.
    #[must_use]
    pub fn new(clock: SharedClock) -> Self {
        Self { clock }
    }

    fn answered(&self, lookup: Lookup, verdict: Verdict) -> Resolution {
        let registry = lookup.number.registry();
        let is_registered = matches!(verdict, Verdict::Registered(_));
        // HMRC looks at the requester only once it has found the number, VIES as soon as the form is right.
        let requester_counts =
            is_registered || (registry == Registry::Vies && verdict == Verdict::NotRegistered);
        let requester = lookup.requester.filter(|_| requester_counts);
        let requester_refused =
            requester.is_some_and(|number| matches!(outcome_of(number), SandboxOutcome::RequesterRefused));
        let has_proof = is_registered && requester.is_some() && !requester_refused;
        let received_at = self.clock.now();
        let (consultation_number, dated) = match registry {
            Registry::Hmrc => (
                HMRC_CONSULTATION_NUMBER,
                // HMRC writes London's time. Winter time names the same instant all year.
                is_registered.then(|| received_at.format("%Y-%m-%dT%H:%M:%S+00:00").to_string()),
            ),
            Registry::Vies => (
                VIES_CONSULTATION_NUMBER,
                (verdict != Verdict::FormRefused)
                    .then(|| received_at.to_rfc3339_opts(SecondsFormat::Millis, true)),
            ),
        };
        Resolution::Answered(Arc::new(Answered {
            answer: RegistryAnswer {
                verdict,
                consultation_number: has_proof.then(|| consultation_number.to_owned()),
                dated,
            },
            received_at,
            requester_refused,
            evidence_id: None,
        }))
    }

    fn unresolved(&self, reason: UnresolvedReason, retry_after: Duration) -> Resolution {
        Resolution::Unresolved(Unresolved { reason, retry_after, decided_at: self.clock.now() })
    }
}

#[async_trait]
impl Resolve for Sandbox {
    /// Answers as the gateway would, were the registry as the table says. A number that is not in the table is not
    /// registered; a requester that the table does not refuse is accepted.
    ///
    /// Answers at once, but for [`SandboxOutcome::RegisteredSlowly`] and [`SandboxOutcome::Deadline`], and never
    /// later than the deadline.
    async fn resolve(&self, lookup: Lookup, Asking { deadline, .. }: Asking) -> Resolution {
        let verdict = match outcome_of(lookup.number) {
            SandboxOutcome::Registered(trader) => registered(trader),
            SandboxOutcome::RegisteredSlowly(trader) => {
                if timeout_at(deadline, sleep(SLOW)).await.is_err() {
                    return Resolution::past_deadline(self.clock.now());
                }
                registered(trader)
            }
            SandboxOutcome::NotRegistered | SandboxOutcome::RequesterRefused => Verdict::NotRegistered,
            SandboxOutcome::FormRefused => Verdict::FormRefused,
            SandboxOutcome::Trouble(kind) => return self.unresolved(kind.reason(), kind.usual_wait()),
            SandboxOutcome::Deadline => {
                sleep_until(deadline).await;
                return Resolution::past_deadline(self.clock.now());
            }
        };
        self.answered(lookup, verdict)
    }
}

fn outcome_of(number: VatNumber) -> SandboxOutcome {
    NUMBERS
        .iter()
        .find(|entry| entry.number == number.as_str())
        .map_or(SandboxOutcome::NotRegistered, |entry| entry.outcome)
}

fn registered(trader: Option<SandboxTrader>) -> Verdict {
    Verdict::Registered(trader.map(Into::into).unwrap_or_default())
}
