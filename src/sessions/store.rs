//! The queries of `sessions`.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, sea_query::OnConflict,
};
use uuid::Uuid;

use super::{SessionKey, SignedIn, session_store::Written};
pub(super) use crate::db::entities::session::Model as SessionRow;
use crate::{
    db::{
        entities::{
            member,
            session::{ActiveModel, Column, Entity},
            support_staff,
        },
        has_second_factor, sessions_of, write,
    },
    passwords::PasswordFingerprint,
    people::Person,
};

/// What became of a session that was to be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inserted {
    /// It is there.
    Yes,
    /// There is another with its key.
    KeyTaken,
    /// Whoever signed in has another password by now, or a second factor that was not seen, or can sign in no more.
    NotKept,
}

pub(super) async fn insert(
    db: &DatabaseConnection,
    key: &SessionKey,
    written: &Written,
    now: DateTime<Utc>,
) -> Result<Inserted, DbErr> {
    write(db, async |transaction| {
        if !may_be_kept(transaction, written).await? {
            return Ok(Inserted::NotKept);
        }
        let row = ActiveModel { key_hash: Set(key.stored()), created_at: Set(now), ..columns(written, now) };
        let inserted = Entity::insert(row)
            .on_conflict(OnConflict::column(Column::KeyHash).do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await;
        match inserted {
            Ok(1) => Ok(Inserted::Yes),
            Ok(_) | Err(DbErr::RecordNotInserted) => Ok(Inserted::KeyTaken),
            Err(error) => Err(error),
        }
    })
    .await
}

/// Whether the password that somebody signed in with is the present one, and the second factor was seen if there is one. Until
/// the transaction ends nobody changes either: who does ends the person's sessions, before this one or with it.
async fn may_be_kept(transaction: &impl ConnectionTrait, written: &Written) -> Result<bool, DbErr> {
    let Some(signed_in) = &written.signed_in else { return Ok(true) };
    let kept = match signed_in.person() {
        Person::Member(id) => {
            let row = member::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
            row.filter(|row| row.removed_at.is_none()).and_then(|row| row.password_hash)
        }
        Person::Support(id) => {
            let row = support_staff::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
            row.filter(|row| row.disabled_at.is_none()).and_then(|row| row.password_hash)
        }
    };
    let is_present = kept.is_some_and(|kept| PasswordFingerprint::of(&kept) == signed_in.password());
    let is_proved = signed_in.proved_at().is_some();
    Ok(is_present && (is_proved || !has_second_factor(transaction, signed_in.person()).await?))
}

pub(super) async fn update(
    db: &DatabaseConnection,
    key: &SessionKey,
    written: &Written,
    now: DateTime<Utc>,
    lifetime: Duration,
) -> Result<(), DbErr> {
    write(db, async |transaction| {
        if !may_be_kept(transaction, written).await? {
            return Ok(());
        }
        let Some(row) = find(transaction, key, now).await? else { return Ok(()) };
        let expires_at = written.expires_at.min(row.created_at + lifetime);
        let changed = ActiveModel { expires_at: Set(expires_at), ..columns(written, now) };
        Entity::update_many().set(changed).filter(Column::KeyHash.eq(key.stored())).exec(transaction).await?;
        Ok(())
    })
    .await
}

fn columns(written: &Written, now: DateTime<Utc>) -> ActiveModel {
    let signed_in = written.signed_in.as_ref();
    let person = signed_in.map(SignedIn::person);
    ActiveModel {
        data: Set(written.data.clone()),
        expires_at: Set(written.expires_at),
        member_id: Set(person.and_then(Person::member_id)),
        staff_id: Set(person.and_then(Person::support_id)),
        last_seen_at: Set(now),
        client_address: Set(signed_in.and_then(SignedIn::client_address).map(|address| address.to_string())),
        user_agent: Set(signed_in.and_then(SignedIn::user_agent).map(str::to_owned)),
        ..Default::default()
    }
}

pub(super) async fn find(
    db: &impl ConnectionTrait,
    key: &SessionKey,
    now: DateTime<Utc>,
) -> Result<Option<SessionRow>, DbErr> {
    Entity::find_by_id(key.stored()).filter(Column::ExpiresAt.gt(now)).one(db).await
}

pub(super) async fn delete(db: &DatabaseConnection, key: &SessionKey) -> Result<(), DbErr> {
    Entity::delete_by_id(key.stored()).exec(db).await?;
    Ok(())
}

pub(super) async fn of_person(
    db: &impl ConnectionTrait,
    person: Person,
    now: DateTime<Utc>,
) -> Result<Vec<SessionRow>, DbErr> {
    Entity::find()
        .filter(sessions_of(person))
        .filter(Column::ExpiresAt.gt(now))
        .order_by_desc(Column::LastSeenAt)
        .order_by_desc(Column::CreatedAt)
        .order_by_asc(Column::KeyHash)
        .all(db)
        .await
}

/// Whether the person had it.
pub(super) async fn end(
    transaction: &impl ConnectionTrait,
    person: Person,
    key: &SessionKey,
    now: DateTime<Utc>,
) -> Result<bool, DbErr> {
    let ended = Entity::delete_many()
        .filter(sessions_of(person))
        .filter(Column::KeyHash.eq(key.stored()))
        .filter(Column::ExpiresAt.gt(now))
        .exec(transaction)
        .await?;
    Ok(ended.rows_affected == 1)
}

pub(super) async fn account_of(db: &impl ConnectionTrait, person: Person) -> Result<Option<Uuid>, DbErr> {
    let Some(member) = person.member_id() else { return Ok(None) };
    Ok(member::Entity::find_by_id(member).one(db).await?.map(|member| member.account_id))
}

/// `None` for somebody who was removed. Nobody signs in as the member until the transaction ends.
pub(super) async fn lock_member(
    transaction: &impl ConnectionTrait,
    member: Uuid,
) -> Result<Option<member::Model>, DbErr> {
    let row = member::Entity::find_by_id(member).lock_exclusive().one(transaction).await?;
    Ok(row.filter(|row| row.removed_at.is_none()))
}

pub(super) async fn delete_expired(
    transaction: &impl ConnectionTrait,
    now: DateTime<Utc>,
) -> Result<u64, DbErr> {
    let expired = Entity::delete_many().filter(Column::ExpiresAt.lte(now));
    Ok(expired.exec(transaction).await?.rows_affected)
}
