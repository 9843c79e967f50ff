//! VIES's limit: so many lookups in flight, in all and for each member state.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};
use vat::Prefix;

use super::line::Limit;
use crate::verification::registry::Lookup;

/// Places at VIES and at each member state behind it.
pub(super) struct Places {
    common: Arc<Semaphore>,
    /// In the order of [`Prefix::ALL`].
    of_member_states: Vec<Arc<Semaphore>>,
}

impl Places {
    pub(super) fn new(in_all: usize, for_each_member_state: usize) -> Self {
        Self {
            common: Arc::new(Semaphore::new(in_all)),
            of_member_states: Prefix::ALL
                .iter()
                .map(|_| Arc::new(Semaphore::new(for_each_member_state)))
                .collect(),
        }
    }
}

/// A place at the member state and a common one. `None` only if a semaphore was closed, which nobody does.
type HeldPlaces = (Option<OwnedSemaphorePermit>, Option<OwnedSemaphorePermit>);

impl Limit for Places {
    type Turn = HeldPlaces;

    async fn turn(&self, lookup: Lookup) -> HeldPlaces {
        // The state's place first: a call that waits for a busy state must not keep a common place from others.
        let state = Arc::clone(&self.of_member_states[lookup.number.prefix() as usize]);
        let at_state = state.acquire_owned().await.ok();
        let common = Arc::clone(&self.common).acquire_owned().await.ok();
        (at_state, common)
    }

    /// VIES's refusals name no pause and pass at once when others finish; the try's own pause is enough.
    fn hold(&self, _pause: Duration) {}

    fn held_until(&self) -> Option<Instant> {
        None
    }
}
