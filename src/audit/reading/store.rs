//! The queries of the log for its readers.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait,
    sea_query::{Alias, Asterisk, Expr, ExprTrait, Func, LikeExpr, Query, SelectStatement},
};
use uuid::Uuid;

use super::{LogFilter, LogPlace};
use crate::{
    audit::{AuditEvent, Deed},
    db::{
        Start, Total, containing, containing_in_any_case,
        entities::{
            account, api_key,
            audit_event::{Column, Entity},
            member, support_staff,
        },
    },
};

/// Rows that are counted one by one; more are too many to look through.
const MOST_COUNTED: u64 = 10_000;

#[derive(FromQueryResult)]
struct Counted {
    rows: i64,
}

/// Whose account a filter is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose {
    /// Anybody's.
    Any,
    /// This one's.
    One(Uuid),
    /// That of each whose name holds what was typed.
    Named,
}

/// The account that bears exactly this name or identifier.
pub(super) async fn account_called(db: &impl ConnectionTrait, typed: &str) -> Result<Option<Uuid>, DbErr> {
    if let Ok(id) = typed.parse() {
        return Ok(Some(id));
    }
    let found = account::Entity::find().filter(account::Column::Name.eq(typed)).one(db).await?;
    Ok(found.map(|account| account.id))
}

/// Up to `most` rows from `start` on, newest first.
pub(super) async fn rows(
    db: &impl ConnectionTrait,
    (filter, whose): (&LogFilter, Whose),
    start: Start<LogPlace>,
    most: u64,
) -> Result<Vec<AuditEvent>, DbErr> {
    let chosen = Entity::find().filter(chosen(filter, whose)).limit(most);
    let chosen = match start {
        Start::Newest => chosen,
        Start::OlderThan(place) => chosen.filter(Column::Sequence.lt(place.sequence)),
        Start::NewerThan(place) => {
            let nearest_first =
                chosen.filter(Column::Sequence.gt(place.sequence)).order_by_asc(Column::Sequence);
            let mut rows = nearest_first.all(db).await?;
            rows.reverse();
            return Ok(rows);
        }
    };
    chosen.order_by_desc(Column::Sequence).all(db).await
}

pub(super) async fn count(
    db: &impl ConnectionTrait,
    (filter, whose): (&LogFilter, Whose),
) -> Result<Total, DbErr> {
    let found = Entity::find()
        .select_only()
        .filter(chosen(filter, whose))
        .expr_as(Expr::value(1), "found")
        .limit(MOST_COUNTED + 1)
        .into_query();
    let count = Query::select()
        .expr_as(Expr::col(Asterisk).count(), Alias::new("rows"))
        .from_subquery(found, Alias::new("some"))
        .take();
    let row = db.query_one(&count).await?.ok_or_else(|| DbErr::RecordNotFound("a count".to_owned()))?;
    let rows = u64::try_from(Counted::from_query_result(&row, "")?.rows).unwrap_or(0);
    Ok(if rows > MOST_COUNTED { Total::MoreThan(MOST_COUNTED) } else { Total::Exactly(rows) })
}

pub(super) async fn accounts(
    db: &impl ConnectionTrait,
    ids: Vec<Uuid>,
) -> Result<Vec<account::Model>, DbErr> {
    account::Entity::find().filter(account::Column::Id.is_in(ids)).all(db).await
}

pub(super) async fn keys(db: &impl ConnectionTrait, ids: Vec<Uuid>) -> Result<Vec<api_key::Model>, DbErr> {
    api_key::Entity::find().filter(api_key::Column::Id.is_in(ids)).all(db).await
}

pub(super) async fn members(db: &impl ConnectionTrait, ids: Vec<Uuid>) -> Result<Vec<member::Model>, DbErr> {
    member::Entity::find().filter(member::Column::Id.is_in(ids)).all(db).await
}

/// The addresses of those of these members who were removed: the log has kept them.
pub(super) async fn addresses_of_removed(
    db: &impl ConnectionTrait,
    members: &[member::Model],
) -> Result<HashMap<Uuid, String>, DbErr> {
    let removed = || members.iter().filter(|member| member.removed_at.is_some());
    if removed().next().is_none() {
        return Ok(HashMap::new());
    }
    let rows: Vec<(Option<Uuid>, String)> = Entity::find()
        .select_only()
        .columns([Column::SubjectId, Column::Detail])
        .filter(Column::AccountId.is_in(removed().map(|member| member.account_id)))
        .filter(Column::Deed.eq(Deed::MemberRemoved))
        .filter(Column::SubjectId.is_in(removed().map(|member| member.id)))
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().filter_map(|(member, address)| Some((member?, address))).collect())
}

pub(super) async fn staff(
    db: &impl ConnectionTrait,
    ids: Vec<Uuid>,
) -> Result<Vec<support_staff::Model>, DbErr> {
    support_staff::Entity::find().filter(support_staff::Column::Id.is_in(ids)).all(db).await
}

fn chosen(filter: &LogFilter, whose: Whose) -> Condition {
    let LogFilter { deed, person, account, from, until } = filter;
    let (earliest, latest) = (DateTime::<Utc>::UNIX_EPOCH, DateTime::<Utc>::UNIX_EPOCH + YEARS);
    let account = match (whose, account.as_deref()) {
        (Whose::One(id), _) => Some(Column::AccountId.eq(id)),
        (Whose::Named, Some(typed)) => Some(Column::AccountId.in_subquery(accounts_named(typed))),
        (Whose::Any | Whose::Named, _) => None,
    };
    let person = person.as_deref().map(|typed| {
        [people_of_accounts(typed), people_of_support(typed)].into_iter().fold(
            Condition::any(),
            |any, people| {
                any.add(Column::ActorId.in_subquery(people.clone()))
                    .add(Column::SubjectId.in_subquery(people))
            },
        )
    });
    Condition::all()
        .add_option(deed.map(|deed| Column::Deed.eq(deed)))
        .add_option(account)
        .add_option(person)
        .add_option(from.map(|from| Column::At.gte(from.clamp(earliest, latest))))
        .add_option(until.map(|until| Column::At.lt(until.clamp(earliest, latest))))
}

/// Up to the year 9000 or so: every database knows these days.
const YEARS: chrono::TimeDelta = chrono::TimeDelta::days(365 * 7000);

fn accounts_named(typed: &str) -> SelectStatement {
    let name = Expr::expr(Func::lower(Expr::col(account::Column::Name)));
    Query::select()
        .column(account::Column::Id)
        .from(account::Entity)
        .and_where(name.like(LikeExpr::new(containing_in_any_case(typed)).escape('\\')))
        .take()
}

/// Addresses are kept in lower case; those of members who were removed in the log alone.
fn people_of_accounts(typed: &str) -> SelectStatement {
    let address = LikeExpr::new(containing(&typed.to_ascii_lowercase())).escape('\\');
    let removed = Query::select()
        .column(Column::SubjectId)
        .from(Entity)
        .and_where(Column::Deed.eq(Deed::MemberRemoved))
        .and_where(Expr::col(Column::Detail).like(address.clone()))
        .take();
    let present = Condition::all()
        .add(member::Column::RemovedAt.is_null())
        .add(Expr::col(member::Column::Email).like(address));
    Query::select()
        .column(member::Column::Id)
        .from(member::Entity)
        .cond_where(Condition::any().add(present).add(member::Column::Id.in_subquery(removed)))
        .take()
}

fn people_of_support(typed: &str) -> SelectStatement {
    let address = LikeExpr::new(containing(&typed.to_ascii_lowercase())).escape('\\');
    Query::select()
        .column(support_staff::Column::Id)
        .from(support_staff::Entity)
        .and_where(Expr::col(support_staff::Column::Email).like(address))
        .take()
}
