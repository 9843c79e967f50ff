//! The real server on a free port, against the registry simulator, over sockets. Nothing between them is mocked.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

mod architecture;
mod case_log;
mod command_line;
mod errors;
mod hmrc;
mod keys;
mod limits;
mod load;
mod openapi;
mod outages;
mod pages;
mod probes;
mod results;
mod unusual_requests;
