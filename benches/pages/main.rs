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
    net::Ipv4Addr,
    path::Path,
    process::Stdio,
    sync::Arc,
    time::{Duration, Instant},
};

use crossvat::{
    audit::Actor,
    clock::SystemClock,
    db::Database,
    members::{Members, NewMember, Role},
    passwords::Passwords,
};
use rand::rngs::SysRng;
use registry_simulator::{Settings, Simulator};
use reqwest::header;
use secrecy::SecretString;

use support::{
    Server,
    figures::{Figure, Limits, Unit},
    http_client, median,
    process::Watch,
    program,
};

/// Every page that is measured.
const PAGES: [&str; 14] = [
    "/",
    "/docs/errors",
    "/portal",
    "/portal/keys",
    "/portal/check",
    "/portal/settings",
    "/portal/settings/members",
    "/portal/history",
    "/portal/history?find=marine&outcome=valid",
    "/portal/usage",
    "/portal/usage?period=24-hours",
    "/portal/usage?period=month",
    "/portal/usage?period=92-days",
    "/portal/usage.csv?period=92-days",
];
/// Of the member who looks.
const PASSWORD: &str = "correct horse battery";
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
    let email = reader(&open(&file).await, account).await;
    pages(folder.path(), &email).await;
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

/// A member of the account. The address.
async fn reader(db: &Database, account_id: uuid::Uuid) -> String {
    let members = Members::new(db.main.clone(), Arc::new(SystemClock::default()), Passwords::default());
    let (email, password) = ("maya@example.com".to_owned(), SecretString::from(PASSWORD));
    let new = NewMember {
        account_id,
        email: &email,
        name: "Maya Okafor",
        role: Role::Member,
        password: Some(&password),
    };
    let member = members.add(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("a member");
    members.confirm_address(member, Ipv4Addr::LOCALHOST.into()).await.expect("confirms");
    email
}

/// The cookie of a browser that signed in.
async fn signed_in(server: &Server, client: &reqwest::Client, email: &str) -> String {
    let form = [("email", email), ("password", PASSWORD)];
    let answer = client.post(server.url("/sign-in")).form(&form).send().await.expect("an answer");
    let cookie = answer.headers().get(header::SET_COOKIE).expect("a cookie").to_str().expect("text");
    cookie.split(';').next().unwrap_or_default().to_owned()
}

async fn pages(folder: &Path, email: &str) {
    let simulator = Simulator::start(Settings::default()).await.expect("the simulator");
    let mut quiet = program(folder);
    quiet.env("CROSSVAT_LOG__FILTER", "error").stdout(Stdio::null());
    let server = Server::start(quiet, folder, &simulator).await;
    let client = http_client();
    let cookie = signed_in(&server, &client, email).await;
    let (watch, mut slowest) = (Watch::over(&[server.process_id()]), (Duration::ZERO, ""));
    for path in PAGES {
        let mut times = Vec::new();
        let mut bytes = 0;
        for _ in 0..ROUNDS {
            let started = Instant::now();
            let answer =
                client.get(server.url(path)).header(header::COOKIE, &cookie).send().await.expect("an answer");
            assert!(answer.status().is_success(), "{path}: {}", answer.status());
            bytes = answer.bytes().await.expect("a page").len();
            times.push(started.elapsed());
        }
        let took = median(times);
        println!("{path}: {took:.1?}, {bytes} bytes");
        slowest = slowest.max((took, path));
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    Figure {
        goal: None,
        part: "the slowest page of an account with a year of calls",
        measured: milliseconds(slowest.0),
        unit: Unit("ms", 1),
        limits: Limits::at_most_without_floor(milliseconds(GOAL)),
        beside: format!("of {}: {}", PAGES.len(), slowest.1),
        others: Some(watch.cores_used_by_others()),
    }
    .report();
}
