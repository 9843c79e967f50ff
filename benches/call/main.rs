//! What a call costs, beside a bare server that parses the same request and answers the same JSON, measured in turns
//! in the same run. The server has one core and the load another. Figures are medians of the rounds; only ratios travel
//! between machines.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on stops")]

mod bare;
mod cores;
mod generator;
mod measurements;
mod product;
#[path = "../support/published.rs"]
mod published;
mod registry;
mod report;
#[expect(dead_code, reason = "other benchmarks use the rest")]
#[path = "../support/mod.rs"]
mod support;

use std::time::Duration;

/// Longer than this means that a server hangs.
const LIMIT: Duration = Duration::from_mins(10);

fn main() {
    if bare::is_asked_for() {
        return bare::serve();
    }
    let cores = cores::Cores::divide();
    println!(
        "cargo bench --package crossvat --bench call: {cores}, medians of {} rounds",
        measurements::ROUNDS
    );
    let load = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    load.block_on(async {
        tokio::time::timeout(LIMIT, measurements::all(cores)).await.expect("a server does not answer");
    });
}
