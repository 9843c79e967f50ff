//! From typed strings to what the registries said of them: batch, plan, verifier, gateway, and the port through
//! which a registry is asked. Pure of HTTP, SQL and JSON: the adapters are in `registries`, the front ends in
//! `api` and `portal`.

pub mod batch;
pub mod checked_number;
pub mod gateway;
pub mod plan;
pub mod registry;
pub mod requesters;
pub mod verifier;

#[cfg(test)]
pub(crate) mod fake_registry;
