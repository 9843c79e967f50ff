//! One-time links as others than their own service must know them: who takes somebody away, or sees a password changed,
//! withdraws them in the same transaction.

use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, sea_query::Expr};

use super::entities::one_time_link::{Column, Entity, Purpose};
use crate::people::Person;

/// Withdraws the links of a person that could still be used, for these purposes. How many they were.
///
/// # Errors
/// The database failed.
pub(crate) async fn withdraw_links(
    transaction: &impl ConnectionTrait,
    person: Person,
    purposes: &[Purpose],
    now: DateTime<Utc>,
) -> Result<u64, DbErr> {
    let withdrawn = Entity::update_many()
        .col_expr(Column::WithdrawnAt, Expr::value(now))
        .filter(links_of(person))
        .filter(usable_links(now))
        .filter(Column::Purpose.is_in(purposes.iter().copied()))
        .exec(transaction)
        .await?;
    Ok(withdrawn.rows_affected)
}

fn links_of(person: Person) -> Condition {
    Condition::all().add(match person {
        Person::Member(id) => Column::MemberId.eq(id),
        Person::Support(id) => Column::StaffId.eq(id),
    })
}

/// Links that can still be used.
pub(crate) fn usable_links(now: DateTime<Utc>) -> Condition {
    Condition::all()
        .add(Column::UsedAt.is_null())
        .add(Column::WithdrawnAt.is_null())
        .add(Column::ExpiresAt.gt(now))
}
