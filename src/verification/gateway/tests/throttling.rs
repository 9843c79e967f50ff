//! A registry that says "too many" is asked less, and step by step more again.

use super::*;

fn numbers(prefix: &str, first: usize, count: usize) -> Vec<String> {
    (first..first + count).map(|n| format!("{prefix}{:09}", 100_000_000 + n)).collect()
}

fn allowed(bench: &Bench, prefix: Prefix) -> f64 {
    bench.gateway.state(RegistryPart::of(prefix)).measure.allowed
}

#[tokio::test(start_paused = true)]
async fn a_busy_state_gets_fewer_at_once_and_no_other_does() {
    let bench = bench(Duration::from_millis(500));
    bench.vies.script("DE100000000", [trouble(TroubleKind::MemberStateBusy), Ok(registered())]);
    bench.gateway.resolve(lookup("DE100000000"), within(LONG)).await;
    assert!((allowed(&bench, Prefix::De) - 1.0).abs() < f64::EPSILON);
    assert!((allowed(&bench, Prefix::Fr) - 3.0).abs() < f64::EPSILON);
    assert!(
        (bench.gateway.state(RegistryPart::Whole(Registry::Vies)).measure.allowed - 8.0).abs() < f64::EPSILON
    );
    let from = bench.vies.calls().len();
    let started = Instant::now();
    resolve_all(&bench.gateway, &numbers("DE", 1, 60), LONG).await;
    let calls = bench.vies.calls();
    let in_second = |second: u64| {
        let (begin, end) = (Duration::from_secs(second), Duration::from_secs(second + 1));
        let within = |at: &Instant| (begin..end).contains(&at.saturating_duration_since(started));
        calls[from..].iter().filter(|(at, _)| within(at)).count()
    };
    assert_eq!([2, 12, 17].map(in_second), [2, 4, 4], "one at a time, and two after ten seconds");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    sleep(Duration::from_secs(20)).await;
    assert!((allowed(&bench, Prefix::De) - 3.0).abs() < f64::EPSILON, "all of it again");
}

#[tokio::test(start_paused = true)]
async fn when_vies_as_a_whole_is_busy_all_states_get_fewer() {
    let bench = bench(Duration::from_millis(100));
    bench.vies.script("DE100000000", [trouble(TroubleKind::RegistryBusy), Ok(registered())]);
    bench.gateway.resolve(lookup("DE100000000"), within(LONG)).await;
    assert!(
        (bench.gateway.state(RegistryPart::Whole(Registry::Vies)).measure.allowed - 4.0).abs() < f64::EPSILON
    );
    let crowd: Vec<String> =
        (0..40).map(|n| format!("{}{:09}", ["DE", "EL", "PT", "EE"][n % 4], 200_000_000 + n)).collect();
    resolve_all(&bench.gateway, &crowd, LONG).await;
    assert_eq!(bench.vies.peak(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_state_asked_too_often_in_a_time_is_silent_for_a_while_and_then_asked_one_by_one() {
    let bench = bench(Duration::from_millis(100));
    bench.vies.script("DE100000000", [trouble(TroubleKind::MemberStateExhausted), Ok(registered())]);
    let told = bench.gateway.resolve(lookup("DE100000000"), within(LONG)).await;
    let Resolution::Unresolved(told) = told else { panic!("{told:?}") };
    assert_eq!((told.reason, told.retry_after), (UnresolvedReason::Throttled, Duration::from_mins(1)));
    let limit = Duration::from_secs(25);
    let told = bench.gateway.resolve(lookup("DE100000001"), within(limit)).await;
    assert_eq!(reason(&told), Some(UnresolvedReason::Throttled), "at once, since it is silent for longer");
    assert_eq!(bench.gateway.state(RegistryPart::of(Prefix::De)).silent_for, Some(Duration::from_secs(30)));
    assert_eq!(reason(&bench.gateway.resolve(lookup("FR40303265045"), within(limit)).await), None);
    sleep(Duration::from_secs(10)).await;
    let started = Instant::now();
    let told = bench.gateway.resolve(lookup("DE100000001"), within(limit)).await;
    assert_eq!((reason(&told), started.elapsed().as_secs()), (None, 20), "waited for within the deadline");
}

#[tokio::test(start_paused = true)]
async fn after_a_429_hmrc_has_peace_for_a_second_and_after_another_half_of_the_questions() {
    let bench = bench(Duration::from_millis(50));
    let busy = || trouble(TroubleKind::RegistryBusy);
    bench.hmrc.script("GB100000000", [busy(), busy(), Ok(registered())]);
    bench.gateway.resolve(lookup("GB100000000"), within(LONG)).await;
    let calls = bench.hmrc.calls();
    assert!(calls[1].0 - calls[0].0 >= Duration::from_secs(1));
    assert!(calls[2].0 - calls[1].0 >= Duration::from_secs(2));
    // How long the third try waits beyond it is left to chance: up to eight seconds from the second.
    let silence_ends = calls[1].0 + Duration::from_millis(50) + Duration::from_secs(2);
    resolve_all(&bench.gateway, &numbers("GB", 1, 160), LONG).await;
    let calls = bench.hmrc.calls();
    let spaces = |from, to| {
        let at = |seconds| silence_ends + Duration::from_secs(seconds);
        let calls: Vec<Instant> = calls.iter().map(|(call, _)| *call).collect();
        let within = |pair: &&[Instant]| (at(from)..at(to)).contains(&pair[0]) && pair[1] < at(to);
        calls.windows(2).filter(within).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>()
    };
    for (from, to, a_second) in [(7, 10, 1.3125), (12, 18, 1.6875), (52, 58, 3.0)] {
        let expected = Duration::from_secs_f64(1.015 / a_second);
        let spaces = spaces(from, to);
        let is_right = |space: &Duration| space.abs_diff(expected) <= Duration::from_millis(4);
        assert!(spaces.iter().all(is_right), "{a_second} a second: {spaces:?}");
        let all = spaces.iter().sum::<Duration>() + expected * 2;
        assert!(all >= Duration::from_secs(to - from), "all the time: {spaces:?}");
    }
}
