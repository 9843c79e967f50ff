//! `kill -9` at random moments under load: what was acknowledged is on record, once, and nothing has to be repaired.

use std::{
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
/// Counts wait for ten milliseconds and for the commit in hand, and need one of their own: at the best of the quiet rounds
/// they are written within this.
const PROMPT: Duration = Duration::from_secs(1);

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
    let (mut left_behind, mut promptest) = (0, Duration::MAX);
    let mut program = load.office.serve();
    let mut before = load.books().await;
    for round in 0..ROUNDS {
        let quiet = round % QUIET_EVERY == QUIET_EVERY - 1;
        let lasts = Duration::from_millis(random.random_range(100..600));
        let (started, written) = load.round(program, quiet.then_some(&before), lasts).await;
        // Once the next program is up, what the database was still doing for the last one is over.
        program = load.office.serve();
        let books = load.books().await;
        books.agree_with(&load.ledger);
        let (on_record, took) = written.unwrap_or((0, Duration::MAX));
        load.repeats_are_counted(round, (&before, &books), started, on_record);
        promptest = promptest.min(took);
        left_behind = left_behind.max(books.reservations.len());
        before = books;
    }
    program.stop();
    assert!(left_behind > 0, "calls were open when the program was killed");
    assert!(promptest < PROMPT, "counts were written {promptest:?} after they were told, at best");
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

    /// Loads the program for a while and kills it. When the load began; and of a quiet round, which is told what was on
    /// record before, how many repeated calls were seen on record, and after how long.
    async fn round(
        self: &Arc<Self>,
        program: Program,
        quiet: Option<&Books>,
        lasts: Duration,
    ) -> (Instant, Option<(usize, Duration)>) {
        let base = program.url("");
        // Opens what a first call has to wait for.
        self.call(&base, &self.single, &[self.new_number()]).await.expect("answered");
        let mut tasks = JoinSet::new();
        let started = Instant::now();
        for turn in 0..4 {
            tasks.spawn(Arc::clone(self).repeat(base.clone(), turn));
        }
        if quiet.is_none() {
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
        let written = match quiet {
            Some(before) => Some(self.until_repeats_are_written(before, started).await),
            None => None,
        };
        let killed = Instant::now();
        program.kill();
        while let Some(gone) = tasks.join_next().await {
            let gone = gone.expect("every answer was right");
            assert!(gone >= killed, "it went away by itself");
        }
        (started, written)
    }

    /// Waits until every repeated call told by now is on record, though nothing carries its count along. How many that
    /// are, and how long it took.
    async fn until_repeats_are_written(&self, before: &Books, started: Instant) -> (usize, Duration) {
        let (now, caller) = (Instant::now(), self.repeats.id);
        let told = self.repeats_told(started, now);
        while self.books().await.counted(caller, "cache") < before.counted(caller, "cache") + told {
            assert!(now.elapsed() < Duration::from_mins(1), "counts are not written by themselves");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        (told, now.elapsed())
    }

    /// How many repeated calls were sent from `started` on and told before `moment`.
    fn repeats_told(&self, started: Instant, moment: Instant) -> usize {
        let calls = self.ledger.of(&self.repeats).into_iter();
        let since = calls.filter(|(sent_at, _)| *sent_at >= started);
        since.filter(|(_, told_at)| told_at.is_some_and(|told_at| told_at < moment)).count()
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

    /// Of a round's repeated calls all but the last few are counted, and none twice. So many were seen
    /// `on_record` before the kill.
    fn repeats_are_counted(
        &self,
        round: usize,
        (before, after): (&Books, &Books),
        started: Instant,
        on_record: usize,
    ) {
        let caller = self.repeats.id;
        let counted = after.counted(caller, "cache") - before.counted(caller, "cache");
        assert_eq!(counted, after.acknowledged(caller) - before.acknowledged(caller));
        let sent = self.ledger.of(&self.repeats).iter().filter(|(sent_at, _)| *sent_at >= started).count();
        assert!(counted <= sent, "{counted} counted of {sent} sent in round {round}");
        assert!(
            counted >= on_record,
            "round {round}: {counted} counted, {on_record} on record before the kill"
        );
        // Whatever its time: what was told before a call was sent is written with or before that call's live answer.
        let last_live = self
            .ledger
            .of(&self.single)
            .into_iter()
            .filter_map(|(sent_at, told_at)| told_at.filter(|_| sent_at >= started).map(|_| sent_at));
        let least = last_live.max().map_or(0, |moment| self.repeats_told(started, moment));
        assert!(
            counted >= least,
            "round {round}: {counted} counted, {least} told before the last live answer"
        );
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
