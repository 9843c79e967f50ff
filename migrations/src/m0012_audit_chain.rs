//! The events of the audit log in one chain: each has a number and the hash of everything before it and of itself. Events
//! that are there are chained in the order of their time. One more table holds where the chain ends and begins.

use audit_chain::{ENCODING, Event, Hash};
use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, binary_len, small_integer, string_len, string_len_null, text, timestamp_with_time_zone,
        uuid, uuid_null,
    },
    sea_orm::{
        ConnectionTrait, QueryResult,
        prelude::{DateTimeUtc, Uuid},
    },
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(Clone, Copy, DeriveIden)]
enum AuditEvents {
    Table,
    Id,
    /// From 1 on, without a gap, in the order in which deeds were committed.
    Sequence,
    At,
    Deed,
    ActorKind,
    ActorId,
    AccountId,
    SubjectId,
    Detail,
    FromAddress,
    /// The way in which the event was written down for its hash.
    Encoding,
    /// SHA-256 of the hash before it and of every other column.
    Hash,
}

/// The table as it was, while it is changed.
#[derive(Clone, Copy, DeriveIden)]
enum AuditEventsBefore {
    Table,
}

/// One row, which every deed locks last.
#[derive(DeriveIden)]
enum AuditChain {
    Table,
    Id,
    /// Of the last event.
    Sequence,
    Hash,
    /// Of the last event that was deleted because its time was over: what the first one that is kept follows.
    AnchorSequence,
    AnchorHash,
}

/// Events that are read and written at once.
const PART: u64 = 500;

const COLUMNS_BEFORE: [AuditEvents; 9] = [
    AuditEvents::Id,
    AuditEvents::At,
    AuditEvents::Deed,
    AuditEvents::ActorKind,
    AuditEvents::ActorId,
    AuditEvents::AccountId,
    AuditEvents::SubjectId,
    AuditEvents::Detail,
    AuditEvents::FromAddress,
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Its indexes go with it: by that of the time the events are read, part after part.
        rename(manager, AuditEvents::Table, AuditEventsBefore::Table).await?;
        // SQLite adds no column that must have a value and has none by itself.
        let mut chained = table();
        chained
            .col(big_integer(AuditEvents::Sequence).unique_key())
            .col(small_integer(AuditEvents::Encoding))
            .col(binary_len(AuditEvents::Hash, 32));
        manager.create_table(chained).await?;
        let (sequence, hash) = chain_old_events(manager.get_connection()).await?;
        manager.drop_table(Table::drop().table(AuditEventsBefore::Table).to_owned()).await?;
        manager
            .create_index(
                Index::create()
                    .name("audit_events_account")
                    .table(AuditEvents::Table)
                    .col(AuditEvents::AccountId)
                    .col(AuditEvents::Sequence)
                    .to_owned(),
            )
            .await?;
        create_index(manager, "audit_events_at", AuditEvents::At).await?;
        manager
            .create_table(
                Table::create()
                    .table(AuditChain::Table)
                    .col(small_integer(AuditChain::Id).primary_key())
                    .col(big_integer(AuditChain::Sequence))
                    .col(binary_len(AuditChain::Hash, 32))
                    .col(big_integer(AuditChain::AnchorSequence))
                    .col(binary_len(AuditChain::AnchorHash, 32))
                    .to_owned(),
            )
            .await?;
        let the_row = Query::insert()
            .into_table(AuditChain::Table)
            .columns([
                AuditChain::Id,
                AuditChain::Sequence,
                AuditChain::Hash,
                AuditChain::AnchorSequence,
                AuditChain::AnchorHash,
            ])
            .values_panic([
                1_i16.into(),
                sequence.into(),
                hash.bytes().to_vec().into(),
                0_i64.into(),
                Hash::NONE.bytes().to_vec().into(),
            ])
            .to_owned();
        manager.execute(the_row).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(AuditChain::Table).to_owned()).await?;
        drop_index(manager, "audit_events_at").await?;
        drop_index(manager, "audit_events_account").await?;
        rename(manager, AuditEvents::Table, AuditEventsBefore::Table).await?;
        manager.create_table(table()).await?;
        let kept = Query::select().columns(COLUMNS_BEFORE).from(AuditEventsBefore::Table).take();
        let mut copy = Query::insert().into_table(AuditEvents::Table).columns(COLUMNS_BEFORE).take();
        copy.select_from(kept).map_err(|error| DbErr::Custom(error.to_string()))?;
        manager.execute(copy).await?;
        manager.drop_table(Table::drop().table(AuditEventsBefore::Table).to_owned()).await?;
        create_index(manager, "audit_events_at", AuditEvents::At).await?;
        create_index(manager, "audit_events_account_id", AuditEvents::AccountId).await
    }
}

/// What it has before and after.
fn table() -> TableCreateStatement {
    Table::create()
        .table(AuditEvents::Table)
        .col(uuid(AuditEvents::Id).primary_key())
        .col(timestamp_with_time_zone(AuditEvents::At))
        .col(string_len(AuditEvents::Deed, 40))
        .col(string_len(AuditEvents::ActorKind, 16))
        .col(uuid_null(AuditEvents::ActorId))
        .col(uuid_null(AuditEvents::AccountId))
        .col(uuid_null(AuditEvents::SubjectId))
        .col(text(AuditEvents::Detail))
        .col(string_len_null(AuditEvents::FromAddress, 45))
        .take()
}

async fn drop_index(manager: &SchemaManager<'_>, name: &str) -> Result<(), DbErr> {
    manager.drop_index(Index::drop().name(name).table(AuditEvents::Table).to_owned()).await
}

async fn create_index(manager: &SchemaManager<'_>, name: &str, column: AuditEvents) -> Result<(), DbErr> {
    manager.create_index(Index::create().name(name).table(AuditEvents::Table).col(column).to_owned()).await
}

async fn rename(
    manager: &SchemaManager<'_>,
    from: impl IntoTableRef,
    to: impl IntoTableRef,
) -> Result<(), DbErr> {
    manager.rename_table(Table::rename().table(from, to).to_owned()).await
}

/// Copies the old events, oldest first, each with its number and hash. The last ones of these.
async fn chain_old_events(db: &impl ConnectionTrait) -> Result<(i64, Hash), DbErr> {
    let (mut sequence, mut hash) = (0, Hash::NONE);
    let mut last: Option<(DateTimeUtc, Uuid)> = None;
    loop {
        let mut part = Query::select().columns(COLUMNS_BEFORE).from(AuditEventsBefore::Table).take();
        if let Some((at, id)) = last {
            let place = Expr::tuple([Expr::col(AuditEvents::At), Expr::col(AuditEvents::Id)]);
            part.and_where(place.gt(Expr::tuple([Expr::value(at), Expr::value(id)])));
        }
        part.order_by(AuditEvents::At, Order::Asc).order_by(AuditEvents::Id, Order::Asc).limit(PART);
        let rows = db.query_all(&part).await?;
        if rows.is_empty() {
            return Ok((sequence, hash));
        }
        let mut copy = Query::insert().into_table(AuditEvents::Table).take();
        copy.columns(COLUMNS_BEFORE.into_iter().chain([
            AuditEvents::Sequence,
            AuditEvents::Encoding,
            AuditEvents::Hash,
        ]));
        for row in &rows {
            let old = OldEvent::of(row)?;
            last = Some((old.at, old.id));
            sequence += 1;
            hash = old.hash(sequence, &hash);
            copy.values_panic([
                old.id.into(),
                old.at.into(),
                old.deed.into(),
                old.actor_kind.into(),
                old.actor_id.into(),
                old.account_id.into(),
                old.subject_id.into(),
                old.detail.into(),
                old.from_address.into(),
                sequence.into(),
                ENCODING.into(),
                hash.bytes().to_vec().into(),
            ]);
        }
        db.execute(&copy).await?;
    }
}

struct OldEvent {
    id: Uuid,
    at: DateTimeUtc,
    deed: String,
    actor_kind: String,
    actor_id: Option<Uuid>,
    account_id: Option<Uuid>,
    subject_id: Option<Uuid>,
    detail: String,
    from_address: Option<String>,
}

impl OldEvent {
    fn of(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            id: row.try_get("", "id")?,
            at: row.try_get("", "at")?,
            deed: row.try_get("", "deed")?,
            actor_kind: row.try_get("", "actor_kind")?,
            actor_id: row.try_get("", "actor_id")?,
            account_id: row.try_get("", "account_id")?,
            subject_id: row.try_get("", "subject_id")?,
            detail: row.try_get("", "detail")?,
            from_address: row.try_get("", "from_address")?,
        })
    }

    fn hash(&self, sequence: i64, previous: &Hash) -> Hash {
        let event = Event {
            sequence,
            id: self.id.into_bytes(),
            at: (self.at.timestamp(), self.at.timestamp_subsec_nanos()),
            deed: &self.deed,
            actor_kind: &self.actor_kind,
            actor_id: self.actor_id.map(Uuid::into_bytes),
            account_id: self.account_id.map(Uuid::into_bytes),
            subject_id: self.subject_id.map(Uuid::into_bytes),
            detail: &self.detail,
            from_address: self.from_address.as_deref(),
        };
        event.hash(previous)
    }
}
