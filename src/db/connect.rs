//! Opening the database and bringing its schema up to date.

use std::time::Duration;

use crossvat_migrations::Migrator;
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr};
use sea_orm_migration::MigratorTrait;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

/// How long a statement waits for another writer of a SQLite file.
const BUSY_LIMIT: Duration = Duration::from_secs(5);
/// How long a caller waits for a connection.
const ACQUIRE_LIMIT: Duration = Duration::from_secs(5);
/// SQLite has one writer; more readers than this gain nothing.
const MAX_CONNECTIONS: u32 = 4;

/// The database cannot be used.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// It cannot be opened.
    #[error("the database cannot be opened: {0}")]
    Open(DbErr),
    /// Its schema cannot be brought up to date.
    #[error("the database cannot be migrated: {0}")]
    Migrate(DbErr),
}

/// Opens the database; a SQLite file is made when it is missing.
///
/// # Errors
/// It cannot be opened.
pub async fn connect(url: &SecretString) -> Result<DatabaseConnection, ConnectError> {
    let mut options = ConnectOptions::new(url.expose_secret());
    options.max_connections(MAX_CONNECTIONS).acquire_timeout(ACQUIRE_LIMIT).sqlx_logging(false);
    options.map_sqlx_sqlite_opts(|sqlite| {
        use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
        sqlite
            .create_if_missing(true)
            .foreign_keys(true)
            .busy_timeout(BUSY_LIMIT)
            .journal_mode(SqliteJournalMode::Wal)
            // What is acknowledged must survive a power cut.
            .synchronous(SqliteSynchronous::Full)
    });
    Database::connect(options).await.map_err(ConnectError::Open)
}

/// Applies the migrations that are missing.
///
/// # Errors
/// One of them failed.
pub async fn migrate(db: &DatabaseConnection) -> Result<(), ConnectError> {
    Migrator::up(db, None).await.map_err(ConnectError::Migrate)
}

/// Whether a statement can be run now.
pub async fn is_reachable(db: &DatabaseConnection) -> bool {
    db.ping().await.is_ok()
}
