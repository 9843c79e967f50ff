//! The queries of the verification. Rows are read as what is stored, whatever that is: a changed one may be no event at all.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, FromQueryResult, QueryFilter,
    QueryOrder, QueryResult, QuerySelect, QueryTrait, sea_query::ExprTrait,
};
use uuid::Uuid;

use crate::{
    audit::{Link, store::ends},
    db::{
        entities::audit_event::{Column, Entity},
        read,
    },
};

/// An event as it is stored.
#[derive(FromQueryResult)]
pub(super) struct StoredEvent {
    pub(super) sequence: i64,
    pub(super) id: Uuid,
    pub(super) at: DateTime<Utc>,
    pub(super) deed: String,
    pub(super) actor_kind: String,
    pub(super) actor_id: Option<Uuid>,
    pub(super) account_id: Option<Uuid>,
    pub(super) subject_id: Option<Uuid>,
    pub(super) detail: String,
    pub(super) from_address: Option<String>,
    pub(super) encoding: i16,
    pub(super) hash: Vec<u8>,
}

/// An event, or the number of a row that is none.
pub(super) type Row = Result<StoredEvent, i64>;

/// The chain's ends, with rows that lie outside of them.
pub(super) struct Bounds {
    pub(super) end: Link,
    pub(super) anchor: Link,
    pub(super) outside: Vec<Row>,
}

/// How the chain lies at this moment, with up to `most` rows outside of it.
pub(super) async fn bounds(db: &DatabaseConnection, most: u64) -> Result<Bounds, DbErr> {
    read(db, async |moment| {
        let (end, anchor) = ends(moment).await?;
        let outside = Entity::find()
            .filter(Column::Sequence.lte(anchor.sequence).or(Column::Sequence.gt(end.sequence)))
            .order_by_asc(Column::Sequence)
            .limit(most)
            .into_query();
        let outside = moment.query_all(&outside).await?.iter().map(row).collect::<Result<_, _>>()?;
        Ok(Bounds { end, anchor, outside })
    })
    .await
}

/// Up to `most` rows after a number and up to another.
pub(super) async fn part(
    db: &impl ConnectionTrait,
    (after, up_to): (i64, i64),
    most: u64,
) -> Result<Vec<Row>, DbErr> {
    let part = Entity::find()
        .filter(Column::Sequence.gt(after))
        .filter(Column::Sequence.lte(up_to))
        .order_by_asc(Column::Sequence)
        .limit(most)
        .into_query();
    db.query_all(&part).await?.iter().map(row).collect()
}

fn row(result: &QueryResult) -> Result<Row, DbErr> {
    match StoredEvent::from_query_result(result, "") {
        Ok(event) => Ok(Ok(event)),
        Err(_) => Ok(Err(result.try_get("", "sequence")?)),
    }
}
