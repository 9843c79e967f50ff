//! The real server on a free port, against the registry simulator, over sockets. Nothing between them is mocked.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

mod account;
mod afterwards;
mod allowance;
mod architecture;
mod audit;
mod batch_checks;
mod case_log;
mod chaos;
mod command_line;
mod crash;
mod docs;
mod email;
mod errors;
mod faults;
mod history;
mod hmrc;
mod holds;
mod instances;
mod key_life;
mod keys;
mod limits;
mod listings;
mod load;
mod openapi;
mod outages;
mod pages;
mod people;
mod portal;
mod probes;
mod registry_limits;
mod results;
mod reuse;
mod sandbox;
mod schema;
mod security_txt;
mod status;
mod unusual_requests;
mod usage;
mod usage_series;
mod written;
