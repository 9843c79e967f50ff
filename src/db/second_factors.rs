//! Second factors as others than their own service must know them: a session of somebody who has one is kept only if it was
//! seen, and who is taken away loses it.

use sea_orm::{ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use super::entities::{
    recovery_code,
    second_factor::{Column, Entity},
};
use crate::people::Person;

/// The second factor of a person.
pub(crate) fn second_factor_of(person: Person) -> Condition {
    Condition::all().add(match person {
        Person::Member(id) => Column::MemberId.eq(id),
        Person::Support(id) => Column::StaffId.eq(id),
    })
}

/// Whether a person has a second factor.
///
/// # Errors
/// The database failed.
pub(crate) async fn has_second_factor(db: &impl ConnectionTrait, person: Person) -> Result<bool, DbErr> {
    Ok(Entity::find().filter(second_factor_of(person)).one(db).await?.is_some())
}

/// Deletes the second factor of a person, with its recovery codes. Whether there was one.
///
/// # Errors
/// The database failed.
pub(crate) async fn forget_second_factor(
    transaction: &impl ConnectionTrait,
    person: Person,
) -> Result<bool, DbErr> {
    let Some(row) = Entity::find().filter(second_factor_of(person)).one(transaction).await? else {
        return Ok(false);
    };
    let codes = recovery_code::Column::SecondFactorId.eq(row.id);
    recovery_code::Entity::delete_many().filter(codes).exec(transaction).await?;
    Entity::delete_by_id(row.id).exec(transaction).await?;
    Ok(true)
}
