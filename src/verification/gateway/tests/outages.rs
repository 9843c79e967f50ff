//! What does not answer is left alone, and an outage of one is no other's.

use super::*;

const CALL: Duration = Duration::from_secs(25);

fn numbers(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|n| format!("{prefix}{:09}", 100_000_000 + n)).collect()
}

async fn one(bench: &Bench, number: &str) -> Unresolved {
    match bench.gateway.resolve(lookup(number), within(CALL)).await {
        Resolution::Unresolved(unresolved) => unresolved,
        Resolution::Answered(answered) => panic!("{answered:?}"),
    }
}

fn position(bench: &Bench, prefix: Prefix) -> Position {
    bench.gateway.state(RegistryPart::of(prefix)).breaker.position
}

/// Five numbers that fail.
async fn fail(bench: &Bench, prefix: &str, kind: TroubleKind) {
    let registry = if prefix == "GB" { &bench.hmrc } else { &bench.vies };
    for number in numbers(prefix, 5) {
        registry.script(&number, [trouble(kind)]);
        bench.gateway.resolve(lookup(&number), within(CALL)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_state_that_failed_five_times_running_is_left_alone_for_a_minute_and_all_others_are_not() {
    let bench = bench(Duration::from_millis(100));
    fail(&bench, "DE", TroubleKind::MemberStateUnavailable).await;
    let asked = bench.vies.calls().len();
    let opened = Instant::now();
    for (after, wait) in [(0, 60), (30, 30), (59, 1)] {
        sleep((opened + Duration::from_secs(after)).saturating_duration_since(Instant::now())).await;
        let before = Instant::now();
        let told = one(&bench, "DE136695976").await;
        assert_eq!(told.reason, UnresolvedReason::MemberStateUnavailable);
        assert_eq!(told.retry_after, Duration::from_secs(wait));
        assert_eq!(before.elapsed(), Duration::ZERO, "at once");
    }
    assert_eq!(bench.vies.calls().len(), asked);
    let others = resolve_all(&bench.gateway, &numbers("EL", 20), CALL).await;
    assert!(others.iter().all(|other| reason(other).is_none()));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(position(&bench, Prefix::De), Position::HalfOpen);
    assert_eq!(reason(&bench.gateway.resolve(lookup("DE136695976"), within(CALL)).await), None);
    assert_eq!(position(&bench, Prefix::De), Position::Closed);
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_when_it_is_left_alone_is_told_at_once() {
    let bench = bench(Duration::from_millis(100));
    let crowd = numbers("DE", 100);
    for number in &crowd {
        bench.vies.script(number, [trouble(TroubleKind::MemberStateUnavailable)]);
    }
    let started = Instant::now();
    let told = resolve_all(&bench.gateway, &crowd, CALL).await;
    assert!(told.iter().all(|told| reason(told) == Some(UnresolvedReason::MemberStateUnavailable)));
    assert!(started.elapsed() <= Duration::from_millis(200), "{:?}", started.elapsed());
    assert_eq!(bench.vies.calls().len(), 6, "three at once, twice");
}

#[tokio::test(start_paused = true)]
async fn one_lookup_finds_out_and_those_behind_it_are_asked_when_it_is_answered() {
    let bench = bench(Duration::from_millis(100));
    fail(&bench, "DE", TroubleKind::MemberStateUnavailable).await;
    sleep(Duration::from_mins(1)).await;
    let asked = bench.vies.calls().len();
    let crowd: Vec<String> = (0..50).map(|n| format!("DE{:09}", 200_000_000 + n)).collect();
    let told = resolve_all(&bench.gateway, &crowd, CALL).await;
    assert!(told.iter().all(|told| reason(told).is_none()), "{told:?}");
    let calls = bench.vies.calls();
    assert_eq!(calls.len() - asked, 50);
    assert!(calls[asked + 1].0 - calls[asked].0 >= Duration::from_millis(100), "one alone");
}

#[tokio::test(start_paused = true)]
async fn while_a_silent_state_is_found_out_others_do_not_wait_for_it() {
    let bench = bench(LONG);
    let crowd = numbers("DE", 30);
    let told = resolve_all(&bench.gateway, &crowd, Duration::from_mins(2)).await;
    assert!(told.iter().all(|told| reason(told) == Some(UnresolvedReason::Timeout)), "{told:?}");
    assert_eq!(position(&bench, Prefix::De), Position::Open);
    sleep(Duration::from_mins(1)).await;
    let asked = bench.vies.calls().len();
    let started = Instant::now();
    let gateway = Arc::clone(&bench.gateway);
    let first = tokio::spawn(async move { gateway.resolve(lookup("DE136695976"), within(CALL)).await });
    sleep(Duration::from_millis(1)).await;
    let told = one(&bench, "DE111111125").await;
    assert!(started.elapsed() <= Duration::from_millis(2010), "{:?}", started.elapsed());
    assert_eq!(told.reason, UnresolvedReason::Timeout);
    assert!(told.retry_after <= Duration::from_secs(13), "{told:?}");
    assert_eq!(reason(&first.await.unwrap()), Some(UnresolvedReason::Timeout));
    assert_eq!(bench.vies.calls().len(), asked + 1);
    assert_eq!(position(&bench, Prefix::De), Position::Open, "for another minute");
}

#[tokio::test(start_paused = true)]
async fn what_a_silent_state_still_counts_as_on_its_way_is_no_place_for_another() {
    let bench = bench(Duration::from_millis(500));
    bench.vies.silence(Prefix::De);
    let mut numbers: Vec<String> = (0..6).map(|n| format!("DE{:09}", 100_000_000 + n)).collect();
    numbers.extend((0..200).map(|n| format!("{}{:09}", ["EL", "PT", "EE"][n % 3], 100_000_000 + n)));
    let started = Instant::now();
    resolve_all(&bench.gateway, &numbers, Duration::from_secs(25)).await;
    assert!(
        started.elapsed() > Duration::from_secs(15),
        "all places are taken when the first tries are over"
    );
    assert_eq!(bench.vies.peak(), 8);
}

#[tokio::test(start_paused = true)]
async fn while_one_state_is_silent_calls_about_the_others_take_a_tenth_more_at_most() {
    // Ten minutes of it.
    const ROUNDS: usize = 1000;
    let bench = bench(Duration::from_millis(150));
    // Eight of them at once: every place is wanted.
    let others: Vec<String> = ["EE", "EL", "PT"].iter().flat_map(|prefix| numbers(prefix, 9)).collect();
    let calls = async || {
        let started = Instant::now();
        for _ in 0..ROUNDS {
            let answers = resolve_all(&bench.gateway, &others, CALL).await;
            assert!(answers.iter().all(|answer| reason(answer).is_none()));
        }
        started.elapsed()
    };
    let well = calls().await;
    bench.vies.silence(Prefix::De);
    let gateway = Arc::clone(&bench.gateway);
    let asking = tokio::spawn(async move {
        loop {
            resolve_all(&gateway, &numbers("DE", 100), CALL).await;
            sleep(Duration::from_secs(1)).await;
        }
    });
    let silent = calls().await;
    asking.abort();
    let ratio = silent.as_secs_f64() / well.as_secs_f64();
    assert!(ratio <= 1.1, "{ratio}: {silent:?} beside {well:?}");
}

#[tokio::test(start_paused = true)]
async fn a_silent_state_alone_never_closes_vies_and_two_that_fail_alike_do() {
    let bench = bench(Duration::ZERO);
    for round in 0..6 {
        fail(&bench, "DE", TroubleKind::TimedOut).await;
        sleep(Duration::from_secs(61)).await;
        assert_eq!(
            bench.gateway.state(RegistryPart::Whole(Registry::Vies)).breaker.position,
            Position::Closed,
            "{round}"
        );
    }
    bench.vies.script("FR40303265045", [trouble(TroubleKind::RegistryUnavailable)]);
    one(&bench, "FR40303265045").await;
    let state = bench.gateway.state(RegistryPart::Whole(Registry::Vies)).breaker;
    assert_eq!((state.position, state.cause), (Position::Open, Some(TroubleKind::RegistryUnavailable)));
    assert_eq!(state.since, Some(DateTime::UNIX_EPOCH));
    let told = one(&bench, "IE6388047V").await;
    assert_eq!(told.reason, UnresolvedReason::RegistryUnavailable, "all member states alike");
    assert_eq!(
        reason(&bench.gateway.resolve(lookup("GB980780684"), within(CALL)).await),
        None,
        "and HMRC never"
    );
}

#[tokio::test(start_paused = true)]
async fn one_number_that_a_registry_cannot_read_shuts_nobody_out() {
    let bench = bench(Duration::ZERO);
    for (number, registry) in [("DE136695976", &bench.vies), ("GB980780684", &bench.hmrc)] {
        registry.script(number, [trouble(TroubleKind::RegistryUnavailable)]);
        for _ in 0..4 {
            one(&bench, number).await;
        }
        assert_eq!(registry.calls().len(), 12);
    }
    assert_eq!(position(&bench, Prefix::De), Position::Closed);
    assert_eq!(position(&bench, Prefix::Gb), Position::Closed);
}

#[tokio::test(start_paused = true)]
async fn who_is_blocked_stops_altogether_and_asks_once_in_an_hour() {
    let bench = bench(Duration::ZERO);
    bench.vies.script("DE136695976", [trouble(TroubleKind::CallerBlocked)]);
    assert_eq!(one(&bench, "DE136695976").await.reason, UnresolvedReason::Blocked);
    for number in ["FR40303265045", "DE136695976", "IE6388047V"] {
        let told = one(&bench, number).await;
        assert_eq!((told.reason, told.retry_after), (UnresolvedReason::Blocked, Duration::from_hours(1)));
    }
    assert_eq!(bench.vies.calls().len(), 1);
    sleep(Duration::from_hours(1)).await;
    one(&bench, "DE136695976").await;
    assert_eq!(one(&bench, "FR40303265045").await.reason, UnresolvedReason::Blocked);
    assert_eq!(bench.vies.calls().len(), 2, "one of them found out");
    bench.gateway.close_by_hand(RegistryPart::Whole(Registry::Vies));
    assert_eq!(reason(&bench.gateway.resolve(lookup("FR40303265045"), within(CALL)).await), None);
}

#[tokio::test(start_paused = true)]
async fn refused_credentials_are_not_tried_again_and_again() {
    let bench = bench(Duration::ZERO);
    bench.hmrc.script("GB980780684", [Err(RegistryError::CredentialsRefused)]);
    assert_eq!(one(&bench, "GB980780684").await.reason, UnresolvedReason::NotConfigured);
    for _ in 0..50 {
        let told = one(&bench, "GB434031494").await;
        assert_eq!(
            (told.reason, told.retry_after),
            (UnresolvedReason::NotConfigured, Duration::from_mins(5))
        );
    }
    assert_eq!(bench.hmrc.calls().len(), 2);
    sleep(Duration::from_mins(5)).await;
    assert_eq!(reason(&bench.gateway.resolve(lookup("GB434031494"), within(CALL)).await), None);
}

#[tokio::test(start_paused = true)]
async fn by_hand_a_breaker_opens_for_a_time_or_until_it_is_closed() {
    let bench = bench(Duration::from_secs(2));
    let waiting = numbers("GB", 30);
    let gateway = Arc::clone(&bench.gateway);
    let crowd = tokio::spawn(async move { resolve_all(&gateway, &waiting, CALL).await });
    sleep(Duration::from_millis(1500)).await;
    let hmrc = RegistryPart::of(Prefix::Gb);
    bench.gateway.open_by_hand(hmrc, Some(Duration::from_mins(5)));
    let told = crowd.await.unwrap();
    let shut = told.iter().filter(|told| reason(told) == Some(UnresolvedReason::RegistryUnavailable)).count();
    assert_eq!(shut, 25, "what was asked is answered, the rest is told at once");
    let state = bench.gateway.state(RegistryPart::Whole(Registry::Hmrc)).breaker;
    assert_eq!((state.position, state.cause), (Position::Open, None));
    assert_eq!(one(&bench, "GB980780684").await.retry_after, state.next_try_in.unwrap());
    sleep(Duration::from_mins(5)).await;
    assert_eq!(reason(&bench.gateway.resolve(lookup("GB980780684"), within(CALL)).await), None);

    let poland = RegistryPart::of(Prefix::Pl);
    bench.gateway.open_by_hand(poland, None);
    sleep(Duration::from_hours(48)).await;
    let told = one(&bench, "PL8567346215").await;
    assert_eq!(
        (told.reason, told.retry_after),
        (UnresolvedReason::MemberStateUnavailable, Duration::from_mins(5))
    );
    bench.gateway.close_by_hand(poland);
    assert_eq!(reason(&bench.gateway.resolve(lookup("PL8567346215"), within(CALL)).await), None);
}

#[tokio::test(start_paused = true)]
async fn a_lookup_that_was_to_find_out_and_left_hands_that_on() {
    let bench = bench(Duration::from_millis(500));
    fail(&bench, "DE", TroubleKind::MemberStateUnavailable).await;
    sleep(Duration::from_mins(1)).await;
    let left =
        timeout(Duration::from_millis(100), bench.gateway.resolve(lookup("DE136695976"), within(CALL)));
    assert!(left.await.is_err());
    assert_eq!(reason(&bench.gateway.resolve(lookup("DE111111125"), within(CALL)).await), None);
}
