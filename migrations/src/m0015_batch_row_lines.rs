//! Where the rows of batch checks stood in what they were taken from.

use sea_orm_migration::{prelude::*, schema::integer_null};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(DeriveIden)]
enum BatchRows {
    Table,
    /// From 1, as a spreadsheet counts lines; unknown of rows that are older than this column.
    Line,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = integer_null(BatchRows::Line).take();
        manager.alter_table(Table::alter().table(BatchRows::Table).add_column(&mut column).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table(BatchRows::Table).drop_column(BatchRows::Line).take()).await
    }
}
