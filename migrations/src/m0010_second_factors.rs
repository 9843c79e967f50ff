//! Second factors: the secret that a person's app makes codes of, encrypted, and the hashes of the codes for when the app is
//! lost. And support staff who have not chosen a password yet.

use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, binary_len, string_len, string_len_null, timestamp_with_time_zone,
        timestamp_with_time_zone_null, uuid, uuid_null,
    },
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[derive(DeriveIden)]
enum Members {
    Table,
    Id,
}

#[derive(DeriveIden)]
enum SupportStaff {
    Table,
    Id,
    /// None until the person has chosen one. It was there for everybody before.
    PasswordHash,
    /// What the former is called while it is being made.
    PasswordHashAnew,
}

#[derive(DeriveIden)]
enum SecondFactors {
    Table,
    Id,
    /// Whose it is: one of the two.
    MemberId,
    StaffId,
    /// Encrypted for this person: nonce, then what it hides, then the tag.
    Secret,
    CreatedAt,
    /// The 30 seconds, counted from 1970, of the last code that was accepted: no code of them or before is accepted again.
    LastStep,
}

#[derive(DeriveIden)]
enum RecoveryCodes {
    Table,
    SecondFactorId,
    /// SHA-256 of the code as it is compared.
    CodeHash,
    UsedAt,
}

/// What no password gives: nobody signs in with it.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(second_factors()).await?;
        manager.create_table(recovery_codes()).await?;
        remake_password(manager, string_len_null(SupportStaff::PasswordHashAnew, 255)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(RecoveryCodes::Table).take()).await?;
        manager.drop_table(Table::drop().table(SecondFactors::Table).take()).await?;
        let nobodys = string_len(SupportStaff::PasswordHashAnew, 255).default(NOBODYS).take();
        remake_password(manager, nobodys).await
    }
}

/// SQLite changes no column, so another one takes its place, with what is in it.
async fn remake_password(manager: &SchemaManager<'_>, mut anew: ColumnDef) -> Result<(), DbErr> {
    let alter = || Table::alter().table(SupportStaff::Table).take();
    manager.alter_table(alter().add_column(&mut anew).take()).await?;
    let copy = Query::update()
        .table(SupportStaff::Table)
        .value(SupportStaff::PasswordHashAnew, Expr::col(SupportStaff::PasswordHash))
        .and_where(Expr::col(SupportStaff::PasswordHash).is_not_null())
        .take();
    manager.execute(copy).await?;
    manager.alter_table(alter().drop_column(SupportStaff::PasswordHash).take()).await?;
    let (from, to) = (SupportStaff::PasswordHashAnew, SupportStaff::PasswordHash);
    manager.alter_table(alter().rename_column(from, to).take()).await
}

fn second_factors() -> TableCreateStatement {
    Table::create()
        .table(SecondFactors::Table)
        .col(uuid(SecondFactors::Id).primary_key())
        .col(uuid_null(SecondFactors::MemberId).unique_key())
        .col(uuid_null(SecondFactors::StaffId).unique_key())
        .col(binary_len(SecondFactors::Secret, 64))
        .col(timestamp_with_time_zone(SecondFactors::CreatedAt))
        .col(big_integer(SecondFactors::LastStep))
        .foreign_key(&mut refers(
            (SecondFactors::Table, SecondFactors::MemberId),
            (Members::Table, Members::Id),
        ))
        .foreign_key(&mut refers(
            (SecondFactors::Table, SecondFactors::StaffId),
            (SupportStaff::Table, SupportStaff::Id),
        ))
        .take()
}

fn recovery_codes() -> TableCreateStatement {
    Table::create()
        .table(RecoveryCodes::Table)
        .col(uuid(RecoveryCodes::SecondFactorId))
        .col(binary_len(RecoveryCodes::CodeHash, 32))
        .col(timestamp_with_time_zone_null(RecoveryCodes::UsedAt))
        .primary_key(
            Index::create().col(RecoveryCodes::SecondFactorId).col(RecoveryCodes::CodeHash).primary(),
        )
        .foreign_key(&mut refers(
            (RecoveryCodes::Table, RecoveryCodes::SecondFactorId),
            (SecondFactors::Table, SecondFactors::Id),
        ))
        .take()
}

/// Nobody is deleted whom a row still names.
fn refers<Column: IntoIden, Id: IntoIden>(
    (table, column): (Column, Column),
    (other, id): (Id, Id),
) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from(table.into_iden(), column.into_iden())
        .to(other.into_iden(), id.into_iden())
        .on_delete(ForeignKeyAction::Restrict)
        .take()
}
