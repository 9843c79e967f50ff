//! The queries of `registry_holds`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use super::{Hold, Said};
use crate::{
    db::{
        entities::registry_hold::{ActiveModel, Column, Entity},
        within_limit,
    },
    verification::gateway::RegistryPart,
};

/// What was said last of each part.
pub(super) async fn all(db: &DatabaseConnection) -> Result<Vec<Said>, DbErr> {
    let rows = within_limit(Entity::find().all(db)).await?;
    let said = rows.into_iter().filter_map(|row| {
        let hold = Hold { since: row.since, until: row.until, reason: row.reason, staff_id: row.staff_id };
        let part = RegistryPart::from_code(&row.part)?;
        Some(Said { id: row.id, part, hold, closed_at: row.closed_at })
    });
    Ok(said.collect())
}

/// Puts `said` in the place of what was said of the part before. False: it is there already.
pub(super) async fn put(transaction: &impl ConnectionTrait, said: Said) -> Result<bool, DbErr> {
    let Said { id, part, hold, closed_at } = said;
    let row = ActiveModel {
        part: Set(part.code().to_owned()),
        id: Set(id),
        since: Set(hold.since),
        until: Set(hold.until),
        closed_at: Set(closed_at),
        reason: Set(hold.reason),
        staff_id: Set(hold.staff_id),
    };
    let others =
        [Column::Id, Column::Since, Column::Until, Column::ClosedAt, Column::Reason, Column::StaffId];
    let conflict = OnConflict::column(Column::Part)
        .update_columns(others)
        .action_and_where(Expr::col((Entity, Column::Id)).ne(id))
        .to_owned();
    let rows = Entity::insert(row).on_conflict(conflict).exec_without_returning(transaction).await?;
    Ok(rows > 0)
}

/// Forgets what ended by itself before `ended`, and what was closed before `closed`.
pub(super) async fn forget(
    db: &DatabaseConnection,
    ended: DateTime<Utc>,
    closed: DateTime<Utc>,
) -> Result<(), DbErr> {
    let has_ended = Condition::all().add(Column::ClosedAt.is_null()).add(Column::Until.lte(ended));
    let over = Condition::any().add(has_ended).add(Column::ClosedAt.lt(closed));
    within_limit(Entity::delete_many().filter(over).exec(db)).await?;
    Ok(())
}
