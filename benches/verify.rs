//! The service as a process, beside what limits it, measured in the same run: a hundred cold EU numbers beside a bare
//! client with the same number of calls in flight, and the start beside the start of a process that does nothing. The memory
//! of an idle server has only a goal. Figures are medians of the rounds; only ratios travel between machines.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on stops")]

#[path = "support/published.rs"]
mod published;
mod support;

use std::{
    collections::HashMap,
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use registry_simulator::{Settings, Simulator};
use serde_json::{Value, json};

use published::eu_numbers;
use support::{Server, http_client, issue_key, median, program};

const ROUNDS: usize = 5;
const NUMBERS: usize = 100;
/// What VIES allows, and how long it takes.
const IN_FLIGHT: usize = 8;
const PER_MEMBER_STATE: usize = 3;
const LATENCY: Duration = Duration::from_millis(150);

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    cold_numbers(folder.path()).await;
    start_and_memory(folder.path()).await;
}

async fn cold_numbers(folder: &Path) {
    let limits = Settings {
        latency: LATENCY,
        vies_limit: u32::try_from(IN_FLIGHT).ok(),
        vies_limit_per_member_state: u32::try_from(PER_MEMBER_STATE).ok(),
        ..Settings::default()
    };
    let simulator = Simulator::start(limits).await.expect("the simulator");
    let server = Server::start(quiet_program(folder), folder, &simulator).await;
    let key = issue_key(folder, "Bench");
    let numbers: Vec<_> = eu_numbers()
        .iter()
        .take(NUMBERS)
        .map(|number| (number.prefix().as_str().to_owned(), number.national().to_owned()))
        .collect();
    assert_eq!(numbers.len(), NUMBERS);
    let client = http_client();
    let (mut ours, mut bound) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let started = Instant::now();
        bound_client(&client, &simulator, &numbers).await;
        bound.push(started.elapsed());
        let refused_before = simulator.vies().refusals();
        let started = Instant::now();
        let answer: Value = client
            .post(server.url("/v1/verify-vat"))
            .bearer_auth(&key)
            .json(
                // Asked anew in each round, whatever the one before has learnt.
                &json!({
                    "vatNumbers": numbers.iter().map(|(c, n)| format!("{c}{n}")).collect::<Vec<_>>(),
                    "maxAgeSeconds": 0,
                }),
            )
            .send()
            .await
            .expect("an answer")
            .json()
            .await
            .expect("JSON");
        ours.push(started.elapsed());
        let results = answer["results"].as_array().expect("results");
        let answered = results.iter().filter(|result| result["source"] == "live").count();
        assert_eq!(answered, NUMBERS, "not every number was asked: {answer}");
        assert_eq!(simulator.vies().refusals(), refused_before, "a place was taken twice");
    }
    let (ours, bound) = (median(ours), median(bound));
    println!(
        "100 cold EU numbers at {LATENCY:?}, {IN_FLIGHT} in flight, {PER_MEMBER_STATE} a state: {:.3} of the bound \
         client ({ours:.0?} beside {bound:.0?}; goal 1.03, floor 1.10), all answered, 0 refused",
        ratio(ours, bound)
    );
}

/// One pooled client that keeps as many calls in flight as are allowed, and does nothing else.
async fn bound_client(client: &reqwest::Client, simulator: &Simulator, numbers: &[(String, String)]) {
    let url = format!("{}/check-vat-number", simulator.vies_base_url());
    let mut waiting: Vec<&(String, String)> = numbers.iter().collect();
    let mut of_state: HashMap<&str, usize> = HashMap::new();
    let mut open = FuturesUnordered::new();
    loop {
        while open.len() < IN_FLIGHT {
            let free = |(country, _): &&(String, String)| {
                of_state.get(country.as_str()).copied().unwrap_or(0) < PER_MEMBER_STATE
            };
            let Some(at) = waiting.iter().position(free) else { break };
            let (country, number) = waiting.remove(at);
            *of_state.entry(country).or_default() += 1;
            let request = client.post(&url).json(&json!({ "countryCode": country, "vatNumber": number }));
            open.push(async move {
                let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
                assert!(answer["valid"].is_boolean(), "refused: {answer}");
                country.as_str()
            });
        }
        let Some(country) = open.next().await else { return };
        of_state.entry(country).and_modify(|count| *count -= 1);
    }
}

async fn start_and_memory(folder: &Path) {
    let simulator = Simulator::start(Settings::default()).await.expect("the simulator");
    let (mut ready, mut bare, mut empty) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let started = Instant::now();
        let nothing = program(folder).arg("--version").stdout(Stdio::null()).status().expect("runs");
        assert!(nothing.success());
        bare.push(started.elapsed());
        let started = Instant::now();
        Server::start(quiet_program(folder), folder, &simulator).await;
        ready.push(started.elapsed());
        let fresh = folder.join(format!("fresh-{round}"));
        fs::create_dir(&fresh).expect("a folder");
        let started = Instant::now();
        Server::start(quiet_program(&fresh), &fresh, &simulator).await;
        empty.push(started.elapsed());
    }
    let (ready, bare, empty) = (median(ready), median(bare), median(empty));
    println!(
        "start to ready: {ready:.0?} on a migrated database (goal 60 ms, floor 150), {empty:.0?} on an empty one (goal \
         150 ms, floor 500); {:.1} times the start of a process that does nothing",
        ratio(ready, bare)
    );
    let server = Server::start(quiet_program(folder), folder, &simulator).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    println!("idle: {:.1} MB resident (goal 20, floor 40)", server.resident_megabytes());
}

/// Its log lines are not measured here.
fn quiet_program(folder: &Path) -> Command {
    let mut command = program(folder);
    command.env("CROSSVAT_LOG__FILTER", "warn");
    command
}

fn ratio(ours: Duration, reference: Duration) -> f64 {
    ours.as_secs_f64() / reference.as_secs_f64()
}
