//! Who has used the processor: a process under load, and programs that have nothing to do with the measurement.

use std::{
    fs,
    time::{Duration, Instant},
};

/// Processor time of a process since its start.
#[derive(Clone, Copy)]
pub struct ProcessorTime {
    pub user: Duration,
    pub system: Duration,
}

impl ProcessorTime {
    pub fn of(process_id: u32) -> Self {
        let [user, system, ..] = Self::fields(process_id);
        Self { user, system }
    }

    /// Of this process, with that of programs that it started and waited for.
    fn of_this_one() -> Duration {
        Self::fields(std::process::id()).iter().sum()
    }

    /// Reads `/proc/<id>/stat` (proc(5)): after the name in parentheses, `utime`, `stime`, `cutime` and `cstime` are the
    /// twelfth field and those behind it, in hundredths of a second.
    fn fields(process_id: u32) -> [Duration; 4] {
        let line = fs::read_to_string(format!("/proc/{process_id}/stat")).expect("Linux");
        let (_, fields) = line.rsplit_once(") ").expect("a name in parentheses");
        let mut times = fields.split(' ').skip(11).map(hundredths);
        std::array::from_fn(|_| times.next().expect("a time"))
    }

    /// Of everything on all cores. Reads the first line of `/proc/stat` (proc(5)): user, nice, system, idle, iowait, irq,
    /// softirq and steal, in hundredths of a second.
    fn of_the_machine() -> Duration {
        let stat = fs::read_to_string("/proc/stat").expect("Linux");
        let times: Vec<_> = stat.split_whitespace().skip(1).take(8).map(hundredths).collect();
        times.iter().sum::<Duration>().saturating_sub(times[3] + times[4])
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

fn hundredths(field: &str) -> Duration {
    Duration::from_millis(field.parse::<u64>().expect("a number") * 10)
}

/// Notices what other programs use of the machine while something is measured.
pub struct Watch {
    servers: Vec<u32>,
    started: Instant,
    others_before: Duration,
}

impl Watch {
    /// From now on. This process, what it starts and waits for, and `servers` are no others.
    pub fn over(servers: &[u32]) -> Self {
        let others_before = others(servers);
        Self { servers: servers.to_vec(), started: Instant::now(), others_before }
    }

    /// What the others have used since, in cores.
    pub fn cores_used_by_others(&self) -> f64 {
        let used = others(&self.servers).saturating_sub(self.others_before);
        used.as_secs_f64() / self.started.elapsed().as_secs_f64()
    }
}

fn others(servers: &[u32]) -> Duration {
    let used_by_servers: Duration = servers.iter().map(|process| ProcessorTime::of(*process).total()).sum();
    ProcessorTime::of_the_machine().saturating_sub(used_by_servers + ProcessorTime::of_this_one())
}
