//! The queries of the history. The index `evidence_history` has every column that they choose by.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, FromQueryResult,
    QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Alias, Asterisk, Expr, ExprTrait, LikeExpr, Query},
};
use uuid::Uuid;
use vat::Registry;

use super::{Cursor, EvidenceRow, HistoryFilter, Start, Total};
use crate::{
    db::entities::evidence::{Column, Entity},
    evidence::search_text::patterns,
};

#[derive(FromQueryResult)]
struct Counted {
    rows: i64,
}

/// Up to `most` rows from `start` on, newest first.
pub(super) async fn rows(
    db: &impl ConnectionTrait,
    account: Uuid,
    filter: &HistoryFilter,
    start: Start<Cursor>,
    most: u64,
) -> Result<Vec<EvidenceRow>, DbErr> {
    let place = Expr::tuple([Column::ReceivedAt.into_expr(), Column::Id.into_expr()]);
    let at =
        |(received_at, id): (DateTime<Utc>, Uuid)| Expr::tuple([Expr::value(received_at), Expr::value(id)]);
    let chosen = Entity::find().filter(chosen(account, filter)).limit(most);
    let chosen = match start {
        Start::Newest => chosen,
        Start::OlderThan(cursor) => chosen.filter(place.lt(at(cursor.key()))),
        Start::NewerThan(cursor) => {
            let nearest_first = chosen
                .filter(place.gt(at(cursor.key())))
                .order_by_asc(Column::ReceivedAt)
                .order_by_asc(Column::Id);
            let mut rows = nearest_first.all(db).await?;
            rows.reverse();
            return Ok(rows);
        }
    };
    chosen.order_by_desc(Column::ReceivedAt).order_by_desc(Column::Id).all(db).await
}

/// How many rows there are in all; what is found by a text, up to `most_found`.
pub(super) async fn count(
    db: &DatabaseConnection,
    account: Uuid,
    filter: &HistoryFilter,
    most_found: u64,
) -> Result<Total, DbErr> {
    let all = Entity::find().select_only().filter(chosen(account, filter));
    let searches = filter.find.as_deref().is_some_and(|typed| !patterns(typed).is_empty());
    let rows = if searches {
        let found = all.expr_as(Expr::value(1), "found").limit(most_found.saturating_add(1)).into_query();
        let count = Query::select()
            .expr_as(Expr::col(Asterisk).count(), Alias::new("rows"))
            .from_subquery(found, Alias::new("some"))
            .take();
        let row = db.query_one(&count).await?.ok_or_else(|| DbErr::RecordNotFound("a count".to_owned()))?;
        Counted::from_query_result(&row, "")?.rows
    } else {
        let count = all.expr_as(Expr::col(Asterisk).count(), "rows").into_model::<Counted>().one(db).await?;
        count.map_or(0, |count| count.rows)
    };
    let rows = u64::try_from(rows).unwrap_or(0);
    Ok(if searches && rows > most_found { Total::MoreThan(most_found) } else { Total::Exactly(rows) })
}

pub(super) async fn one(
    db: &impl ConnectionTrait,
    account: Uuid,
    id: Uuid,
) -> Result<Option<EvidenceRow>, DbErr> {
    Entity::find_by_id(id).filter(Column::AccountId.eq(account)).one(db).await
}

fn chosen(account: Uuid, filter: &HistoryFilter) -> Condition {
    let HistoryFilter { find, from, until, outcome, registry, caller } = filter;
    let registry = registry.map(|registry| match registry {
        Registry::Hmrc => "hmrc",
        Registry::Vies => "vies",
    });
    // One of several must fit, and one of none never does.
    let found = find.as_deref().map(patterns).filter(|patterns| !patterns.is_empty()).map(|patterns| {
        let fits = |pattern| Column::SearchText.like(LikeExpr::new(pattern).escape('\\'));
        patterns.into_iter().map(fits).fold(Condition::any(), Condition::add)
    });
    let (earliest, latest) = (year(1), year(9999));
    Condition::all()
        .add(Column::AccountId.eq(account))
        // Always said: SQLite would choose another index without.
        .add(Column::ReceivedAt.gte(from.unwrap_or(earliest).clamp(earliest, latest)))
        .add_option(until.map(|until| Column::ReceivedAt.lt(until.clamp(earliest, latest))))
        .add_option(outcome.map(|outcome| Column::Outcome.eq(outcome)))
        .add_option(registry.map(|registry| Column::Registry.eq(registry)))
        .add_option(caller.map(|caller| Column::CallerId.eq(caller)))
        .add_option(found)
}

/// The first moment of a year that every database knows.
fn year(year: i32) -> DateTime<Utc> {
    NaiveDate::from_yo_opt(year, 1).unwrap_or_default().and_time(NaiveTime::MIN).and_utc()
}
