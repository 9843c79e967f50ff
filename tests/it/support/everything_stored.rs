//! The whole database as text, to be searched for what must not be in it.

use std::fmt::Write;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

/// Every value of every row of every table; bytes as upper-case hexadecimal digits on SQLite, lower-case ones on
/// PostgreSQL.
pub async fn everything_stored(db: &DatabaseConnection) -> String {
    let backend = db.get_database_backend();
    let texts = async |sql: String| {
        let rows = db.query_all_raw(Statement::from_string(backend, sql)).await.expect("rows");
        rows.iter().map(|row| row.try_get_by_index::<String>(0).expect("text")).collect::<Vec<_>>()
    };
    let sqlite = backend == DbBackend::Sqlite;
    let tables = texts(if sqlite {
        "SELECT name FROM sqlite_master WHERE type = 'table'".to_owned()
    } else {
        "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()"
            .to_owned()
    });
    let mut dump = String::new();
    for table in tables.await {
        let rows = if sqlite {
            let columns = texts(format!("SELECT name FROM pragma_table_info('{table}')")).await;
            let values: Vec<_> = columns.iter().map(|column| format!("quote(\"{column}\")")).collect();
            format!("SELECT {} FROM \"{table}\"", values.join(" || ' ' || "))
        } else {
            format!("SELECT t::text FROM \"{table}\" t")
        };
        for row in texts(rows).await {
            dump += &row;
            dump.push('\n');
        }
    }
    dump
}

/// Bytes as SQLite shows them.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02X}").expect("a string");
        text
    })
}
