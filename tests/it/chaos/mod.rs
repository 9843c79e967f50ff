//! Everything at once: two servers before the same registries, every error of both contracts, resets, bodies that are slow or
//! never end, pages instead of answers, tokens that end, registries that are out, one server killed and Redis with it, and many
//! callers with random lists. Of every answer one thing is asked: it is what the registry's truth was, or there is none.
//!
//! `TEST_SEED` repeats what was drawn; what meets what is up to the machine.

mod faults;
mod judge;
mod truth;
mod weather;

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, RwLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use crossvat::{
    accounts::{AccountSettings, Accounts, Limits},
    audit::Actor,
};
use rand::{
    RngExt, SeedableRng, TryRng,
    rngs::{StdRng, SysRng},
};
use registry_simulator::{Ending, Settings, Simulator};
use serde_json::json;
use tokio::{task::JoinSet, time::sleep};
use uuid::Uuid;
use vat::VatNumber;

use self::{
    faults::Faults,
    judge::{Said, Sent, judge},
    truth::number,
};
use crate::support::{
    Answer, Customer, Office, TestApp, database, private_servers::PrivateRedis, program::Program,
};

/// HMRC's and the EU's requesters, both registered.
const REQUESTERS: [&str; 2] = ["GB980780684", "IE6388047V"];
/// How long callers call in each act, at least.
const ACT: Duration = Duration::from_secs(14);
/// On a busy machine an act goes on until it has said something, but no longer than this beyond.
const ENCORE: Duration = Duration::from_mins(1);
/// Answers, and numbers without one, that an act needs.
const ENOUGH: (usize, usize) = (300, 60);
/// Callers of each account.
const CALLERS: usize = 4;
/// Everything is known within this time once the weather is fine.
const CALM: Duration = Duration::from_mins(1);
/// What every server is told. Times are about a twentieth of the usual ones or less, so that the acts together are worth ten minutes.
const SETTINGS: [(&str, &str); 8] = [
    ("HMRC__REQUESTS_PER_SECOND", "40"),
    ("HMRC__TIMEOUT_SECONDS", "0.5"),
    ("VIES__TIMEOUT_SECONDS", "0.6"),
    ("VIES__MAX_IN_FLIGHT", "16"),
    ("VIES__MAX_IN_FLIGHT_PER_MEMBER_STATE", "6"),
    ("VERIFICATION__DEADLINE_SECONDS", "2"),
    ("VERIFICATION__AFTERWARDS_SECONDS", "2"),
    ("VERIFICATION__PAUSE_SECONDS", "0.5"),
];

/// What the acts differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    /// The store behind HMRC fails now and then. Without a requester HMRC then says "not found" of everybody, which nobody can
    /// tell from the truth: so all ask with one, and it is never refused as unknown.
    FailingStore,
    /// Everything else.
    Refusals,
}

/// Who calls where.
#[derive(Clone)]
struct Caller {
    key: String,
    url: Arc<RwLock<String>>,
}

/// What all tasks share.
struct Storm {
    simulator: Arc<TestApp>,
    http: reqwest::Client,
    faults: Mutex<Faults>,
    /// Numbers that were asked about, from 0.
    numbers: AtomicUsize,
    over: AtomicBool,
    answered: AtomicUsize,
    unresolved: AtomicUsize,
    refused: AtomicUsize,
    left: AtomicUsize,
    /// What should not have been said.
    wrong: Mutex<Vec<String>>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_happens_an_answer_is_the_registry_s_truth_or_there_is_none() {
    let seed = database::variable("TEST_SEED")
        .map_or_else(|| SysRng.try_next_u64().expect("random"), |seed| seed.parse().expect("a number"));
    println!("TEST_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let mut redis = PrivateRedis::start().await;
    let one = Arc::new(first(&redis).await);
    let mut other = Other::open(&redis, Arc::clone(&one)).await;
    let storm = Arc::new(Storm::before(Arc::clone(&one), &mut random));
    let here = Arc::new(RwLock::new(one.url("")));
    let [with, without] = [true, false].map(|with_requesters| account_of(&one, with_requesters));
    let (with, without) = (with.await.key, without.await.key);
    for (act, acts) in [(Act::FailingStore, 1), (Act::Refusals, 2)] {
        let mut callers = vec![Caller { key: with.clone(), url: Arc::clone(&here) }, other.caller()];
        if act == Act::Refusals {
            callers.push(Caller { key: without.clone(), url: Arc::clone(&here) });
        }
        storm.begin(act);
        let mut tasks = JoinSet::new();
        for caller in callers.iter().flat_map(|caller| std::iter::repeat_n(caller, CALLERS)) {
            let (storm, caller, random) = (Arc::clone(&storm), caller.clone(), next(&mut random));
            tasks.spawn(async move { storm.call_until_it_is_over(&caller, random).await });
        }
        let (weathered, drawn) = (Arc::clone(&storm), next(&mut random));
        tasks.spawn(async move { weather::until_it_is_over(&weathered, act, drawn).await });
        sleep(ACT / 3).await;
        other.is_killed_and_starts_again().await;
        sleep(ACT / 6).await;
        redis.kill();
        sleep(ACT / 8).await;
        redis.start_again().await;
        sleep(ACT / 3).await;
        storm.has_said_enough(acts).await;
        storm.over.store(true, Ordering::SeqCst);
        while let Some(ended) = tasks.join_next().await {
            ended.expect("no panic");
        }
    }
    storm.all_was_true();
    weather::is_fine(&one.simulator);
    other.is_killed_and_starts_again().await;
    let callers = [Caller { key: without, url: here }, other.caller()];
    storm.everything_is_known_when_it_is_calm(&callers, next(&mut random)).await;
    storm.all_was_true();
    storm.tell();
    other.stop();
}

fn next(random: &mut StdRng) -> StdRng {
    StdRng::seed_from_u64(random.random())
}

/// The server whose breakers can be closed from here, with the registries of both.
async fn first(redis: &PrivateRedis) -> TestApp {
    let settings = Settings {
        latency: Duration::from_millis(5),
        hmrc_calls_per_second: Some(40),
        vies_limit: Some(16),
        vies_limit_per_member_state: Some(6),
        ..Settings::default()
    };
    let app = TestApp::with().simulator(settings).set("LIMITS__REDIS_URL", &redis.url());
    SETTINGS.into_iter().fold(app, |app, (name, value)| app.set(name, value)).start().await
}

fn unlimited() -> Limits {
    Limits { requests_per_minute: Some(1_000_000), numbers_per_month: Some(100_000_000), ..Limits::default() }
}

fn requesters(with_requesters: bool) -> AccountSettings {
    let requester = |number: &str| VatNumber::parse(number).number().filter(|_| with_requesters);
    AccountSettings::Requesters { gb: requester(REQUESTERS[0]), eu: requester(REQUESTERS[1]) }
}

async fn account_of(app: &TestApp, with_requesters: bool) -> Customer {
    let name = if with_requesters { "with" } else { "without" };
    let customer = app.customer_with(name, &unlimited()).await;
    set(&app.accounts(), customer.account_id, with_requesters).await;
    customer
}

async fn set(accounts: &Accounts, account: Uuid, with_requesters: bool) {
    let settings = requesters(with_requesters);
    accounts.change_settings(account, &settings, &Actor::COMMAND_LINE).await.expect("settings");
}

/// The server that is killed: a program of its own with a database of its own, before the first one's registries.
struct Other {
    office: Office,
    redis_url: String,
    registries: Arc<TestApp>,
    url: Arc<RwLock<String>>,
    key: String,
    program: Option<Program>,
}

impl Other {
    async fn open(redis: &PrivateRedis, registries: Arc<TestApp>) -> Self {
        let office = Office::open().await;
        let accounts =
            Accounts::new(office.database.clone(), Arc::new(crossvat::clock::SystemClock::default()));
        set(&accounts, office.account, true).await;
        let key = office.caller("caller").await.key;
        let url = Arc::default();
        let mut other = Self { office, redis_url: redis.url(), registries, url, key, program: None };
        other.starts();
        other
    }

    fn caller(&self) -> Caller {
        Caller { key: self.key.clone(), url: Arc::clone(&self.url) }
    }

    fn starts(&mut self) {
        let mut command = self.office.program();
        command
            .env("CROSSVAT_LIMITS__REDIS_URL", &self.redis_url)
            .env("CROSSVAT_HMRC__CLIENT_ID", "sandbox-client")
            .env("CROSSVAT_HMRC__CLIENT_SECRET", "sandbox-secret");
        for (name, value) in SETTINGS {
            command.env(format!("CROSSVAT_{name}"), value);
        }
        let filter = "error,crossvat::application=info";
        let program = Program::serve(command, &self.registries.simulator, self.office.folder(), filter);
        *self.url.write().expect("a url") = program.url("");
        self.program = Some(program);
    }

    async fn is_killed_and_starts_again(&mut self) {
        self.program.take().expect("it runs").kill();
        sleep(Duration::from_millis(300)).await;
        self.starts();
    }

    fn stop(&mut self) {
        self.program.take().expect("it runs").stop();
    }
}

impl Storm {
    fn before(simulator: Arc<TestApp>, random: &mut StdRng) -> Self {
        Self {
            http: simulator.http.clone(),
            simulator,
            faults: Mutex::new(Faults::shuffled(next(random))),
            numbers: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            answered: AtomicUsize::new(0),
            unresolved: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            left: AtomicUsize::new(0),
            wrong: Mutex::default(),
        }
    }

    fn registries(&self) -> &Simulator {
        &self.simulator.simulator
    }

    fn begin(&self, act: Act) {
        self.faults.lock().expect("faults").act = act;
        self.over.store(false, Ordering::SeqCst);
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    async fn call_until_it_is_over(&self, caller: &Caller, mut random: StdRng) {
        while !self.is_over() {
            let sent = self.list(&mut random);
            let partial = random.random_bool(0.3);
            let mut body = json!({ "vatNumbers": sent.iter().map(|one| &one.typed).collect::<Vec<_>>() });
            if partial {
                body["partial"] = json!(true);
            }
            if random.random_bool(0.3) {
                body["maxAgeSeconds"] = json!(0);
            }
            let patience = Duration::from_millis(if random.random_bool(0.1) {
                random.random_range(5..300)
            } else {
                30_000
            });
            self.call(caller, &sent, &body, patience).await;
        }
    }

    /// Calls once. Whether everything was known.
    async fn call(
        &self,
        caller: &Caller,
        sent: &[Sent],
        body: &serde_json::Value,
        patience: Duration,
    ) -> bool {
        let url = format!("{}/v1/verify-vat", caller.url.read().expect("a url"));
        let request = self.http.post(url).bearer_auth(&caller.key).timeout(patience).json(body);
        let Ok(answer) = Answer::if_any(request).await else {
            // The caller has left, or the server is gone.
            self.left.fetch_add(1, Ordering::Relaxed);
            sleep(Duration::from_millis(20)).await;
            return false;
        };
        match judge(sent, body["partial"] == true, &answer) {
            Ok(Said::Nothing) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                sleep(Duration::from_millis(20)).await;
                false
            }
            Ok(Said::Of { answered, unresolved }) => {
                self.answered.fetch_add(answered, Ordering::Relaxed);
                self.unresolved.fetch_add(unresolved, Ordering::Relaxed);
                unresolved == 0
            }
            Err(wrong) => {
                self.wrong.lock().expect("wrong").push(wrong);
                false
            }
        }
    }

    /// A list as a caller may send it: new numbers and known ones, some twice, some written otherwise, some none at all.
    fn list(&self, random: &mut StdRng) -> Vec<Sent> {
        let length =
            if random.random_bool(0.6) { random.random_range(1..4) } else { random.random_range(1..40) };
        let mut sent: Vec<Sent> = (0..length)
            .map(|_| {
                let asked = self.numbers.load(Ordering::Relaxed);
                match random.random_range(0..20) {
                    0 => Sent::none(["DE12", "hello", "US123456789", "GB12345"][random.random_range(0..4)]),
                    1..8 if asked > 0 => Sent::written(random.random_range(0..asked), random),
                    _ => Sent::written(self.new_number(), random),
                }
            })
            .collect();
        if random.random_bool(0.2) {
            sent.push(sent[0].clone());
        }
        sent
    }

    /// A number that nobody has asked about, and that the registry knows what to say of.
    fn new_number(&self) -> usize {
        let place = self.numbers.fetch_add(1, Ordering::Relaxed);
        let script = self.faults.lock().expect("faults").script(place);
        let (country, national) = number(place);
        match country {
            "GB" => self.registries().hmrc().script(&national, script),
            _ => self.registries().vies().script(country, &national, script),
        }
        place
    }

    /// The weather is fine again: a sample of what was asked is asked until it is known, at both servers.
    async fn everything_is_known_when_it_is_calm(&self, callers: &[Caller], mut random: StdRng) {
        let began = Instant::now();
        let asked = self.numbers.load(Ordering::Relaxed);
        let sample: Vec<Sent> =
            (0..60).map(|_| Sent::written(random.random_range(0..asked), &mut random)).collect();
        let body = json!({ "vatNumbers": sample.iter().map(|one| &one.typed).collect::<Vec<_>>() });
        for caller in callers {
            while !self.call(caller, &sample, &body, Duration::from_secs(30)).await {
                self.simulator.close_breakers();
                assert!(began.elapsed() < CALM, "it is calm, and still not everything is known");
                sleep(Duration::from_millis(200)).await;
            }
        }
    }

    /// Waits until so many acts have answered enough, and until the last has met every fault: a storm without that proves
    /// nothing.
    async fn has_said_enough(&self, acts: usize) {
        let began = Instant::now();
        loop {
            let [answered, unresolved] =
                [&self.answered, &self.unresolved].map(|count| count.load(Ordering::Relaxed));
            let missing = if acts == 2 { self.never_met() } else { Vec::new() };
            if answered >= acts * ENOUGH.0 && unresolved >= acts * ENOUGH.1 && missing.is_empty() {
                return;
            }
            assert!(
                began.elapsed() < ENCORE,
                "{answered} answers, {unresolved} unresolved; never met: {missing:?}"
            );
            sleep(Duration::from_millis(250)).await;
        }
    }

    fn all_was_true(&self) {
        let wrong = self.wrong.lock().expect("wrong");
        assert!(wrong.is_empty(), "{} answers were not the truth:\n{}", wrong.len(), wrong.join("\n"));
    }

    /// What there was of it.
    fn tell(&self) {
        let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        let (answered, unresolved) = (count(&self.answered), count(&self.unresolved));
        println!(
            "{} numbers, {} tries at registries: {answered} answers, {unresolved} unresolved; {} calls refused, {} left",
            count(&self.numbers),
            self.registries().calls().len(),
            count(&self.refused),
            count(&self.left),
        );
    }

    /// What was drawn and has not come about yet.
    fn never_met(&self) -> Vec<&'static str> {
        let calls = self.registries().calls();
        let said: HashSet<&str> = calls.iter().map(|call| call.said.as_str()).collect();
        let mut missing = Faults::words();
        missing.retain(|word| !said.contains(word));
        for (ending, word) in [(Ending::Reset, "reset"), (Ending::Silence, "silence")] {
            missing.extend(calls.iter().all(|call| call.ending != ending).then_some(word));
        }
        let tokens = calls.iter().filter(|call| call.path == "/oauth/token").count();
        missing.extend((tokens <= 3).then_some("tokens that end"));
        missing
    }
}
