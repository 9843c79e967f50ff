//! The queries of `accounts`.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, SqlErr,
    sea_query::{Expr, ExprTrait, Func, LikeExpr, Query, SelectStatement},
};
use uuid::Uuid;

use super::{Account, AccountError, AccountSettings, SearchedFor};
pub(super) use crate::db::entities::plan::Model as PlanRow;
use crate::db::{
    AccountTerms, StoredLimits, change_account, containing, containing_in_any_case,
    entities::{
        account::{AccountState, ActiveModel, Column, Entity, Model},
        api_key::{self, KeyMode},
        key_request::{self, KeyRequestState},
        member::{self, Role},
        plan,
    },
    lock_account, set_limits,
};

/// Characters of a key's end that are kept.
const SHOWN_OF_KEYS: usize = 4;
/// Letters and digits that are looked for within numbers; fewer would fit too many.
const LEAST_OF_NUMBERS: usize = 4;

pub(super) enum Change {
    Suspend,
    Restore,
    Limits(StoredLimits),
    Settings(AccountSettings),
    Name(String),
}

pub(super) async fn named(db: &impl ConnectionTrait, name: &str) -> Result<Option<Account>, DbErr> {
    let Some(account) = Entity::find().filter(Column::Name.eq(name)).one(db).await? else { return Ok(None) };
    let plan = plan_of(db, &account).await?;
    Ok(Some(Account { id: account.id, terms: AccountTerms::of(&account, &plan) }))
}

pub(super) async fn find(db: &impl ConnectionTrait, account: Uuid) -> Result<Option<Account>, DbErr> {
    let found = with_plan(db, account).await?;
    Ok(found.map(|(account, plan)| Account { id: account.id, terms: AccountTerms::of(&account, &plan) }))
}

pub(super) async fn with_plan(
    db: &impl ConnectionTrait,
    account: Uuid,
) -> Result<Option<(Model, PlanRow)>, DbErr> {
    let Some(account) = Entity::find_by_id(account).one(db).await? else { return Ok(None) };
    let plan = plan_of(db, &account).await?;
    Ok(Some((account, plan)))
}

pub(super) async fn plans(db: &impl ConnectionTrait) -> Result<Vec<PlanRow>, DbErr> {
    plan::Entity::find()
        .order_by_asc(plan::Column::NumbersPerMonth)
        .order_by_asc(plan::Column::Code)
        .all(db)
        .await
}

async fn plan_of(db: &impl ConnectionTrait, account: &Model) -> Result<plan::Model, DbErr> {
    plan::Entity::find_by_id(account.plan.clone()).one(db).await?.ok_or_else(|| {
        DbErr::RecordNotFound(format!("the plan {:?} of account {}", account.plan, account.id))
    })
}

/// Whether there was something to change.
pub(super) async fn change(
    transaction: &impl ConnectionTrait,
    account: Uuid,
    change: Change,
) -> Result<bool, AccountError> {
    let mut row = ActiveModel::default();
    match change {
        Change::Suspend => return change_state(transaction, account, AccountState::Suspended).await,
        Change::Restore => return change_state(transaction, account, AccountState::Active).await,
        Change::Limits(limits) => {
            let set = set_limits(transaction, account, limits).await.map_err(of_the_row)?;
            return if set { Ok(true) } else { Err(AccountError::UnknownPlan) };
        }
        Change::Settings(AccountSettings::Requesters { gb, eu }) => {
            row.gb_requester = Set(gb.map(|number| number.to_string()));
            row.eu_requester = Set(eu.map(|number| number.to_string()));
        }
        Change::Settings(AccountSettings::Assumptions { supplier_country, max_age }) => {
            row.supplier_country = Set(supplier_country.map(|country| country.as_str().to_owned()));
            // At most a day, as was checked.
            row.max_age_seconds = Set(i32::try_from(max_age.as_secs()).unwrap_or_default());
        }
        Change::Settings(AccountSettings::SecondFactor { demanded }) => {
            row.second_factor_demanded = Set(demanded);
        }
        Change::Name(name) => {
            row.folded_name = Set(company_names::folded(&name));
            row.name = Set(name);
        }
    }
    change_account(transaction, account, row).await.map_err(of_the_row)?;
    Ok(true)
}

/// Whether it was in another.
async fn change_state(
    transaction: &impl ConnectionTrait,
    account: Uuid,
    state: AccountState,
) -> Result<bool, AccountError> {
    let account = lock_account(transaction, account).await?.ok_or(AccountError::Unknown)?;
    if account.state == state {
        return Ok(false);
    }
    let row = ActiveModel { state: Set(state), ..Default::default() };
    change_account(transaction, account.id, row).await.map_err(of_the_row)?;
    Ok(true)
}

fn of_the_row(error: DbErr) -> AccountError {
    match (&error, error.sql_err()) {
        (DbErr::RecordNotUpdated, _) => AccountError::Unknown,
        // Of what is changed only the name is anybody's alone.
        (_, Some(SqlErr::UniqueConstraintViolation(_))) => AccountError::NameTaken,
        _ => error.into(),
    }
}

/// An account as it is found.
pub(super) struct FoundAccount {
    pub(super) id: Uuid,
    pub(super) name: String,
    pub(super) suspended: bool,
    pub(super) plan: String,
}

/// A member as accounts are listed by.
pub(super) struct FoundMember {
    pub(super) account_id: Uuid,
    pub(super) email: String,
    pub(super) is_owner: bool,
}

pub(super) async fn count(db: &impl ConnectionTrait, wanted: &SearchedFor) -> Result<u64, DbErr> {
    Entity::find().filter(searched(wanted)).count(db).await
}

/// By name, whatever the case of its first letter.
pub(super) async fn page(
    db: &impl ConnectionTrait,
    wanted: &SearchedFor,
    offset: u64,
    most: u64,
) -> Result<Vec<FoundAccount>, DbErr> {
    let rows = Entity::find()
        .filter(searched(wanted))
        .order_by_asc(Func::lower(Expr::col(Column::Name)))
        .order_by_asc(Column::Id)
        .offset(offset)
        .limit(most)
        .all(db)
        .await?;
    let found = |row: Model| FoundAccount {
        id: row.id,
        name: row.name,
        suspended: row.state != AccountState::Active,
        plan: row.plan,
    };
    Ok(rows.into_iter().map(found).collect())
}

/// The present members of these accounts, who have been there for the longest time first.
pub(super) async fn members_of(
    db: &impl ConnectionTrait,
    accounts: &[Uuid],
) -> Result<Vec<FoundMember>, DbErr> {
    let rows: Vec<(Uuid, String, Role)> = member::Entity::find()
        .select_only()
        .columns([member::Column::AccountId, member::Column::Email, member::Column::Role])
        .filter(member::Column::AccountId.is_in(accounts.iter().copied()))
        .filter(member::Column::RemovedAt.is_null())
        .order_by_asc(member::Column::CreatedAt)
        .order_by_asc(member::Column::Id)
        .into_tuple()
        .all(db)
        .await?;
    let found = |(account_id, email, role)| FoundMember { account_id, email, is_owner: role == Role::Owner };
    Ok(rows.into_iter().map(found).collect())
}

/// When a key of each of these accounts was last used.
pub(super) async fn last_used(
    db: &impl ConnectionTrait,
    accounts: &[Uuid],
) -> Result<HashMap<Uuid, DateTime<Utc>>, DbErr> {
    let rows: Vec<(Uuid, DateTime<Utc>)> = api_key::Entity::find()
        .select_only()
        .columns([api_key::Column::AccountId, api_key::Column::LastUsedAt])
        .filter(api_key::Column::AccountId.is_in(accounts.iter().copied()))
        .filter(api_key::Column::LastUsedAt.is_not_null())
        .order_by_asc(api_key::Column::LastUsedAt)
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().collect())
}

/// Which of these accounts wait for an answer.
pub(super) async fn waiting(db: &impl ConnectionTrait, accounts: &[Uuid]) -> Result<BTreeSet<Uuid>, DbErr> {
    let rows: Vec<Uuid> = key_request::Entity::find()
        .select_only()
        .column(key_request::Column::AccountId)
        .filter(key_request::Column::AccountId.is_in(accounts.iter().copied()))
        .filter(key_request::Column::State.eq(KeyRequestState::Open))
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().collect())
}

fn searched(wanted: &SearchedFor) -> Condition {
    match wanted {
        SearchedFor::All => Condition::all(),
        SearchedFor::Key { mode, last_four } => {
            Condition::all().add(Column::Id.in_subquery(with_key(Some(*mode), last_four)))
        }
        SearchedFor::Text(typed) => by_text(typed.trim()),
    }
}

/// One of all that is known of an account holds what was typed.
fn by_text(typed: &str) -> Condition {
    let any_case = || LikeExpr::new(containing_in_any_case(typed)).escape('\\');
    let requested = Query::select()
        .column(key_request::Column::AccountId)
        .from(key_request::Entity)
        .and_where(Expr::expr(Func::lower(Expr::col(key_request::Column::Company))).like(any_case()))
        .take();
    // Addresses are kept in lower case; who was removed has none.
    let address = LikeExpr::new(containing(&typed.to_ascii_lowercase())).escape('\\');
    let person = Query::select()
        .column(member::Column::AccountId)
        .from(member::Entity)
        .and_where(Expr::col(member::Column::Email).like(address))
        .and_where(member::Column::RemovedAt.is_null())
        .take();
    let mut any = Condition::any()
        .add(Expr::expr(Func::lower(Expr::col((Entity, Column::Name)))).like(any_case()))
        .add(Column::Id.in_subquery(requested))
        .add(Column::Id.in_subquery(person));
    if typed.chars().count() == SHOWN_OF_KEYS {
        any = any.add(Column::Id.in_subquery(with_key(None, typed)));
    }
    if let Ok(id) = typed.parse::<Uuid>() {
        let of_key = Query::select()
            .column(api_key::Column::AccountId)
            .from(api_key::Entity)
            .and_where(Expr::col(api_key::Column::Id).eq(id))
            .take();
        any = any.add(Column::Id.eq(id)).add(Column::Id.in_subquery(of_key));
    }
    match number_in(typed) {
        Some(number) => {
            let holds = || LikeExpr::new(containing(&number)).escape('\\');
            let requested = Query::select()
                .column(key_request::Column::AccountId)
                .from(key_request::Entity)
                .and_where(Expr::col(key_request::Column::VatNumber).like(holds()))
                .take();
            any.add(Column::GbRequester.like(holds()))
                .add(Column::EuRequester.like(holds()))
                .add(Column::Id.in_subquery(requested))
        }
        None => any,
    }
}

/// What was typed as it would stand in a number, if it looks like one or a part of it.
fn number_in(typed: &str) -> Option<String> {
    let joined: String = typed
        .chars()
        .filter(|letter| !letter.is_whitespace() && !matches!(letter, '.' | '-' | '/'))
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    let is_number = joined.len() >= LEAST_OF_NUMBERS
        && joined.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'*'))
        && joined.bytes().any(|byte| byte.is_ascii_digit());
    is_number.then_some(joined)
}

/// The accounts with a key that ends like this.
fn with_key(mode: Option<KeyMode>, last_four: &str) -> SelectStatement {
    let mut keys = Query::select();
    keys.column(api_key::Column::AccountId)
        .from(api_key::Entity)
        .and_where(api_key::Column::LastFour.eq(last_four));
    if let Some(mode) = mode {
        keys.and_where(api_key::Column::Mode.eq(mode));
    }
    keys.take()
}

#[cfg(test)]
mod tests {
    use super::number_in;

    #[test]
    fn a_number_is_looked_for_as_it_is_kept() {
        for (typed, number) in [
            ("GB 123 4567 82", Some("GB123456782")),
            ("de-136.695.976", Some("DE136695976")),
            ("4567", Some("4567")),
            ("456", None),
            ("Fenwick Marine", None),
            ("raj@fenwick.example", None),
            ("", None),
        ] {
            assert_eq!(number_in(typed).as_deref(), number, "{typed}");
        }
    }
}
