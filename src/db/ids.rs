//! Identifiers: UUID version 7, so that rows lie in the order they were made.

use uuid::{NoContext, Timestamp, Uuid};

use crate::clock::Clock;

/// A new identifier, dated by `clock`.
#[must_use]
pub fn new_id(clock: &dyn Clock) -> Uuid {
    let now = clock.now();
    let seconds = u64::try_from(now.timestamp()).unwrap_or_default();
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, now.timestamp_subsec_nanos()))
}
