//! How scarce registries are shared, at the simulator that refuses what the real ones refuse: each scenario beside its
//! arithmetic limit or beside the same without trouble, in the same run. Only ratios travel between machines.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on stops")]

#[expect(dead_code, reason = "other benchmarks use the rest")]
mod support;

use std::{
    collections::HashMap,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use registry_simulator::{Answer, Call, Condition, Ending, Settings, Simulator};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until};

use support::{
    Server,
    figures::{Figure, Limits, Unit},
    http_client, median,
    process::Watch,
    program,
};

/// What HMRC grants one application.
const HMRC_PER_SECOND: u32 = 3;
/// What VIES allows, and how long it takes.
const IN_FLIGHT: u32 = 8;
const PER_MEMBER_STATE: u32 = 3;
const LATENCY: Duration = Duration::from_millis(150);
/// What the service waits for an answer of VIES.
const TRY_LIMIT: Duration = Duration::from_secs(15);
/// Calls about one number.
const CALLS_AT_ONCE: u32 = 1000;

#[tokio::main]
async fn main() {
    a_single_number_beside_batches().await;
    a_hundred_cold_uk_numbers().await;
    one_member_state_and_another().await;
    a_hundred_callers_with_the_same_numbers().await;
    equal_numbers_are_asked_once().await;
    one_member_state_is_silent().await;
}

/// The service in front of a simulator with the real limits.
struct Bench {
    server: Server,
    simulator: Simulator,
    http: reqwest::Client,
    folder: tempfile::TempDir,
}

impl Bench {
    async fn start() -> Self {
        let limits = Settings {
            latency: LATENCY,
            hmrc_calls_per_second: Some(HMRC_PER_SECOND),
            vies_limit: Some(IN_FLIGHT),
            vies_limit_per_member_state: Some(PER_MEMBER_STATE),
            ..Settings::default()
        };
        let simulator = Simulator::start(limits).await.expect("the simulator");
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = program(folder.path());
        command
            .env("CROSSVAT_LOG__FILTER", "error")
            .env("CROSSVAT_HTTP__MAX_IN_FLIGHT", CALLS_AT_ONCE.to_string())
            .env("CROSSVAT_HMRC__BASE_URL", simulator.hmrc_base_url())
            .env("CROSSVAT_HMRC__CLIENT_ID", "sandbox-client")
            .env("CROSSVAT_HMRC__CLIENT_SECRET", "sandbox-secret");
        let server = Server::start(command, folder.path(), &simulator).await;
        Self { server, simulator, http: http_client(), folder }
    }

    /// An account that may ask as often as the benchmark does.
    fn customer(&self, name: &str) -> Customer {
        let folder = self.folder.path();
        run(folder, &["create-account", "--name", name, "--requests-per-minute", "10000"]);
        Customer {
            key: support::issue_key(folder, name),
            url: self.server.url("/v1/verify-vat"),
            http: self.http.clone(),
        }
    }

    /// Numbers of the United Kingdom, from the `first` on, each of them registered: a "no" would be asked twice.
    fn uk_numbers(&self, first: u32, count: u32) -> Vec<String> {
        let number = |n: u32| {
            let number = format!("{:09}", 100_000_000 + n);
            self.simulator
                .hmrc()
                .script(&number, Answer::valid("Fenwick Marine Ltd", "1 Quay Street\nWhitby"));
            format!("GB{number}")
        };
        (first..first + count).map(number).collect()
    }

    fn watch(&self) -> Watch {
        Watch::over(&[self.server.process_id()])
    }

    /// Lookups that one registry took.
    fn lookups(&self, registry: registry_simulator::Registry) -> Vec<Call> {
        let calls = self.simulator.calls().into_iter();
        calls.filter(|call| call.registry == registry && !call.number.is_empty()).collect()
    }
}

fn run(folder: &Path, arguments: &[&str]) {
    let mut command: Command = program(folder);
    let status =
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::inherit()).status().expect("runs");
    assert!(status.success(), "{arguments:?}");
}

#[derive(Clone)]
struct Customer {
    key: String,
    url: String,
    http: reqwest::Client,
}

impl Customer {
    /// What becomes of one call, and how long it takes.
    async fn verify(&self, numbers: &[String]) -> (Value, Duration) {
        let body = json!({ "vatNumbers": numbers, "partial": true });
        let started = Instant::now();
        let answer =
            self.http.post(&self.url).bearer_auth(&self.key).json(&body).send().await.expect("an answer");
        let status = answer.status();
        let answer: Value = answer.json().await.expect("JSON");
        assert!(status.is_success(), "{status}: {answer}");
        (answer, started.elapsed())
    }
}

/// Results that a registry gave, for this call or an earlier one.
fn answered(answer: &Value) -> usize {
    let results = answer["results"].as_array().expect("results");
    results.iter().filter(|result| result["source"] != "none").count()
}

/// Numbers of one member state, in its form.
fn numbers_of(prefix: &str, first: u32, count: u32) -> Vec<String> {
    let form = |n: u32| match prefix {
        "DE" | "EE" | "EL" | "PT" => format!("{prefix}{:09}", 100_000_000 + n),
        _ => format!("{prefix}{:08}", 10_000_000 + n),
    };
    (first..first + count).map(form).collect()
}

fn ratio(took: Duration, reference: Duration) -> f64 {
    took.as_secs_f64() / reference.as_secs_f64()
}

fn count(of: usize) -> f64 {
    u32::try_from(of).map_or(f64::INFINITY, f64::from)
}

fn highest(mut waits: Vec<Duration>) -> Duration {
    waits.sort_unstable();
    waits.last().copied().unwrap_or_default()
}

/// Three accounts keep calls with 100 numbers of the United Kingdom running; a fourth asks about one now and then.
async fn a_single_number_beside_batches() {
    const WARM_UP: Duration = Duration::from_secs(30);
    let bench = Arc::new(Bench::start().await);
    let over = Arc::new(AtomicBool::new(false));
    let batches = ["One", "Two", "Three"].into_iter().zip(0_u32..).map(|(name, place)| {
        let (bench, over) = (Arc::clone(&bench), Arc::clone(&over));
        let customer = bench.customer(name);
        tokio::spawn(async move {
            let mut first = place * 100_000_000;
            while !over.load(Ordering::Relaxed) {
                customer.verify(&bench.uk_numbers(first, 100)).await;
                first += 100;
            }
        })
    });
    let batches: Vec<_> = batches.collect();
    let watch = bench.watch();
    sleep(WARM_UP).await;
    let single = bench.customer("Single");
    let rarely = Singles { first: 300_000_000, calls: 12, every: Duration::from_secs(10) };
    let often = Singles { first: 400_000_000, calls: 30, every: Duration::from_secs(2) };
    rarely.ask(&bench, &single, "wait, one every 10 s", Limits::at_most(0.65, 1.2)).await;
    often.ask(&bench, &single, "wait, one every 2 s", Limits::at_most(0.85, 1.2)).await;
    let calls = bench.lookups(registry_simulator::Registry::Hmrc);
    let refused = calls.iter().filter(|call| call.ending == Ending::Status(429)).count();
    Figure {
        goal: Some(7),
        part: "refused by HMRC",
        measured: count(refused),
        unit: Unit("lookups", 0),
        limits: Limits::exactly(0.0),
        beside: format!(
            "of {}; the server holds {:.1} MB with all that waiting",
            calls.len(),
            bench.server.resident_megabytes()
        ),
        // A lookup that left in time arrives late on a busy machine, and together with the next.
        others: Some(watch.cores_used_by_others()),
    }
    .report();
    over.store(true, Ordering::Relaxed);
    for batch in batches {
        batch.abort();
    }
}

/// Calls about one number each, at a steady pace, about numbers from the `first` on.
struct Singles {
    first: u32,
    calls: u32,
    every: Duration,
}

impl Singles {
    async fn ask(self, bench: &Bench, single: &Customer, part: &str, limits: Limits) {
        let Self { first, calls, every } = self;
        // The pace holds from what was asked before on: twice running would be faster.
        sleep(every).await;
        let before = bench.lookups(registry_simulator::Registry::Hmrc).len();
        let (watch, started, mut waits) = (bench.watch(), Instant::now(), Vec::new());
        for place in 0..calls {
            // Not in step with the turns.
            sleep_until(started + every * place + Duration::from_millis(137 * u64::from(place) % 1000)).await;
            let (answer, took) = single.verify(&bench.uk_numbers(first + place, 1)).await;
            assert_eq!(answered(&answer), 1, "{answer}");
            waits.push(took);
        }
        let elapsed = started.elapsed();
        let others = Some(watch.cores_used_by_others());
        let lately = bench.lookups(registry_simulator::Registry::Hmrc).split_off(before);
        let mut of: HashMap<u8, u32> = HashMap::new();
        for call in &lately {
            *of.entry(call.number.as_bytes().first().copied().unwrap_or_default()).or_default() += 1;
        }
        let shares: Vec<f64> = [b'1', b'2', b'3']
            .iter()
            .map(|name| f64::from(of.get(name).copied().unwrap_or_default()))
            .collect();
        let all: f64 = shares.iter().sum();
        let (least, most) = (
            shares.iter().copied().fold(f64::INFINITY, f64::min) * 3.0 / all,
            shares.iter().copied().fold(0.0, f64::max) * 3.0 / all,
        );
        Figure {
            goal: Some(7),
            part,
            measured: highest(waits.clone()).as_secs_f64(),
            unit: Unit("s", 2),
            limits,
            beside: format!("the worst of {calls}; median {:.2?}", median(waits)),
            others,
        }
        .report();
        Figure {
            goal: Some(7),
            part: "use of HMRC meanwhile",
            measured: count(lately.len()) / (elapsed.as_secs_f64() * f64::from(HMRC_PER_SECOND)),
            unit: Unit("of its rate", 2),
            limits: Limits::at_least(0.97, 0.9),
            beside: format!("each of the three batch senders had {least:.2} to {most:.2} of a third"),
            others,
        }
        .report();
    }
}

/// What is known at the deadline, and the rest when the call is repeated.
async fn a_hundred_cold_uk_numbers() {
    let bench = Bench::start().await;
    let customer = bench.customer("Bench");
    let numbers = bench.uk_numbers(0, 100);
    let watch = bench.watch();
    let (first, took) = customer.verify(&numbers).await;
    let (rest, again) = customer.verify(&numbers).await;
    assert_eq!(answered(&rest), 100, "{rest}");
    let others = Some(watch.cores_used_by_others());
    let calls = bench.lookups(registry_simulator::Registry::Hmrc).len();
    let figure = |part, measured, unit, limits, beside| {
        Figure { goal: Some(8), part, measured, unit, limits, beside, others }.report();
    };
    let within = format!("within {took:.1?}; HMRC's rate allows 75");
    let most = Limits::at_least(74.0, 70.0);
    figure("in the first answer", count(answered(&first)), Unit("numbers", 0), most, within);
    let rest = "how long the repeated call takes".to_owned();
    let limits = Limits::at_most_without_floor(9.0);
    figure("the rest", again.as_secs_f64(), Unit("s", 1), limits, rest);
    let both = "in both calls; what HMRC refuses is asked again".to_owned();
    figure("asked of HMRC", count(calls), Unit("lookups", 0), Limits::exactly(100.0), both);
}

/// A hundred numbers of one member state, and meanwhile another caller's of another.
async fn one_member_state_and_another() {
    let bench = Bench::start().await;
    let (one, other) = (bench.customer("One"), bench.customer("Other"));
    let watch = bench.watch();
    let batch = tokio::spawn(async move { one.verify(&numbers_of("DE", 0, 100)).await });
    sleep(LATENCY * 2).await;
    let mut waits = Vec::new();
    for place in 0.. {
        if batch.is_finished() {
            break;
        }
        waits.push(other.verify(&numbers_of("FI", place, 1)).await.1);
    }
    let (answer, took) = batch.await.expect("ends");
    assert_eq!(answered(&answer), 100, "{answer}");
    let limit = LATENCY * 100_u32.div_ceil(PER_MEMBER_STATE);
    let others = Some(watch.cores_used_by_others());
    Figure {
        goal: Some(5),
        part: "",
        measured: ratio(took, limit),
        unit: Unit("of the limit", 3),
        limits: Limits::at_most(1.03, 1.10),
        beside: format!(
            "{took:.2?} beside {limit:.1?}, which {PER_MEMBER_STATE} places of {LATENCY:?} allow"
        ),
        others,
    }
    .report();
    Figure {
        goal: Some(5),
        part: "one number of another state meanwhile",
        measured: highest(waits.clone()).as_secs_f64() * 1000.0,
        unit: Unit("ms", 0),
        limits: Limits::at_most(165.0, 300.0),
        beside: format!("the worst of {}; VIES takes {LATENCY:?}", waits.len()),
        others,
    }
    .report();
}

async fn a_hundred_callers_with_the_same_numbers() {
    let bench = Bench::start().await;
    let customer = bench.customer("Bench");
    let states = ["DE", "EE", "EL", "PT", "FI", "DK", "HU", "LU", "MT", "SI"];
    let numbers =
        |first| -> Vec<String> { states.iter().flat_map(|prefix| numbers_of(prefix, first, 10)).collect() };
    let (alone, one_batch) = customer.verify(&numbers(0)).await;
    assert_eq!(answered(&alone), 100, "{alone}");
    let before = bench.lookups(registry_simulator::Registry::Vies).len();
    let cold = numbers(1000);
    let watch = bench.watch();
    let answers = join_all((0..100).map(|_| customer.verify(&cold))).await;
    for (answer, _) in &answers {
        assert_eq!(answered(answer), 100, "{answer}");
    }
    let calls = bench.lookups(registry_simulator::Registry::Vies).len() - before;
    let last = highest(answers.iter().map(|(_, took)| *took).collect());
    let others = Some(watch.cores_used_by_others());
    Figure {
        goal: Some(6),
        part: "asked of VIES",
        measured: count(calls),
        unit: Unit("lookups", 0),
        limits: Limits::exactly(100.0),
        beside: "10,000 if each asked for itself".to_owned(),
        others: None,
    }
    .report();
    Figure {
        goal: Some(6),
        part: "until all are answered",
        measured: ratio(last, one_batch),
        unit: Unit("of one caller alone", 2),
        limits: Limits::at_most(1.05, 1.2),
        beside: format!("{last:.2?} beside {one_batch:.2?}"),
        others,
    }
    .report();
}

async fn equal_numbers_are_asked_once() {
    let bench = Bench::start().await;
    let customer = bench.customer("Bench");
    let number = numbers_of("DE", 0, 1);
    let answers = join_all((0..CALLS_AT_ONCE).map(|_| customer.verify(&number))).await;
    assert!(answers.iter().all(|(answer, _)| answered(answer) == 1));
    let calls = bench.lookups(registry_simulator::Registry::Vies).len();
    Figure {
        goal: None,
        part: "1,000 calls at once about one cold number",
        measured: count(calls),
        unit: Unit("lookup", 0),
        limits: Limits::exactly(1.0),
        beside: "1,000 if each asked for itself".to_owned(),
        others: None,
    }
    .report();
}

/// The same calls about the other member states, with all well and with one silent.
async fn one_member_state_is_silent() {
    const ROUNDS: u32 = 5;
    let bench = Bench::start().await;
    let (one, other) = (bench.customer("One"), bench.customer("Other"));
    let states = ["EE", "EL", "PT", "FI", "DK", "HU", "LU", "MT", "SI"];
    let rounds = async |first: u32| -> Duration {
        let mut took = Vec::new();
        for round in 0..ROUNDS {
            let numbers: Vec<String> =
                states.iter().flat_map(|prefix| numbers_of(prefix, first + round * 10, 10)).collect();
            let (answer, elapsed) = other.verify(&numbers).await;
            assert_eq!(answered(&answer), numbers.len(), "{answer}");
            took.push(elapsed);
        }
        median(took)
    };
    let watch = bench.watch();
    let well = rounds(0).await;
    bench.simulator.vies().set_member_state("DE", Condition::Silent);
    let silent = tokio::spawn(async move { one.verify(&numbers_of("DE", 0, 100)).await });
    sleep(LATENCY * 2).await;
    let asked = rounds(1000).await;
    let (answer, _) = silent.await.expect("ends");
    assert_eq!(answered(&answer), 0, "{answer}");
    // Its first five tries are over.
    sleep(TRY_LIMIT).await;
    let left_alone = rounds(2000).await;
    Figure {
        goal: None,
        part: "90 numbers of other member states while one is silent",
        measured: ratio(left_alone, well),
        unit: Unit("of before", 2),
        limits: Limits::at_most_without_floor(1.1),
        beside: format!(
            "once it is left alone; {:.2} while its first tries hold {PER_MEMBER_STATE} of {IN_FLIGHT} places",
            ratio(asked, well)
        ),
        others: Some(watch.cores_used_by_others()),
    }
    .report();
}
