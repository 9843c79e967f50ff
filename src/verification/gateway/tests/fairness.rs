//! Who is next at a registry, with time and limits.

use super::*;

const CALL: Duration = Duration::from_secs(25);

fn account(name: u128) -> Uuid {
    Uuid::from_u128(name)
}

/// Numbers that nobody else asks about.
fn numbers(prefix: &str, first: usize, count: usize) -> Vec<String> {
    (first..first + count).map(|n| format!("{prefix}{:09}", 100_000_000 + n)).collect()
}

/// Keeps calls of `numbers` numbers running, one after the other, and counts what is answered.
fn keep_asking(bench: &Bench, name: u128, prefix: &'static str, count: usize) -> tokio::task::JoinHandle<()> {
    let gateway = Arc::clone(&bench.gateway);
    tokio::spawn(async move {
        let mut first = usize::try_from(name).unwrap() * 1_000_000;
        loop {
            resolve_for(&gateway, name, &numbers(prefix, first, count), CALL).await;
            first += count;
        }
    })
}

async fn resolve_for(
    gateway: &RegistryGateway,
    name: u128,
    numbers: &[String],
    limit: Duration,
) -> Vec<Resolution> {
    let size = SizeOfCalls::new(numbers.len());
    let asking = Asking { size: size.size(), ..Asking::alone(account(name), Instant::now() + limit) };
    join_all(numbers.iter().map(|number| gateway.resolve(lookup(number), asking.clone()))).await
}

/// Whose number it is, by [`keep_asking`].
fn name_of(lookup: &Lookup) -> usize {
    (lookup.number.national().parse::<usize>().unwrap() - 100_000_000) / 1_000_000
}

#[tokio::test(start_paused = true)]
async fn a_single_number_waits_for_one_turn_while_three_accounts_keep_hundreds_waiting() {
    let bench = bench(Duration::from_millis(150));
    let batches = [1, 2, 3].map(|name| keep_asking(&bench, name, "GB", 100));
    sleep(Duration::from_mins(1)).await;
    let (from, started) = (bench.hmrc.calls().len(), Instant::now());
    let mut waits = Vec::new();
    for single in 0..60_u64 {
        // Not in step with the turns.
        sleep(Duration::from_millis(10_000 + single * 37 % 338)).await;
        let asked = Instant::now();
        let number = numbers("GB", 4_000_000 + usize::try_from(single).unwrap(), 1);
        let resolution = resolve_for(&bench.gateway, 4, &number, CALL).await;
        assert_eq!(reason(&resolution[0]), None);
        waits.push(asked.elapsed());
    }
    let elapsed = started.elapsed();
    batches.iter().for_each(tokio::task::JoinHandle::abort);
    waits.sort();
    assert!(waits[59] <= Duration::from_millis(345 + 150), "{waits:?}");
    let calls = bench.hmrc.calls();
    let lately = &calls[from..];
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let rate = lately.len() as f64 / elapsed.as_secs_f64();
    assert!(rate >= 0.97 * 3.0, "{rate}");
    for four in calls.windows(4) {
        assert!(four[3].0 - four[0].0 > Duration::from_millis(1005), "four within a second");
    }
    let of = |name| lately.iter().filter(|(_, lookup)| name_of(lookup) == name).count();
    let third = (lately.len() - of(4)) / 3;
    for name in 1..=3 {
        assert!(of(name).abs_diff(third) * 10 <= third, "{name}: {} of {third}", of(name));
    }
}

#[tokio::test(start_paused = true)]
async fn who_asks_more_often_waits_for_two_turns_at_most() {
    let bench = bench(Duration::from_millis(150));
    let batches = [1, 2, 3].map(|name| keep_asking(&bench, name, "GB", 100));
    sleep(Duration::from_secs(30)).await;
    let started = Instant::now();
    for single in 0..600_u64 {
        // Every other second, and sometimes a little more than one after the last.
        let due = Duration::from_secs(2 * single) + Duration::from_millis(137 * single % 1000);
        sleep_until(started + due).await;
        let asked = Instant::now();
        let number = numbers("GB", 4_000_000 + usize::try_from(single).unwrap(), 1);
        resolve_for(&bench.gateway, 4, &number, CALL).await;
        let (waited, most) = (asked.elapsed(), Duration::from_millis(2 * 339 + 150));
        assert!(waited <= most, "{single}: {waited:?}");
    }
    batches.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test(start_paused = true)]
async fn within_an_account_a_single_number_passes_a_long_call() {
    let bench = bench(Duration::from_millis(150));
    let batch = keep_asking(&bench, 1, "GB", 100);
    sleep(Duration::from_millis(1100)).await;
    let asked = Instant::now();
    resolve_for(&bench.gateway, 1, &numbers("GB", 1, 1), CALL).await;
    assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
    batch.abort();
}

#[tokio::test(start_paused = true)]
async fn a_number_of_a_long_call_that_a_short_one_joins_moves_up() {
    let bench = bench(Duration::from_millis(150));
    let batch = keep_asking(&bench, 1, "GB", 100);
    sleep(Duration::from_millis(10)).await;
    let size = SizeOfCalls::new(100);
    let asking = Asking { size: size.size(), ..Asking::alone(account(1), Instant::now() + CALL) };
    let gateway = Arc::clone(&bench.gateway);
    let late = tokio::spawn(async move { gateway.resolve(lookup("GB980780684"), asking).await });
    sleep(Duration::from_secs(3)).await;
    assert!(!late.is_finished(), "behind all the others");
    let joined = Instant::now();
    size.add(1);
    assert_eq!(reason(&late.await.unwrap()), None);
    assert!(joined.elapsed() < Duration::from_millis(500), "{:?}", joined.elapsed());
    batch.abort();
}

#[tokio::test(start_paused = true)]
async fn at_vies_an_account_with_a_crowd_leaves_places_to_others() {
    let bench = bench(Duration::from_millis(150));
    let prefixes = ["DE", "EL", "PT", "EE"];
    let crowds = prefixes.map(|prefix| keep_asking(&bench, 1, prefix, 100));
    sleep(Duration::from_secs(5)).await;
    for (at, prefix) in prefixes.into_iter().enumerate() {
        let asked = Instant::now();
        resolve_for(&bench.gateway, 2, &numbers(prefix, at, 1), CALL).await;
        // The next place that is given back, and its own answer.
        assert!(asked.elapsed() <= Duration::from_millis(310), "{prefix}: {:?}", asked.elapsed());
    }
    assert_eq!(bench.vies.peak(), 8);
    crowds.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test(start_paused = true)]
async fn a_crowd_that_leaves_takes_its_turns_with_it() {
    let bench = bench(Duration::from_millis(150));
    for prefix in ["DE", "GB"] {
        let crowd = numbers(prefix, 0, 400);
        let crowd = timeout(Duration::from_millis(10), resolve_all(&bench.gateway, &crowd, LONG));
        assert!(crowd.await.is_err());
        let registry = Prefix::from_code(prefix).unwrap().registry();
        let state = bench.gateway.state(RegistryPart::Whole(registry));
        assert_eq!((state.waiting, state.accounts, state.longest_wait), (0, Some(0), None));
        assert_eq!(state.in_flight, 0);
        let asked = Instant::now();
        resolve_for(&bench.gateway, 2, &numbers(prefix, 1000, 1), CALL).await;
        assert!(asked.elapsed() < Duration::from_millis(500), "{prefix}: {:?}", asked.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn the_state_of_a_desk_is_what_waits_there() {
    let bench = bench(Duration::from_secs(1));
    let crowd = keep_asking(&bench, 1, "DE", 20);
    let other = keep_asking(&bench, 2, "DE", 20);
    sleep(Duration::from_millis(2500)).await;
    let vies = bench.gateway.state(RegistryPart::Whole(Registry::Vies));
    assert_eq!((vies.waiting, vies.accounts, vies.in_flight), (31, Some(2), 3));
    assert_eq!(vies.longest_wait, Some(Duration::from_millis(2500)));
    assert_eq!(vies.measure, Measure { allowed: 8.0, full: 8.0 });
    let germany = bench.gateway.state(RegistryPart::of(Prefix::De));
    assert_eq!((germany.waiting, germany.in_flight), (31, 3));
    assert_eq!(germany.measure, Measure { allowed: 3.0, full: 3.0 });
    assert_eq!(germany.breaker.position, Position::Closed);
    assert_eq!(bench.gateway.state(RegistryPart::of(Prefix::Fr)).waiting, 0);
    crowd.abort();
    other.abort();
}
