//! The queries of `one_time_links`.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

use super::{IssuedLink, NewLink, OneTimeLink, Purpose};
pub(super) use crate::db::entities::one_time_link::Model as LinkRow;
use crate::{
    db::{
        entities::{
            account, member,
            one_time_link::{Column, Entity},
            support_staff,
        },
        usable_links,
    },
    people::Person,
};

/// A link that brings a key, its account and its receiver.
pub(super) type SentRow = (OneTimeLink, Option<account::Model>, Option<member::Model>);

/// The account of a person who can be sent a link; nobody else sends them one until the transaction ends.
pub(super) async fn lock_person(
    transaction: &impl ConnectionTrait,
    person: Person,
) -> Result<Option<Option<Uuid>>, DbErr> {
    match person {
        Person::Member(id) => {
            let row = member::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
            Ok(row.filter(|row| row.removed_at.is_none()).map(|row| Some(row.account_id)))
        }
        Person::Support(id) => {
            let row = support_staff::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
            Ok(row.filter(|row| row.disabled_at.is_none()).map(|_| None))
        }
    }
}

pub(super) async fn insert(
    transaction: &impl ConnectionTrait,
    issued: &IssuedLink,
    (new, account_id): (NewLink<'_>, Option<Uuid>),
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    let row = LinkRow {
        id: issued.id,
        secret_hash: issued.secret.hash().to_vec(),
        purpose: new.purpose,
        account_id,
        member_id: new.person.member_id(),
        staff_id: new.person.support_id(),
        created_at: now,
        expires_at: issued.expires_at,
        opened_at: None,
        used_at: None,
        withdrawn_at: None,
        key_name: new.key.map(|key| key.name.clone()),
        key_mode: new.key.map(|key| key.mode),
    };
    Entity::insert(row.into_active_model()).exec_without_returning(transaction).await?;
    Ok(())
}

pub(super) async fn find(
    db: &impl ConnectionTrait,
    purpose: Purpose,
    hash: &[u8; 32],
) -> Result<Option<LinkRow>, DbErr> {
    Entity::find().filter(with_hash(purpose, hash)).one(db).await
}

pub(super) async fn by_id(db: &impl ConnectionTrait, link: Uuid) -> Result<Option<LinkRow>, DbErr> {
    Entity::find_by_id(link).one(db).await
}

pub(super) async fn open(db: &DatabaseConnection, link: Uuid, now: DateTime<Utc>) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::OpenedAt, Expr::value(now))
        .filter(Column::Id.eq(link))
        .filter(Column::OpenedAt.is_null())
        .exec(db)
        .await?;
    Ok(())
}

/// Whether it could be used, which it can be no more now.
pub(super) async fn consume(
    transaction: &impl ConnectionTrait,
    purpose: Purpose,
    hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<bool, DbErr> {
    let used = Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(now))
        .filter(with_hash(purpose, hash))
        .filter(usable_links(now))
        .exec(transaction)
        .await?;
    Ok(used.rows_affected == 1)
}

/// Whether the account has it and it could be used, which it can be no more now.
pub(super) async fn withdraw(
    transaction: &impl ConnectionTrait,
    account_id: Option<Uuid>,
    link: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, DbErr> {
    let of = account_id.map_or_else(|| Column::AccountId.is_null(), |account| Column::AccountId.eq(account));
    let withdrawn = Entity::update_many()
        .col_expr(Column::WithdrawnAt, Expr::value(now))
        .filter(Column::Id.eq(link))
        .filter(of)
        .filter(usable_links(now))
        .exec(transaction)
        .await?;
    Ok(withdrawn.rows_affected == 1)
}

pub(super) async fn of_account(db: &DatabaseConnection, account_id: Uuid) -> Result<Vec<LinkRow>, DbErr> {
    Entity::find()
        .filter(Column::AccountId.eq(account_id))
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .all(db)
        .await
}

pub(super) async fn claims(
    db: &DatabaseConnection,
    account_id: Option<Uuid>,
    most: u64,
    now: DateTime<Utc>,
) -> Result<Vec<SentRow>, DbErr> {
    let mut claims = Entity::find()
        .filter(Column::Purpose.eq(Purpose::ClaimKey))
        .filter(Column::KeyName.is_not_null())
        .find_also_related(account::Entity)
        .find_also_related(member::Entity);
    if let Some(account) = account_id {
        claims = claims.filter(Column::AccountId.eq(account));
    }
    let rows = claims.order_by_desc(Column::CreatedAt).order_by_desc(Column::Id).limit(most).all(db).await?;
    rows.into_iter()
        .map(|(link, account, member)| Ok((OneTimeLink::of(&link, now)?, account, member)))
        .collect()
}

/// The latest link to a key that a member was sent.
pub(super) async fn newest_claim(
    transaction: &impl ConnectionTrait,
    member: Uuid,
) -> Result<Option<LinkRow>, DbErr> {
    Entity::find()
        .filter(Column::MemberId.eq(member))
        .filter(Column::Purpose.eq(Purpose::ClaimKey))
        .filter(Column::KeyName.is_not_null())
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .one(transaction)
        .await
}

pub(super) async fn of_staff(db: &DatabaseConnection) -> Result<Vec<LinkRow>, DbErr> {
    Entity::find()
        .filter(Column::StaffId.is_not_null())
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .all(db)
        .await
}

pub(super) async fn delete_ended_before(
    transaction: &impl ConnectionTrait,
    moment: DateTime<Utc>,
) -> Result<u64, DbErr> {
    let ended = Condition::any()
        .add(Column::UsedAt.lt(moment))
        .add(Column::WithdrawnAt.lt(moment))
        .add(Column::ExpiresAt.lt(moment));
    Ok(Entity::delete_many().filter(ended).exec(transaction).await?.rows_affected)
}

fn with_hash(purpose: Purpose, hash: &[u8; 32]) -> Condition {
    Condition::all().add(Column::SecretHash.eq(hash.to_vec())).add(Column::Purpose.eq(purpose))
}
