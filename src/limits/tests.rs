//! The same properties for every way of counting. Needs the Redis of `scripts/services.sh`.

use chrono::{TimeZone, Utc};
use proptest::{collection::vec, prelude::*, test_runner::TestCaseError};
use uuid::Uuid;

use super::{redis_windows::Names, *};
use crate::clock::{Clock, ManualClock};

const WINDOW: Duration = Duration::from_mins(1);
/// What Redis decides is looked at, not how soon.
const PATIENCE: Duration = Duration::from_secs(10);
const MILLISECOND: Duration = Duration::from_millis(1);

fn redis_url() -> SecretString {
    #[expect(clippy::disallowed_methods, reason = "where the tests' services are, as the script tells")]
    std::env::var("TEST_REDIS_URL")
        .expect(
            "TEST_REDIS_URL says where Redis is: run the tests with scripts/services.sh, as `make test` does",
        )
        .into()
}

/// What counting must do, whatever is behind `admit`: never more than the limit in any window, never a refusal below
/// it, and the truth about both.
async fn obeys(
    clock: &ManualClock,
    limit: u32,
    pauses: Vec<u64>,
    admit: impl AsyncFn(&LimitedAction<'_>) -> Result<RateStatus, RateStatus>,
) -> Result<(), TestCaseError> {
    let call = LimitedAction::LiveCall { account: Uuid::now_v7(), per_minute: limit };
    let mut served: Vec<Duration> = Vec::new();
    for pause in pauses {
        clock.advance(Duration::from_millis(pause));
        let now = clock.elapsed();
        let counted: Vec<_> = served.iter().copied().filter(|served| *served + WINDOW > now).collect();
        match admit(&call).await {
            Ok(status) => {
                prop_assert!(counted.len() < limit as usize, "more than the limit");
                prop_assert_eq!(status.remaining as usize, limit as usize - counted.len() - 1);
                let oldest = counted.first().copied().unwrap_or(now);
                prop_assert_eq!(now + status.resets_in, oldest + WINDOW);
                served.push(now);
            }
            Err(status) => {
                prop_assert_eq!(counted.len(), limit as usize, "a refusal below the limit");
                prop_assert_eq!((status.limit, status.remaining), (limit, 0));
                // Honest: a moment before, still refused; then, served.
                clock.advance(status.resets_in.saturating_sub(MILLISECOND));
                prop_assert!(admit(&call).await.is_err(), "served too early");
                clock.advance(MILLISECOND);
                prop_assert!(admit(&call).await.is_ok(), "the promised one is refused");
                served.push(clock.elapsed());
            }
        }
    }
    Ok(())
}

fn with_clock(
    case: impl AsyncFnOnce(Arc<ManualClock>) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let clock = ManualClock::starting_at(Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(case(Arc::new(clock)))
}

/// A window of Redis alone: each call comes from an instance that knows of no other call.
struct StrangersOverRedis {
    client: redis::Client,
    link: Arc<Link>,
    clock: Arc<ManualClock>,
    namespace: String,
}

impl StrangersOverRedis {
    async fn new(namespace: String, clock: Arc<ManualClock>) -> Self {
        let client = redis::Client::open(redis_url().expose_secret()).expect("an address of a Redis");
        let memory = Arc::new(Memory::new(clock.clone()));
        let link = Link::start(client.clone(), namespace.clone(), PATIENCE, memory).await;
        Self { client, link, clock, namespace }
    }

    async fn admit(&self, action: &LimitedAction<'_>) -> Result<RateStatus, RateStatus> {
        let memory = Memory::new(self.clock.clone());
        let names = Names { namespace: self.namespace.clone(), instance: Uuid::now_v7() };
        let anchor = self.link.current().expect("Redis answers").anchor();
        let redis = RedisWindows::connect(&self.client, names, PATIENCE, Some(anchor), || memory.now()).await;
        let asked = memory.ask(action.key(), action.quota())?;
        let answer = ask(asked, &self.link, &Arc::new(redis.expect("connects"))).await;
        assert!(self.link.take_untold().is_empty(), "Redis decided");
        answer
    }
}

#[test]
fn whoever_is_refused_is_told_to_wait_until_it_is_certainly_over() {
    for (milliseconds, seconds) in
        [(0, 1), (1, 1), (999, 1), (1000, 1), (1001, 2), (59_000, 59), (59_999, 60)]
    {
        let resets_in = Duration::from_millis(milliseconds);
        assert_eq!(
            RateStatus { limit: 1, remaining: 0, resets_in }.seconds_to_wait(),
            seconds,
            "{milliseconds}"
        );
    }
}

fn namespace() -> String {
    format!("test-{}:", Uuid::now_v7().simple())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn in_memory_the_limit_is_exact_and_honest(
        limit in 1_u32..6,
        pauses in vec(0_u64..30_000, 1..60),
    ) {
        with_clock(async |clock| {
            let limiter = RateLimiter::in_memory(clock.clone());
            obeys(&clock, limit, pauses, async |action| limiter.admit(action).await).await
        })?;
    }

    #[test]
    fn over_redis_the_limit_is_exact_and_honest(
        limit in 1_u32..6,
        pauses in vec(0_u64..30_000, 1..60),
    ) {
        with_clock(async |clock| {
            let limiter = RateLimiter::shared(&redis_url(), namespace(), PATIENCE, clock.clone()).await.expect("an address");
            prop_assert!(limiter.is_shared());
            obeys(&clock, limit, pauses, async |action| limiter.admit(action).await).await
        })?;
    }

    #[test]
    fn over_redis_among_strangers_the_limit_is_exact_and_honest(
        limit in 1_u32..6,
        pauses in vec(0_u64..30_000, 1..60),
    ) {
        with_clock(async |clock| {
            let strangers = StrangersOverRedis::new(namespace(), clock.clone()).await;
            obeys(&clock, limit, pauses, async |action| strangers.admit(action).await).await
        })?;
    }
}
