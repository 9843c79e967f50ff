//! One line for each figure: the ratio, what it should be, and what it is made of.

use std::{fmt, time::Duration};

use crate::{
    generator::{Latencies, Throughput},
    support::median,
};

/// Below this the load, and not the server, was what limited a closed loop.
const KEPT_BUSY: f64 = 0.9;

/// What a ratio should be, and what it must be.
#[derive(Clone, Copy)]
pub struct Goal {
    goal: f64,
    floor: f64,
}

impl Goal {
    pub const fn at_least(goal: f64, floor: f64) -> Self {
        Self { goal, floor }
    }

    pub const fn at_most(goal: f64, floor: f64) -> Self {
        Self { goal, floor }
    }

    fn verdict(self, ratio: f64) -> &'static str {
        let reaches = |bound: f64| if self.goal > self.floor { ratio >= bound } else { ratio <= bound };
        if reaches(self.goal) {
            "met"
        } else if reaches(self.floor) {
            "missed"
        } else {
            "missed, and the floor too"
        }
    }
}

/// The goal beside what was reached.
struct Judged(f64, Goal);

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(ratio, goal) = self;
        write!(f, "goal {}, floor {}: {}", goal.goal, goal.floor, goal.verdict(*ratio))
    }
}

pub fn throughput(what: &str, ours: Throughput, bare: Throughput, goal: Goal) {
    let ratio = ours.calls_a_second / bare.calls_a_second;
    let processor = |of: Throughput| format!("{:.1} + {:.1}", of.user_micros, of.system_micros);
    println!(
        "{what}: {ratio:.2} of bare ({}); {:.0} beside {:.0} calls a second; processor time, user + system: {} beside \
         {} us a call{}",
        Judged(ratio, goal),
        ours.calls_a_second,
        bare.calls_a_second,
        processor(ours),
        processor(bare),
        limited_by_load(ours.busy.min(bare.busy))
    );
}

fn limited_by_load(busy: f64) -> String {
    if busy >= KEPT_BUSY {
        return String::new();
    }
    format!("; NOT kept busy: a server used {:.0} % of its core", busy * 100.0)
}

/// The percentile of each round of ours beside that of `(name, reference)`.
pub fn latency(
    what: &str,
    percent: usize,
    (ours, name, reference): (&[Latencies], &str, &[Latencies]),
    goal: Goal,
) {
    let percentile =
        |rounds: &[Latencies]| median(rounds.iter().map(|round| round.percentile(percent)).collect());
    let (ours, reference): (Duration, Duration) = (percentile(ours), percentile(reference));
    let ratio = ours.as_secs_f64() / reference.as_secs_f64();
    println!(
        "{what}: p{percent} {ratio:.2} of {name} ({}); {ours:.0?} beside {reference:.0?}",
        Judged(ratio, goal)
    );
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

pub fn live(rounds: &[LiveRound], goal: Goal) {
    let ratio = median(rounds.iter().map(LiveRound::ratio).collect());
    let part = |part: fn(&LiveRound) -> Duration| median(rounds.iter().map(part).collect());
    println!(
        "live call, 1 number, one connection: {ratio:.2} of an fdatasync beyond a bare call and the registry's own \
         ({}); p50 {:.0?}, bare {:.0?}, registry {:.0?}, fdatasync {:.0?}",
        Judged(ratio, goal),
        part(|round| round.product),
        part(|round| round.bare),
        part(|round| round.registry),
        part(|round| round.flush)
    );
}

/// Megabytes at the start, with the answers, and at most under load.
pub fn memory(answers: u32, (start, filled, most): (f64, f64, f64), goal: Goal) {
    println!(
        "memory: {most:.1} MB resident at most under full load with {answers} answers ({}); {start:.1} at the start, \
         {filled:.1} once they are there",
        Judged(most, goal)
    );
}
