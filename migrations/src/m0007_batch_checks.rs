//! Batch checks: runs over many numbers, and every row of each with what came of it.

use sea_orm_migration::{
    prelude::*,
    schema::{
        boolean, integer, small_integer, string_len, string_len_null, text, text_null,
        timestamp_with_time_zone, timestamp_with_time_zone_null, uuid, uuid_null,
    },
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(DeriveIden)]
enum Accounts {
    Table,
    Id,
}

#[derive(DeriveIden)]
enum Members {
    Table,
    Id,
}

#[derive(DeriveIden)]
enum BatchRuns {
    Table,
    Id,
    AccountId,
    /// The member who started it.
    MemberId,
    /// The member on whose behalf registries are asked: who started it, or sent it on last.
    AskedBy,
    /// Of the form it was started with: sent twice it starts one run.
    Token,
    FileName,
    /// The first row, by which a run without a file is recognised.
    FirstText,
    HmrcRequester,
    ViesRequester,
    SupplierCountry,
    MaxAgeSeconds,
    /// `running`, `stopped` or `done`.
    State,
    StopReason,
    CreatedAt,
    /// When it was started, or sent on last: its place among the account's.
    QueuedAt,
    EndedAt,
    /// Parts that were begun: whoever works on the last has the run.
    Parts,
    /// The next part is not begun before this.
    TurnAt,
    /// Why it waits until then.
    Pause,
    /// Until when nobody begins another part, while one is worked on.
    LeaseUntil,
    /// How many rows there are, and how many with each outcome; the others wait.
    Rows,
    Valid,
    NotRegistered,
    Malformed,
    Unsupported,
    Unavailable,
}

#[derive(DeriveIden)]
enum BatchRows {
    Table,
    RunId,
    /// From 1, as pasted.
    Place,
    /// As typed.
    Submitted,
    /// In canonical form.
    VatNumber,
    /// Its first two letters.
    Country,
    /// The first row with the same number, which is asked for all of them.
    FirstPlace,
    /// `waiting`, or the status.
    Outcome,
    /// How often it was asked in vain and put off.
    Tries,
    /// Why nobody answered.
    Reason,
    /// `hmrc` or `vies`, if it is a number.
    Registry,
    /// In whose name it was asked.
    Requester,
    RequesterRefused,
    Name,
    Address,
    ConsultationNumber,
    EvidenceId,
    DecidedAt,
    /// What is searched: small letters, without separators too.
    SearchText,
    /// The name in small letters, by which rows are searched and sorted.
    NameKey,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for mut table in [batch_runs(), batch_rows()] {
            manager.create_table(table.take()).await?;
        }
        for mut index in [
            Index::create()
                .name("batch_runs_token")
                .table(BatchRuns::Table)
                .col(BatchRuns::AccountId)
                .col(BatchRuns::Token)
                .unique(),
            // The runs of an account, newest first.
            Index::create()
                .name("batch_runs_account")
                .table(BatchRuns::Table)
                .col(BatchRuns::AccountId)
                .col(BatchRuns::CreatedAt),
            // Whose turn it is.
            Index::create()
                .name("batch_runs_turn")
                .table(BatchRuns::Table)
                .col(BatchRuns::State)
                .col(BatchRuns::TurnAt),
            // All rows with the same number.
            Index::create()
                .name("batch_rows_first_place")
                .table(BatchRows::Table)
                .col(BatchRows::RunId)
                .col(BatchRows::FirstPlace),
        ]
        .map(IndexCreateStatement::take)
        {
            manager.create_index(index.take()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for mut table in
            [Table::drop().table(BatchRows::Table).take(), Table::drop().table(BatchRuns::Table).take()]
        {
            manager.drop_table(table.take()).await?;
        }
        Ok(())
    }
}

fn batch_runs() -> TableCreateStatement {
    Table::create()
        .table(BatchRuns::Table)
        .col(uuid(BatchRuns::Id).primary_key())
        .col(uuid(BatchRuns::AccountId))
        .col(uuid(BatchRuns::MemberId))
        .col(uuid(BatchRuns::AskedBy))
        .col(uuid(BatchRuns::Token))
        .col(string_len_null(BatchRuns::FileName, 200))
        .col(text(BatchRuns::FirstText))
        .col(string_len_null(BatchRuns::HmrcRequester, 16))
        .col(string_len_null(BatchRuns::ViesRequester, 16))
        .col(string_len_null(BatchRuns::SupplierCountry, 2))
        .col(integer(BatchRuns::MaxAgeSeconds))
        .col(string_len(BatchRuns::State, 8))
        .col(string_len_null(BatchRuns::StopReason, 24))
        .col(timestamp_with_time_zone(BatchRuns::CreatedAt))
        .col(timestamp_with_time_zone(BatchRuns::QueuedAt))
        .col(timestamp_with_time_zone_null(BatchRuns::EndedAt))
        .col(integer(BatchRuns::Parts))
        .col(timestamp_with_time_zone(BatchRuns::TurnAt))
        .col(string_len_null(BatchRuns::Pause, 24))
        .col(timestamp_with_time_zone_null(BatchRuns::LeaseUntil))
        .col(integer(BatchRuns::Rows))
        .col(integer(BatchRuns::Valid))
        .col(integer(BatchRuns::NotRegistered))
        .col(integer(BatchRuns::Malformed))
        .col(integer(BatchRuns::Unsupported))
        .col(integer(BatchRuns::Unavailable))
        .foreign_key(&mut refers(BatchRuns::Table, BatchRuns::AccountId, Accounts::Table, Accounts::Id))
        .foreign_key(&mut refers(BatchRuns::Table, BatchRuns::MemberId, Members::Table, Members::Id))
        .foreign_key(&mut refers(BatchRuns::Table, BatchRuns::AskedBy, Members::Table, Members::Id))
        .take()
}

fn batch_rows() -> TableCreateStatement {
    Table::create()
        .table(BatchRows::Table)
        .col(uuid(BatchRows::RunId))
        .col(integer(BatchRows::Place))
        .col(text(BatchRows::Submitted))
        .col(text(BatchRows::VatNumber))
        .col(string_len(BatchRows::Country, 2))
        .col(integer(BatchRows::FirstPlace))
        .col(string_len(BatchRows::Outcome, 16))
        .col(small_integer(BatchRows::Tries))
        .col(string_len_null(BatchRows::Reason, 32))
        .col(string_len_null(BatchRows::Registry, 8))
        .col(string_len_null(BatchRows::Requester, 16))
        .col(boolean(BatchRows::RequesterRefused))
        .col(text_null(BatchRows::Name))
        .col(text_null(BatchRows::Address))
        .col(text_null(BatchRows::ConsultationNumber))
        .col(uuid_null(BatchRows::EvidenceId))
        .col(timestamp_with_time_zone_null(BatchRows::DecidedAt))
        .col(text(BatchRows::SearchText))
        .col(text_null(BatchRows::NameKey))
        .primary_key(Index::create().col(BatchRows::RunId).col(BatchRows::Place))
        .foreign_key(&mut refers(BatchRows::Table, BatchRows::RunId, BatchRuns::Table, BatchRuns::Id))
        .take()
}

/// Nothing is deleted that a row still names.
fn refers(
    table: impl IntoIden,
    column: impl IntoIden,
    other: impl IntoIden,
    id: impl IntoIden,
) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from(table.into_iden(), column.into_iden())
        .to(other.into_iden(), id.into_iden())
        .on_delete(ForeignKeyAction::Restrict)
        .take()
}
