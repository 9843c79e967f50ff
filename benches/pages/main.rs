//! What a page costs an account with a year behind it: every page of a list from the real server, and the queries that
//! the portal's pages are made of, over a database with a million counts and 200,000 rows of evidence. Medians of twenty.
//!
//! `cargo bench --package crossvat --bench pages -- seed <file>` only makes such a database, to look at.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on stops")]

mod queries;
#[expect(dead_code, reason = "other benchmarks use the rest")]
#[path = "../support/mod.rs"]
mod support;
mod year;

use std::{
    path::Path,
    process::Stdio,
    sync::Arc,
    time::{Duration, Instant},
};

use crossvat::{clock::SystemClock, db::Database};
use registry_simulator::{Settings, Simulator};

use support::{Server, http_client, median, program};

/// Every page that is measured.
const PAGES: [&str; 2] = ["/", "/docs/errors"];
const ROUNDS: usize = 20;
/// What a page may take.
const GOAL: Duration = Duration::from_millis(50);

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let ["seed", file] = arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        seed(Path::new(file)).await;
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    // Where `support::program` looks for it.
    let file = folder.path().join("bench.db");
    let account = seed(&file).await;
    queries::measure(&open(&file).await, account).await;
    pages(folder.path()).await;
}

/// Makes the database. The account that is looked at.
async fn seed(file: &Path) -> uuid::Uuid {
    let started = Instant::now();
    let db = open(file).await;
    db.migrate().await.expect("migrates");
    let account = year::fill(&db, Arc::new(SystemClock::default())).await;
    db.checkpoint().await.expect("the log is moved");
    db.close().await.expect("closes");
    println!("a year of a busy account: made in {:.0?}", started.elapsed());
    account
}

async fn open(file: &Path) -> Database {
    Database::connect(&format!("sqlite://{}", file.display()).into()).await.expect("opens")
}

async fn pages(folder: &Path) {
    let simulator = Simulator::start(Settings::default()).await.expect("the simulator");
    let mut quiet = program(folder);
    quiet.env("CROSSVAT_LOG__FILTER", "warn").stdout(Stdio::null());
    let server = Server::start(quiet, folder, &simulator).await;
    let client = http_client();
    for path in PAGES {
        let mut times = Vec::new();
        let mut bytes = 0;
        for _ in 0..ROUNDS {
            let started = Instant::now();
            let answer = client.get(server.url(path)).send().await.expect("an answer");
            assert!(answer.status().is_success(), "{path}: {}", answer.status());
            bytes = answer.bytes().await.expect("a page").len();
            times.push(started.elapsed());
        }
        println!("{path}: {:.1?}, {bytes} bytes (goal {GOAL:?})", median(times));
    }
}
