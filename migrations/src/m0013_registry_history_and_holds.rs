//! How the registries were in the last day, by our own lookups, and which of them are asked nothing because somebody said so.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, string_len, text, timestamp_with_time_zone, timestamp_with_time_zone_null, uuid},
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

/// Lookups of all instances in slices of five minutes, by what they said of the one that was asked.
#[derive(DeriveIden)]
enum RegistrySlices {
    Table,
    StartsAt,
    /// `HMRC`, `VIES`, or the prefix of a member state behind it.
    Part,
    Answering,
    Slow,
    Refusing,
}

/// What somebody of the support staff said last of a breaker: that it is open, or that it is closed.
#[derive(DeriveIden)]
enum RegistryHolds {
    Table,
    /// As of a slice.
    Part,
    /// Another one each time that something is said.
    Id,
    Since,
    /// None: until it is closed by hand.
    Until,
    /// None: it is open.
    ClosedAt,
    /// Everybody may read it.
    Reason,
    /// The support person.
    StaffId,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let slices = Table::create()
            .table(RegistrySlices::Table)
            .col(timestamp_with_time_zone(RegistrySlices::StartsAt))
            .col(string_len(RegistrySlices::Part, 4))
            .col(big_integer(RegistrySlices::Answering))
            .col(big_integer(RegistrySlices::Slow))
            .col(big_integer(RegistrySlices::Refusing))
            .primary_key(Index::create().col(RegistrySlices::StartsAt).col(RegistrySlices::Part))
            .take();
        manager.create_table(slices).await?;
        let holds = Table::create()
            .table(RegistryHolds::Table)
            .col(string_len(RegistryHolds::Part, 4).primary_key())
            .col(uuid(RegistryHolds::Id))
            .col(timestamp_with_time_zone(RegistryHolds::Since))
            .col(timestamp_with_time_zone_null(RegistryHolds::Until))
            .col(timestamp_with_time_zone_null(RegistryHolds::ClosedAt))
            .col(text(RegistryHolds::Reason))
            .col(uuid(RegistryHolds::StaffId))
            .take();
        manager.create_table(holds).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(RegistryHolds::Table).take()).await?;
        manager.drop_table(Table::drop().table(RegistrySlices::Table).take()).await
    }
}
