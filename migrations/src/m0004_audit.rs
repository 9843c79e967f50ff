//! Who did what, on whom, when and from where. Rows are only ever added, and taken away when their time is over.

use sea_orm_migration::{
    prelude::*,
    schema::{string_len, string_len_null, text, timestamp_with_time_zone, uuid, uuid_null},
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(DeriveIden)]
enum AuditEvents {
    Table,
    Id,
    At,
    Deed,
    /// `command_line`, `member`, `support` or `service`.
    ActorKind,
    ActorId,
    AccountId,
    /// The key, member or other row that the deed was done to.
    SubjectId,
    /// What a reader needs beside that, such as a name. Never a secret.
    Detail,
    FromAddress,
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
                    .to_owned(),
            )
            .await?;
        for (name, column) in
            [("audit_events_at", AuditEvents::At), ("audit_events_account_id", AuditEvents::AccountId)]
        {
            let index = Index::create().name(name).table(AuditEvents::Table).col(column).to_owned();
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(AuditEvents::Table).to_owned()).await
    }
}
