//! Statements that need nothing of each other's results, run in as few exchanges as the database allows.

use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement, StatementBuilder, sea_query::Values,
};

/// Statements in the order in which they are to be run.
pub struct Together {
    backend: DbBackend,
    statements: Vec<Statement>,
}

impl Together {
    /// None yet, for the database of `transaction`.
    #[must_use]
    pub fn on(transaction: &DatabaseTransaction) -> Self {
        Self { backend: transaction.get_database_backend(), statements: Vec::new() }
    }

    /// One more.
    pub fn add(&mut self, statement: &impl StatementBuilder) {
        self.statements.push(self.backend.build(statement));
    }

    /// Runs them. How many rows they changed in all.
    ///
    /// # Errors
    /// One of them failed.
    pub async fn execute(self, transaction: &DatabaseTransaction) -> Result<u64, DbErr> {
        let mut changed = 0;
        let exchanges = match self.backend {
            // Each exchange costs two changes of threads, which is more than most statements.
            DbBackend::Sqlite => vec![joined(self.statements)],
            _ => self.statements,
        };
        for statement in exchanges {
            changed += transaction.execute_raw(statement).await?.rows_affected();
        }
        Ok(changed)
    }
}

/// SQLite takes several statements as one: each uses up as many of the values as it has places for.
fn joined(statements: Vec<Statement>) -> Statement {
    let (mut sql, mut values) = (String::new(), Vec::new());
    for statement in statements {
        sql.push_str(&statement.sql);
        sql.push(';');
        values.extend(statement.values.into_iter().flat_map(|values| values.0));
    }
    Statement { sql, values: Some(Values(values)), db_backend: DbBackend::Sqlite }
}
