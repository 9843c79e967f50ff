//! The simulator as a program: `registry-simulator --help`. Everything it does is in the library.

use std::{
    io::{self, IsTerminal as _},
    net::SocketAddr,
    time::Duration,
};

use clap::Parser;
use registry_simulator::{Settings, Simulator};
use tracing::level_filters::LevelFilter;

/// Stands in for HMRC's "Check a UK VAT number" API and for VIES, for running the product without them.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1:8090")]
    bind: SocketAddr,
    /// How long each registry takes for an ordinary answer, in milliseconds.
    #[arg(long, default_value_t = 120)]
    latency_ms: u64,
    /// Do not write a line for every call.
    #[arg(long)]
    quiet: bool,
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_max_level(if arguments.quiet { LevelFilter::WARN } else { LevelFilter::INFO })
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .without_time()
        .init();
    let settings = Settings {
        bind: arguments.bind,
        latency: Duration::from_millis(arguments.latency_ms),
        ..Settings::default()
    };
    let (client_id, client_secret) = (settings.hmrc_client_id.clone(), settings.hmrc_client_secret.clone());
    let simulator = Simulator::start(settings).await?;
    let base = simulator.hmrc_base_url();
    println!("HMRC     {base} (client id {client_id}, secret {client_secret})");
    println!("VIES     {}", simulator.vies_base_url());
    println!("Controls {base}/control (what there is), {base}/control/log (every call)");
    println!("Switch Germany off: curl -X PUT {base}/control/vies/DE -d '{{\"condition\":\"down\"}}'");
    println!("and on again:       curl -X PUT {base}/control/vies/DE -d '{{\"condition\":\"up\"}}'");
    tokio::signal::ctrl_c().await
}
