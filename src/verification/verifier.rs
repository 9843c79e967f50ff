//! Works through a plan: all lookups at once, as fast as the gateway lets them, until the call's deadline.

use std::{sync::Arc, time::Duration};

use futures_util::future::join_all;
use tokio::time::Instant;
use vat::Shape;

use super::{
    batch::Batch,
    checked_number::{CheckedNumber, Outcome},
    gateway::RegistryGateway,
    plan::VerificationPlan,
    requesters::Requesters,
};
use crate::clock::SharedClock;

/// Checks batches of numbers.
pub struct Verifier {
    gateway: Arc<RegistryGateway>,
    deadline: Duration,
    clock: SharedClock,
}

impl Verifier {
    /// A verifier whose calls end within `deadline`.
    #[must_use]
    pub fn new(gateway: Arc<RegistryGateway>, deadline: Duration, clock: SharedClock) -> Self {
        Self { gateway, deadline, clock }
    }

    /// Checks every entry of `batch`, in its order. Takes at most the deadline.
    pub async fn check(&self, batch: Batch, requesters: &Requesters) -> Vec<CheckedNumber> {
        let deadline = Instant::now() + self.deadline;
        let plan = VerificationPlan::build(&batch, requesters);
        let read_at = self.clock.now();
        let resolutions =
            join_all(plan.lookups().iter().map(|lookup| self.gateway.resolve(*lookup, deadline))).await;
        batch
            .into_entries()
            .into_iter()
            .enumerate()
            .map(|(position, entry)| {
                let outcome = match entry.reading.shape() {
                    Shape::Malformed(_) => Outcome::Malformed { decided_at: read_at },
                    Shape::Unsupported(_) => Outcome::Unsupported { decided_at: read_at },
                    Shape::Number(number) => Outcome::Asked {
                        number: *number,
                        resolution: plan
                            .answer_to(position)
                            .and_then(|index| resolutions.get(index))
                            .cloned()
                            .unwrap_or_else(|| self.gateway.not_asked()),
                    },
                };
                CheckedNumber { entry, outcome }
            })
            .collect()
    }
}
