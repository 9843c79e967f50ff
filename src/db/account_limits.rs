//! What an account is allowed, as people agree it and as it is stored. It is agreed when an account is made, later, or
//! when a request for keys is approved, so more than one service writes it.

use std::fmt;

use sea_orm::{ActiveValue::Set, ConnectionTrait, DbErr, EntityTrait};
use uuid::Uuid;

use super::{
    change_account,
    entities::{account, plan},
};

/// The plan of an account that was given no other.
pub const STANDARD_PLAN: &str = "standard";

/// What an account may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The code of its plan.
    pub plan: String,
    /// Requests a minute, when other than the plan's were agreed.
    pub requests_per_minute: Option<u32>,
    /// Numbers a month, when other than the plan's were agreed.
    pub numbers_per_month: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { plan: STANDARD_PLAN.to_owned(), requests_per_minute: None, numbers_per_month: None }
    }
}

impl fmt::Display for Limits {
    /// For the audit log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_the_plans =
            |limit: Option<u64>| limit.map_or_else(|| "the plan's".to_owned(), |limit| limit.to_string());
        write!(
            f,
            "plan {}, {} requests a minute, {} numbers a month",
            self.plan,
            or_the_plans(self.requests_per_minute.map(u64::from)),
            or_the_plans(self.numbers_per_month),
        )
    }
}

/// Limits in the types of their columns.
pub(crate) struct StoredLimits {
    pub(crate) plan: String,
    pub(crate) requests_per_minute: Option<i32>,
    pub(crate) numbers_per_month: Option<i64>,
}

impl StoredLimits {
    /// `None` when a limit is zero or over 2,147,483,647.
    pub(crate) fn of(limits: &Limits) -> Option<Self> {
        let requests_per_minute = limits.requests_per_minute.map(i32::try_from).transpose().ok()?;
        let numbers_per_month = limits.numbers_per_month.map(i32::try_from).transpose().ok()?;
        let nothing = requests_per_minute == Some(0) || numbers_per_month == Some(0);
        (!nothing).then(|| Self {
            plan: limits.plan.clone(),
            requests_per_minute,
            numbers_per_month: numbers_per_month.map(i64::from),
        })
    }
}

/// Whether there is such a plan: an account's row must not name another.
pub(crate) async fn plan_exists(db: &impl ConnectionTrait, code: &str) -> Result<bool, DbErr> {
    Ok(plan::Entity::find_by_id(code.to_owned()).one(db).await?.is_some())
}

/// Gives an account its limits. Whether there is such a plan: if not, nothing was changed.
///
/// # Errors
/// There is no such account (`RecordNotUpdated`), or the database failed.
pub(crate) async fn set_limits(
    transaction: &impl ConnectionTrait,
    account: Uuid,
    limits: StoredLimits,
) -> Result<bool, DbErr> {
    if !plan_exists(transaction, &limits.plan).await? {
        return Ok(false);
    }
    let row = account::ActiveModel {
        plan: Set(limits.plan),
        requests_per_minute: Set(limits.requests_per_minute),
        numbers_per_month: Set(limits.numbers_per_month),
        ..Default::default()
    };
    change_account(transaction, account, row).await?;
    Ok(true)
}
