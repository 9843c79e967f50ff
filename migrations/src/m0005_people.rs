//! People and what they hold: members of accounts, support staff, their sessions, links that work once, and requests for
//! keys. Of sessions and links only hashes are stored.

use sea_orm_migration::{
    prelude::*,
    schema::{
        binary_len, string_len, string_len_null, text, text_null, timestamp_with_time_zone,
        timestamp_with_time_zone_null, uuid, uuid_null,
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
    AccountId,
    /// In lower case. One person is a member of one account.
    Email,
    Name,
    /// `owner`, `member` or `viewer`.
    Role,
    /// A PHC string; none until the person has chosen a password.
    PasswordHash,
    /// When the person proved that the address is theirs.
    ConfirmedAt,
    CreatedAt,
    /// The row stays, because evidence and audit events name it.
    RemovedAt,
}

#[derive(DeriveIden)]
enum SupportStaff {
    Table,
    Id,
    Email,
    Name,
    PasswordHash,
    CreatedAt,
    DisabledAt,
}

#[derive(DeriveIden)]
enum Sessions {
    Table,
    /// SHA-256 of the identifier that the browser holds.
    KeyHash,
    /// JSON.
    Data,
    ExpiresAt,
    /// Who is signed in; nobody is when neither is set.
    MemberId,
    StaffId,
    CreatedAt,
    /// When it was last written.
    LastSeenAt,
    ClientAddress,
    UserAgent,
}

#[derive(DeriveIden)]
enum OneTimeLinks {
    Table,
    Id,
    /// SHA-256 of the link's secret.
    SecretHash,
    /// `confirm_address`, `reset_password`, `claim_key` or `invitation`.
    Purpose,
    /// The member's account; none for support staff.
    AccountId,
    /// For whom it is: one of the two.
    MemberId,
    StaffId,
    CreatedAt,
    ExpiresAt,
    OpenedAt,
    UsedAt,
    WithdrawnAt,
}

#[derive(DeriveIden)]
enum KeyRequests {
    Table,
    Id,
    AccountId,
    /// Who asks.
    MemberId,
    Company,
    /// The company's own number, in its canonical form.
    VatNumber,
    /// What it will check and when, in its own words.
    IntendedUse,
    /// Numbers a month.
    ExpectedVolume,
    /// `open`, `approved`, `declined` or `withdrawn`.
    State,
    CreatedAt,
    DecidedAt,
    /// Who approved or declined it; none when that was done on the command line.
    DecidedBy,
    /// Why it was declined.
    Reason,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for mut table in [members(), support_staff(), sessions(), one_time_links(), key_requests()] {
            manager.create_table(table.take()).await?;
        }
        for mut index in [
            Index::create().name("members_account_id").table(Members::Table).col(Members::AccountId),
            Index::create().name("sessions_member_id").table(Sessions::Table).col(Sessions::MemberId),
            Index::create().name("sessions_staff_id").table(Sessions::Table).col(Sessions::StaffId),
            Index::create().name("sessions_expires_at").table(Sessions::Table).col(Sessions::ExpiresAt),
            Index::create()
                .name("one_time_links_account_id")
                .table(OneTimeLinks::Table)
                .col(OneTimeLinks::AccountId),
            Index::create()
                .name("one_time_links_member_id")
                .table(OneTimeLinks::Table)
                .col(OneTimeLinks::MemberId),
            Index::create()
                .name("one_time_links_staff_id")
                .table(OneTimeLinks::Table)
                .col(OneTimeLinks::StaffId),
            Index::create()
                .name("key_requests_account_id")
                .table(KeyRequests::Table)
                .col(KeyRequests::AccountId),
            // The queue.
            Index::create()
                .name("key_requests_state")
                .table(KeyRequests::Table)
                .col(KeyRequests::State)
                .col(KeyRequests::CreatedAt),
        ]
        .map(IndexCreateStatement::take)
        {
            manager.create_index(index.take()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for mut table in [
            Table::drop().table(KeyRequests::Table).take(),
            Table::drop().table(OneTimeLinks::Table).take(),
            Table::drop().table(Sessions::Table).take(),
            Table::drop().table(SupportStaff::Table).take(),
            Table::drop().table(Members::Table).take(),
        ] {
            manager.drop_table(table.take()).await?;
        }
        Ok(())
    }
}

fn members() -> TableCreateStatement {
    Table::create()
        .table(Members::Table)
        .col(uuid(Members::Id).primary_key())
        .col(uuid(Members::AccountId))
        .col(string_len(Members::Email, 254).unique_key())
        .col(string_len(Members::Name, 100))
        .col(string_len(Members::Role, 8))
        .col(string_len_null(Members::PasswordHash, 255))
        .col(timestamp_with_time_zone_null(Members::ConfirmedAt))
        .col(timestamp_with_time_zone(Members::CreatedAt))
        .col(timestamp_with_time_zone_null(Members::RemovedAt))
        .foreign_key(&mut refers(Members::Table, Members::AccountId, Accounts::Table, Accounts::Id))
        .take()
}

fn support_staff() -> TableCreateStatement {
    Table::create()
        .table(SupportStaff::Table)
        .col(uuid(SupportStaff::Id).primary_key())
        .col(string_len(SupportStaff::Email, 254).unique_key())
        .col(string_len(SupportStaff::Name, 100))
        .col(string_len(SupportStaff::PasswordHash, 255))
        .col(timestamp_with_time_zone(SupportStaff::CreatedAt))
        .col(timestamp_with_time_zone_null(SupportStaff::DisabledAt))
        .take()
}

fn sessions() -> TableCreateStatement {
    Table::create()
        .table(Sessions::Table)
        .col(binary_len(Sessions::KeyHash, 32).primary_key())
        .col(text(Sessions::Data))
        .col(timestamp_with_time_zone(Sessions::ExpiresAt))
        .col(uuid_null(Sessions::MemberId))
        .col(uuid_null(Sessions::StaffId))
        .col(timestamp_with_time_zone(Sessions::CreatedAt))
        .col(timestamp_with_time_zone(Sessions::LastSeenAt))
        .col(string_len_null(Sessions::ClientAddress, 45))
        .col(string_len_null(Sessions::UserAgent, 255))
        .foreign_key(&mut refers(Sessions::Table, Sessions::MemberId, Members::Table, Members::Id))
        .foreign_key(&mut refers(Sessions::Table, Sessions::StaffId, SupportStaff::Table, SupportStaff::Id))
        .take()
}

fn one_time_links() -> TableCreateStatement {
    Table::create()
        .table(OneTimeLinks::Table)
        .col(uuid(OneTimeLinks::Id).primary_key())
        .col(binary_len(OneTimeLinks::SecretHash, 32).unique_key())
        .col(string_len(OneTimeLinks::Purpose, 16))
        .col(uuid_null(OneTimeLinks::AccountId))
        .col(uuid_null(OneTimeLinks::MemberId))
        .col(uuid_null(OneTimeLinks::StaffId))
        .col(timestamp_with_time_zone(OneTimeLinks::CreatedAt))
        .col(timestamp_with_time_zone(OneTimeLinks::ExpiresAt))
        .col(timestamp_with_time_zone_null(OneTimeLinks::OpenedAt))
        .col(timestamp_with_time_zone_null(OneTimeLinks::UsedAt))
        .col(timestamp_with_time_zone_null(OneTimeLinks::WithdrawnAt))
        .foreign_key(&mut refers(OneTimeLinks::Table, OneTimeLinks::AccountId, Accounts::Table, Accounts::Id))
        .foreign_key(&mut refers(OneTimeLinks::Table, OneTimeLinks::MemberId, Members::Table, Members::Id))
        .foreign_key(&mut refers(
            OneTimeLinks::Table,
            OneTimeLinks::StaffId,
            SupportStaff::Table,
            SupportStaff::Id,
        ))
        .take()
}

fn key_requests() -> TableCreateStatement {
    Table::create()
        .table(KeyRequests::Table)
        .col(uuid(KeyRequests::Id).primary_key())
        .col(uuid(KeyRequests::AccountId))
        .col(uuid(KeyRequests::MemberId))
        .col(string_len(KeyRequests::Company, 200))
        .col(string_len_null(KeyRequests::VatNumber, 16))
        .col(text(KeyRequests::IntendedUse))
        .col(string_len(KeyRequests::ExpectedVolume, 16))
        .col(string_len(KeyRequests::State, 16))
        .col(timestamp_with_time_zone(KeyRequests::CreatedAt))
        .col(timestamp_with_time_zone_null(KeyRequests::DecidedAt))
        .col(uuid_null(KeyRequests::DecidedBy))
        .col(text_null(KeyRequests::Reason))
        .foreign_key(&mut refers(KeyRequests::Table, KeyRequests::AccountId, Accounts::Table, Accounts::Id))
        .foreign_key(&mut refers(KeyRequests::Table, KeyRequests::MemberId, Members::Table, Members::Id))
        .foreign_key(&mut refers(
            KeyRequests::Table,
            KeyRequests::DecidedBy,
            SupportStaff::Table,
            SupportStaff::Id,
        ))
        .take()
}

/// Nobody is deleted whom a row still names.
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
