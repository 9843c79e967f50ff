//! The service as a process, beside what limits it, measured in the same run: a hundred cold EU numbers beside a bare
//! client with the same number of calls in flight and beside libraries of others, and the start beside the start of a
//! process that does nothing. The memory of an idle server has only a goal. Figures are medians of the rounds; only ratios
//! travel between machines.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on stops")]

mod cold;
#[path = "../support/published.rs"]
mod published;
mod soap;
mod start;
#[expect(dead_code, reason = "other benchmarks use the rest")]
#[path = "../support/mod.rs"]
mod support;

use std::{path::Path, process::Command, time::Duration};

use support::program;

const ROUNDS: usize = 5;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    cold::measure(folder.path()).await;
    start::measure(folder.path()).await;
}

/// Its log lines are not measured here.
fn quiet_program(folder: &Path) -> Command {
    let mut command = program(folder);
    command.env("CROSSVAT_LOG__FILTER", "error");
    command
}

fn ratio(ours: Duration, reference: Duration) -> f64 {
    ours.as_secs_f64() / reference.as_secs_f64()
}
