//! The tables as types, one file a table. What they mean is in the services.

pub mod account;
pub mod api_key;
