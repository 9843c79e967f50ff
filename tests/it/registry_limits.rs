//! What registries allow, shared by several instances over a real Redis: never more than that, turn about, also when an instance
//! is killed and when Redis goes away and comes back. Needs the Redis of `scripts/services.sh`.

use std::{
    mem,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use crossvat::{
    clock::SystemClock,
    limits::RateLimiter,
    registry_limits::{PacerOfAll, PlacesOfAll},
    verification::gateway::{Full, HeldPlace, MostPlaces, Pace, SharedPacer, SharedPlaces},
};
use registry_simulator::{Answer as Says, Condition, Settings};
use tokio::time::sleep;
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};
use uuid::Uuid;
use vat::Prefix;

use crate::{
    command_line,
    support::{
        Office, TestApp, TestAppBuilder, database::variable, in_hmrcs_pace, private_servers::PrivateRedis,
        program::Program,
    },
};

/// HMRC's usual pace.
const PACE: Pace = Pace::per_second(3.0);
const MOST: MostPlaces = MostPlaces { of_lane: 3, in_all: 8 };
const TRY_LIMIT: Duration = Duration::from_millis(300);
/// That and two seconds. Redis counts whole milliseconds, so that it can be one less.
const LEASE: Duration = Duration::from_millis(2299);
/// For so long another waits for the instance whose turn it is.
const GRACE: Duration = Duration::from_millis(20);
/// Where it is looked at what Redis decides, not how soon.
const PATIENT: Duration = Duration::from_secs(10);
/// Where it is silent. More than a busy machine takes: who gives it up alone knows nothing of those who have not.
const IMPATIENT: Duration = SECOND;
const SECOND: Duration = Duration::from_secs(1);

fn redis_url() -> String {
    variable("TEST_REDIS_URL").expect(
        "TEST_REDIS_URL says where Redis is: run the tests with scripts/services.sh, as `make test` does",
    )
}

/// An instance's part in the limits.
struct Instance {
    limiter: RateLimiter,
    pacer: PacerOfAll,
    places: PlacesOfAll,
}

impl Instance {
    async fn new(url: &str, namespace: &str, patience: Duration) -> Arc<Self> {
        let limiter =
            RateLimiter::shared(&url.into(), namespace, patience, Arc::new(SystemClock::default())).await;
        let limiter = limiter.expect("an address of a Redis");
        assert!(limiter.is_shared(), "no Redis answers at {url}");
        let sharing = limiter.sharing().expect("shared");
        let pacer = PacerOfAll::new(sharing.clone(), "HMRC");
        let places = PlacesOfAll::new(sharing, "VIES", TRY_LIMIT);
        Arc::new(Self { limiter, pacer, places })
    }

    /// Two under names that no other test uses.
    async fn pair(url: &str, patience: Duration) -> [Arc<Self>; 2] {
        let namespace = format!("test-{}:", Uuid::now_v7().simple());
        [Self::new(url, &namespace, patience).await, Self::new(url, &namespace, patience).await]
    }

    /// Begins as often as it may, until the handle is dropped.
    fn begins_always(self: &Arc<Self>, name: usize, begun: &Begun) -> AbortOnDropHandle<()> {
        let (instance, begun) = (Arc::clone(self), begun.clone());
        // Its next turn comes no sooner.
        let mut due = Instant::now();
        AbortOnDropHandle::new(tokio::spawn(async move {
            loop {
                let asked = Instant::now();
                let turn = instance.pacer.begin(PACE).await;
                begun.is_late_by(due.elapsed());
                match turn {
                    Ok(()) => {
                        begun.note(name, asked);
                        instance.pacer.begun();
                        due = asked + PACE.interval();
                    }
                    Err(wait) => {
                        due = asked + wait;
                        sleep(wait).await;
                    }
                }
            }
        }))
    }

    /// Takes places in these lanes as often as it may and holds each for `held`, until the token is cancelled.
    fn takes_always(
        self: &Arc<Self>,
        lanes: &'static [Prefix],
        held: Duration,
        registry: &Arc<Counted>,
        over: &CancellationToken,
    ) -> AbortOnDropHandle<usize> {
        let (instance, registry, over) = (Arc::clone(self), Arc::clone(registry), over.clone());
        AbortOnDropHandle::new(tokio::spawn(async move {
            let mut taken = 0;
            while !over.is_cancelled() {
                for lane in lanes {
                    if let Ok(place) = instance.places.take(*lane, MOST).await {
                        taken += 1;
                        let registry = Arc::clone(&registry);
                        tokio::spawn(async move {
                            let at_work = registry.arrives(*lane);
                            sleep(held).await;
                            drop(at_work);
                            drop(place);
                        });
                    }
                }
                sleep(Duration::from_millis(5)).await;
            }
            taken
        }))
    }
}

/// What was begun by whom, in order.
#[derive(Clone, Default)]
struct Begun(Arc<Mutex<Notes>>);

#[derive(Default)]
struct Notes {
    all: Vec<Start>,
    late: usize,
}

/// A lookup that was let begin between these two moments.
#[derive(Clone, Copy, Debug)]
struct Start {
    name: usize,
    asked: Instant,
    known: Instant,
}

impl Begun {
    fn note(&self, name: usize, asked: Instant) {
        self.notes().all.push(Start { name, asked, known: Instant::now() });
    }

    /// Somebody looked for its turn so long after it may have come. Others wait for a moment, and then take it.
    fn is_late_by(&self, late: Duration) {
        if late > GRACE {
            let intervals = usize::try_from(late.as_millis() / PACE.interval().as_millis());
            self.notes().late += 1 + intervals.expect("few");
        }
    }

    /// Turns that may have gone to another, since whose they were came too late.
    fn late(&self) -> usize {
        self.notes().late
    }

    /// What is known to have begun since then.
    fn since(&self, moment: Instant) -> Vec<Start> {
        self.notes().all.iter().copied().filter(|start| start.known >= moment).collect()
    }

    fn by(&self, name: usize, since: Instant) -> Vec<Start> {
        self.since(since).into_iter().filter(|start| start.name == name).collect()
    }

    fn never_more_than_three_in_a_second(&self) {
        let all = self.notes().all.clone();
        assert!(!within_a_second(4, &all), "{all:?}");
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().expect("notes")
    }
}

/// Whether so many running began within less than a second, for certain: however late that was known.
fn within_a_second(count: usize, starts: &[Start]) -> bool {
    starts.windows(count).any(|some| {
        let first_asked = some.iter().map(|start| start.asked).min().expect("some");
        some[count - 1].known - first_asked < SECOND
    })
}

/// A registry that counts who is there at once.
#[derive(Default)]
struct Counted {
    now: [AtomicUsize; Prefix::ALL.len()],
    peaks: Mutex<(usize, usize)>,
    arrivals: AtomicUsize,
}

struct AtWork {
    registry: Arc<Counted>,
    lane: Prefix,
}

impl Counted {
    fn arrives(self: &Arc<Self>, lane: Prefix) -> AtWork {
        let mut peaks = self.peaks.lock().expect("peaks");
        self.arrivals.fetch_add(1, Ordering::SeqCst);
        let of_lane = self.now[lane as usize].fetch_add(1, Ordering::SeqCst) + 1;
        let in_all = self.now.iter().map(|now| now.load(Ordering::SeqCst)).sum();
        *peaks = (peaks.0.max(of_lane), peaks.1.max(in_all));
        AtWork { registry: Arc::clone(self), lane }
    }

    fn arrivals(&self) -> usize {
        self.arrivals.load(Ordering::SeqCst)
    }

    /// The most there were of one lane, and in all.
    fn peaks(&self) -> (usize, usize) {
        *self.peaks.lock().expect("peaks")
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.registry.now[self.lane as usize].fetch_sub(1, Ordering::SeqCst);
    }
}

/// Waits until it holds, for at most a minute.
async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..3000 {
        if holds().await {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("not within a minute: {what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_begin_three_in_a_second_together_and_take_turns() {
    let [one, other] = Instance::pair(&redis_url(), PATIENT).await;
    let (begun, started) = (Begun::default(), Instant::now());
    let _one = one.begins_always(1, &begun);
    eventually("the one is at it", async || begun.since(started).len() == 6).await;
    // The newcomer waits from here on, unless it has its first turn at once.
    let asked = Instant::now();
    if other.pacer.begin(PACE).await.is_ok() {
        begun.note(2, asked);
    }
    let came = Instant::now();
    let _other = other.begins_always(2, &begun);
    eventually("twelve have begun", async || begun.since(came).len() >= 12).await;
    begun.never_more_than_three_in_a_second();
    let (both, late) = (begun.since(came), begun.late());
    let before_the_newcomer = both.iter().take_while(|start| start.name == 1).count();
    assert!(
        before_the_newcomer <= 2 + late,
        "{before_the_newcomer} before the newcomer's first, {late} late"
    );
    let ones = both.iter().filter(|start| start.name == 1).count();
    let others = both.len() - ones;
    assert!(ones.abs_diff(others) <= 2 + late, "turn about: {ones} and {others}, {late} late");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_begun_after_all_is_had_by_the_other() {
    let [one, other] = Instance::pair(&redis_url(), PATIENT).await;
    let slow = Pace::per_second(0.2);
    one.pacer.begin(slow).await.expect("the first");
    assert!(other.pacer.begin(slow).await.is_err());
    one.pacer.give_back();
    let given_back = Instant::now();
    eventually("the other has it", async || other.pacer.begin(slow).await.is_ok()).await;
    assert!(given_back.elapsed() < 3 * SECOND, "{:?} of five seconds", given_back.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_share_places_half_and_half_and_never_take_more_than_there_are() {
    const LANES: &[Prefix] = &[Prefix::De, Prefix::Fr, Prefix::It, Prefix::Pl];
    let [one, other] = Instance::pair(&redis_url(), PATIENT).await;
    let (registry, over) = (Arc::new(Counted::default()), CancellationToken::new());
    let held = Duration::from_millis(60);
    let _ones = one.takes_always(LANES, held, &registry, &over);
    eventually("the one has all", async || registry.peaks().1 == 8).await;
    // Whoever has none is next: within a second, by how often it looks.
    let mut looks = 0;
    while other.places.take(Prefix::De, MOST).await.is_err() {
        looks += 1;
        assert!(looks < 200, "others have had their turns all the time");
        sleep(Duration::from_millis(5)).await;
    }
    let both = CancellationToken::new();
    let taken =
        [one.takes_always(LANES, held, &registry, &both), other.takes_always(LANES, held, &registry, &both)];
    over.cancel();
    let before = registry.arrivals();
    eventually("many are taken", async || registry.arrivals() >= before + 400).await;
    both.cancel();
    let mut counts = Vec::new();
    for taken in taken {
        counts.push(taken.await.expect("no panic"));
    }
    let (fewer, more) = (counts[0].min(counts[1]), counts[0].max(counts[1]));
    assert!(fewer * 10 >= more * 7, "half and half: {counts:?}");
    assert_eq!(registry.peaks(), (3, 8));
    assert!(one.limiter.is_shared() && other.limiter.is_shared(), "Redis decided all of it");
}

#[tokio::test(flavor = "multi_thread")]
async fn places_of_a_killed_instance_are_free_again_when_their_leases_end() {
    let [one, other] = Instance::pair(&redis_url(), PATIENT).await;
    let mut begun = Vec::new();
    for lane in [Prefix::De, Prefix::De, Prefix::De, Prefix::Fr] {
        begun.push(Instant::now());
        // Nobody gives it back.
        mem::forget(one.places.take(lane, MOST).await);
    }
    let (first, last_of_de, killed) = (begun[0], begun[2], Instant::now());
    let fr: Vec<HeldPlace> =
        [other.places.take(Prefix::Fr, MOST).await.ok(), other.places.take(Prefix::Fr, MOST).await.ok()]
            .into_iter()
            .flatten()
            .collect();
    assert_eq!(fr.len(), 2, "one of the three is the killed one's");
    assert!(matches!(other.places.take(Prefix::Fr, MOST).await, Err(Full::Lane { .. })));
    let refused = async || matches!(other.places.take(Prefix::De, MOST).await, Err(Full::Lane { .. }));
    while killed.elapsed() < SECOND {
        let is_refused = refused().await || first.elapsed() >= LEASE;
        assert!(is_refused, "a lookup of the killed one may still be at work");
        sleep(Duration::from_millis(50)).await;
    }
    let mut places = Vec::new();
    eventually("the leases end", async || {
        places.extend(other.places.take(Prefix::De, MOST).await);
        places.len() == 3
    })
    .await;
    let ended = last_of_de.elapsed();
    assert!(ended >= LEASE, "not before their time: {ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_redis_is_silent_and_after_it_is_back_hmrc_is_asked_no_more_than_it_allows() {
    let redis = PrivateRedis::start().await;
    let [one, other] = Instance::pair(&redis.url(), IMPATIENT).await;
    let (begun, started) = (Begun::default(), Instant::now());
    let _both = [one.begins_always(1, &begun), other.begins_always(2, &begun)];
    eventually("both are at it", async || begun.since(started).len() >= 3).await;
    redis.signal("-STOP");
    eventually("both notice", async || !one.limiter.is_shared() && !other.limiter.is_shared()).await;
    let alone = Instant::now();
    for name in [1, 2] {
        eventually("it goes on alone", async || begun.by(name, alone).len() >= 4).await;
        let by = begun.by(name, alone);
        assert!(!within_a_second(2, &by), "its share is one in a second: {by:?}");
    }
    redis.signal("-CONT");
    eventually("both are back", async || one.limiter.is_shared() && other.limiter.is_shared()).await;
    let back = Instant::now();
    eventually("three in a second again", async || within_a_second(3, &begun.since(back))).await;
    let settled = Instant::now();
    eventually("they go on", async || begun.since(settled).len() >= 6).await;
    begun.never_more_than_three_in_a_second();
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_killed_and_started_with_nothing_in_it_places_stay_what_they_are() {
    const LANES: &[Prefix] = &[Prefix::De, Prefix::Fr, Prefix::It];
    let mut redis = PrivateRedis::start().await;
    let [one, other] = Instance::pair(&redis.url(), PATIENT).await;
    let (registry, over) = (Arc::new(Counted::default()), CancellationToken::new());
    let held = Duration::from_millis(200);
    let taken =
        [one.takes_always(LANES, held, &registry, &over), other.takes_always(LANES, held, &registry, &over)];
    sleep(SECOND).await;
    redis.kill();
    eventually("both notice", async || !one.limiter.is_shared() && !other.limiter.is_shared()).await;
    sleep(2 * SECOND).await;
    redis.start_again().await;
    eventually("both are back", async || one.limiter.is_shared() && other.limiter.is_shared()).await;
    sleep(4 * SECOND).await;
    over.cancel();
    for taken in taken {
        assert!(taken.await.expect("no panic") > 0);
    }
    assert_eq!(registry.peaks(), (3, 8));
}

/// An instance with a database of its own, before the registries of another, if there is one already.
fn sharing(redis: &PrivateRedis, first: Option<&TestApp>) -> TestAppBuilder {
    let app = TestApp::with()
        .set("LIMITS__REDIS_URL", &redis.url())
        .set("LIMITS__REDIS_TIMEOUT_MS", "10000")
        .simulator(Settings {
            latency: Duration::from_millis(80),
            vies_limit: Some(8),
            vies_limit_per_member_state: Some(3),
            // Its lookups are judged by when they arrive.
            hmrc_calls_per_second: None,
            ..Settings::default()
        });
    match first {
        None => app,
        Some(first) => app
            .set("HMRC__BASE_URL", &first.simulator.hmrc_base_url())
            .set("VIES__BASE_URL", &first.simulator.vies_base_url()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_together_ask_hmrc_three_times_in_a_second() {
    let redis = PrivateRedis::start().await;
    let one = sharing(&redis, None).start().await;
    let other = sharing(&redis, Some(&one)).start().await;
    let numbers: Vec<String> = (0..16).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    for number in &numbers {
        one.simulator.hmrc().script(&number[2..], Says::valid("A", "B"));
    }
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let (here, there) = (one.customer("here").await, other.customer("there").await);
    for customer in [&here, &there] {
        assert_eq!(customer.verify(&["GB980780684"]).await.status, 200);
    }
    let (first, second) = tokio::join!(here.verify(&numbers[..8]), there.verify(&numbers[8..]));
    assert_eq!((first.status, second.status), (200, 200), "{first:?} {second:?}");
    in_hmrcs_pace(&one.simulator, 2, 16);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_together_are_never_refused_by_vies() {
    let redis = PrivateRedis::start().await;
    let one = sharing(&redis, None).start().await;
    let other = sharing(&redis, Some(&one)).start().await;
    let numbers: Vec<String> =
        (0..160).map(|n| format!("{}1{n:08}", ["DE", "EL", "PT", "EE"][n % 4])).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let (here, there) = (one.customer("here").await, other.customer("there").await);
    let (first, second) = tokio::join!(here.verify(&numbers[..80]), there.verify(&numbers[80..]));
    assert_eq!((first.status, second.status), (200, 200), "{first:?} {second:?}");
    assert_eq!(one.simulator.vies().refusals(), 0);
    assert!(one.simulator.vies().peak_in_flight() <= 8);
    assert_eq!(one.simulator.vies().peak_in_flight(), 8, "all of it is used");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_s_places_come_back_to_the_other() {
    let redis = PrivateRedis::start().await;
    let office = Office::open().await;
    let elsewhere = Office::open().await;
    let serve = |office: &Office, vies: &Office| {
        let mut command = command_line::program(office.folder());
        command
            .env("CROSSVAT_DATABASE__URL", &office.url)
            .env("CROSSVAT_LIMITS__REDIS_URL", redis.url())
            .env("CROSSVAT_LIMITS__REDIS_TIMEOUT_MS", "10000")
            .env("CROSSVAT_VIES__TIMEOUT_SECONDS", "3")
            .env("CROSSVAT_VERIFICATION__DEADLINE_SECONDS", "15");
        Program::serve(command, &vies.simulator, office.folder(), "warn,crossvat::application=info")
    };
    let (doomed, survivor) = (serve(&office, &office), serve(&elsewhere, &office));
    let (victim, caller) = (office.caller("victim").await, elsewhere.caller("caller").await);
    let call = |program: &Program, key: &str, number: &str| {
        let body = serde_json::json!({ "vatNumbers": [number] });
        office.http.post(program.url("/v1/verify-vat")).bearer_auth(key).json(&body).send()
    };
    office.simulator.vies().set_condition(Condition::Silent);
    let in_vain: Vec<_> =
        (0..3).map(|place| tokio::spawn(call(&doomed, &victim.key, &format!("DE1{place:08}")))).collect();
    eventually("three are asked", async || office.simulator.vies().in_flight() == 3).await;
    doomed.kill();
    let killed = Instant::now();
    for call in in_vain {
        assert!(call.await.expect("no panic").is_err(), "nobody is there to answer");
    }
    office.simulator.vies().set_condition(Condition::Up);
    let answer = call(&survivor, &caller.key, &office.number(0)).await.expect("an answer");
    let waited = killed.elapsed();
    assert_eq!(answer.status(), 200);
    // The lease is that of a try and two seconds.
    assert!(waited > SECOND && waited < Duration::from_secs(12), "{waited:?}");
}
