//! What is counted, what it is counted against, and the proof of every question put to a registry.

use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, boolean, date, string_len, string_len_null, text_null, timestamp_with_time_zone, uuid,
    },
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

/// What an account has used of its month's allowance.
#[derive(DeriveIden)]
enum Allowances {
    Table,
    AccountId,
    /// The first day of the month, UTC.
    Month,
    /// Numbers that a registry answered.
    Used,
}

/// Numbers set aside for a call until it is settled.
#[derive(DeriveIden)]
enum Reservations {
    Table,
    Id,
    AccountId,
    Month,
    /// Not yet settled.
    Numbers,
    /// Every call is over by then: what is still here was left by a server that died.
    ExpiresAt,
}

/// Calls by hour.
#[derive(DeriveIden)]
enum UsageRequests {
    Table,
    AccountId,
    Hour,
    /// The key or the member.
    CallerId,
    /// `live` or `test`.
    Mode,
    /// `answered`, or the code of the error.
    Answer,
    Count,
}

/// Numbers by hour.
#[derive(DeriveIden)]
enum UsageNumbers {
    Table,
    AccountId,
    Hour,
    CallerId,
    Mode,
    /// `hmrc`, `vies` or `none`.
    Registry,
    Status,
    /// `live`, `cache` or `none`.
    Source,
    Count,
}

/// One row for every question put to a registry.
#[derive(DeriveIden)]
enum Evidence {
    Table,
    Id,
    AccountId,
    VatNumber,
    Registry,
    Outcome,
    /// Why there was no answer.
    Reason,
    /// In whose name it was asked.
    Requester,
    RequesterRefused,
    Name,
    Address,
    ConsultationNumber,
    /// The registry's own date or time, as it wrote it.
    RegistryDated,
    /// When the answer arrived, or when it was given up.
    ReceivedAt,
    CallerKind,
    CallerId,
    RequestId,
}

/// The last batch that each writer committed, so that none is written twice when it is not known whether a commit
/// succeeded.
#[derive(DeriveIden)]
enum Recorders {
    Table,
    Id,
    Batch,
    CommittedAt,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for mut table in
            [allowances(), reservations(), usage_requests(), usage_numbers(), evidence(), recorders()]
        {
            manager.create_table(table.take()).await?;
        }
        for mut index in [
            // Answers that can be used again.
            Index::create()
                .name("evidence_number")
                .table(Evidence::Table)
                .col(Evidence::AccountId)
                .col(Evidence::VatNumber)
                .col(Evidence::ReceivedAt),
            // The history of an account.
            Index::create()
                .name("evidence_history")
                .table(Evidence::Table)
                .col(Evidence::AccountId)
                .col(Evidence::ReceivedAt),
        ]
        .map(IndexCreateStatement::take)
        {
            manager.create_index(index.take()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for mut table in [
            Table::drop().table(Recorders::Table).take(),
            Table::drop().table(Evidence::Table).take(),
            Table::drop().table(UsageNumbers::Table).take(),
            Table::drop().table(UsageRequests::Table).take(),
            Table::drop().table(Reservations::Table).take(),
            Table::drop().table(Allowances::Table).take(),
        ] {
            manager.drop_table(table.take()).await?;
        }
        Ok(())
    }
}

fn allowances() -> TableCreateStatement {
    Table::create()
        .table(Allowances::Table)
        .col(uuid(Allowances::AccountId))
        .col(date(Allowances::Month))
        .col(big_integer(Allowances::Used))
        .primary_key(Index::create().col(Allowances::AccountId).col(Allowances::Month))
        .take()
}

fn reservations() -> TableCreateStatement {
    Table::create()
        .table(Reservations::Table)
        .col(uuid(Reservations::AccountId))
        .col(date(Reservations::Month))
        .col(uuid(Reservations::Id))
        .col(big_integer(Reservations::Numbers))
        .col(timestamp_with_time_zone(Reservations::ExpiresAt))
        .primary_key(
            Index::create().col(Reservations::AccountId).col(Reservations::Month).col(Reservations::Id),
        )
        .take()
}

fn usage_requests() -> TableCreateStatement {
    Table::create()
        .table(UsageRequests::Table)
        .col(uuid(UsageRequests::AccountId))
        .col(timestamp_with_time_zone(UsageRequests::Hour))
        .col(uuid(UsageRequests::CallerId))
        .col(string_len(UsageRequests::Mode, 8))
        .col(string_len(UsageRequests::Answer, 40))
        .col(big_integer(UsageRequests::Count))
        .primary_key(
            Index::create()
                .col(UsageRequests::AccountId)
                .col(UsageRequests::Hour)
                .col(UsageRequests::CallerId)
                .col(UsageRequests::Mode)
                .col(UsageRequests::Answer),
        )
        .take()
}

fn usage_numbers() -> TableCreateStatement {
    Table::create()
        .table(UsageNumbers::Table)
        .col(uuid(UsageNumbers::AccountId))
        .col(timestamp_with_time_zone(UsageNumbers::Hour))
        .col(uuid(UsageNumbers::CallerId))
        .col(string_len(UsageNumbers::Mode, 8))
        .col(string_len(UsageNumbers::Registry, 8))
        .col(string_len(UsageNumbers::Status, 16))
        .col(string_len(UsageNumbers::Source, 8))
        .col(big_integer(UsageNumbers::Count))
        .primary_key(
            Index::create()
                .col(UsageNumbers::AccountId)
                .col(UsageNumbers::Hour)
                .col(UsageNumbers::CallerId)
                .col(UsageNumbers::Mode)
                .col(UsageNumbers::Registry)
                .col(UsageNumbers::Status)
                .col(UsageNumbers::Source),
        )
        .take()
}

fn evidence() -> TableCreateStatement {
    Table::create()
        .table(Evidence::Table)
        .col(uuid(Evidence::Id).primary_key())
        .col(uuid(Evidence::AccountId))
        .col(string_len(Evidence::VatNumber, 16))
        .col(string_len(Evidence::Registry, 8))
        .col(string_len(Evidence::Outcome, 16))
        .col(string_len_null(Evidence::Reason, 32))
        .col(string_len_null(Evidence::Requester, 16))
        .col(boolean(Evidence::RequesterRefused))
        .col(text_null(Evidence::Name))
        .col(text_null(Evidence::Address))
        .col(text_null(Evidence::ConsultationNumber))
        .col(text_null(Evidence::RegistryDated))
        .col(timestamp_with_time_zone(Evidence::ReceivedAt))
        .col(string_len(Evidence::CallerKind, 16))
        .col(uuid(Evidence::CallerId))
        .col(string_len(Evidence::RequestId, 64))
        .take()
}

fn recorders() -> TableCreateStatement {
    Table::create()
        .table(Recorders::Table)
        .col(uuid(Recorders::Id).primary_key())
        .col(big_integer(Recorders::Batch))
        .col(timestamp_with_time_zone(Recorders::CommittedAt))
        .take()
}
