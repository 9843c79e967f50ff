//! The one way to write.

use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, TransactionOptions,
    TransactionTrait,
};

/// Begins a transaction that will write. On SQLite it takes the write lock at once: one that begins by reading could
/// not be upgraded while another writes, and would fail rather than wait.
///
/// # Errors
/// The database does not answer, or another writer held it for too long.
pub async fn write_transaction(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    db.begin_with_options(TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    })
    .await
}
