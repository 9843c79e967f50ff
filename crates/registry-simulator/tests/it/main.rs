//! The simulator through real sockets: every control and every counter.

#![expect(clippy::unwrap_used, reason = "a failed step fails its test")]

mod control;
mod hmrc_lookups;
mod hmrc_tokens;
mod lifecycle;
mod shapes;
mod support;
mod traffic;
mod transport;
mod vies_conditions;
mod vies_lookups;
