//! The queries of `early_access`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, Order, Query, SelectStatement, UnionType},
};
use uuid::Uuid;

use super::{
    KeyRequestState, NumberCheck, NumberOutcome,
    similar::{Candidate, Traits},
};
pub(super) use crate::db::entities::key_request::Model as RequestRow;
use crate::db::entities::{
    account,
    key_request::{ActiveModel, Column, Entity},
    member::{self, Role},
};

/// Accounts that are looked at for each way of resembling one.
const MOST_CANDIDATES: u64 = 200;

pub(super) type RequestWithAsker = (RequestRow, Option<member::Model>);

pub(super) struct Decision<'a> {
    pub(super) state: KeyRequestState,
    pub(super) reason: Option<&'a str>,
    pub(super) decided_by: Option<Uuid>,
    pub(super) decided_at: DateTime<Utc>,
}

pub(super) async fn is_member(
    transaction: &impl ConnectionTrait,
    account_id: Uuid,
    member: Uuid,
) -> Result<bool, DbErr> {
    let row = member::Entity::find_by_id(member).one(transaction).await?;
    Ok(row.is_some_and(|row| row.account_id == account_id && row.removed_at.is_none()))
}

pub(super) async fn has_open(transaction: &impl ConnectionTrait, account_id: Uuid) -> Result<bool, DbErr> {
    let open = Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::State.eq(KeyRequestState::Open));
    Ok(open.count(transaction).await? > 0)
}

pub(super) async fn insert(transaction: &impl ConnectionTrait, row: RequestRow) -> Result<(), DbErr> {
    Entity::insert(row.into_active_model()).exec_without_returning(transaction).await?;
    Ok(())
}

pub(super) async fn open_requests(
    db: &DatabaseConnection,
    most: u64,
) -> Result<(Vec<RequestWithAsker>, u64), DbErr> {
    let open = Entity::find().filter(Column::State.eq(KeyRequestState::Open));
    let total = open.clone().count(db).await?;
    let rows = open
        .find_also_related(member::Entity)
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .limit(most)
        .all(db)
        .await?;
    Ok((rows, total))
}

pub(super) async fn last_decided(db: &DatabaseConnection) -> Result<Option<RequestWithAsker>, DbErr> {
    Entity::find()
        .filter(Column::State.is_in([KeyRequestState::Approved, KeyRequestState::Declined]))
        .find_also_related(member::Entity)
        .order_by_desc(Column::DecidedAt)
        .order_by_desc(Column::Id)
        .one(db)
        .await
}

/// Whoever did not answer takes away nothing that is known, and an older answer no newer one.
pub(super) async fn note_check(
    db: &DatabaseConnection,
    request: Uuid,
    number: &str,
    check: &NumberCheck,
) -> Result<(), DbErr> {
    let unanswered = Column::NumberOutcome.is_null().or(Column::NumberOutcome.eq(NumberOutcome::Unavailable));
    let older = Column::NumberAskedAt.is_null().or(Column::NumberAskedAt.lte(check.asked_at));
    let gives_way = match check.outcome {
        NumberOutcome::Unavailable => unanswered.and(older),
        _ => unanswered.or(older),
    };
    Entity::update_many()
        .col_expr(Column::NumberOutcome, Expr::value(check.outcome))
        .col_expr(Column::NumberTrader, Expr::value(check.trader.clone()))
        .col_expr(Column::NumberAskedAt, Expr::value(check.asked_at))
        .filter(Column::Id.eq(request))
        .filter(Column::VatNumber.eq(number))
        .filter(gives_way)
        .exec(db)
        .await?;
    Ok(())
}

/// Every account that may resemble one of these: for each of them, and each way of it, `MOST_CANDIDATES` at most.
pub(super) async fn candidates(db: &DatabaseConnection, all: &[Traits]) -> Result<Vec<Candidate>, DbErr> {
    let mut ways = all.iter().flat_map(ways_of_resembling);
    let Some(mut ids) = ways.next() else { return Ok(Vec::new()) };
    for way in ways {
        ids.union(UnionType::Distinct, way);
    }
    described(db, ids).await
}

/// The accounts that resemble one request, in each way by itself.
fn ways_of_resembling(traits: &Traits) -> Vec<SelectStatement> {
    let mut ways = Vec::new();
    let own = traits.account_id;
    if let Some(name) = &traits.folded_name {
        ways.push(others(own, (account::Entity, account::Column::Id), account::Column::FoldedName.eq(name)));
    }
    if let Some(domain) = &traits.mail_domain {
        let alike = member::Column::Email.ends_with(format!("@{domain}"));
        let present = alike.and(member::Column::RemovedAt.is_null());
        ways.push(others(own, (member::Entity, member::Column::AccountId), present));
    }
    if let Some(number) = &traits.vat_number {
        let set = account::Column::GbRequester.eq(number).or(account::Column::EuRequester.eq(number));
        ways.push(others(own, (account::Entity, account::Column::Id), set));
        ways.push(others(own, (Entity, Column::AccountId), Column::VatNumber.eq(number)));
    }
    ways
}

/// The accounts that these rows are of, but for one.
fn others<E: EntityTrait>(own: Uuid, (table, column): (E, E::Column), rows: Expr) -> SelectStatement {
    let few = Query::select()
        .distinct()
        .expr_as(Expr::col(column), "account")
        .from(table)
        .and_where(rows)
        .and_where(Expr::col(column).ne(own))
        .order_by(column, Order::Asc)
        .limit(MOST_CANDIDATES)
        .take();
    // In a query of its own: SQLite limits only the whole of what it puts together.
    Query::select().column("account").from_subquery(few, "few").take()
}

/// What these accounts can be recognised by.
async fn described(db: &DatabaseConnection, ids: SelectStatement) -> Result<Vec<Candidate>, DbErr> {
    let accounts = account::Entity::find()
        .filter(account::Column::Id.in_subquery(ids))
        .order_by_asc(account::Column::Name)
        .all(db)
        .await?;
    let ids: Vec<_> = accounts.iter().map(|account| account.id).collect();
    let members = member::Entity::find()
        .filter(member::Column::AccountId.is_in(ids.iter().copied()))
        .filter(member::Column::RemovedAt.is_null())
        .order_by_asc(member::Column::Name)
        .all(db)
        .await?;
    let requests = Entity::find()
        .filter(Column::AccountId.is_in(ids))
        .filter(Column::VatNumber.is_not_null())
        .all(db)
        .await?;
    let of = |account: &account::Model| {
        let own = members.iter().filter(|member| member.account_id == account.id);
        let asked = requests.iter().filter(|request| request.account_id == account.id);
        let numbers = [&account.gb_requester, &account.eu_requester].into_iter().cloned();
        Candidate {
            account_id: account.id,
            name: account.name.clone(),
            folded_name: account.folded_name.clone(),
            emails: own.clone().map(|member| member.email.clone()).collect(),
            owners: own
                .filter(|member| member.role == Role::Owner)
                .map(|member| member.name.clone())
                .collect(),
            vat_numbers: numbers.chain(asked.map(|request| request.vat_number.clone())).flatten().collect(),
        }
    };
    Ok(accounts.iter().map(of).collect())
}

pub(super) async fn of_account(
    db: &DatabaseConnection,
    account_id: Uuid,
) -> Result<Vec<RequestWithAsker>, DbErr> {
    Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .find_also_related(member::Entity)
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .all(db)
        .await
}

/// The states of what an account has asked, newest first.
pub(super) async fn states(
    transaction: &impl ConnectionTrait,
    account_id: Uuid,
) -> Result<Vec<KeyRequestState>, DbErr> {
    let rows = Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .all(transaction)
        .await?;
    Ok(rows.into_iter().map(|row| row.state).collect())
}

pub(super) async fn find(db: &DatabaseConnection, request: Uuid) -> Result<Option<RequestWithAsker>, DbErr> {
    Entity::find_by_id(request).find_also_related(member::Entity).one(db).await
}

/// Nobody else changes it until the transaction ends.
pub(super) async fn find_to_change(
    transaction: &impl ConnectionTrait,
    request: Uuid,
) -> Result<Option<RequestRow>, DbErr> {
    Entity::find_by_id(request).lock_exclusive().one(transaction).await
}

pub(super) async fn decide(
    transaction: &impl ConnectionTrait,
    request: Uuid,
    decision: Decision<'_>,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        id: Set(request),
        state: Set(decision.state),
        reason: Set(decision.reason.map(str::to_owned)),
        decided_by: Set(decision.decided_by),
        decided_at: Set(Some(decision.decided_at)),
        ..Default::default()
    };
    row.update(transaction).await?;
    Ok(())
}
