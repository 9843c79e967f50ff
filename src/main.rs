//! The program: reads the command line and the environment and hands them to the library.

use std::process::ExitCode;

use clap::Parser;
use crossvat::cli::CommandLine;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    // A variable that is no text cannot be a setting.
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    match Box::pin(command_line.run(environment)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("crossvat: {error:#}");
            ExitCode::FAILURE
        }
    }
}
