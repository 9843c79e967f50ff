//! Crossvat: one server that verifies UK and EU VAT numbers at HMRC and VIES.
//!
//! Dependencies point one way, and `tests/it/architecture.rs` enforces it:
//!
//! * `verification` knows only the crate `vat` and the port to a registry: no HTTP, no SQL;
//! * `registries` are the adapters, and the only place that knows `reqwest`;
//! * `db` and each service's `store.rs` are the only places that know `sea-orm`'s queries, `limits` the only one that
//!   knows Redis; of ours `db` knows only the clock, `people` and the crate `vat`;
//! * `registry_limits` joins the gateway's ports with what `limits` shares: neither knows the other;
//! * `audit`, `email`, `limits`, `passwords`, `people` and `spreadsheet` are what every service may use; services
//!   (`accounts`, `api_keys`, `early_access`, `evidence`, `members`, `one_time_links`, `second_factor`, `sessions`, `staff`,
//!   `usage`) do not import each other;
//! * `onboarding` joins the services of people and keys, `ways_in` those of people and links, each step in one
//!   transaction; `check_own_number` asks a registry for `early_access`;
//! * `batch_checks` is the one service over the use case in `verify_vat`: it asks in the background what a member gave it;
//! * `registry_status` keeps what the gateway learns of the registries;
//! * `api` and `portal` are front ends over the use cases: never `db`, never `reqwest`;
//! * only `application`, `background`, `router` and `cli` know everything: there the parts are made and joined.

pub mod accounts;
pub mod api;
pub mod api_keys;
pub mod application;
pub mod audit;
mod background;
pub mod batch_checks;
pub mod check_own_number;
pub mod cli;
pub mod clock;
pub mod config;
pub mod db;
pub mod early_access;
pub mod email;
pub mod evidence;
pub mod lifecycle;
pub mod limits;
pub mod members;
pub mod middleware;
pub mod onboarding;
pub mod one_time_links;
pub mod ops;
pub mod passwords;
pub mod people;
pub mod portal;
pub mod registries;
pub mod registry_limits;
pub mod registry_status;
pub mod router;
pub mod second_factor;
pub mod security_txt;
pub mod sessions;
pub mod spreadsheet;
pub mod staff;
pub mod telemetry;
pub mod usage;
pub mod verification;
pub mod verify_vat;
pub mod ways_in;
