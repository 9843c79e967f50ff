//! The queries of `batch_checks` about runs and the work on them. Those about what is shown of rows are in `rows`.

use std::{collections::HashSet, time::Duration};

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait,
    FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{Alias, Condition, Expr, ExprTrait, Func, OnConflict, Query, SimpleExpr},
};
use uuid::Uuid;
use vat::{Registry, Status, SupplierCountry};

use super::{PauseReason, RUNS_AT_ONCE, RowOutcome, RunState, StopReason, reading::NewRow};
pub(super) use crate::db::entities::batch_run::Model as RunRow;
use crate::{
    db::{
        AccountTerms, Together,
        entities::{
            account,
            batch_row::{self, Column as RowColumn, Entity as Rows},
            batch_run::{ActiveModel, Column, Entity},
            member::{self, Role},
            plan,
        },
    },
    verification::{checked_number::CheckedNumber, requesters::Requesters},
    verify_vat::Asker,
};

/// Rows in one statement: the databases limit its parameters.
const ROWS: usize = 500;
/// How often it is tried to have a run that somebody else was given meanwhile.
const CLAIMS: u32 = 8;

pub(super) type RunWithStarter = (RunRow, Option<member::Model>);

pub(super) struct NewRunRow {
    pub(super) id: Uuid,
    pub(super) account_id: Uuid,
    pub(super) member_id: Uuid,
    pub(super) token: Uuid,
    pub(super) file_name: Option<String>,
    pub(super) requesters: Requesters,
    pub(super) supplier_country: Option<SupplierCountry>,
    pub(super) max_age: Duration,
    pub(super) now: DateTime<Utc>,
}

/// A member of an account, as one who asks.
pub(super) struct FoundAsker {
    pub(super) asker: Asker,
    /// Not removed, and may do more than look.
    pub(super) may_ask: bool,
}

/// The first row with a number that waits.
#[derive(Debug, FromQueryResult)]
pub(super) struct WaitingRow {
    pub(super) place: i32,
    pub(super) vat_number: String,
    pub(super) tries: i16,
}

/// What came of a number, for all rows with it.
pub(super) struct RowResult {
    first_place: i32,
    columns: batch_row::ActiveModel,
}

/// How a run goes on after a part.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    pub(super) now: DateTime<Utc>,
    /// The next part is not begun before.
    pub(super) turn_at: DateTime<Utc>,
    pub(super) pause: Option<PauseReason>,
    /// It is not to go on by itself.
    pub(super) stop: Option<StopReason>,
}

impl RowResult {
    /// It was asked so often in vain, and is asked again.
    pub(super) fn put_off(first_place: i32, tries: i16) -> Self {
        Self { first_place, columns: batch_row::ActiveModel { tries: Set(tries), ..Default::default() } }
    }

    /// It is decided, as was asked in the name of `requester`.
    pub(super) fn decided(first_place: i32, number: &CheckedNumber, requester: Option<String>) -> Self {
        let trader = number.trader();
        let name = trader.and_then(|trader| trader.name.clone());
        let columns = batch_row::ActiveModel {
            outcome: Set(outcome_of(number.status())),
            reason: Set(number.unresolved().map(|unresolved| unresolved.reason.as_str().to_owned())),
            requester: Set(requester),
            requester_refused: Set(number.requester_refused()),
            name_key: Set(name.as_deref().map(str::to_lowercase)),
            name: Set(name),
            address: Set(trader.and_then(|trader| trader.address.clone())),
            consultation_number: Set(number.consultation_number().map(str::to_owned)),
            evidence_id: Set(number.evidence_id()),
            decided_at: Set(Some(number.decided_at())),
            ..Default::default()
        };
        Self { first_place, columns }
    }
}

const fn outcome_of(status: Status) -> RowOutcome {
    match status {
        Status::Valid => RowOutcome::Valid,
        Status::NotRegistered => RowOutcome::NotRegistered,
        Status::Malformed => RowOutcome::Malformed,
        Status::Unsupported => RowOutcome::Unsupported,
        Status::Unavailable => RowOutcome::Unavailable,
    }
}

pub(super) async fn run_of_token(
    db: &impl ConnectionTrait,
    account_id: Uuid,
    token: Uuid,
) -> Result<Option<Uuid>, DbErr> {
    let run = Entity::find().filter(Column::AccountId.eq(account_id)).filter(Column::Token.eq(token));
    Ok(run.one(db).await?.map(|run| run.id))
}

/// A member of the account, removed or not; `None` when there never was such a one.
pub(super) async fn asker(
    db: &impl ConnectionTrait,
    account_id: Uuid,
    member_id: Uuid,
) -> Result<Option<FoundAsker>, DbErr> {
    let member = member::Entity::find_by_id(member_id).one(db).await?;
    let Some(member) = member.filter(|member| member.account_id == account_id) else { return Ok(None) };
    let Some(account) = account::Entity::find_by_id(account_id).one(db).await? else { return Ok(None) };
    let Some(plan) = plan::Entity::find_by_id(account.plan.clone()).one(db).await? else {
        return Err(DbErr::RecordNotFound(format!("the plan {:?} of account {account_id}", account.plan)));
    };
    Ok(Some(FoundAsker {
        asker: Asker::member(account_id, AccountTerms::of(&account, &plan), member_id),
        may_ask: member.removed_at.is_none() && member.role != Role::Viewer,
    }))
}

/// Whether it was inserted: not when the account has a run with its token.
pub(super) async fn insert(
    transaction: &DatabaseTransaction,
    new: NewRunRow,
    rows: Vec<NewRow>,
) -> Result<bool, DbErr> {
    let (id, now) = (new.id, new.now);
    let run = new_run(new, &rows);
    let inserted = Entity::insert(run)
        .on_conflict(OnConflict::columns([Column::AccountId, Column::Token]).do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await;
    match inserted {
        Ok(0) | Err(DbErr::RecordNotInserted) => return Ok(false),
        Ok(_) => {}
        Err(error) => return Err(error),
    }
    let mut rows = rows.into_iter().map(|row| new_row(id, row, now)).peekable();
    while rows.peek().is_some() {
        let some: Vec<_> = rows.by_ref().take(ROWS).collect();
        Rows::insert_many(some).exec_without_returning(transaction).await?;
    }
    Ok(true)
}

fn new_run(new: NewRunRow, rows: &[NewRow]) -> ActiveModel {
    let count = |outcome| as_column(rows.iter().filter(|row| row.outcome == outcome).count());
    let waits = rows.iter().any(|row| row.outcome == RowOutcome::Waiting);
    let text = |number: Option<vat::VatNumber>| number.map(|number| number.to_string());
    ActiveModel {
        id: Set(new.id),
        account_id: Set(new.account_id),
        member_id: Set(new.member_id),
        asked_by: Set(new.member_id),
        token: Set(new.token),
        file_name: Set(new.file_name),
        first_text: Set(rows.first().map(|row| row.submitted.clone()).unwrap_or_default()),
        hmrc_requester: Set(text(new.requesters.known_to(Registry::Hmrc))),
        vies_requester: Set(text(new.requesters.known_to(Registry::Vies))),
        supplier_country: Set(new.supplier_country.map(|country| country.as_str().to_owned())),
        max_age_seconds: Set(i32::try_from(new.max_age.as_secs()).unwrap_or(i32::MAX)),
        state: Set(if waits { RunState::Running } else { RunState::Done }),
        stop_reason: Set(None),
        created_at: Set(new.now),
        queued_at: Set(new.now),
        ended_at: Set((!waits).then_some(new.now)),
        parts: Set(0),
        turn_at: Set(new.now),
        pause: Set(None),
        lease_until: Set(None),
        rows: Set(as_column(rows.len())),
        valid: Set(0),
        not_registered: Set(0),
        malformed: Set(count(RowOutcome::Malformed)),
        unsupported: Set(count(RowOutcome::Unsupported)),
        unavailable: Set(0),
    }
}

fn new_row(run_id: Uuid, row: NewRow, now: DateTime<Utc>) -> batch_row::ActiveModel {
    let search_text = format!("{}\n{}", row.submitted, row.vat_number).to_lowercase();
    batch_row::ActiveModel {
        run_id: Set(run_id),
        place: Set(row.place),
        line: Set(Some(row.line)),
        submitted: Set(row.submitted),
        vat_number: Set(row.vat_number),
        country: Set(row.country),
        first_place: Set(row.first_place),
        decided_at: Set((row.outcome != RowOutcome::Waiting).then_some(now)),
        outcome: Set(row.outcome),
        tries: Set(0),
        registry: Set(row.registry.map(|registry| code_of(registry).to_owned())),
        requester_refused: Set(false),
        search_text: Set(search_text),
        reason: Set(None),
        requester: Set(None),
        name: Set(None),
        address: Set(None),
        consultation_number: Set(None),
        evidence_id: Set(None),
        name_key: Set(None),
    }
}

const fn code_of(registry: Registry) -> &'static str {
    match registry {
        Registry::Hmrc => "hmrc",
        Registry::Vies => "vies",
    }
}

fn as_column(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// Nobody else changes it until the transaction ends.
pub(super) async fn find_to_change(
    transaction: &impl ConnectionTrait,
    run: Uuid,
) -> Result<Option<RunRow>, DbErr> {
    Entity::find_by_id(run).lock_exclusive().one(transaction).await
}

pub(super) async fn stop(
    transaction: &impl ConnectionTrait,
    run: RunRow,
    reason: StopReason,
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    let columns = ActiveModel {
        state: Set(RunState::Stopped),
        stop_reason: Set(Some(reason)),
        pause: Set(None),
        turn_at: Set(now),
        ..Default::default()
    };
    update(transaction, run.id, columns).await
}

/// A part that is on its way keeps its lease: the next is not begun before it is taken in.
pub(super) async fn send_on(
    transaction: &impl ConnectionTrait,
    run: RunRow,
    member_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    let columns = ActiveModel {
        state: Set(RunState::Running),
        stop_reason: Set(None),
        asked_by: Set(member_id),
        queued_at: Set(now),
        turn_at: Set(now),
        pause: Set(None),
        ended_at: Set(None),
        ..Default::default()
    };
    update(transaction, run.id, columns).await
}

async fn update(transaction: &impl ConnectionTrait, run: Uuid, columns: ActiveModel) -> Result<(), DbErr> {
    Entity::update_many().set(columns).filter(Column::Id.eq(run)).exec(transaction).await?;
    Ok(())
}

/// Has the rows wait again that nobody answered. How many these are.
pub(super) async fn put_back_unavailable(
    transaction: &impl ConnectionTrait,
    run: Uuid,
) -> Result<u64, DbErr> {
    let columns = batch_row::ActiveModel {
        outcome: Set(RowOutcome::Waiting),
        tries: Set(0),
        reason: Set(None),
        decided_at: Set(None),
        ..Default::default()
    };
    let unavailable = Rows::update_many()
        .set(columns)
        .filter(RowColumn::RunId.eq(run))
        .filter(RowColumn::Outcome.eq(RowOutcome::Unavailable));
    Ok(unavailable.exec(transaction).await?.rows_affected)
}

/// Counts the rows of a run by outcome. Whether any waits.
pub(super) async fn recount(transaction: &impl ConnectionTrait, run: Uuid) -> Result<bool, DbErr> {
    let counts: Vec<(RowOutcome, i64)> = Rows::find()
        .select_only()
        .column(RowColumn::Outcome)
        .column_as(RowColumn::Place.count(), "count")
        .filter(RowColumn::RunId.eq(run))
        .group_by(RowColumn::Outcome)
        .into_tuple()
        .all(transaction)
        .await?;
    let count = |outcome| {
        let found = counts.iter().find(|(counted, _)| *counted == outcome);
        found.map_or(0, |(_, count)| i32::try_from(*count).unwrap_or(i32::MAX))
    };
    let columns = ActiveModel {
        valid: Set(count(RowOutcome::Valid)),
        not_registered: Set(count(RowOutcome::NotRegistered)),
        malformed: Set(count(RowOutcome::Malformed)),
        unsupported: Set(count(RowOutcome::Unsupported)),
        unavailable: Set(count(RowOutcome::Unavailable)),
        ..Default::default()
    };
    update(transaction, run, columns).await?;
    Ok(count(RowOutcome::Waiting) > 0)
}

pub(super) async fn find(
    db: &DatabaseConnection,
    account_id: Uuid,
    run: Uuid,
) -> Result<Option<RunWithStarter>, DbErr> {
    let run = Entity::find_by_id(run).filter(Column::AccountId.eq(account_id));
    run.find_also_related(member::Entity).one(db).await
}

/// Some runs of an account, newest first, and how many it has.
pub(super) async fn list(
    db: &DatabaseConnection,
    account_id: Uuid,
    offset: u64,
    limit: u64,
) -> Result<(Vec<RunWithStarter>, u64), DbErr> {
    let all = Entity::find().filter(Column::AccountId.eq(account_id));
    let total = all.clone().count(db).await?;
    let runs = all
        .find_also_related(member::Entity)
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .offset(offset)
        .limit(limit)
        .all(db)
        .await?;
    Ok((runs, total))
}

/// The runs of an account for which it is too early.
pub(super) async fn queued_behind_others(
    db: &DatabaseConnection,
    account_id: Uuid,
) -> Result<HashSet<Uuid>, DbErr> {
    let running: Vec<Uuid> = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::State.eq(RunState::Running))
        .order_by_asc(Column::QueuedAt)
        .order_by_asc(Column::Id)
        .into_tuple()
        .all(db)
        .await?;
    Ok(running.into_iter().skip(RUNS_AT_ONCE as usize).collect())
}

/// Gives the run that has waited longest for its turn to the caller until `until`.
pub(super) async fn claim(
    db: &DatabaseConnection,
    at_once: u32,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<Option<RunRow>, DbErr> {
    let free = || Condition::any().add(Column::LeaseUntil.is_null()).add(Column::LeaseUntil.lte(now));
    for _ in 0..CLAIMS {
        let next = Entity::find()
            .filter(Column::State.eq(RunState::Running))
            .filter(Column::TurnAt.lte(now))
            .filter(free())
            .filter(earlier_runs_of_the_account().lt(i64::from(at_once)))
            .order_by_asc(Column::TurnAt)
            .order_by_asc(Column::Id)
            .one(db)
            .await?;
        let Some(mut run) = next else { return Ok(None) };
        let part = run.parts.saturating_add(1);
        let columns = ActiveModel {
            lease_until: Set(Some(until)),
            parts: Set(part),
            pause: Set(None),
            ..Default::default()
        };
        let claimed = Entity::update_many()
            .set(columns)
            .filter(Column::Id.eq(run.id))
            .filter(Column::State.eq(RunState::Running))
            .filter(Column::Parts.eq(run.parts))
            .filter(free())
            .exec(db)
            .await?;
        if claimed.rows_affected == 1 {
            run.parts = part;
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// How many runs of the same account run and were queued before.
fn earlier_runs_of_the_account() -> SimpleExpr {
    let earlier = Alias::new("earlier");
    let this = |column: Column| Expr::col((Entity, column));
    let that = |column: Column| Expr::col((earlier.clone(), column));
    let is_before = Condition::any().add(that(Column::QueuedAt).lt(this(Column::QueuedAt))).add(
        Condition::all()
            .add(that(Column::QueuedAt).eq(this(Column::QueuedAt)))
            .add(that(Column::Id).lt(this(Column::Id))),
    );
    let count = Query::select()
        .expr(Func::count(that(Column::Id)))
        .from_as(Entity, earlier.clone())
        .and_where(that(Column::AccountId).eq(this(Column::AccountId)))
        .and_where(that(Column::State).eq(RunState::Running))
        .cond_where(is_before)
        .take();
    Expr::SubQuery(None, Box::new(count.into()))
}

/// The first rows with each number that waits, those first that were tried least often.
pub(super) async fn waiting_rows(
    db: &DatabaseConnection,
    run: Uuid,
    most: u64,
) -> Result<Vec<WaitingRow>, DbErr> {
    first_rows_that_wait(run)
        .select_only()
        .columns([RowColumn::Place, RowColumn::VatNumber, RowColumn::Tries])
        .order_by_asc(RowColumn::Tries)
        .order_by_asc(RowColumn::Place)
        .limit(most)
        .into_model()
        .all(db)
        .await
}

/// How many different numbers wait.
pub(super) async fn waiting_numbers(db: &DatabaseConnection, run: Uuid) -> Result<u64, DbErr> {
    first_rows_that_wait(run).count(db).await
}

fn first_rows_that_wait(run: Uuid) -> Select<Rows> {
    Rows::find()
        .filter(RowColumn::RunId.eq(run))
        .filter(RowColumn::Outcome.eq(RowOutcome::Waiting))
        .filter(Expr::col(RowColumn::Place).eq(Expr::col(RowColumn::FirstPlace)))
}

/// Takes in what came of the part for which `run` was claimed, and gives the run back. Whether that was still wanted: not
/// when somebody else has been given the run since, or it was deleted.
pub(super) async fn take_in(
    transaction: &DatabaseTransaction,
    run: &RunRow,
    results: &[RowResult],
    ending: Ending,
) -> Result<bool, DbErr> {
    let now = find_to_change(transaction, run.id).await?;
    let Some(state) = now.filter(|now| now.parts == run.parts).map(|now| now.state) else {
        return Ok(false);
    };
    let mut statements = Together::on(transaction);
    for RowResult { first_place, columns } in results {
        let rows = Rows::update_many()
            .set(columns.clone())
            .filter(RowColumn::RunId.eq(run.id))
            .filter(RowColumn::FirstPlace.eq(*first_place));
        statements.add(&rows.into_query());
    }
    if !results.is_empty() {
        statements.execute(transaction).await?;
    }
    let any_waits = recount(transaction, run.id).await?;
    let mut columns = ActiveModel { lease_until: Set(None), ..Default::default() };
    if !any_waits {
        columns.state = Set(RunState::Done);
        columns.stop_reason = Set(None);
        columns.ended_at = Set(Some(ending.now));
    } else if state == RunState::Running {
        columns.turn_at = Set(ending.turn_at);
        columns.pause = Set(ending.pause);
        if let Some(reason) = ending.stop {
            columns.state = Set(RunState::Stopped);
            columns.stop_reason = Set(Some(reason));
        }
    }
    update(transaction, run.id, columns).await?;
    Ok(true)
}

/// Deletes runs that were started before a moment, until they had `most` rows or there are no more. How many runs and rows
/// these were.
pub(super) async fn delete_some_before(
    transaction: &impl ConnectionTrait,
    moment: DateTime<Utc>,
    most: u64,
) -> Result<u64, DbErr> {
    let old: Vec<(Uuid, i32)> = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Rows])
        .filter(Column::CreatedAt.lt(moment))
        .order_by_asc(Column::Id)
        .limit(most)
        .into_tuple()
        .all(transaction)
        .await?;
    let mut rows = 0;
    let some: Vec<Uuid> = old
        .into_iter()
        .take_while(|(_, more)| {
            let is_room = rows < most;
            rows += u64::try_from(*more).unwrap_or(0);
            is_room
        })
        .map(|(id, _)| id)
        .collect();
    let rows = Rows::delete_many().filter(RowColumn::RunId.is_in(some.clone())).exec(transaction).await?;
    let runs = Entity::delete_many().filter(Column::Id.is_in(some)).exec(transaction).await?;
    Ok(rows.rows_affected + runs.rows_affected)
}
