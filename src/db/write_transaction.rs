//! The one way to write.

use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, TransactionOptions,
    TransactionTrait,
};

use super::within_limit;

/// Does `work` in one transaction, for a limited time: all of it is committed, or, when it fails, nothing.
///
/// # Errors
/// What `work` says, or the database failed.
pub async fn write<T, E: From<DbErr>>(
    db: &DatabaseConnection,
    work: impl AsyncFnOnce(&DatabaseTransaction) -> Result<T, E>,
) -> Result<T, E> {
    within_limit(async {
        let transaction = write_transaction(db).await?;
        match work(&transaction).await {
            Ok(done) => {
                transaction.commit().await?;
                Ok(done)
            }
            Err(error) => {
                // Now, and not when the connection is used next: others may wait for its locks.
                transaction.rollback().await?;
                Err(error)
            }
        }
    })
    .await
}

/// Begins a transaction that will write. On SQLite it takes the write lock at once: one that begins by reading could
/// not be upgraded while another writes, and would fail rather than wait.
async fn write_transaction(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    db.begin_with_options(TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    })
    .await
}
