//! Plans, what an account has agreed and set, and the life of a key after it was issued.

use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, big_integer_null, integer, integer_null, small_integer, string_len, string_len_null,
        timestamp_with_time_zone_null, uuid_null,
    },
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(DeriveIden)]
enum Plans {
    Table,
    /// A word, as it stands in rate limit headers.
    Code,
    Name,
    RequestsPerMinute,
    NumbersPerMonth,
}

#[derive(DeriveIden)]
enum Accounts {
    Table,
    /// SQLite cannot add a column that both refers to another table and must have a value, so nothing but the service
    /// ensures that the plan exists.
    Plan,
    /// Agreed with this account instead of its plan's.
    RequestsPerMinute,
    NumbersPerMonth,
    /// The account's own numbers, in whose name registries are asked.
    GbRequester,
    EuRequester,
    SupplierCountry,
    /// How old an answer may be unless a call says otherwise.
    MaxAgeSeconds,
}

#[derive(DeriveIden)]
enum ApiKeys {
    Table,
    MadeByKind,
    MadeById,
    /// To the minute.
    LastUsedAt,
    /// The key that takes this one's place.
    RotatedTo,
}

/// One row with a number that grows with everything that changes who may call: each instance watches it.
#[derive(DeriveIden)]
enum AccessVersion {
    Table,
    Id,
    Version,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table(Plans::Table)
                    .col(string_len(Plans::Code, 32).primary_key())
                    .col(string_len(Plans::Name, 100))
                    .col(integer(Plans::RequestsPerMinute))
                    .col(big_integer(Plans::NumbersPerMonth))
                    .to_owned(),
            )
            .await?;
        let standard = Query::insert()
            .into_table(Plans::Table)
            .columns([Plans::Code, Plans::Name, Plans::RequestsPerMinute, Plans::NumbersPerMonth])
            .values_panic(["standard".into(), "Standard".into(), 100.into(), 50_000_i64.into()])
            .to_owned();
        manager.execute(standard).await?;
        for column in [
            string_len(Accounts::Plan, 32).default("standard").take(),
            integer_null(Accounts::RequestsPerMinute),
            big_integer_null(Accounts::NumbersPerMonth),
            string_len_null(Accounts::GbRequester, 16),
            string_len_null(Accounts::EuRequester, 16),
            string_len_null(Accounts::SupplierCountry, 2),
            integer(Accounts::MaxAgeSeconds).default(3600).take(),
        ] {
            add_column(manager, Accounts::Table, column).await?;
        }
        for column in [
            string_len(ApiKeys::MadeByKind, 16).default("command_line").take(),
            uuid_null(ApiKeys::MadeById),
            timestamp_with_time_zone_null(ApiKeys::LastUsedAt),
            uuid_null(ApiKeys::RotatedTo),
        ] {
            add_column(manager, ApiKeys::Table, column).await?;
        }
        manager
            .create_table(
                Table::create()
                    .table(AccessVersion::Table)
                    .col(small_integer(AccessVersion::Id).primary_key())
                    .col(big_integer(AccessVersion::Version))
                    .to_owned(),
            )
            .await?;
        let first = Query::insert()
            .into_table(AccessVersion::Table)
            .columns([AccessVersion::Id, AccessVersion::Version])
            .values_panic([1_i16.into(), 0_i64.into()])
            .to_owned();
        manager.execute(first).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(AccessVersion::Table).to_owned()).await?;
        for column in [ApiKeys::RotatedTo, ApiKeys::LastUsedAt, ApiKeys::MadeById, ApiKeys::MadeByKind] {
            drop_column(manager, ApiKeys::Table, column).await?;
        }
        for column in [
            Accounts::MaxAgeSeconds,
            Accounts::SupplierCountry,
            Accounts::EuRequester,
            Accounts::GbRequester,
            Accounts::NumbersPerMonth,
            Accounts::RequestsPerMinute,
            Accounts::Plan,
        ] {
            drop_column(manager, Accounts::Table, column).await?;
        }
        manager.drop_table(Table::drop().table(Plans::Table).to_owned()).await
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
