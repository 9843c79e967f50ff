//! HMRC's three lookups a second, by what the simulator heard.

use std::time::Duration;

use registry_simulator::{Call, Simulator};

/// The lookups HMRC has heard; it is asked for tokens as well.
pub fn lookups_at_hmrc(simulator: &Simulator) -> Vec<Call> {
    let mut calls = simulator.calls();
    calls.retain(|call| call.country == "GB");
    calls
}

/// After `earlier` lookups that were answered before, HMRC heard so many more, three in a second at most. One that is let go in
/// its turn may arrive late, and then close to the next, but never before its turn: the turns are counted from the lookup
/// before them all.
#[track_caller]
pub fn in_hmrcs_pace(simulator: &Simulator, earlier: usize, lookups: usize) {
    let all = lookups_at_hmrc(simulator);
    let (earlier, paced) = all.split_at(earlier);
    assert_eq!(paced.len(), lookups, "{paced:?}");
    let begun = earlier.last().expect("a lookup before them").since_start;
    for (turn, call) in (0..).zip(paced) {
        let due = begun + Duration::from_secs(1) * turn / 3;
        assert!(call.since_start >= due, "{turn} before it, and due at {due:?}: {paced:?}");
    }
}
