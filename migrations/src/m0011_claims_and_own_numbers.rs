//! What the link to a key carries; what the registry said of the number of a company that asks for keys, and what it is
//! recognised by among the accounts that there are.

use company_names::folded;
use sea_orm_migration::{
    prelude::*,
    schema::{string_len, string_len_null, text_null, timestamp_with_time_zone_null},
    sea_orm::{ConnectionTrait, prelude::Uuid},
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(DeriveIden)]
enum OneTimeLinks {
    Table,
    Purpose,
    /// What the key will be called and whether it reaches the registries. It is made when the link is used, not before.
    KeyName,
    KeyMode,
}

#[derive(DeriveIden)]
enum KeyRequests {
    Table,
    VatNumber,
    /// What came of asking about the number: `valid`, `not_registered`, `malformed` or `unavailable`; none when nobody has
    /// asked.
    NumberOutcome,
    /// Who is registered, as far as the registry says it.
    NumberTrader,
    NumberAskedAt,
}

#[derive(DeriveIden)]
enum Accounts {
    Table,
    Id,
    Name,
    /// The name without what differs from one writing to the next.
    FoldedName,
}

const BY_PURPOSE: &str = "one_time_links_purpose";
const BY_NUMBER: &str = "key_requests_vat_number";
const BY_FOLDED_NAME: &str = "accounts_folded_name";

/// Accounts that are read at once.
const PART: u64 = 500;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [string_len_null(OneTimeLinks::KeyName, 100), string_len_null(OneTimeLinks::KeyMode, 8)]
        {
            add_column(manager, OneTimeLinks::Table, column).await?;
        }
        for column in [
            string_len_null(KeyRequests::NumberOutcome, 16),
            text_null(KeyRequests::NumberTrader),
            timestamp_with_time_zone_null(KeyRequests::NumberAskedAt),
        ] {
            add_column(manager, KeyRequests::Table, column).await?;
        }
        let by_purpose =
            Index::create().name(BY_PURPOSE).table(OneTimeLinks::Table).col(OneTimeLinks::Purpose).to_owned();
        manager.create_index(by_purpose).await?;
        let by_number =
            Index::create().name(BY_NUMBER).table(KeyRequests::Table).col(KeyRequests::VatNumber).to_owned();
        manager.create_index(by_number).await?;
        let mut folded_name = string_len(Accounts::FoldedName, 400);
        add_column(manager, Accounts::Table, folded_name.default("").take()).await?;
        fold_names(manager.get_connection()).await?;
        let by_folded_name =
            Index::create().name(BY_FOLDED_NAME).table(Accounts::Table).col(Accounts::FoldedName).to_owned();
        manager.create_index(by_folded_name).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(Index::drop().name(BY_FOLDED_NAME).table(Accounts::Table).to_owned()).await?;
        drop_column(manager, Accounts::Table, Accounts::FoldedName).await?;
        manager.drop_index(Index::drop().name(BY_NUMBER).table(KeyRequests::Table).to_owned()).await?;
        manager.drop_index(Index::drop().name(BY_PURPOSE).table(OneTimeLinks::Table).to_owned()).await?;
        for column in [KeyRequests::NumberAskedAt, KeyRequests::NumberTrader, KeyRequests::NumberOutcome] {
            drop_column(manager, KeyRequests::Table, column).await?;
        }
        for column in [OneTimeLinks::KeyMode, OneTimeLinks::KeyName] {
            drop_column(manager, OneTimeLinks::Table, column).await?;
        }
        Ok(())
    }
}

/// SQLite changes one column at a time.
async fn add_column(
    manager: &SchemaManager<'_>,
    table: impl Iden + 'static,
    mut column: ColumnDef,
) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table(table).add_column(column.take()).to_owned()).await
}

async fn drop_column(
    manager: &SchemaManager<'_>,
    table: impl Iden + 'static,
    column: impl Iden + 'static,
) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table(table).drop_column(column).to_owned()).await
}

/// Of the accounts that there are.
async fn fold_names(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    let mut last: Option<Uuid> = None;
    loop {
        let mut part = Query::select().columns([Accounts::Id, Accounts::Name]).from(Accounts::Table).take();
        if let Some(id) = last {
            part.and_where(Expr::col(Accounts::Id).gt(id));
        }
        let rows = db.query_all(part.order_by(Accounts::Id, Order::Asc).limit(PART)).await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            let id: Uuid = row.try_get("", "id")?;
            let name: String = row.try_get("", "name")?;
            let mut set = Query::update().table(Accounts::Table).take();
            set.value(Accounts::FoldedName, folded(&name)).and_where(Expr::col(Accounts::Id).eq(id));
            db.execute(&set).await?;
            last = Some(id);
        }
    }
}
