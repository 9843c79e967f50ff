//! One line for each figure: the ratio, what it should be, and what it is made of.

use std::time::Duration;

use crate::{
    generator::{Latencies, Throughput},
    support::median,
};

/// Other programs may use this much of a core, or the figures tell of them.
const QUIET: f64 = 0.1;

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

    /// What to say of a ratio that was found while other programs used so many cores.
    pub fn judge(self, ratio: f64, cores_used_by_others: f64) -> String {
        let Self { goal, floor } = self;
        if cores_used_by_others > QUIET {
            let used = cores_used_by_others * 100.0;
            return format!(
                "goal {goal}, floor {floor}: NOT JUDGED, other programs used {used:.0} % of a core"
            );
        }
        format!("goal {goal}, floor {floor}: {}", self.verdict(ratio))
    }
}

pub fn throughput(what: &str, ours: Throughput, bare: Throughput, (goal, others): (Goal, f64)) {
    let ratio = ours.calls_a_second / bare.calls_a_second;
    let processor = |of: Throughput| format!("{:.1} us ({:.1} user)", of.processor_micros(), of.user_micros);
    println!(
        "{what}: {ratio:.2} of bare ({}); {:.0} beside {:.0} calls a second on {:.0} and {:.0} % of the core; by \
         processor time {:.2}, {} a call beside {}",
        goal.judge(ratio, others),
        ours.calls_a_second,
        bare.calls_a_second,
        ours.busy * 100.0,
        bare.busy * 100.0,
        bare.processor_micros() / ours.processor_micros(),
        processor(ours),
        processor(bare),
    );
}

/// The percentile of each round of ours beside that of `(name, reference)`.
pub fn latency(
    what: &str,
    percent: usize,
    (ours, name, reference): (&[Latencies], &str, &[Latencies]),
    (goal, others): (Goal, f64),
) {
    let percentile =
        |rounds: &[Latencies]| median(rounds.iter().map(|round| round.percentile(percent)).collect());
    let (ours, reference): (Duration, Duration) = (percentile(ours), percentile(reference));
    let ratio = ours.as_secs_f64() / reference.as_secs_f64();
    println!(
        "{what}: p{percent} {ratio:.2} of {name} ({}); {} beside {} us",
        goal.judge(ratio, others),
        ours.as_micros(),
        reference.as_micros()
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

pub fn live(rounds: &[LiveRound], (goal, others): (Goal, f64)) {
    let ratio = median(rounds.iter().map(LiveRound::ratio).collect());
    let part = |part: fn(&LiveRound) -> Duration| median(rounds.iter().map(part).collect()).as_micros();
    println!(
        "live 1-number call, one connection: {ratio:.2} of an fdatasync beyond a bare call and the registry's own \
         ({}); p50 {} us, bare {}, registry {}, fdatasync {}",
        goal.judge(ratio, others),
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
        // Memory does not depend on who else is there.
        goal.judge(most, 0.0)
    );
}
