//! From typed strings to what the registries said of them: batch, plan, cache, flights, gateway, and the port through
//! which a registry is asked. What is done with them is said in `verify_vat`. Pure of HTTP, SQL and JSON: the adapters are in `registries`, the front ends in
//! `api` and `portal`.

pub mod batch;
pub mod cache;
pub mod checked_number;
pub mod flights;
pub mod gateway;
pub mod plan;
pub mod registry;
pub mod requesters;

#[cfg(test)]
pub(crate) mod fake_registry;
