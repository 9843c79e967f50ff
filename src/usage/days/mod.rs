//! Usage by day. The hours of a day that is over are added up once, so that a report over months reads days and only the
//! present one hour by hour. Up to the last day that was added up, days are exact; what comes later for one of them
//! takes it, and those after it, away again until they are added up anew.

mod store;

use chrono::TimeDelta;
use sea_orm::DbErr;

pub(super) use self::store::{added_up_to, forget_before, take_away};
use super::Usage;
use crate::db::within_limit;

/// How long a day is over before it is added up: by then what was counted in it is written, as a rule.
const GRACE: TimeDelta = TimeDelta::hours(1);

impl Usage {
    /// Adds up the hours of every day that is over. How many days these were, over all accounts.
    ///
    /// # Errors
    /// The database failed. Days that were done stay done.
    pub async fn add_up_days(&self) -> Result<u64, DbErr> {
        let today = (self.clock.now() - GRACE).date_naive();
        let mut days = 0;
        for account in within_limit(store::accounts(&self.db.main)).await? {
            while within_limit(store::next_day(&self.db.main, account, today)).await?.is_some()
                && store::add_up_next(&self.db.main, account, today).await?
            {
                days += 1;
            }
        }
        Ok(days)
    }
}
