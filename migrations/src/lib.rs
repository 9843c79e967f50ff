//! The database schema, one migration a file, made with the schema builder alone so that SQLite and PostgreSQL get
//! the same. Entities are the server's business.

use sea_orm_migration::{MigrationTrait, MigratorTrait, async_trait::async_trait};

mod m0001_accounts_and_api_keys;
mod m0002_plans_and_settings;
mod m0003_usage_and_evidence;
mod m0004_audit;
mod m0005_people;
mod m0006_outbox;
mod m0007_batch_checks;
mod m0008_history_indexes;
mod m0009_usage_days;
mod m0010_second_factors;
mod m0011_claims_and_own_numbers;
mod m0012_audit_chain;
mod m0013_registry_history_and_holds;
mod m0014_second_factors_demanded;
mod m0015_batch_row_lines;

/// All migrations in order.
#[derive(Debug)]
pub struct Migrator;

#[async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_accounts_and_api_keys::Migration),
            Box::new(m0002_plans_and_settings::Migration),
            Box::new(m0003_usage_and_evidence::Migration),
            Box::new(m0004_audit::Migration),
            Box::new(m0005_people::Migration),
            Box::new(m0006_outbox::Migration),
            Box::new(m0007_batch_checks::Migration),
            Box::new(m0008_history_indexes::Migration),
            Box::new(m0009_usage_days::Migration),
            Box::new(m0010_second_factors::Migration),
            Box::new(m0011_claims_and_own_numbers::Migration),
            Box::new(m0012_audit_chain::Migration),
            Box::new(m0013_registry_history_and_holds::Migration),
            Box::new(m0014_second_factors_demanded::Migration),
            Box::new(m0015_batch_row_lines::Migration),
        ]
    }
}
