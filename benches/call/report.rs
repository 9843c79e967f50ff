//! What each measurement comes to: the ratio, and what it is made of.

use std::time::Duration;

use crate::{
    generator::{Latencies, Throughput},
    support::{
        figures::{self, Figure, Limits, Unit},
        median,
    },
};

const OF_BARE: Unit = Unit("of bare", 2);

/// Which goal a figure answers to.
#[derive(Clone, Copy)]
pub struct Goal {
    pub number: u8,
    pub part: &'static str,
    pub limits: Limits,
}

impl Goal {
    fn report(self, measured: f64, unit: Unit, beside: String, others: Option<f64>) {
        let Self { number, part, limits } = self;
        Figure { goal: Some(number), part, measured, unit, limits, beside, others }.report();
    }
}

/// `size` tells what of the answers.
pub fn throughput(ours: Throughput, bare: Throughput, size: &str, (goal, others): (Goal, f64)) {
    let processor = |of: Throughput| format!("{:.1} µs ({:.1} user)", of.processor_micros(), of.user_micros);
    let beside = format!(
        "{:.0} beside {:.0} calls a second on {:.0} and {:.0} % of the core; by processor time {:.2}, {} a call beside {}{size}",
        ours.calls_a_second,
        bare.calls_a_second,
        ours.busy * 100.0,
        bare.busy * 100.0,
        bare.processor_micros() / ours.processor_micros(),
        processor(ours),
        processor(bare),
    );
    goal.report(ours.calls_a_second / bare.calls_a_second, OF_BARE, beside, Some(others));
}

/// The percentile of each round of ours beside that of a reference, and `how` they were found.
pub fn latency(
    percent: usize,
    (ours, unit, reference): (&[Latencies], &'static str, &[Latencies]),
    how: &str,
    (goal, others): (Goal, f64),
) {
    let percentile =
        |rounds: &[Latencies]| median(rounds.iter().map(|round| round.percentile(percent)).collect());
    let (ours, reference): (Duration, Duration) = (percentile(ours), percentile(reference));
    let beside = format!("{} beside {} µs{how}", ours.as_micros(), reference.as_micros());
    goal.report(ours.as_secs_f64() / reference.as_secs_f64(), Unit(unit, 2), beside, Some(others));
}

/// Medians of one round of live calls.
pub struct LiveRound {
    pub product: Duration,
    pub bare: Duration,
    /// The registry asked directly.
    pub registry: Duration,
    /// A page written and flushed.
    pub flush: Duration,
}

impl LiveRound {
    /// What the product adds to its two exchanges, in flushes.
    fn ratio(&self) -> f64 {
        let added = self.product.saturating_sub(self.bare + self.registry);
        added.as_secs_f64() / self.flush.as_secs_f64()
    }
}

pub fn live(rounds: &[LiveRound], (goal, others): (Goal, f64)) {
    let part = |part: fn(&LiveRound) -> Duration| median(rounds.iter().map(part).collect()).as_micros();
    let flush = part(|round| round.flush);
    let beside = format!(
        "p50 {} µs, with a bare call's {} and the registry's own {} in it; fdatasync {flush} µs",
        part(|round| round.product),
        part(|round| round.bare),
        part(|round| round.registry),
    );
    let ratio = median(rounds.iter().map(LiveRound::ratio).collect());
    goal.report(ratio, Unit("of an fdatasync", 2), beside, Some(others));
    figures::machine(&format!("its disk takes {flush} µs to write a page through (fdatasync)"));
}

/// Megabytes at the start, with the answers, and at most under load.
pub fn memory(answers: u32, (start, filled, most): (f64, f64, f64), goal: Goal) {
    let beside = format!("{answers} answers; {start:.1} MB at the start, {filled:.1} once they are there");
    // Memory does not depend on who else is there.
    goal.report(most, Unit("MB", 1), beside, None);
}
