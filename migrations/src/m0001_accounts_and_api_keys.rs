//! Accounts and their API keys. A key's secret is never stored, only its SHA-256.

use sea_orm_migration::{
    prelude::*,
    schema::{binary_len, string_len, timestamp_with_time_zone, timestamp_with_time_zone_null, uuid},
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(DeriveIden)]
enum Accounts {
    Table,
    Id,
    Name,
    State,
    CreatedAt,
}

#[derive(DeriveIden)]
enum ApiKeys {
    Table,
    Id,
    AccountId,
    Name,
    Mode,
    LastFour,
    SecretHash,
    CreatedAt,
    ExpiresAt,
    RevokedAt,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Whole or not at all, on SQLite too.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table(Accounts::Table)
                    .col(uuid(Accounts::Id).primary_key())
                    .col(string_len(Accounts::Name, 200).unique_key())
                    .col(string_len(Accounts::State, 16))
                    .col(timestamp_with_time_zone(Accounts::CreatedAt))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table(ApiKeys::Table)
                    .col(uuid(ApiKeys::Id).primary_key())
                    .col(uuid(ApiKeys::AccountId))
                    .col(string_len(ApiKeys::Name, 100))
                    .col(string_len(ApiKeys::Mode, 8))
                    .col(string_len(ApiKeys::LastFour, 4))
                    .col(binary_len(ApiKeys::SecretHash, 32).unique_key())
                    .col(timestamp_with_time_zone(ApiKeys::CreatedAt))
                    .col(timestamp_with_time_zone_null(ApiKeys::ExpiresAt))
                    .col(timestamp_with_time_zone_null(ApiKeys::RevokedAt))
                    .foreign_key(
                        ForeignKey::create()
                            .from(ApiKeys::Table, ApiKeys::AccountId)
                            .to(Accounts::Table, Accounts::Id)
                            .on_delete(ForeignKeyAction::Restrict),
                    )
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("api_keys_account_id")
                    .table(ApiKeys::Table)
                    .col(ApiKeys::AccountId)
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(ApiKeys::Table).to_owned()).await?;
        manager.drop_table(Table::drop().table(Accounts::Table).to_owned()).await
    }
}
