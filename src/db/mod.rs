//! The database connection and the entities. Queries stand in each service's `store.rs`, not here.

mod access_version;
mod account_terms;
mod connect;
pub mod entities;
mod ids;
mod write_transaction;

pub use self::{
    access_version::{AccessWatch, bump_access_version},
    account_terms::AccountTerms,
    connect::{ConnectError, Database, within_limit},
    ids::new_id,
    write_transaction::write,
};
