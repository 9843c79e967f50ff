//! What registries allow, shared by several instances over a real Redis: never more than that, turn about, also when an instance
//! is killed and when Redis goes away and comes back. Needs the Redis of `scripts/services.sh`.

use std::{
    mem,
    sync::{
        Arc, Mutex,
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
/// A lease lasts 2 seconds longer.
const TRY_LIMIT: Duration = Duration::from_millis(300);
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
        AbortOnDropHandle::new(tokio::spawn(async move {
            loop {
                match instance.pacer.begin(PACE).await {
                    Ok(()) => {
                        begun.note(name);
                        instance.pacer.begun();
                    }
                    Err(wait) => sleep(wait).await,
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
struct Begun(Arc<Mutex<Vec<(usize, Instant)>>>);

impl Begun {
    fn note(&self, name: usize) {
        self.0.lock().expect("notes").push((name, Instant::now()));
    }

    fn all(&self) -> Vec<(usize, Instant)> {
        self.0.lock().expect("notes").clone()
    }

    fn by(&self, name: usize, since: Instant) -> usize {
        self.all().iter().filter(|(who, at)| *who == name && *at >= since).count()
    }

    fn never_more_than_three_in_a_second(&self) {
        let all = self.all();
        for four in all.windows(4) {
            let span = four[3].1 - four[0].1;
            assert!(span >= SECOND, "four within {span:?}: {four:?}");
        }
    }
}

/// A registry that counts who is there at once.
#[derive(Default)]
struct Counted {
    now: [AtomicUsize; Prefix::ALL.len()],
    peaks: Mutex<(usize, usize)>,
}

struct AtWork {
    registry: Arc<Counted>,
    lane: Prefix,
}

impl Counted {
    fn arrives(self: &Arc<Self>, lane: Prefix) -> AtWork {
        let mut peaks = self.peaks.lock().expect("peaks");
        let of_lane = self.now[lane as usize].fetch_add(1, Ordering::SeqCst) + 1;
        let in_all = self.now.iter().map(|now| now.load(Ordering::SeqCst)).sum();
        *peaks = (peaks.0.max(of_lane), peaks.1.max(in_all));
        AtWork { registry: Arc::clone(self), lane }
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

/// Waits until it holds, for at most ten seconds.
async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..500 {
        if holds().await {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("not within ten seconds: {what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_begin_three_in_a_second_together_and_take_turns() {
    let [one, other] = Instance::pair(&redis_url(), PATIENT).await;
    let begun = Begun::default();
    let _one = one.begins_always(1, &begun);
    sleep(2 * SECOND).await;
    let came = Instant::now();
    let _other = other.begins_always(2, &begun);
    sleep(4 * SECOND).await;
    begun.never_more_than_three_in_a_second();
    let all = begun.all();
    let before_the_newcomer =
        all.iter().skip_while(|(_, at)| *at < came).take_while(|(who, _)| *who == 1).count();
    assert!(before_the_newcomer <= 2, "{before_the_newcomer} before the newcomer's first");
    let (ones, others) = (begun.by(1, came), begun.by(2, came));
    assert!(ones.abs_diff(others) <= 2, "turn about: {ones} and {others}");
    assert!(ones + others >= 10, "{ones} and {others} of twelve");
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
    let first = async {
        loop {
            if let Ok(place) = other.places.take(Prefix::De, MOST).await {
                return place;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    let came = Instant::now();
    drop(first.await);
    assert!(came.elapsed() < SECOND, "whoever has none is next: {:?}", came.elapsed());
    let both = CancellationToken::new();
    let taken =
        [one.takes_always(LANES, held, &registry, &both), other.takes_always(LANES, held, &registry, &both)];
    over.cancel();
    sleep(3 * SECOND).await;
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
    for lane in [Prefix::De, Prefix::De, Prefix::De, Prefix::Fr] {
        // Nobody gives it back.
        mem::forget(one.places.take(lane, MOST).await);
    }
    let killed = Instant::now();
    let fr: Vec<HeldPlace> =
        [other.places.take(Prefix::Fr, MOST).await.ok(), other.places.take(Prefix::Fr, MOST).await.ok()]
            .into_iter()
            .flatten()
            .collect();
    assert_eq!(fr.len(), 2, "one of the three is the killed one's");
    assert!(matches!(other.places.take(Prefix::Fr, MOST).await, Err(Full::Lane { .. })));
    let refused = async || matches!(other.places.take(Prefix::De, MOST).await, Err(Full::Lane { .. }));
    while killed.elapsed() < SECOND {
        assert!(refused().await, "a lookup of the killed one may still be at work");
        sleep(Duration::from_millis(50)).await;
    }
    let mut places = Vec::new();
    eventually("the leases end", async || {
        places.extend(other.places.take(Prefix::De, MOST).await);
        places.len() == 3
    })
    .await;
    let ended = killed.elapsed();
    assert!(ended >= Duration::from_millis(2200), "not before their time: {ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_redis_is_silent_and_after_it_is_back_hmrc_is_asked_no_more_than_it_allows() {
    let redis = PrivateRedis::start().await;
    let [one, other] = Instance::pair(&redis.url(), IMPATIENT).await;
    let begun = Begun::default();
    let _both = [one.begins_always(1, &begun), other.begins_always(2, &begun)];
    sleep(SECOND).await;
    redis.signal("-STOP");
    eventually("both notice", async || !one.limiter.is_shared() && !other.limiter.is_shared()).await;
    let alone = Instant::now();
    sleep(5 * SECOND).await;
    for name in [1, 2] {
        let by = begun.by(name, alone);
        assert!((3..=5).contains(&by), "its share of one in a second, after a second of quiet: {by}");
    }
    redis.signal("-CONT");
    eventually("both are back", async || one.limiter.is_shared() && other.limiter.is_shared()).await;
    sleep(4 * SECOND).await;
    let settled = Instant::now();
    sleep(2 * SECOND).await;
    let together = begun.by(1, settled) + begun.by(2, settled);
    assert!(together >= 5, "three in a second again: {together}");
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
