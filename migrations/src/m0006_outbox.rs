//! Mail that waits to be sent. A row is written in the transaction of the deed it tells of and goes away when it was
//! sent, so the table is nearly always empty.

use sea_orm_migration::{
    prelude::*,
    schema::{integer, string_len, text, timestamp_with_time_zone, uuid},
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(DeriveIden)]
enum Outbox {
    Table,
    Id,
    /// What the letter is about, for the log.
    Kind,
    /// In lower case.
    Recipient,
    Subject,
    /// As it will be read. It may hold the secret of a link.
    Body,
    WrittenAt,
    /// Nobody takes it up before. Who does moves this on first, so that nobody else takes it up too.
    NextTryAt,
    /// How often it was taken up.
    Tries,
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
                    .table(Outbox::Table)
                    .col(uuid(Outbox::Id).primary_key())
                    .col(string_len(Outbox::Kind, 32))
                    .col(string_len(Outbox::Recipient, 254))
                    .col(text(Outbox::Subject))
                    .col(text(Outbox::Body))
                    .col(timestamp_with_time_zone(Outbox::WrittenAt))
                    .col(timestamp_with_time_zone(Outbox::NextTryAt))
                    .col(integer(Outbox::Tries))
                    .to_owned(),
            )
            .await?;
        let index =
            Index::create().name("outbox_next_try_at").table(Outbox::Table).col(Outbox::NextTryAt).to_owned();
        manager.create_index(index).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(Outbox::Table).to_owned()).await
    }
}
