//! Which core does what: the servers have the first, the load and the registry the second.

use std::{
    fmt,
    process::{Command, Stdio},
    thread,
};

const SERVERS: &str = "0";
const LOAD: &str = "1";

/// How the machine is divided.
#[derive(Clone, Copy)]
pub enum Cores {
    /// Servers on one core, everything else on another.
    Divided,
    /// Everything everywhere: `taskset` or a second core is missing.
    Shared,
}

impl Cores {
    /// Puts this process on the load's core. Threads started from now on stay there.
    pub fn divide() -> Self {
        let enough = thread::available_parallelism().is_ok_and(|cores| cores.get() >= 2);
        let moved = || {
            Command::new("taskset")
                .args(["--cpu-list", "--pid", LOAD, &std::process::id().to_string()])
                .stdout(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        };
        if enough && moved() { Self::Divided } else { Self::Shared }
    }

    /// The same command, for the servers' core. What happens to its output is not taken over.
    pub fn for_a_server(self, command: Command) -> Command {
        if matches!(self, Self::Shared) {
            return command;
        }
        let mut pinned = Command::new("taskset");
        pinned
            .args(["--cpu-list", SERVERS])
            .arg(command.get_program())
            .args(command.get_args())
            .env_clear()
            .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        pinned
    }
}

impl fmt::Display for Cores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Divided => "servers on one core, load on another",
            Self::Shared => {
                "servers and load NOT kept apart (no taskset, or one core only): ratios say little"
            }
        })
    }
}
