//! A database of its own for each test: a SQLite file in the test's folder, or, with `TEST_DATABASE=postgres`, a schema
//! of the PostgreSQL at `TEST_POSTGRES_URL`.

use std::{future::Future, path::Path};

use sea_orm::{ConnectionTrait, Database, DbErr};

/// The kinds of database that the whole suite runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    Sqlite,
    Postgres,
}

impl DatabaseKind {
    /// What this run is about.
    pub fn of_this_run() -> Self {
        match variable("TEST_DATABASE").as_deref() {
            None | Some("sqlite") => Self::Sqlite,
            Some("postgres") => Self::Postgres,
            Some(other) => panic!("TEST_DATABASE is {other:?}, neither sqlite nor postgres"),
        }
    }
}

/// The address of the database that belongs to `folder`; the same for the same folder.
pub fn url_for(folder: &Path) -> String {
    match DatabaseKind::of_this_run() {
        DatabaseKind::Sqlite => format!("sqlite://{}/test.db", folder.display()),
        DatabaseKind::Postgres => {
            let schema = schema_of(folder);
            on_postgres(&format!("CREATE SCHEMA IF NOT EXISTS {schema}"));
            let base = postgres_url();
            let separator = if base.contains('?') { '&' } else { '?' };
            format!("{base}{separator}options[search_path]={schema}")
        }
    }
}

/// Takes the folder's database away again, unless a transaction still holds it: whoever holds it may wait for this very
/// thread, so it is not waited for.
pub fn forget(folder: &Path) {
    if DatabaseKind::of_this_run() == DatabaseKind::Postgres {
        let drop = format!("DROP SCHEMA IF EXISTS {} CASCADE", schema_of(folder));
        on_postgres(&format!(
            "SET lock_timeout = '100ms'; DO $$ BEGIN {drop}; EXCEPTION WHEN lock_not_available THEN NULL; END $$"
        ));
    }
}

fn schema_of(folder: &Path) -> String {
    let name = folder.file_name().and_then(|name| name.to_str()).expect("a folder's name");
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' };
    // Temporary folders differ in case only by chance of one in millions; the process number settles it.
    format!("t_{}_{}", std::process::id(), name.chars().map(plain).collect::<String>())
}

fn postgres_url() -> String {
    variable("TEST_POSTGRES_URL")
        .expect("TEST_DATABASE=postgres needs TEST_POSTGRES_URL; `make test` starts a server and sets it")
}

/// Tests that are not asynchronous need it too, and destructors cannot be.
fn on_postgres(statement: &str) {
    let (statement, url) = (statement.to_owned(), postgres_url());
    let work = move || {
        let work = async move {
            let connection = Database::connect(url).await?;
            connection.execute_unprepared(&statement).await?;
            connection.close().await
        };
        block_on(work).expect("PostgreSQL answers");
    };
    std::thread::spawn(work).join().expect("does not panic");
}

fn block_on(work: impl Future<Output = Result<(), DbErr>>) -> Result<(), DbErr> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(work)
}

/// A variable of the test's environment.
pub fn variable(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "the test's environment, not the product's")]
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
