//! Accounts that demand a second factor of all their members.

use sea_orm_migration::{prelude::*, schema::boolean};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(DeriveIden)]
enum Accounts {
    Table,
    /// A member without a second factor can do nothing but set one up.
    SecondFactorDemanded,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = boolean(Accounts::SecondFactorDemanded).default(false).take();
        manager.alter_table(Table::alter().table(Accounts::Table).add_column(&mut column).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .alter_table(
                Table::alter().table(Accounts::Table).drop_column(Accounts::SecondFactorDemanded).take(),
            )
            .await
    }
}
