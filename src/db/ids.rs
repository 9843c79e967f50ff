//! Identifiers: UUID version 7, so that rows lie in the order they were made.

use std::{panic::AssertUnwindSafe, sync::Mutex};

use chrono::{DateTime, Utc};
use uuid::{ContextV7, NoContext, Timestamp, Uuid};

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

/// Before every identifier that is dated by `moment` or later, and after those of the millisecond before.
#[must_use]
pub fn first_id_of(moment: DateTime<Utc>) -> Uuid {
    let seconds = u64::try_from(moment.timestamp()).unwrap_or_default();
    let id = Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, moment.timestamp_subsec_nanos()));
    // All but the date.
    Uuid::from_u128(id.as_u128() >> 80 << 80)
}
