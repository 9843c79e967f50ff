//! How much of the processor was used.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// What this process, and a server that runs in it, has had of the processor: other than time on the clock, it does not
/// depend on what else the machine does.
pub fn processor_time() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().expect("a time that has passed")
}
