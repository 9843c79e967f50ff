//! The database connection and the entities. Queries stand in each service's `store.rs`, not here.

mod connect;
pub mod entities;
mod ids;
mod write_transaction;

pub use self::{
    connect::{ConnectError, connect, is_reachable, migrate},
    ids::new_id,
    write_transaction::write_transaction,
};
