//! Reading several things as they are in one moment.

use sea_orm::{
    AccessMode, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, IsolationLevel, TransactionTrait,
};

use super::within_limit;

/// Does `work`, which reads, for a limited time: each of its statements sees the database as the first one did.
///
/// # Errors
/// What `work` says, or the database failed.
pub async fn read<T>(
    db: &DatabaseConnection,
    work: impl AsyncFnOnce(&DatabaseTransaction) -> Result<T, DbErr>,
) -> Result<T, DbErr> {
    within_limit(async {
        let moment = if db.get_database_backend() == DbBackend::Sqlite {
            // There, every transaction sees one moment.
            db.begin().await?
        } else {
            db.begin_with_config(Some(IsolationLevel::RepeatableRead), Some(AccessMode::ReadOnly)).await?
        };
        let read = work(&moment).await;
        moment.commit().await?;
        read
    })
    .await
}
