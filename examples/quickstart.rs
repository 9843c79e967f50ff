//! The Rust program of the quickstart, as `docs/quickstart/verify.rs` has it, so that it is compiled and run.

#![expect(
    clippy::disallowed_methods,
    reason = "a caller's own program reads its environment and makes its client as callers do"
)]

use rustls::crypto::ring::default_provider;

mod verify {
    include!("../docs/quickstart/verify.rs");

    /// Runs it.
    pub fn run() -> Result<(), Box<dyn Error>> {
        main()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The server's own build of reqwest leaves the choice of a TLS provider to us; a caller's makes it.
    default_provider().install_default().map_err(|_| "a TLS provider is there already")?;
    verify::run()
}
