//! Usage by day: what was counted in the hours of days that are over, added up once.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, date, string_len, uuid},
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

/// Calls by day; the columns are those of `usage_requests`.
#[derive(DeriveIden)]
enum UsageRequestDays {
    Table,
    AccountId,
    /// UTC.
    Day,
    CallerId,
    Mode,
    Answer,
    Count,
}

/// Numbers by day; the columns are those of `usage_numbers`.
#[derive(DeriveIden)]
enum UsageNumberDays {
    Table,
    AccountId,
    Day,
    CallerId,
    Mode,
    Registry,
    Status,
    Source,
    Count,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(request_days()).await?;
        manager.create_table(number_days()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(UsageNumberDays::Table).take()).await?;
        manager.drop_table(Table::drop().table(UsageRequestDays::Table).take()).await
    }
}

fn request_days() -> TableCreateStatement {
    Table::create()
        .table(UsageRequestDays::Table)
        .col(uuid(UsageRequestDays::AccountId))
        .col(date(UsageRequestDays::Day))
        .col(uuid(UsageRequestDays::CallerId))
        .col(string_len(UsageRequestDays::Mode, 8))
        .col(string_len(UsageRequestDays::Answer, 40))
        .col(big_integer(UsageRequestDays::Count))
        .primary_key(
            Index::create()
                .col(UsageRequestDays::AccountId)
                .col(UsageRequestDays::Day)
                .col(UsageRequestDays::CallerId)
                .col(UsageRequestDays::Mode)
                .col(UsageRequestDays::Answer),
        )
        .take()
}

fn number_days() -> TableCreateStatement {
    Table::create()
        .table(UsageNumberDays::Table)
        .col(uuid(UsageNumberDays::AccountId))
        .col(date(UsageNumberDays::Day))
        .col(uuid(UsageNumberDays::CallerId))
        .col(string_len(UsageNumberDays::Mode, 8))
        .col(string_len(UsageNumberDays::Registry, 8))
        .col(string_len(UsageNumberDays::Status, 16))
        .col(string_len(UsageNumberDays::Source, 8))
        .col(big_integer(UsageNumberDays::Count))
        .primary_key(
            Index::create()
                .col(UsageNumberDays::AccountId)
                .col(UsageNumberDays::Day)
                .col(UsageNumberDays::CallerId)
                .col(UsageNumberDays::Mode)
                .col(UsageNumberDays::Registry)
                .col(UsageNumberDays::Status)
                .col(UsageNumberDays::Source),
        )
        .take()
}
