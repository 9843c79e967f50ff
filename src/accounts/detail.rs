//! An account with everything that was agreed with it, and the plans there are.

use chrono::{DateTime, Utc};
use sea_orm::DbErr;
use uuid::Uuid;

use super::{Account, AccountError, Accounts, Limits, store};
use crate::db::{AccountTerms, within_limit};

/// What an account without limits of its own may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its code, such as `standard`.
    pub code: String,
    /// What people call it.
    pub name: String,
    /// Requests served in any 60 seconds.
    pub requests_per_minute: u32,
    /// Numbers that registries answer in a calendar month, UTC.
    pub numbers_per_month: u64,
}

/// An account, and how it came to its terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountDetail {
    /// The account.
    pub account: Account,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// What the plan is called.
    pub plan_name: String,
    /// What was agreed: limits only where they are other than the plan's.
    pub agreed: Limits,
}

impl Accounts {
    /// An account with everything that was agreed with it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn detail(&self, account: Uuid) -> Result<Option<AccountDetail>, AccountError> {
        let found = within_limit(store::with_plan(&self.db.main, account)).await?;
        Ok(found.map(|(row, plan)| AccountDetail {
            account: Account { id: row.id, terms: AccountTerms::of(&row, &plan) },
            created_at: row.created_at,
            plan_name: plan.name,
            agreed: Limits {
                plan: row.plan,
                requests_per_minute: row.requests_per_minute.and_then(|limit| limit.try_into().ok()),
                numbers_per_month: row.numbers_per_month.and_then(|limit| limit.try_into().ok()),
            },
        }))
    }

    /// The plans there are, smallest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn plans(&self) -> Result<Vec<Plan>, DbErr> {
        let rows = within_limit(store::plans(&self.db.main)).await?;
        let plan = |row: store::PlanRow| Plan {
            code: row.code,
            name: row.name,
            requests_per_minute: row.requests_per_minute.try_into().unwrap_or(0),
            numbers_per_month: row.numbers_per_month.try_into().unwrap_or(0),
        };
        Ok(rows.into_iter().map(plan).collect())
    }
}
