//! Libraries of others, which `scripts/bench.sh` installs: scripts in benches/peers use them as their documentation says, and
//! print what came of it. Without the two variables that name where they are, they are left out.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

/// The folder of the scripts, in which npm has put its libraries.
const FOLDER: &str = "BENCH_PEERS";
/// The Python that has the others.
const PYTHON: &str = "BENCH_PYTHON";

/// A script, to be given its arguments.
#[expect(clippy::disallowed_methods, reason = "scripts/bench.sh says by the environment where they are")]
pub fn script(name: &str) -> Option<Command> {
    let (folder, python) = (PathBuf::from(env::var_os(FOLDER)?), env::var_os(PYTHON)?);
    let is_python = Path::new(name).extension().is_some_and(|ending| ending == "py");
    let mut command = Command::new(if is_python { python } else { "node".into() });
    command.arg(folder.join(name)).stderr(Stdio::inherit());
    Some(command)
}

/// Runs it. The lines that it prints.
pub fn run(mut script: Command) -> Vec<Value> {
    let output = script.output().expect("runs");
    assert!(output.status.success(), "a script of benches/peers failed");
    let lines = String::from_utf8(output.stdout).expect("text");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
