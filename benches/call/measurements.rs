//! What is measured, in what order, and against which goals.

use std::{
    fs::File,
    io::Write,
    path::Path,
    slice,
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::time::sleep;

use crate::{
    bare::Bare,
    cores::Cores,
    generator::{
        ClosedLoop, Connection, Latencies, Request, Target, Throughput, one_by_one, steady, throughput,
    },
    product::{Account, Product, SOURCE_OF_A_REPEATED_CALL, UNLIMITED, verify_vat},
    registry::Registry,
    report::{self, Goal, LiveRound},
    support::{figures::Limits, process::Watch},
};

pub const ROUNDS: usize = 5;
/// Enough to keep a server's core busy; more only wait.
const CONNECTIONS: usize = 32;

const STEADY_RATE: u32 = 10_000;
const STEADY_SPAN: Duration = Duration::from_secs(2);
/// The part of its capacity at which a server still answers at once.
const UNHURRIED: f64 = 0.6;

const LIVE_CALLS: u32 = 500;
/// What a commit appends at the least: a page of SQLite's log.
const PAGE: [u8; 4096] = [0; 4096];

const NEIGHBOURS_RATE: u32 = 1000;
const NEIGHBOURS_CONNECTIONS: usize = 4;
/// Each waits for its answer, so this is also how many refusals a neighbour's call can find before it.
const FLOODING_CONNECTIONS: usize = 8;

const CACHED_ANSWERS: u32 = 50_000;
const NUMBERS_A_CALL: usize = 100;
const MEMORY_SPAN: Duration = Duration::from_secs(3);
const MEMORY_SAMPLES: u32 = 60;

const BUSY: Account = Account { name: "Busy", requests_per_minute: UNLIMITED };
/// Refused from its second call on, where every account has its own limit.
const FLOODING: Account = Account { name: "Flooding", requests_per_minute: 1 };
/// More than it sends here in all.
const NEIGHBOUR: Account = Account { name: "Neighbour", requests_per_minute: 30_000 };

pub async fn all(cores: Cores) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let registry = Registry::start().await;
    let bare = Bare::start(cores);
    let bench = Bench { cores, folder: folder.path(), registry: &registry, bare: bare.target() };
    bench.cached_and_live_calls().await;
    bench.refusals().await;
    bench.memory().await;
}

/// What every measurement needs.
struct Bench<'a> {
    cores: Cores,
    folder: &'a Path,
    registry: &'a Registry,
    bare: Target,
}

impl Bench<'_> {
    async fn product(&self, name: &str, accounts: &[Account]) -> Product {
        Product::start(self.cores, self.folder, name, self.registry, accounts).await
    }

    async fn cached_and_live_calls(&self) {
        let product = self.product("calls", &[BUSY]).await;
        let numbers = self.registry.published_numbers();
        let one = self.cached_call(&product, &numbers[..1], 1).await;
        self.cached_call(&product, &numbers, 2).await;
        self.steady_calls(&product, &numbers[..1], one).await;
        self.live_calls(&product).await;
    }

    /// The capacities found.
    async fn cached_call(&self, product: &Product, numbers: &[String], goal: u8) -> Capacities {
        let ours = product.call(BUSY, numbers);
        let our_size = size_when_repeated(product.target(), &ours).await;
        let bare_size = size(self.bare, &self.bare_call(numbers)).await;
        let size = format!("; answers of {our_size} beside {bare_size} bytes");
        let goal = Goal { number: goal, part: "", limits: Limits::at_least(0.6, 0.4) };
        self.beside_bare((product.target(), &ours, 200), numbers, &size, goal).await
    }

    /// The product under a request beside the bare server under a call about `numbers`.
    async fn beside_bare(
        &self,
        (product, request, status): (Target, &Request, u16),
        numbers: &[String],
        size: &str,
        goal: Goal,
    ) -> Capacities {
        let bare_request = self.bare_call(numbers);
        let (watch, mut ours, mut bare) = (self.watch(product), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            bare.push(throughput(self.bare, CONNECTIONS, slice::from_ref(&bare_request), 200).await);
            ours.push(throughput(product, CONNECTIONS, slice::from_ref(request), status).await);
        }
        let (ours, bare) = (Throughput::median(&ours), Throughput::median(&bare));
        report::throughput(ours, bare, size, (goal, watch.cores_used_by_others()));
        Capacities { ours: ours.calls_a_second, bare: bare.calls_a_second }
    }

    async fn steady_calls(&self, product: &Product, number: &[String], found: Capacities) {
        let rate = found.steady_rate();
        let (request, bare_request) = (product.call(BUSY, number), self.bare_call(number));
        let (watch, mut ours, mut bare) = (self.watch(product.target()), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            bare.push(steady(self.bare, CONNECTIONS, &bare_request, rate, STEADY_SPAN).await);
            ours.push(steady(product.target(), CONNECTIONS, &request, rate, STEADY_SPAN).await);
        }
        let others = watch.cores_used_by_others();
        let instead = if rate == STEADY_RATE {
            String::new()
        } else {
            format!(", at {rate} a second: for {STEADY_RATE} one of the two has too little capacity here")
        };
        let parts = [(50, "p50", Limits::at_most(1.3, 2.0)), (99, "p99", Limits::at_most(1.5, 3.0))];
        for (percent, part, limits) in parts {
            let goal = Goal { number: 3, part, limits };
            report::latency(percent, (&ours, "of bare", &bare), &instead, (goal, others));
        }
    }

    async fn live_calls(&self, product: &Product) {
        let simulator = self.registry.simulator.address();
        let mut log = File::create(self.folder.join("flushed")).expect("a file");
        let (watch, mut rounds) = (self.watch(product.target()), Vec::new());
        for _ in 0..ROUNDS {
            let numbers = self.registry.new_numbers(2 * LIVE_CALLS);
            let (for_us, directly) = numbers.split_at(LIVE_CALLS as usize);
            let calls: Vec<_> =
                for_us.iter().map(|number| product.call(BUSY, slice::from_ref(number))).collect();
            let bare_calls: Vec<_> =
                for_us.iter().map(|number| self.bare_call(slice::from_ref(number))).collect();
            let questions: Vec<_> = directly.iter().map(|number| self.registry.question(number)).collect();
            rounds.push(LiveRound {
                flush: flushes(&mut log).percentile(50),
                bare: one_by_one(self.bare.address, &bare_calls).await.percentile(50),
                registry: one_by_one(simulator, &questions).await.percentile(50),
                product: one_by_one(product.target().address, &calls).await.percentile(50),
            });
        }
        let goal = Goal { number: 12, part: "", limits: Limits::at_most(1.4, 2.0) };
        report::live(&rounds, (goal, watch.cores_used_by_others()));
    }

    async fn refusals(&self) {
        let product = self.product("refusals", &[FLOODING, NEIGHBOUR]).await;
        let number = &self.registry.published_numbers()[..1];
        let (unknown, mistyped) = product.calls_of_strangers(number);
        let goal = |part| Goal { number: 13, part, limits: Limits::at_least(0.8, 0.6) };
        let of_no_account = goal("401, a key of no account");
        self.beside_bare((product.target(), &unknown, 401), number, "", of_no_account).await;
        self.beside_bare((product.target(), &mistyped, 401), number, "", goal("401, a mistyped key")).await;
        use_up_rate(&product, FLOODING).await;
        let refused = product.call(FLOODING, number);
        self.beside_bare((product.target(), &refused, 429), number, "", goal("429")).await;
        use_up_rate(&product, FLOODING).await;
        neighbours(&product, number).await;
    }

    async fn memory(&self) {
        let product = self.product("memory", &[BUSY]).await;
        let numbers = self.registry.new_numbers(CACHED_ANSWERS);
        let calls: Vec<_> =
            numbers.chunks(NUMBERS_A_CALL).map(|numbers| product.call(BUSY, numbers)).collect();
        let idle = product.resident_megabytes();
        one_by_one(product.target().address, &calls).await;
        let filled = product.resident_megabytes();
        size_when_repeated(product.target(), &calls[0]).await;
        let load = ClosedLoop::start(product.target().address, CONNECTIONS, &calls, 200).await;
        let mut most = filled;
        for _ in 0..MEMORY_SAMPLES {
            sleep(MEMORY_SPAN / MEMORY_SAMPLES).await;
            most = f64::max(most, product.resident_megabytes());
        }
        load.stop().await;
        let goal =
            Goal { number: 10, part: "at most, under full load", limits: Limits::at_most(64.0, 128.0) };
        report::memory(CACHED_ANSWERS, (idle, filled, most), goal);
    }

    fn watch(&self, product: Target) -> Watch {
        Watch::over(&[self.bare.process_id, product.process_id])
    }

    fn bare_call(&self, numbers: &[String]) -> Request {
        verify_vat(self.bare.address, None, numbers)
    }
}

/// Calls a second with one number.
#[derive(Clone, Copy)]
struct Capacities {
    ours: f64,
    bare: f64,
}

impl Capacities {
    /// The rate of the goal, where the bare server leaves room for it and the product can serve it at all.
    fn steady_rate(self) -> u32 {
        let wanted = f64::from(STEADY_RATE);
        if self.bare * UNHURRIED >= wanted && self.ours >= wanted {
            return STEADY_RATE;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "thousands")]
        let clean = (self.ours.min(self.bare) * UNHURRIED) as u32;
        clean.min(STEADY_RATE)
    }
}

/// How one account's calls fare while another's are refused as fast as it can send them.
async fn neighbours(product: &Product, number: &[String]) {
    let (request, refused) = (product.call(NEIGHBOUR, number), product.call(FLOODING, number));
    let server = product.target();
    let calls = || steady(server, NEIGHBOURS_CONNECTIONS, &request, NEIGHBOURS_RATE, STEADY_SPAN);
    let (watch, mut quiet, mut flooded) = (Watch::over(&[server.process_id]), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        quiet.push(calls().await);
        let flood =
            ClosedLoop::start(server.address, FLOODING_CONNECTIONS, slice::from_ref(&refused), 429).await;
        flooded.push(calls().await);
        flood.stop().await;
    }
    let limits = Limits::at_most(2.0, 5.0);
    let goal = Goal { number: 13, part: "p99 of another account's calls meanwhile", limits };
    let rate = format!(", at {NEIGHBOURS_RATE} a second");
    report::latency(99, (&flooded, "of quiet", &quiet), &rate, (goal, watch.cores_used_by_others()));
}

/// Sends calls that cost nothing but their count until one is refused.
async fn use_up_rate(product: &Product, account: Account) {
    let call = product.call(account, &[]);
    let mut connection = Connection::open(product.target().address).await;
    while connection.call(&call).await.status != 429 {}
}

/// The size of the answer to a call that was made before, whose results must come from where they then should.
async fn size_when_repeated(server: Target, request: &Request) -> usize {
    let mut connection = Connection::open(server.address).await;
    connection.call(request).await;
    let answer = connection.call(request).await;
    let body: Value = serde_json::from_slice(answer.body).expect("JSON");
    let results = body["results"].as_array().expect("results");
    for result in results {
        assert_eq!(result["source"], SOURCE_OF_A_REPEATED_CALL, "{result}");
    }
    answer.body.len()
}

async fn size(server: Target, request: &Request) -> usize {
    Connection::open(server.address).await.call(request).await.body.len()
}

/// Appends a page and waits until it is on the disk, again and again.
fn flushes(log: &mut File) -> Latencies {
    let one = |_| {
        let started = Instant::now();
        log.write_all(&PAGE).and_then(|()| log.sync_data()).expect("is written");
        started.elapsed()
    };
    Latencies::of((0..LIVE_CALLS).map(one).collect())
}
