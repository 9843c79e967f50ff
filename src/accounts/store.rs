//! The queries of `accounts`.

use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter,
};
use uuid::Uuid;

use super::{Account, AccountError, AccountSettings};
use crate::db::{
    AccountTerms, StoredLimits,
    entities::{
        account::{AccountState, ActiveModel, Column, Entity, Model},
        plan,
    },
    set_limits,
};

pub(super) enum Change {
    Suspend,
    Restore,
    Limits(StoredLimits),
    Settings(AccountSettings),
}

pub(super) async fn named(db: &impl ConnectionTrait, name: &str) -> Result<Option<Account>, DbErr> {
    let Some(account) = Entity::find().filter(Column::Name.eq(name)).one(db).await? else { return Ok(None) };
    let plan = plan_of(db, &account).await?;
    Ok(Some(Account { id: account.id, terms: AccountTerms::of(&account, &plan) }))
}

pub(super) async fn find(db: &impl ConnectionTrait, account: Uuid) -> Result<Option<Account>, DbErr> {
    let Some(account) = Entity::find_by_id(account).one(db).await? else { return Ok(None) };
    let plan = plan_of(db, &account).await?;
    Ok(Some(Account { id: account.id, terms: AccountTerms::of(&account, &plan) }))
}

async fn plan_of(db: &impl ConnectionTrait, account: &Model) -> Result<plan::Model, DbErr> {
    plan::Entity::find_by_id(account.plan.clone()).one(db).await?.ok_or_else(|| {
        DbErr::RecordNotFound(format!("the plan {:?} of account {}", account.plan, account.id))
    })
}

pub(super) async fn change(
    transaction: &impl ConnectionTrait,
    account: Uuid,
    change: Change,
) -> Result<(), AccountError> {
    let mut row = ActiveModel { id: Set(account), ..Default::default() };
    match change {
        Change::Suspend => row.state = Set(AccountState::Suspended),
        Change::Restore => row.state = Set(AccountState::Active),
        Change::Limits(limits) => {
            let set = set_limits(transaction, account, limits).await.map_err(of_the_row)?;
            return if set { Ok(()) } else { Err(AccountError::UnknownPlan) };
        }
        Change::Settings(settings) => {
            row.gb_requester = Set(settings.gb_requester.map(|number| number.to_string()));
            row.eu_requester = Set(settings.eu_requester.map(|number| number.to_string()));
            row.supplier_country = Set(settings.supplier_country.map(|country| country.as_str().to_owned()));
            // At most a day, as was checked.
            row.max_age_seconds = Set(i32::try_from(settings.max_age.as_secs()).unwrap_or_default());
        }
    }
    row.update(transaction).await.map_err(of_the_row)?;
    Ok(())
}

fn of_the_row(error: DbErr) -> AccountError {
    match error {
        DbErr::RecordNotUpdated => AccountError::Unknown,
        other => other.into(),
    }
}
