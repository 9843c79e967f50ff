//! Identifiers: UUID version 7, so that rows lie in the order they were made.

use std::{panic::AssertUnwindSafe, sync::Mutex};

use uuid::{ContextV7, Timestamp, Uuid};

use crate::clock::Clock;

/// Numbers the identifiers of one millisecond, so that they lie in order too. A panic while it is held leaves it whole.
static IN_ORDER: Mutex<AssertUnwindSafe<ContextV7>> = Mutex::new(AssertUnwindSafe(ContextV7::new()));

/// A new identifier, dated by `clock` and after all that this process has made.
#[must_use]
pub fn new_id(clock: &dyn Clock) -> Uuid {
    let now = clock.now();
    let seconds = u64::try_from(now.timestamp()).unwrap_or_default();
    Uuid::new_v7(Timestamp::from_unix(&IN_ORDER, seconds, now.timestamp_subsec_nanos()))
}
