//! What a process has used of its core.

use std::{fs, time::Duration};

/// Processor time of a process since its start.
#[derive(Clone, Copy)]
pub struct ProcessorTime {
    pub user: Duration,
    pub system: Duration,
}

impl ProcessorTime {
    /// Reads `/proc/<id>/stat` (proc(5)): after the name in parentheses, `utime` and `stime` are the twelfth and
    /// thirteenth fields, in hundredths of a second.
    pub fn of(process_id: u32) -> Self {
        let line = fs::read_to_string(format!("/proc/{process_id}/stat")).expect("Linux");
        let (_, fields) = line.rsplit_once(") ").expect("a name in parentheses");
        let ticks: Vec<u64> =
            fields.split(' ').skip(11).take(2).map(|field| field.parse().expect("a number")).collect();
        let time = |at: usize| Duration::from_millis(ticks[at] * 10);
        Self { user: time(0), system: time(1) }
    }

    pub fn since(self, before: Self) -> Self {
        Self {
            user: self.user.saturating_sub(before.user),
            system: self.system.saturating_sub(before.system),
        }
    }

    pub fn total(self) -> Duration {
        self.user + self.system
    }
}
