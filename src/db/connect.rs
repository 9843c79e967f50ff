//! Opening the database and bringing its schema up to date.

use std::{future::Future, sync::Arc, time::Duration};

use crossvat_migrations::Migrator;
use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityTrait, RuntimeErr,
    Statement, TransactionTrait, sqlx::Connection,
};
use sea_orm_migration::{MigratorTrait, SchemaManager, seaql_migrations};
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

use super::AccessWatch;

/// How long a statement waits for another writer of a SQLite file.
const BUSY_LIMIT: Duration = Duration::from_secs(5);
/// How long a caller waits for a connection.
const ACQUIRE_LIMIT: Duration = Duration::from_secs(5);
/// How long PostgreSQL works on one statement.
const STATEMENT_LIMIT: Duration = Duration::from_secs(8);
/// How long anything that uses the database may take in all; over the limits of its parts, which say more.
const WORK_LIMIT: Duration = Duration::from_secs(15);
/// How long a PostgreSQL connection that is given back may take to say that it is alive.
const SIGN_OF_LIFE_LIMIT: Duration = Duration::from_secs(2);
/// What each PostgreSQL connection asks of its server: whoever vanishes in the middle of a transaction must not hold rows
/// against the others for the two hours that keepalive takes by itself.
const POSTGRES_MANNERS: [(&str, &str); 4] = [
    ("idle_in_transaction_session_timeout", "10s"),
    ("tcp_keepalives_idle", "10"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
];
/// How long SQLite's log waits for its readers and writers before it is begun anew another time. Everybody who writes
/// waits along.
const LOG_PATIENCE: Duration = Duration::from_millis(50);
/// Pages in SQLite's log that are too many; what SQLite itself would take for its limit.
const LONG_LOG: i32 = 1000;
/// Bytes that SQLite's log keeps when it begins anew.
const LONGEST_LOG: &str = "33554432";
/// SQLite has one writer; more readers than this gain nothing.
const MAX_SQLITE_CONNECTIONS: u32 = 4;
/// An instance takes at most 28 of the server's in all, and rarely over 23.
const MAX_POSTGRES_CONNECTIONS: u32 = 16;

/// The database cannot be used.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// It cannot be opened.
    #[error("the database cannot be opened: {0}")]
    Open(DbErr),
    /// Its schema cannot be brought up to date.
    #[error("the database cannot be migrated: {0}")]
    Migrate(DbErr),
    /// Nothing of it is ours.
    #[error("the database holds nothing of Crossvat's: it is an empty one, or another's")]
    NoSchema,
    /// Its schema is from before this version.
    #[error("the database is of an older version: `crossvat migrate` brings it up to date")]
    OlderSchema,
    /// Its schema has what this version does not know.
    #[error("the database is of a newer version than this program")]
    NewerSchema,
}

/// The connections to one database, by what waits for their commits.
#[derive(Clone)]
pub struct Database {
    /// What people and callers ask and change.
    pub main: DatabaseConnection,
    /// The recorder's connections, of which it uses one: nobody else makes it wait.
    pub recording: DatabaseConnection,
    /// For what a power cut may undo: commits here wait for no disk.
    pub reserving: DatabaseConnection,
    /// The connections, of which one is used, on which changes of who may call are watched for, so that it never waits behind callers.
    pub watching: DatabaseConnection,
    /// The connections, of which one is used, for work on the database itself.
    keeping: DatabaseConnection,
    /// Whether what was remembered of keys and accounts may still be believed.
    pub access: Arc<AccessWatch>,
}

impl Database {
    /// Opens the database; a SQLite file is made when it is missing.
    ///
    /// # Errors
    /// It cannot be opened.
    pub async fn connect(url: &SecretString) -> Result<Self, ConnectError> {
        Self::open(url, true).await
    }

    /// Opens the database, which must be there.
    ///
    /// # Errors
    /// It cannot be opened.
    pub async fn connect_existing(url: &SecretString) -> Result<Self, ConnectError> {
        Self::open(url, false).await
    }

    /// Opens the database as it is: it must be there, with the schema of this version.
    ///
    /// # Errors
    /// It cannot be opened, or has another schema.
    pub async fn connect_as_it_is(url: &SecretString) -> Result<Self, ConnectError> {
        let database = Self::connect_existing(url).await?;
        database.expect_own_schema().await?;
        Ok(database)
    }

    async fn open(url: &SecretString, may_make: bool) -> Result<Self, ConnectError> {
        let open = |work| open(url, work, may_make);
        Ok(Self {
            main: open(Work::Main).await?,
            recording: open(Work::Recording).await?,
            reserving: open(Work::Reserving).await?,
            watching: open(Work::Watching).await?,
            keeping: open(Work::Keeping).await?,
            access: Arc::default(),
        })
    }

    async fn expect_own_schema(&self) -> Result<(), ConnectError> {
        let applied = within_limit(self.applied_migrations()).await.map_err(ConnectError::Open)?;
        let known = Migrator::migrations();
        if applied.is_empty() {
            Err(ConnectError::NoSchema)
        } else if applied.iter().any(|name| known.iter().all(|known| known.name() != name)) {
            Err(ConnectError::NewerSchema)
        } else if applied.len() < known.len() {
            Err(ConnectError::OlderSchema)
        } else {
            Ok(())
        }
    }

    /// Their names; none of a database that is not ours.
    async fn applied_migrations(&self) -> Result<Vec<String>, DbErr> {
        if !SchemaManager::new(&self.main).has_table("seaql_migrations").await? {
            return Ok(Vec::new());
        }
        let applied = seaql_migrations::Entity::find().all(&self.main).await?;
        Ok(applied.into_iter().map(|migration| migration.version).collect())
    }

    /// Whether other instances may use it: a file serves one.
    #[must_use]
    pub fn may_be_shared(&self) -> bool {
        self.main.get_database_backend() != DbBackend::Sqlite
    }

    /// Applies the migrations that are missing.
    ///
    /// # Errors
    /// One of them failed.
    pub async fn migrate(&self) -> Result<(), ConnectError> {
        self.migrate_alone().await.map_err(ConnectError::Migrate)
    }

    /// Instances that start together on one PostgreSQL wait for each other: all would apply the same migration.
    async fn migrate_alone(&self) -> Result<(), DbErr> {
        let turn = self.keeping.begin().await?;
        if self.main.get_database_backend() == DbBackend::Postgres {
            // It idles on purpose.
            turn.execute_unprepared("SET LOCAL idle_in_transaction_session_timeout = 0").await?;
            turn.execute_unprepared("SELECT pg_advisory_xact_lock(5230917446)").await?;
        }
        Migrator::up(&self.main, None).await?;
        turn.commit().await
    }

    /// Whether a statement can be run now.
    pub async fn is_reachable(&self) -> bool {
        within_limit(self.main.ping()).await.is_ok()
    }

    /// Moves what SQLite has committed from its log into the file, away from those who commit; PostgreSQL does it by
    /// itself.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn checkpoint(&self) -> Result<(), DbErr> {
        if self.main.get_database_backend() == DbBackend::Sqlite
            && self.move_log("PRAGMA wal_checkpoint(PASSIVE)").await? > LONG_LOG
        {
            // Under steady load something new is always committed meanwhile, so that the log never begins anew. What is
            // left to move is little now. While somebody reads for long it cannot be done: next time, then. The file keeps
            // its size: to write over it costs the disk less than to let it grow.
            self.move_log("PRAGMA wal_checkpoint(RESTART)").await?;
        }
        Ok(())
    }

    /// How many pages the log has.
    async fn move_log(&self, how: &str) -> Result<i32, DbErr> {
        let statement = Statement::from_string(DbBackend::Sqlite, how);
        let row = within_limit(self.keeping.query_one_raw(statement)).await?;
        row.map_or(Ok(0), |row| row.try_get("", "log"))
    }

    /// Closes all connections, for a limited time: a pool waits for everybody who still has one of them.
    ///
    /// # Errors
    /// One of them did not close.
    pub async fn close(self) -> Result<(), DbErr> {
        let Self { main, recording, reserving, watching, keeping, access: _ } = self;
        let close = |connections: DatabaseConnection| within_limit(connections.close());
        let (recording, reserving, watching, keeping) =
            tokio::join!(close(recording), close(reserving), close(watching), close(keeping));
        // Last: whoever closes SQLite's file last moves the log into it.
        let main = close(main).await;
        recording.and(reserving).and(watching).and(keeping).and(main)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Main,
    Recording,
    Reserving,
    Watching,
    Keeping,
}

impl Work {
    /// Connections that it may have, of `most`. Recording, watching and keeping use one at a time, but may lose one: sqlx
    /// asks each that is given back for a sign of life, the second time without a limit
    /// (<https://github.com/launchbadge/sqlx/issues/4349>), so that a line that falls silent in this very moment holds the
    /// place until the system gives it up.
    const fn connections(self, most: u32) -> u32 {
        match self {
            Self::Main => most,
            // SQLite has one writer anyway.
            Self::Reserving | Self::Recording => most / 4,
            Self::Watching | Self::Keeping => 1 + most / 16,
        }
    }
}

async fn open(url: &SecretString, work: Work, may_make: bool) -> Result<DatabaseConnection, ConnectError> {
    let url = url.expose_secret();
    let mut options = ConnectOptions::new(url);
    options.acquire_timeout(ACQUIRE_LIMIT).connect_timeout(ACQUIRE_LIMIT).sqlx_logging(false);
    options.connect_lazy(work != Work::Main);
    if url.starts_with("sqlite:") {
        options.max_connections(work.connections(MAX_SQLITE_CONNECTIONS));
        // A file does not hang up.
        options.test_before_acquire(false);
        // A full disk or a failing one makes SQLite roll back by itself, and sqlx, whose own rollback then finds nothing to
        // do, goes on as inside a transaction: nothing on that connection would be committed any more.
        options.map_sqlx_sqlite_pool_opts(|pool| {
            pool.after_release(|connection, _| Box::pin(async { Ok(!connection.is_in_transaction()) }))
        });
        options.map_sqlx_sqlite_opts(move |sqlite| {
            use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
            let sqlite = sqlite
                .create_if_missing(may_make)
                .foreign_keys(true)
                // What is deleted may be the secret of a link: it must not stay readable in the file. The log has it until it
                // is written over.
                .pragma("secure_delete", "ON")
                .pragma("journal_size_limit", LONGEST_LOG)
                .busy_timeout(if work == Work::Keeping { LOG_PATIENCE } else { BUSY_LIMIT })
                .journal_mode(SqliteJournalMode::Wal);
            match work {
                // What is acknowledged must survive a power cut.
                Work::Main | Work::Watching | Work::Keeping => sqlite.synchronous(SqliteSynchronous::Full),
                // Who records must not be held up by a checkpoint.
                Work::Recording => {
                    sqlite.synchronous(SqliteSynchronous::Full).pragma("wal_autocheckpoint", "0")
                }
                Work::Reserving => {
                    sqlite.synchronous(SqliteSynchronous::Normal).pragma("wal_autocheckpoint", "0")
                }
            }
        });
    } else {
        options.max_connections(work.connections(MAX_POSTGRES_CONNECTIONS));
        options.statement_timeout(STATEMENT_LIMIT).set_application_name("crossvat");
        // sqlx waits without a limit for a sign of life of a connection that is given back, and holds its place meanwhile.
        options.map_sqlx_postgres_pool_opts(|pool| {
            pool.after_release(|connection, _| {
                Box::pin(async {
                    let alive = tokio::time::timeout(SIGN_OF_LIFE_LIMIT, connection.ping());
                    // An error closes it at once; to say farewell would be waited for as well.
                    alive.await.map_err(|_| sea_orm::SqlxError::PoolTimedOut)??;
                    Ok(true)
                })
            })
        });
        options.map_sqlx_postgres_opts(move |postgres| {
            let postgres = postgres.options(POSTGRES_MANNERS);
            match work {
                Work::Reserving => postgres.options([("synchronous_commit", "off")]),
                Work::Main | Work::Recording | Work::Watching | Work::Keeping => postgres,
            }
        });
    }
    within_limit(sea_orm::Database::connect(options)).await.map_err(ConnectError::Open)
}

/// Awaits work on the database, for a limited time: a peer that vanished without a word would be waited for forever. The
/// work is boxed, so that those who await it stay small.
///
/// # Errors
/// The work's own, or that it took too long.
pub fn within_limit<T, E: From<DbErr>>(
    work: impl Future<Output = Result<T, E>>,
) -> impl Future<Output = Result<T, E>> {
    let work = tokio::time::timeout(WORK_LIMIT, Box::pin(work));
    async {
        work.await
            .unwrap_or_else(|_| Err(DbErr::Conn(RuntimeErr::Internal("no answer in time".to_owned())).into()))
    }
}
