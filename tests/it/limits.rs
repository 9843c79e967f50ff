//! Limits over a real Redis: several instances at once, and Redis going away and coming back. The properties of the
//! windows are in `src/limits/tests.rs`. Needs the Redis of `scripts/services.sh`.

use std::{
    io::Write,
    net::{IpAddr, Ipv4Addr, TcpListener},
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, TimeZone, Utc};
use crossvat::{
    clock::{Clock, ManualClock},
    limits::{LimitedAction, RateLimiter, RateStatus},
};
use redis::{AsyncCommands, AsyncConnectionConfig};
use tracing_subscriber::fmt::MakeWriter;
use uuid::Uuid;

use crate::support::{database::variable, private_servers::PrivateRedis};

const WINDOW: Duration = Duration::from_mins(1);
/// Where it is looked at what Redis decides, not how soon.
const PATIENT: Duration = Duration::from_secs(10);
/// Where it is silent.
const IMPATIENT: Duration = Duration::from_millis(100);

fn manual_clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::starting_at(Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap()))
}

fn redis_url() -> String {
    variable("TEST_REDIS_URL").expect(
        "TEST_REDIS_URL says where Redis is: run the tests with scripts/services.sh, as `make test` does",
    )
}

/// Names that no other test uses.
fn namespace() -> String {
    format!("test-{}:", Uuid::now_v7().simple())
}

async fn over_redis(url: &str, namespace: &str, patience: Duration, clock: Arc<dyn Clock>) -> RateLimiter {
    RateLimiter::shared(&url.into(), namespace, patience, clock).await.expect("an address of a Redis")
}

/// As [`over_redis`], patient, and Redis is there.
async fn sharing(url: &str, namespace: &str, clock: Arc<dyn Clock>) -> RateLimiter {
    let limiter = over_redis(url, namespace, PATIENT, clock).await;
    assert!(limiter.is_shared(), "no Redis answers at {url}");
    limiter
}

/// A connection of a test's own that waits as long.
fn patient() -> AsyncConnectionConfig {
    AsyncConnectionConfig::new().set_connection_timeout(Some(PATIENT)).set_response_timeout(Some(PATIENT))
}

/// Calls of an account of this test's own.
#[derive(Clone, Copy)]
struct Caller {
    account: Uuid,
    per_minute: u32,
}

impl Caller {
    fn new(per_minute: u32) -> Self {
        Self { account: Uuid::now_v7(), per_minute }
    }

    async fn call(self, limiter: &RateLimiter) -> Result<RateStatus, RateStatus> {
        let Self { account, per_minute } = self;
        limiter.admit(&LimitedAction::LiveCall { account, per_minute }).await
    }

    /// How many of `tries` calls are served.
    async fn served(self, limiter: &RateLimiter, tries: u32) -> u32 {
        let mut served = 0;
        for _ in 0..tries {
            served += u32::from(self.call(limiter).await.is_ok());
        }
        served
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_at_once_serve_exactly_the_limit() {
    let (url, namespace) = (redis_url(), namespace());
    let one = Arc::new(sharing(&url, &namespace, manual_clock()).await);
    let other = Arc::new(sharing(&url, &namespace, manual_clock()).await);
    for limit in [1, 37, 100] {
        let caller = Caller::new(limit);
        let calls: Vec<_> = (0..200)
            .map(|turn| {
                let limiter = Arc::clone(if turn % 2 == 0 { &one } else { &other });
                tokio::spawn(async move { caller.call(&limiter).await.is_ok() })
            })
            .collect();
        let mut served = 0;
        for call in calls {
            served += u32::from(call.await.expect("no panic"));
        }
        assert_eq!(served, limit);
    }
    assert!(one.is_shared() && other.is_shared(), "Redis decided all of it");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_calls_at_once_in_memory_serve_exactly_the_limit() {
    let limiter = Arc::new(RateLimiter::in_memory(manual_clock()));
    let caller = Caller::new(100);
    let calls: Vec<_> = (0..200)
        .map(|_| {
            let limiter = Arc::clone(&limiter);
            tokio::spawn(async move { caller.call(&limiter).await.is_ok() })
        })
        .collect();
    let mut served = 0;
    for call in calls {
        served += u32::from(call.await.expect("no panic"));
    }
    assert_eq!(served, 100);
}

#[tokio::test]
async fn instances_tell_each_other_how_many_remain_and_when_one_is_served() {
    let (url, namespace, clock) = (redis_url(), namespace(), manual_clock());
    let one = sharing(&url, &namespace, clock.clone()).await;
    let other = sharing(&url, &namespace, clock.clone()).await;
    let caller = Caller::new(3);
    assert_eq!(caller.call(&one).await.map(|status| status.remaining), Ok(2));
    clock.advance(Duration::from_secs(20));
    assert_eq!(caller.call(&other).await.map(|status| status.remaining), Ok(1));
    assert_eq!(caller.call(&one).await.map(|status| status.remaining), Ok(0));
    let refused = caller.call(&other).await.expect_err("three were served");
    // The two read Redis's clock one after the other.
    let off = refused.resets_in.abs_diff(Duration::from_secs(40));
    assert!(off < Duration::from_secs(5), "{refused:?}");
    clock.advance(Duration::from_secs(40) + off);
    assert!(caller.call(&other).await.is_ok());
}

#[tokio::test]
async fn a_larger_plan_counts_at_once_where_a_smaller_one_was_refused() {
    let limiter = sharing(&redis_url(), &namespace(), manual_clock()).await;
    let small = Caller::new(2);
    assert_eq!(small.served(&limiter, 5).await, 2);
    let large = Caller { per_minute: 4, ..small };
    assert_eq!(large.served(&limiter, 5).await, 2, "two of its four are used");
    assert!(small.call(&limiter).await.is_err());
}

#[tokio::test]
async fn live_and_test_calls_and_accounts_have_windows_of_their_own() {
    let (clock, url) = (manual_clock(), redis_url());
    for limiter in [RateLimiter::in_memory(clock.clone()), sharing(&url, &namespace(), clock).await] {
        let (account, per_minute) = (Uuid::now_v7(), 1);
        let actions = [
            LimitedAction::LiveCall { account, per_minute },
            LimitedAction::TestCall { account, per_minute },
            LimitedAction::LiveCall { account: Uuid::now_v7(), per_minute },
        ];
        for action in &actions {
            assert!(limiter.admit(action).await.is_ok(), "{action:?}");
        }
        for action in &actions {
            assert!(limiter.admit(action).await.is_err(), "{action:?}");
        }
    }
}

#[tokio::test]
async fn redis_holds_no_address_of_a_person_and_cleans_up_late() {
    let (url, namespace) = (redis_url(), namespace());
    let limiter = sharing(&url, &namespace, manual_clock()).await;
    let email = "Ann.Example@example.org";
    let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
    for action in [
        LimitedAction::SignIn { email, address },
        LimitedAction::SignInAs { email },
        LimitedAction::OneTimeLinkTo { email },
    ] {
        assert!(limiter.admit(&action).await.is_ok());
    }
    let client = redis::Client::open(url).expect("a client");
    let mut connection =
        client.get_multiplexed_async_connection_with_config(&patient()).await.expect("connects");
    let keys: Vec<String> = connection.keys(format!("{namespace}*")).await.expect("keys");
    let (instances, keys): (Vec<_>, Vec<_>) = keys.into_iter().partition(|key| key.ends_with(":instances"));
    assert_eq!((instances.len(), keys.len()), (1, 3), "{keys:?}");
    let members: Vec<String> = connection.zrange(&instances[0], 0, -1).await.expect("members");
    assert!(members.len() == 1 && members[0].parse::<Uuid>().is_ok(), "{members:?}");
    for key in keys {
        assert!(!key.to_lowercase().contains("ann"), "{key}");
        let members: Vec<String> = connection.zrange(&key, 0, -1).await.expect("members");
        assert!(!format!("{members:?}").to_lowercase().contains("ann"), "{members:?}");
        let seconds: u64 = connection.ttl(&key).await.expect("a time to live");
        assert!((86_000..=86_400).contains(&seconds), "{seconds}");
    }
}

/// A clock whose time of day is put forward or back while time itself goes on.
struct SteppedClock {
    time: Arc<ManualClock>,
    stepped_seconds: AtomicI64,
}

impl Clock for SteppedClock {
    fn now(&self) -> DateTime<Utc> {
        self.time.now() + TimeDelta::seconds(self.stepped_seconds.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        self.time.elapsed()
    }
}

#[tokio::test]
async fn a_time_of_day_that_is_put_forward_or_back_mints_no_requests_and_takes_none() {
    let time = manual_clock();
    let clock = Arc::new(SteppedClock { time: time.clone(), stepped_seconds: AtomicI64::new(0) });
    let shared = sharing(&redis_url(), &namespace(), clock.clone()).await;
    for limiter in [RateLimiter::in_memory(clock.clone()), shared] {
        let caller = Caller::new(3);
        assert_eq!(caller.served(&limiter, 5).await, 3);
        for step in [3600, -7200, 86_400] {
            clock.stepped_seconds.store(step, Ordering::SeqCst);
            assert_eq!(caller.served(&limiter, 1).await, 0, "{step}");
        }
        clock.stepped_seconds.store(-3600, Ordering::SeqCst);
        time.advance(WINDOW);
        assert_eq!(caller.served(&limiter, 5).await, 3);
    }
}

/// Waits until it holds, for at most a minute.
async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !holds().await {
        assert!(started.elapsed() < Duration::from_mins(1), "not within a minute: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Log lines of this thread, as long as the guard lives.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn capture() -> (Self, tracing::subscriber::DefaultGuard) {
        let lines = Self::default();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(lines.clone()).finish();
        (lines, tracing::subscriber::set_default(subscriber))
    }

    fn about(&self, words: &str) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.0.lock().expect("lines")).into_owned();
        text.lines().filter(|line| line.contains(words)).map(str::to_owned).collect()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("lines").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Lines {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn redis_killed_and_back_each_instance_decides_alone_then_all_count_together_again() {
    let (lines, _guard) = Lines::capture();
    let (mut redis, namespace, clock) = (PrivateRedis::start().await, namespace(), manual_clock());
    let one = sharing(&redis.url(), &namespace, clock.clone()).await;
    let other = sharing(&redis.url(), &namespace, clock.clone()).await;
    let (caller, idle) = (Caller::new(10), Caller::new(10));
    assert_eq!(caller.served(&one, 3).await, 3);
    assert_eq!(caller.served(&other, 2).await, 2);
    assert_eq!(idle.served(&other, 10).await, 10);

    redis.kill();
    let alone = caller.call(&one).await.expect("decided alone");
    assert_eq!(alone.remaining, 6, "its own four count");
    assert!(!one.is_shared());
    assert_eq!(caller.served(&one, 20).await, 6, "at most the limit from one instance");
    eventually("the idle instance notices", async || !other.is_shared()).await;

    redis.start_again().await;
    eventually("both are back", async || one.is_shared() && other.is_shared()).await;
    // An empty Redis was told: ten of one and two of the other.
    assert_eq!(caller.served(&other, 20).await, 0);
    assert_eq!(caller.served(&one, 1).await, 0);
    assert_eq!(idle.served(&one, 20).await, 0, "what only the other served counts too");

    clock.advance(WINDOW + Duration::from_secs(5));
    assert_eq!(caller.served(&other, 4).await, 4);
    assert_eq!(caller.served(&one, 20).await, 6);
    let away = lines.about("Redis is away");
    assert!(away.len() == 2 && away.iter().all(|line| line.contains("WARN")), "once an instance: {away:?}");
    let back = lines.about("Redis is back");
    assert!(back.len() == 2 && back.iter().all(|line| line.contains("INFO")), "once an instance: {back:?}");
}

#[tokio::test]
async fn what_redis_kept_through_a_broken_connection_is_not_counted_twice() {
    let (redis, namespace, clock) = (PrivateRedis::start().await, namespace(), manual_clock());
    let limiter = over_redis(&redis.url(), &namespace, IMPATIENT, clock.clone()).await;
    eventually("it is shared", async || limiter.is_shared()).await;
    let caller = Caller::new(10);
    assert_eq!(caller.served(&limiter, 4).await, 4);
    // Redis gets this call and answers it too late: both count it.
    redis.signal("-STOP");
    assert_eq!(caller.call(&limiter).await.map(|status| status.remaining), Ok(5));
    assert!(!limiter.is_shared());
    assert_eq!(caller.call(&limiter).await.map(|status| status.remaining), Ok(4));
    redis.signal("-CONT");
    eventually("it is back", async || limiter.is_shared()).await;
    let other = sharing(&redis.url(), &namespace, clock).await;
    assert_eq!(caller.call(&other).await.map(|status| status.remaining), Ok(3));
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_that_is_slow_is_waited_for_as_long_as_is_set() {
    let (redis, namespace, clock) = (PrivateRedis::start().await, namespace(), manual_clock());
    let patient = Arc::new(sharing(&redis.url(), &namespace, clock).await);
    let caller = Caller::new(10);
    redis.signal("-STOP");
    let waiting = tokio::spawn({
        let patient = Arc::clone(&patient);
        async move { caller.call(&patient).await }
    });
    // So long that whoever is impatient would have decided alone.
    tokio::time::sleep(5 * IMPATIENT).await;
    assert!(!waiting.is_finished(), "Redis has said nothing yet");
    redis.signal("-CONT");
    assert_eq!(waiting.await.expect("no panic").map(|status| status.remaining), Ok(9));
    assert!(patient.is_shared());
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_killed_in_the_middle_of_many_calls_one_instance_serves_exactly_the_limit() {
    let mut redis = PrivateRedis::start().await;
    let limiter = Arc::new(sharing(&redis.url(), &namespace(), manual_clock()).await);
    let caller = Caller::new(400);
    let calls: Vec<_> = (0..40)
        .map(|_| {
            let limiter = Arc::clone(&limiter);
            tokio::spawn(async move { caller.served(&limiter, 20).await })
        })
        .collect();
    redis.kill();
    let mut served = 0;
    for call in calls {
        served += call.await.expect("no panic");
    }
    assert_eq!(served, 400);
}

#[tokio::test]
async fn without_redis_from_the_beginning_limits_hold_and_are_shared_when_it_comes() {
    let mut redis = PrivateRedis::start().await;
    redis.kill();
    let (namespace, clock) = (namespace(), manual_clock());
    let one = over_redis(&redis.url(), &namespace, PATIENT, clock.clone()).await;
    assert!(!one.is_shared());
    let caller = Caller::new(5);
    assert_eq!(caller.served(&one, 3).await, 3);
    redis.start_again().await;
    eventually("it is shared", async || one.is_shared()).await;
    let other = sharing(&redis.url(), &namespace, clock).await;
    assert_eq!(caller.served(&other, 20).await, 2);
}

#[tokio::test]
async fn something_that_accepts_and_never_answers_is_no_redis() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("redis://{}", silent.local_addr().expect("an address"));
    let limiter = over_redis(&url, &namespace(), IMPATIENT, manual_clock()).await;
    assert!(!limiter.is_shared());
    assert_eq!(Caller::new(2).served(&limiter, 5).await, 2);
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_and_not_repeated() {
    let url = "http://:hunter2@127.0.0.1".into();
    let refused = RateLimiter::shared(&url, namespace(), IMPATIENT, manual_clock()).await;
    let text = refused.err().expect("refused").to_string();
    assert!(text.contains("redis://") && !text.contains("hunter2"), "{text}");
}
