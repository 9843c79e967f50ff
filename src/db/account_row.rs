//! Making an account, by support, on the command line, or by somebody who signs up; and changing its row.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, sea_query::OnConflict,
};
use uuid::Uuid;

use super::{
    StoredLimits,
    entities::account::{AccountState, ActiveModel, Column, Entity},
    plan_exists,
};

/// Longest name an account may have, in characters.
pub(crate) const MAX_ACCOUNT_NAME: usize = 200;

/// An account to be made.
pub(crate) struct NewAccount<'a> {
    pub(crate) id: Uuid,
    pub(crate) name: &'a str,
    pub(crate) limits: StoredLimits,
    pub(crate) created_at: DateTime<Utc>,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccountMade {
    Made,
    NameTaken,
    UnknownPlan,
}

/// Makes an account, unless its name is taken or there is no such plan.
///
/// # Errors
/// The database failed.
pub(crate) async fn insert_account(
    transaction: &impl ConnectionTrait,
    new: NewAccount<'_>,
) -> Result<AccountMade, DbErr> {
    if !plan_exists(transaction, &new.limits.plan).await? {
        return Ok(AccountMade::UnknownPlan);
    }
    let account = ActiveModel {
        id: Set(new.id),
        name: Set(new.name.to_owned()),
        folded_name: Set(company_names::folded(new.name)),
        state: Set(AccountState::Active),
        created_at: Set(new.created_at),
        plan: Set(new.limits.plan),
        requests_per_minute: Set(new.limits.requests_per_minute),
        numbers_per_month: Set(new.limits.numbers_per_month),
        ..Default::default()
    };
    let inserted = Entity::insert(account)
        .on_conflict(OnConflict::column(Column::Name).do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await;
    match inserted {
        Ok(0) | Err(DbErr::RecordNotInserted) => Ok(AccountMade::NameTaken),
        Ok(_) => Ok(AccountMade::Made),
        Err(error) => Err(error),
    }
}

/// Changes what is set in `changed` of an account's row, of which nothing is read back: nobody needs it.
///
/// # Errors
/// There is no such account ([`DbErr::RecordNotUpdated`]), or the database failed.
pub(crate) async fn change_account(
    transaction: &impl ConnectionTrait,
    account: Uuid,
    changed: ActiveModel,
) -> Result<(), DbErr> {
    let done = Entity::update_many().set(changed).filter(Column::Id.eq(account)).exec(transaction).await?;
    if done.rows_affected == 1 { Ok(()) } else { Err(DbErr::RecordNotUpdated) }
}
