//! A terminal at which somebody runs the program.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, tcgetattr},
};

/// A terminal, from the side of whoever sits before it.
pub struct Terminal {
    keys: File,
    shown: String,
    program: Child,
}

impl Terminal {
    /// Runs a program at a new terminal, which shows what it says; what it prints goes elsewhere.
    pub fn run(program: &Command) -> Self {
        // The program must not hold its own terminal open: when this end is gone it is told to end.
        let keys =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&keys).expect("is ours");
        unlockpt(&keys).expect("opens");
        let name = ptsname(&keys, Vec::new()).expect("a name").into_string().expect("text");
        let open = || OpenOptions::new().read(true).write(true).open(&name).expect("opens");
        // By itself no program has a terminal that it was not started from.
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(program.get_program()).args(program.get_args()).env_clear();
        command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.stdin(open()).stdout(Stdio::piped()).stderr(open());
        let program = command.spawn().expect("starts");
        Self { keys: keys.into(), shown: String::new(), program }
    }

    /// Waits until the terminal shows `words` and then hides what is typed, and types a line.
    pub fn type_hidden(&mut self, words: &str, line: &str) {
        let mut read = [0; 1024];
        while !self.shown.contains(words) {
            let length = self.keys.read(&mut read).expect("shows something");
            self.shown.push_str(&String::from_utf8_lossy(&read[..length]));
        }
        let begun = Instant::now();
        while tcgetattr(&self.keys).expect("its modes").local_modes.contains(LocalModes::ECHO) {
            assert!(begun.elapsed() < Duration::from_secs(30), "what is typed is shown: {}", self.shown);
            sleep(Duration::from_millis(5));
        }
        self.keys.write_all(format!("{line}\n").as_bytes()).expect("types");
    }

    /// Waits for the program's end: what came of it, with all that the terminal has shown.
    pub fn ended(mut self) -> (Output, String) {
        let output = self.program.wait_with_output().expect("ends");
        let mut rest = Vec::new();
        // The end of a terminal is told as an error.
        let _gone = self.keys.read_to_end(&mut rest);
        self.shown.push_str(&String::from_utf8_lossy(&rest));
        (output, self.shown)
    }
}
