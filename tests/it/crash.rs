//! `kill -9` at random moments under load: what was acknowledged is on record, once, and nothing has to be repaired.

use std::{
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use crossvat::{
    application::{Application, Overrides},
    clock::{Clock, ManualClock, SystemClock},
    config::Config,
    db::entities::evidence::EvidenceOutcome,
};
use rand::{
    RngExt, SeedableRng, TryRng,
    rngs::{StdRng, SysRng},
};
use registry_simulator::Condition;
use serde_json::Value;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::support::{
    Office,
    books::{Books, Call, Caller, Ledger},
    database,
    program::Program,
};

const ROUNDS: usize = 20;
/// Every so many rounds only known numbers are asked, so that no live answer carries their counts along.
const QUIET_EVERY: usize = 4;
/// Numbers that are known before anything is killed.
const KNOWN: usize = 8;
/// Counts wait for ten milliseconds and for the commit in hand, and need one of their own. How long a flush of the disk
/// takes is measured beside, and how late everything is on a machine with more to do than processors, by the slowest call.
/// In a quiet round no call waits for a commit, so that nothing tells when whoever writes was held up: this is asked of most.
const UNWRITTEN: Duration = Duration::from_millis(50);

/// What the load needs in every task.
struct Load {
    office: Office,
    ledger: Ledger,
    /// Numbers that were handed out.
    numbers: AtomicUsize,
    /// What was said of the known numbers the first time.
    known: Vec<(String, Value)>,
    single: Caller,
    lists: Caller,
    waiting: Caller,
    repeats: Caller,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_twenty_kills() {
    let seed = database::variable("TEST_SEED")
        .map_or_else(|| SysRng.try_next_u64().expect("random"), |seed| seed.parse().expect("a number"));
    println!("TEST_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let load = Arc::new(Load::prepare().await);
    let (mut left_behind, mut quiet_and_late) = (0, Vec::new());
    let mut program = load.office.serve();
    let mut before = load.books().await;
    for round in 0..ROUNDS {
        let quiet = round % QUIET_EVERY == QUIET_EVERY - 1;
        let lasts = Duration::from_millis(random.random_range(100..600));
        let (started, killed, slowest) = load.round(program, quiet, lasts).await;
        // Once the next program is up, what the database was still doing for the last one is over.
        program = load.office.serve();
        let books = load.books().await;
        books.agree_with(&load.ledger);
        let late = load.repeats_are_counted((&before, &books), (started, killed), slowest);
        assert!(quiet || late.is_none(), "round {round}: {late:?}");
        quiet_and_late.extend(late);
        left_behind = left_behind.max(books.reservations.len());
        before = books;
    }
    program.stop();
    assert!(left_behind > 0, "calls were open when the program was killed");
    assert!(quiet_and_late.len() * 2 < ROUNDS / QUIET_EVERY, "quiet rounds: {quiet_and_late:?}");
    let live = before.evidence.iter().filter(|row| row.outcome != EvidenceOutcome::Unavailable).count();
    println!("{live} live answers, {} repeated", load.ledger.of(&load.repeats).len());
    load.every_live_answer_is_known().await;
    load.what_was_set_aside_comes_back().await;
}

impl Load {
    async fn prepare() -> Self {
        let office = Office::open().await;
        office.simulator.vies().set_member_state("FR", Condition::Down);
        office.simulator.vies().set_member_state("ES", Condition::Silent);
        let [single, lists, waiting, repeats] = [
            office.caller("a").await,
            office.caller("b").await,
            office.caller("c").await,
            office.caller("d").await,
        ];
        let mut load = Self {
            office,
            ledger: Ledger::default(),
            numbers: AtomicUsize::new(0),
            known: Vec::new(),
            single,
            lists,
            waiting,
            repeats,
        };
        let mut program = load.office.serve();
        for _ in 0..KNOWN {
            let number = load.new_number();
            let answer = load.call(&program.url(""), &load.single, std::slice::from_ref(&number)).await;
            load.known.push((number, answer.expect("answered").only_result().clone()));
        }
        program.stop();
        load
    }

    async fn books(&self) -> Books {
        self.office.books().await
    }

    fn new_number(&self) -> String {
        self.office.number(self.numbers.fetch_add(1, Ordering::Relaxed))
    }

    async fn call(
        &self,
        base: &str,
        caller: &Caller,
        numbers: &[String],
    ) -> reqwest::Result<crate::support::Answer> {
        self.ledger.call(&self.office.http, base, caller, numbers).await
    }

    /// Loads the program for a while and kills it. When the load began and ended, and the slowest flush of the disk
    /// meanwhile.
    async fn round(
        self: &Arc<Self>,
        program: Program,
        quiet: bool,
        lasts: Duration,
    ) -> (Instant, Instant, Duration) {
        let base = program.url("");
        // Opens what a first call has to wait for.
        self.call(&base, &self.single, &[self.new_number()]).await.expect("answered");
        let mut tasks = JoinSet::new();
        let started = Instant::now();
        let disk = Disk::watch(self.office.folder());
        for turn in 0..4 {
            tasks.spawn(Arc::clone(self).repeat(base.clone(), turn));
        }
        if !quiet {
            for _ in 0..4 {
                tasks.spawn(Arc::clone(self).ask_singly(base.clone()));
            }
            for _ in 0..2 {
                tasks.spawn(Arc::clone(self).ask_lists(base.clone()));
            }
            for _ in 0..2 {
                tasks.spawn(Arc::clone(self).wait_in_vain(base.clone()));
            }
        }
        tokio::time::sleep(lasts).await;
        let killed = Instant::now();
        program.kill();
        while let Some(gone) = tasks.join_next().await {
            let gone = gone.expect("every answer was right");
            assert!(gone >= killed, "it went away by itself");
        }
        (started, killed, disk.slowest())
    }

    /// New numbers, one a call. When the program was gone.
    async fn ask_singly(self: Arc<Self>, base: String) -> Instant {
        loop {
            let number = self.new_number();
            let Ok(answer) = self.call(&base, &self.single, std::slice::from_ref(&number)).await else {
                return Instant::now();
            };
            assert_eq!(answer.only_result()["source"], "live");
            Office::told_the_truth(answer.results());
        }
    }

    /// New numbers, several a call; of every third call one is of a member state that is down.
    async fn ask_lists(self: Arc<Self>, base: String) -> Instant {
        for turn in 0_usize.. {
            let mut numbers: Vec<String> = (0..3).map(|_| self.new_number()).collect();
            let down = turn.is_multiple_of(3);
            if down {
                numbers.push(format!("FR{:011}", self.numbers.fetch_add(1, Ordering::Relaxed)));
            }
            let Ok(answer) = self.call(&base, &self.lists, &numbers).await else { break };
            assert_eq!(answer.status, if down { 503 } else { 200 }, "{answer:?}");
            assert_eq!(answer.results().len(), 3);
            Office::told_the_truth(answer.results());
        }
        Instant::now()
    }

    /// Numbers of a member state that never answers: these calls are open when the program is killed.
    async fn wait_in_vain(self: Arc<Self>, base: String) -> Instant {
        loop {
            let number = format!("ESA{:08}", self.numbers.fetch_add(1, Ordering::Relaxed));
            if self.call(&base, &self.waiting, &[number]).await.is_err() {
                return Instant::now();
            }
        }
    }

    /// Numbers known before.
    async fn repeat(self: Arc<Self>, base: String, first: usize) -> Instant {
        for turn in first.. {
            let (number, said) = &self.known[turn % KNOWN];
            let Ok(answer) = self.call(&base, &self.repeats, std::slice::from_ref(number)).await else {
                break;
            };
            same_but_for_the_source(answer.only_result(), said);
        }
        Instant::now()
    }

    /// Of a round's repeated calls none is counted twice, and everything told before the last live answer is. What else was
    /// not counted though it was told in good time.
    fn repeats_are_counted(
        &self,
        (before, after): (&Books, &Books),
        (started, killed): (Instant, Instant),
        slowest_flush: Duration,
    ) -> Option<String> {
        let caller = self.repeats.id;
        let counted = after.counted(caller, "cache") - before.counted(caller, "cache");
        assert_eq!(counted, after.acknowledged(caller) - before.acknowledged(caller));
        let mut calls = self.ledger.of(&self.repeats);
        calls.retain(|(sent_at, _)| *sent_at >= started);
        assert!(counted <= calls.len(), "{counted} counted of {} sent", calls.len());
        let until = |moment: Instant| {
            calls.iter().filter(|(_, told_at)| told_at.is_some_and(|told_at| told_at < moment)).count()
        };
        let mut slowest_call = Duration::ZERO;
        for (sent_at, told_at) in calls.iter().copied().chain(self.ledger.of(&self.single)) {
            if sent_at >= started {
                slowest_call = slowest_call.max(told_at.unwrap_or(killed) - sent_at);
            }
        }
        let unwritten = UNWRITTEN + 2 * slowest_flush + slowest_call;
        let told = killed.checked_sub(unwritten).map_or(0, until);
        // Whatever its time: what was told before a call was sent is written with or before that call's live answer.
        let last_live = self
            .ledger
            .of(&self.single)
            .into_iter()
            .filter_map(|(sent_at, told_at)| told_at.filter(|_| sent_at >= started).map(|_| sent_at));
        let least = last_live.max().map_or(0, until);
        assert!(counted >= least, "{counted} counted, {least} told before the last live answer");
        (counted < told).then(|| format!("{counted} counted, {told} told {unwritten:?} before the kill"))
    }

    /// Everything acknowledged as live answers again, with its time and its proof, and nobody is asked for it.
    async fn every_live_answer_is_known(&self) {
        let said: Vec<Value> = self.ledger.read(|calls| {
            let results = calls.iter().flat_map(Call::results);
            results.filter(|result| result["source"] == "live").cloned().collect()
        });
        assert!(said.len() > 2 * ROUNDS, "{} live answers are no load", said.len());
        let mut program = self.office.serve();
        self.office.simulator.clear_log();
        for said in said.chunks(100) {
            let numbers: Vec<String> = said
                .iter()
                .map(|result| result["vatNumber"].as_str().expect("a number").to_owned())
                .collect();
            let answer = self.call(&program.url(""), &self.lists, &numbers).await.expect("answered");
            for (again, said) in answer.results().iter().zip(said) {
                same_but_for_the_source(again, said);
            }
        }
        assert!(self.office.simulator.calls().is_empty(), "nobody was asked");
        program.stop();
        self.books().await.agree_with(&self.ledger);
    }

    /// A server that starts once no call of the dead ones can be open gives back what those had set aside.
    async fn what_was_set_aside_comes_back(&self) {
        let before = self.books().await;
        let later = SystemClock::default().now() + Duration::from_mins(3);
        let environment = [
            ("CROSSVAT_HTTP__BIND", "127.0.0.1:0"),
            ("CROSSVAT_HTTP__SITE_DIRECTORY", self.office.folder().to_str().expect("text")),
            ("CROSSVAT_DATABASE__URL", self.office.url.as_str()),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let config = Config::load(None, environment).expect("configuration");
        let overrides =
            Overrides { clock: Some(Arc::new(ManualClock::starting_at(later))), ..Overrides::default() };
        let application = Application::build(config, overrides).await.expect("starts");
        let stop = CancellationToken::new();
        let server = tokio::spawn(application.run_until(stop.clone()));
        let mut after = self.books().await;
        for _ in 0..500 {
            if after.reservations.is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            after = self.books().await;
        }
        stop.cancel();
        server.await.expect("no panic").expect("ends well");
        assert!(after.reservations.is_empty(), "{:?}", after.reservations);
        assert_eq!(after.used, before.used);
        after.agree_with(&self.ledger);
    }
}

/// What was said before, when it was said, with its proof.
fn same_but_for_the_source(again: &Value, said: &Value) {
    assert_eq!(again["source"], "cache", "{again}");
    let (mut again, mut said) = (again.clone(), said.clone());
    again["source"].take();
    said["source"].take();
    assert_eq!(again, said);
}

/// Flushes a file again and again, for as long as it is watched.
struct Disk {
    stop: CancellationToken,
    slowest: std::thread::JoinHandle<Duration>,
}

impl Disk {
    fn watch(folder: &std::path::Path) -> Self {
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let mut file = std::fs::File::create(folder.join("disk")).expect("a file");
        let slowest = std::thread::spawn(move || {
            let mut slowest = Duration::ZERO;
            while !stopped.is_cancelled() {
                let begun = Instant::now();
                file.write_all(&[0; 4096]).expect("writes");
                file.sync_data().expect("flushes");
                slowest = slowest.max(begun.elapsed());
                std::thread::sleep(Duration::from_millis(5));
            }
            slowest
        });
        Self { stop, slowest }
    }

    fn slowest(self) -> Duration {
        self.stop.cancel();
        self.slowest.join().expect("no panic")
    }
}
