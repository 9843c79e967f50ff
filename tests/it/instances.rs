//! Two instances on one database and one Redis: limits and the allowance hold over both together, and what ends a caller
//! on one, or on the command line, ends it on the other within a second.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use crossvat::{accounts::Limits, audit::Actor};
use futures_util::future::join_all;
use serde_json::json;

use crate::{
    command_line,
    support::{
        Answer, Customer, Office, TestApp, books::Caller, database::DatabaseKind,
        private_servers::PrivateRedis,
    },
};

/// How long an instance may go on serving what was ended elsewhere.
const HEARD_WITHIN: Duration = Duration::from_secs(1);

/// Two instances, and customers who know both.
struct Pair {
    /// Ends first: the database is the one's.
    other: TestApp,
    one: TestApp,
    /// Their own: what registries allow is shared over it too.
    _redis: PrivateRedis,
    /// Their clocks, which stand still, are apart by no more than this.
    started_within: Duration,
}

impl Pair {
    /// `None` where the run is about SQLite: its file serves one instance.
    async fn start() -> Option<Self> {
        if DatabaseKind::of_this_run() == DatabaseKind::Sqlite {
            return None;
        }
        let redis = PrivateRedis::start().await;
        // It is looked at what Redis decides, not how soon.
        let sharing = || {
            TestApp::with().set("LIMITS__REDIS_URL", &redis.url()).set("LIMITS__REDIS_TIMEOUT_MS", "10000")
        };
        let started = Instant::now();
        let one = sharing().start().await;
        let other = sharing()
            .set("DATABASE__URL", one.database_url())
            .set("HMRC__BASE_URL", &one.simulator.hmrc_base_url())
            .set("VIES__BASE_URL", &one.simulator.vies_base_url())
            .start()
            .await;
        Some(Self { other, one, _redis: redis, started_within: started.elapsed() })
    }

    /// `calls` calls at once about a different number each, in turn at the one and the other. How many were answered with
    /// 200, and the others.
    async fn at_once(&self, customer: &Customer, calls: usize) -> (usize, Vec<Answer>) {
        let elsewhere = customer.at(&self.other);
        let answers = join_all((0..calls).map(async |place| {
            let number = format!("DE1{place:08}");
            if place % 2 == 0 {
                customer.verify(&[&number]).await
            } else {
                elsewhere.verify(&[&number]).await
            }
        }))
        .await;
        let (served, refused): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|answer| answer.status == 200);
        (served.len(), refused)
    }

    /// A customer that both instances remember, and who may ask as often as a test looks.
    async fn known_customer(&self) -> (Customer, Customer) {
        let limits = Limits {
            requests_per_minute: Some(1_000_000),
            numbers_per_month: Some(1_000_000),
            ..Limits::default()
        };
        let here = self.one.customer_with("acme", &limits).await;
        let there = here.at(&self.other);
        for customer in [&here, &there] {
            assert_eq!(customer.verify(&["DE136695976"]).await.status, 200);
        }
        (here, there)
    }
}

/// mediacloud/web-search 1172.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c03_of_150_calls_at_once_over_both_exactly_the_limit_of_100_is_served() {
    let Some(pair) = Pair::start().await else { return };
    let limits = Limits { requests_per_minute: Some(100), ..Limits::default() };
    let customer = pair.one.customer_with("acme", &limits).await;
    let neighbour = pair.one.customer_with("other", &limits).await;
    let (served, refused) = pair.at_once(&customer, 150).await;
    assert_eq!(served, 100);
    for refused in &refused {
        refused.assert_problem(429, "rate_limited");
        let wait: u64 = refused.header("retry-after").expect("a header").parse().expect("seconds");
        // The window's sixty, begun, and what the two clocks, which stand still, were set apart when each read Redis's.
        assert!((1..=60 + pair.started_within.as_secs() + 1).contains(&wait), "{wait}");
        assert!(refused.header("ratelimit").is_some_and(|rate| rate.contains("r=0")), "{refused:?}");
    }
    assert_eq!(pair.one.simulator.calls().len(), 100, "nobody asked for those who were refused");
    assert_eq!(neighbour.at(&pair.other).verify(&["DE136695976"]).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_90_numbers_at_once_over_both_exactly_the_allowance_of_40_is_asked() {
    let Some(pair) = Pair::start().await else { return };
    let limits =
        Limits { requests_per_minute: Some(100_000), numbers_per_month: Some(40), ..Limits::default() };
    let customer = pair.one.customer_with("acme", &limits).await;
    let (served, refused) = pair.at_once(&customer, 90).await;
    assert_eq!(served, 40);
    for refused in &refused {
        refused.assert_problem(429, "quota_exceeded");
    }
    assert_eq!(pair.one.simulator.calls().len(), 40);
    for instance in [&pair.one, &pair.other] {
        assert_eq!(customer.at(instance).numbers_used().await, 40);
    }
}

/// TykTechnologies/tyk 2293, civitai/civitai PR 2658.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p01_a_key_revoked_on_one_is_refused_on_the_other_within_a_second() {
    let Some(pair) = Pair::start().await else { return };
    let (here, there) = pair.known_customer().await;
    here.revoke_key(&pair.one).await;
    let revoked = Instant::now();
    for customer in [&here, &there] {
        refused_in_time(revoked, (401, "key_revoked"), async || customer.verify(&["DE136695976"]).await)
            .await;
    }
    let successor = here.with_key(&here.another_key(&pair.one, None).await).at(&pair.other);
    assert_eq!(
        successor.verify(&["DE136695976"]).await.status,
        200,
        "another key of the account opens at once"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_suspended_and_restored_on_one_is_so_on_the_other_within_a_second() {
    let Some(pair) = Pair::start().await else { return };
    let (here, there) = pair.known_customer().await;
    let accounts = pair.one.accounts();
    accounts.suspend(here.account_id, "unpaid", &Actor::COMMAND_LINE).await.expect("suspends");
    let suspended = Instant::now();
    for customer in [&here, &there] {
        let call = async || customer.verify(&["DE136695976"]).await;
        refused_in_time(suspended, (403, "account_suspended"), call).await;
    }
    accounts.restore(here.account_id, "paid", &Actor::COMMAND_LINE).await.expect("restores");
    tokio::time::sleep(HEARD_WITHIN).await;
    for customer in [&here, &there] {
        assert_eq!(customer.verify(&["DE136695976"]).await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_breaker_opened_by_hand_on_one_is_open_on_the_other_within_a_second_and_closed_again() {
    let Some(pair) = Pair::start().await else { return };
    let (here, there) = pair.known_customer().await;
    let fresh = json!({ "maxAgeSeconds": 0 });
    let call = async |customer: &Customer| customer.verify_with(&["PL8567346215"], fresh.clone()).await;
    let sam = pair.one.support("Sam Smith").await;
    let form = [("token", ""), ("time", "hand"), ("reason", "They asked us to stop")];
    // Other than keys and accounts, breakers are believed for as long as the other's are not read. That may be late on a
    // busy machine, but not every time.
    let (mut open_after, mut closed_after) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        assert_eq!(sam.post("/staff/registries/PL/open", &form).await.status, 303);
        let opened = Instant::now();
        assert_eq!(call(&here).await.status, 503, "at once on the one");
        open_after = open_after.min(last_before(opened, 503, async || call(&there).await).await);
        let asked = pair.one.simulator.calls().len();
        call(&there).await.assert_problem(503, "registry_unavailable");
        assert_eq!(pair.one.simulator.calls().len(), asked, "nobody asks");

        assert_eq!(sam.post("/staff/registries/PL/close", &[("token", "")]).await.status, 303);
        let closed = Instant::now();
        assert_eq!(call(&here).await.status, 200);
        closed_after = closed_after.min(last_before(closed, 200, async || call(&there).await).await);
    }
    let heard_after = open_after.max(closed_after);
    assert!(heard_after <= HEARD_WITHIN, "open after {open_after:?}, closed after {closed_after:?}");
}

/// On both databases: the command line is an instance of its own.
#[tokio::test]
async fn a_running_server_hears_of_the_command_line_within_a_second() {
    let office = Office::open().await;
    let mut program = office.serve();
    let (revoked, suspended) = (office.caller("revoked").await, office.caller("suspended").await);
    let url = program.url("/v1/account");
    let call = async |caller: &Caller| Answer::of(office.http.get(&url).bearer_auth(&caller.key)).await;
    for caller in [&revoked, &suspended] {
        assert_eq!(call(caller).await.status, 200);
    }
    command(office.folder(), &["revoke-key", &revoked.id.to_string()]);
    let since = Instant::now();
    refused_in_time(since, (401, "key_revoked"), async || call(&revoked).await).await;
    assert_eq!(call(&suspended).await.status, 200, "another key of the account");
    command(office.folder(), &["suspend-account", "--organisation", "acme", "--reason", "unpaid"]);
    let since = Instant::now();
    refused_in_time(since, (403, "account_suspended"), async || call(&suspended).await).await;
    command(office.folder(), &["restore-account", "--organisation", "acme", "--reason", "paid"]);
    tokio::time::sleep(HEARD_WITHIN).await;
    assert_eq!(call(&suspended).await.status, 200);
    refused_in_time(Instant::now(), (401, "key_revoked"), async || call(&revoked).await).await;
    program.stop();
}

/// Runs the program to its end.
fn command(folder: &Path, arguments: &[&str]) {
    let output = command_line::program(folder).args(arguments).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Calls until one is answered with this status, for at most half a minute. How long after `changed` the last one was made
/// that was not.
async fn last_before(changed: Instant, status: u16, mut call: impl AsyncFnMut() -> Answer) -> Duration {
    let mut last = Duration::ZERO;
    loop {
        let made = changed.elapsed();
        let answer = call().await;
        if answer.status == status {
            return last;
        }
        assert!(made < Duration::from_secs(30), "still {answer:?}");
        last = made;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// No call that is made over a second after `ended` is served, and every refusal says this.
async fn refused_in_time(ended: Instant, (status, code): (u16, &str), mut call: impl AsyncFnMut() -> Answer) {
    loop {
        let made = ended.elapsed();
        let answer = call().await;
        if answer.status != 200 {
            answer.assert_problem(status, code);
            return;
        }
        assert!(made <= HEARD_WITHIN, "served {made:?} after the end");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
