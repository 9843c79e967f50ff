//! The queries about what is shown of rows. Whose run it is was looked at before.

use std::collections::{BTreeSet, HashMap};

use sea_orm::{
    ColumnTrait, DatabaseConnection, DbErr, EntityTrait, Order, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
    sea_query::{CaseStatement, Condition, Expr, ExprTrait, LikeExpr, SimpleExpr},
};
use uuid::Uuid;
use vat::{AdviceCode, VatNumber};

use super::{CountryCount, RowOrder, RowOutcome, RowQuery};
pub(super) use crate::db::entities::batch_row::Model as RowRow;
use crate::db::entities::{
    batch_row::{Column, Entity},
    batch_run,
};

/// Outcomes by how much they need a look.
const MOST_NEEDED_FIRST: [RowOutcome; 6] = [
    RowOutcome::NotRegistered,
    RowOutcome::Malformed,
    RowOutcome::Unavailable,
    RowOutcome::Unsupported,
    RowOutcome::Waiting,
    RowOutcome::Valid,
];

/// Places in one statement: the databases limit its parameters.
const PLACES: usize = 1000;

/// Where the account of a run sells from; `None` when it has no such run.
pub(super) async fn supplier_country(
    db: &DatabaseConnection,
    account_id: Uuid,
    run: Uuid,
) -> Result<Option<Option<String>>, DbErr> {
    batch_run::Entity::find_by_id(run)
        .select_only()
        .column(batch_run::Column::SupplierCountry)
        .filter(batch_run::Column::AccountId.eq(account_id))
        .into_tuple()
        .one(db)
        .await
}

/// The rows that are asked for, and how many there are on all pages.
pub(super) async fn page(
    db: &DatabaseConnection,
    run: Uuid,
    query: &RowQuery,
) -> Result<(Vec<RowRow>, u64), DbErr> {
    let found = filtered(run, query);
    if query.advised {
        let mut rows = sorted(may_be_advised(found), query).all(db).await?;
        rows.retain(|row| is_advised(&row.submitted, row.outcome));
        let total = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        let part = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        return Ok((rows.into_iter().skip(part(query.offset)).take(part(query.limit)).collect(), total));
    }
    let total = found.clone().count(db).await?;
    let rows = sorted(found, query).offset(query.offset).limit(query.limit).all(db).await?;
    Ok((rows, total))
}

/// The lines of the first rows with the numbers of these, by their places, as far as they are known.
pub(super) async fn lines_of_first(
    db: &DatabaseConnection,
    run: Uuid,
    rows: &[RowRow],
) -> Result<HashMap<i32, i32>, DbErr> {
    let repeats = rows.iter().filter(|row| row.first_place != row.place);
    let places: BTreeSet<i32> = repeats.map(|row| row.first_place).collect();
    let mut lines = HashMap::new();
    for places in places.into_iter().collect::<Vec<_>>().chunks(PLACES) {
        let some: Vec<(i32, Option<i32>)> = of_run(run)
            .select_only()
            .columns([Column::Place, Column::Line])
            .filter(Column::Place.is_in(places.iter().copied()))
            .into_tuple()
            .all(db)
            .await?;
        lines.extend(some.into_iter().filter_map(|(place, line)| Some((place, line?))));
    }
    Ok(lines)
}

/// How many rows there is advice about.
pub(super) async fn advised(db: &DatabaseConnection, run: Uuid) -> Result<u64, DbErr> {
    let rows: Vec<(String, RowOutcome)> = may_be_advised(of_run(run))
        .select_only()
        .columns([Column::Submitted, Column::Outcome])
        .into_tuple()
        .all(db)
        .await?;
    let advised = rows.iter().filter(|(submitted, outcome)| is_advised(submitted, *outcome)).count();
    Ok(u64::try_from(advised).unwrap_or(u64::MAX))
}

/// Rows behind a place, in order.
pub(super) async fn after(
    db: &DatabaseConnection,
    run: Uuid,
    place: i32,
    most: u64,
) -> Result<Vec<RowRow>, DbErr> {
    of_run(run).filter(Column::Place.gt(place)).order_by_asc(Column::Place).limit(most).all(db).await
}

pub(super) async fn countries(
    db: &DatabaseConnection,
    run: Uuid,
    outcome: Option<RowOutcome>,
) -> Result<Vec<CountryCount>, DbErr> {
    let query = RowQuery { outcome, ..RowQuery::default() };
    let rows: Vec<(String, i64)> = filtered(run, &query)
        .select_only()
        .column(Column::Country)
        .column_as(Column::Place.count(), "count")
        .group_by(Column::Country)
        .order_by(Column::Place.count(), Order::Desc)
        .order_by_asc(Column::Country)
        .into_tuple()
        .all(db)
        .await?;
    let count = |(country, rows)| CountryCount { country, rows: u64::try_from(rows).unwrap_or(0) };
    Ok(rows.into_iter().map(count).collect())
}

fn of_run(run: Uuid) -> Select<Entity> {
    Entity::find().filter(Column::RunId.eq(run))
}

fn filtered(run: Uuid, query: &RowQuery) -> Select<Entity> {
    let mut found = of_run(run);
    if let Some(outcome) = query.outcome {
        found = found.filter(Column::Outcome.eq(outcome));
    }
    if let Some(country) = &query.country {
        found = found.filter(Column::Country.eq(country));
    }
    let search = query.search.trim().to_lowercase();
    if !search.is_empty() {
        let mut any = Condition::any()
            .add(contains(Column::SearchText, &search))
            .add(contains(Column::NameKey, &search));
        // A number is found however it is grouped.
        let ungrouped: String = search.chars().filter(|c| !is_between_groups(*c)).collect();
        let has_digits = ungrouped.chars().any(|c| c.is_ascii_digit());
        if has_digits && ungrouped != search {
            any = any.add(contains(Column::SearchText, &ungrouped));
        }
        found = found.filter(any);
    }
    found
}

/// Leaves out most of the rows that there is no advice about: registered numbers that were typed as they are.
fn may_be_advised(found: Select<Entity>) -> Select<Entity> {
    let as_typed = Expr::col(Column::Submitted).ne(Expr::col(Column::VatNumber));
    found.filter(Condition::any().add(as_typed).add(Column::Outcome.ne(RowOutcome::Valid)))
}

/// Whether the text was repaired to be read, or is perhaps a slip. Check digits of what is registered are none.
fn is_advised(submitted: &str, outcome: RowOutcome) -> bool {
    VatNumber::parse(submitted).advice().iter().any(|advice| match advice.code {
        AdviceCode::SeparatorsRemoved => false,
        AdviceCode::CheckDigitsDoNotFit => outcome != RowOutcome::Valid,
        _ => true,
    })
}

/// What people write between the groups of a number.
const fn is_between_groups(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '.' | '-' | '/')
}

fn contains(column: Column, text: &str) -> SimpleExpr {
    // PostgreSQL takes no NUL, and no row holds one.
    let text = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_").replace('\0', "\u{fffd}");
    Expr::col(column).like(LikeExpr::new(format!("%{text}%")).escape('\\'))
}

fn sorted(found: Select<Entity>, query: &RowQuery) -> Select<Entity> {
    let order = if query.descending { Order::Desc } else { Order::Asc };
    let found = match query.order {
        RowOrder::Place => return found.order_by(Column::Place, order),
        RowOrder::Number => found.order_by(Column::VatNumber, order),
        RowOrder::Outcome => found.order_by(need_of_a_look(), order),
        // The databases do not agree where rows without a value come.
        RowOrder::Name => {
            found.order_by(Column::NameKey.is_null(), Order::Asc).order_by(Column::NameKey, order)
        }
    };
    found.order_by_asc(Column::Place)
}

fn need_of_a_look() -> SimpleExpr {
    (0i32..)
        .zip(MOST_NEEDED_FIRST)
        .fold(CaseStatement::new(), |cases, (place, outcome)| {
            cases.case(Column::Outcome.eq(outcome), Expr::val(place))
        })
        .into()
}
