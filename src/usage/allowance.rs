//! The month's allowance of numbers. A call sets aside what it is about to ask in one conditional update, so that calls
//! at once can never exceed it together; the recorder settles it with the evidence. What a server that died had set
//! aside comes back by itself once no call of that time can still be open.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::DbErr;
use thiserror::Error;
use uuid::Uuid;

use super::{month::Month, store};
use crate::{
    clock::SharedClock,
    db::{Database, new_id, within_limit},
};

/// The allowances.
#[derive(Clone)]
pub struct Allowances {
    db: Database,
    clock: SharedClock,
    lasts: TimeDelta,
}

/// Numbers set aside for one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reservation {
    pub(super) id: Uuid,
    pub(super) account_id: Uuid,
    pub(super) month: Month,
}

/// Nothing was set aside.
#[derive(Debug, Error)]
pub enum ReserveError {
    /// They do not all fit into what is left.
    #[error("over the allowance")]
    Exceeded {
        /// Until when that stays so: the end of the month.
        resets_at: DateTime<Utc>,
        /// What would fit now.
        left: u64,
    },
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl Allowances {
    /// The allowances kept in `db`. Every call is settled or given up within `lasts`.
    #[must_use]
    pub fn new(db: Database, clock: SharedClock, lasts: Duration) -> Self {
        Self { db, clock, lasts: TimeDelta::from_std(lasts).unwrap_or(TimeDelta::MAX) }
    }

    /// Sets `numbers` aside in the present month, all of them or none.
    ///
    /// # Errors
    /// They do not fit into `allowance`, or the database failed.
    pub async fn reserve(
        &self,
        account_id: Uuid,
        allowance: u64,
        numbers: u64,
    ) -> Result<Reservation, ReserveError> {
        let now = self.clock.now();
        let month = Month::of(now);
        let reservation = Reservation { id: new_id(self.clock.as_ref()), account_id, month };
        let (numbers, allowance) =
            (i64::try_from(numbers).unwrap_or(i64::MAX), i64::try_from(allowance).unwrap_or(i64::MAX));
        let expires_at = now.checked_add_signed(self.lasts).unwrap_or(DateTime::<Utc>::MAX_UTC);
        let times = (now, expires_at);
        let left =
            within_limit(store::reserve(&self.db.reserving, &reservation, allowance, numbers, times)).await?;
        match left {
            Ok(()) => Ok(reservation),
            Err(left) => {
                Err(ReserveError::Exceeded { resets_at: month.end(), left: u64::try_from(left).unwrap_or(0) })
            }
        }
    }

    /// Forgets what servers that died had set aside: it does not count any more. How many reservations these were.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_expired(&self) -> Result<u64, DbErr> {
        within_limit(store::delete_expired(&self.db.reserving, self.clock.now())).await
    }
}
