//! The program: reads the command line and the environment and hands them to the library.

use std::process::ExitCode;

use clap::Parser;
use crossvat::cli::CommandLine;

#[tokio::main]
async fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    let environment = std::env::vars();
    match command_line.run(environment).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("crossvat: {error:#}");
            ExitCode::FAILURE
        }
    }
}
