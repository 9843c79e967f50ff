//! The queries of `registry_slices`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter, sea_query::OnConflict,
};

use crate::{
    db::{
        entities::registry_slice::{ActiveModel, Column, Entity},
        sum_with_excluded, within_limit, write,
    },
    verification::gateway::{RegistryPart, Slice, SliceCounts},
};

/// Rows of one statement: databases allow so many values.
const ROWS: usize = 500;

/// Adds `slices` to what is there, and forgets what is older than `before`.
pub(super) async fn add(
    db: &DatabaseConnection,
    slices: &[Slice],
    before: DateTime<Utc>,
) -> Result<(), DbErr> {
    write(db, async |transaction| {
        for slices in slices.chunks(ROWS) {
            let counted = [Column::Answering, Column::Slow, Column::Refusing];
            let conflict = OnConflict::columns([Column::StartsAt, Column::Part])
                .values(counted.map(|column| (column, sum_with_excluded((Entity, column)))))
                .to_owned();
            Entity::insert_many(slices.iter().map(row))
                .on_conflict(conflict)
                .exec_without_returning(transaction)
                .await?;
        }
        Entity::delete_many().filter(Column::StartsAt.lt(before)).exec(transaction).await?;
        Ok(())
    })
    .await
}

/// Everything from `from` on.
pub(super) async fn slices(db: &DatabaseConnection, from: DateTime<Utc>) -> Result<Vec<Slice>, DbErr> {
    let rows = Entity::find().filter(Column::StartsAt.gte(from)).all(db);
    let rows = within_limit(rows).await?;
    let count = |rows: i64| u32::try_from(rows).unwrap_or(u32::MAX);
    let slices = rows.into_iter().filter_map(|row| {
        let counts = SliceCounts {
            answering: count(row.answering),
            slow: count(row.slow),
            refusing: count(row.refusing),
        };
        Some(Slice { starts_at: row.starts_at, part: RegistryPart::from_code(&row.part)?, counts })
    });
    Ok(slices.collect())
}

fn row(slice: &Slice) -> ActiveModel {
    ActiveModel {
        starts_at: Set(slice.starts_at),
        part: Set(slice.part.code().to_owned()),
        answering: Set(slice.counts.answering.into()),
        slow: Set(slice.counts.slow.into()),
        refusing: Set(slice.counts.refusing.into()),
    }
}
