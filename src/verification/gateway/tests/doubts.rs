//! HMRC's first "no" to a lookup without requester is asked once more, where nobody else is kept waiting by that.

use super::*;

const CALL: Duration = Duration::from_secs(25);
const NUMBER: &str = "GB980780684";

fn no() -> RegistryAnswer {
    RegistryAnswer { verdict: Verdict::NotRegistered, ..registered() }
}

fn verdict(resolution: &Resolution) -> Option<&Verdict> {
    match resolution {
        Resolution::Answered(answered) => Some(&answered.answer.verdict),
        Resolution::Unresolved(_) => None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_first_no_is_asked_again_and_the_second_word_counts() {
    for (second, expected) in [
        (Ok(no()), Some(Verdict::NotRegistered)),
        (Ok(registered()), Some(registered().verdict)),
        (trouble(TroubleKind::RegistryUnavailable), None),
        (trouble(TroubleKind::RegistryBusy), Some(Verdict::NotRegistered)),
    ] {
        let bench = bench(Duration::from_millis(100));
        bench.hmrc.script(NUMBER, [Ok(no()), second.clone()]);
        let resolution = bench.gateway.resolve(lookup(NUMBER), within(CALL)).await;
        assert_eq!(verdict(&resolution), expected.as_ref(), "{second:?}");
        let calls = bench.hmrc.calls();
        assert_eq!(calls.len(), 2);
        assert!(calls[1].0 - calls[0].0 >= Duration::from_secs(1), "after a pause");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_confirmed_what_has_a_requester_and_what_vies_says_is_asked_once() {
    let bench = bench(Duration::ZERO);
    bench.hmrc.script(NUMBER, [Ok(no())]);
    bench.gateway.resolve(lookup(NUMBER), within(CALL)).await;
    bench.gateway.resolve(lookup(NUMBER), within(CALL)).await;
    assert_eq!(bench.hmrc.calls().len(), 3, "twice and then once");
    let mut with_requester = lookup("GB434031494");
    with_requester.requester = VatNumber::parse(NUMBER).number();
    bench.hmrc.script("GB434031494", [Ok(no())]);
    bench.gateway.resolve(with_requester, within(CALL)).await;
    assert_eq!(bench.hmrc.calls().len(), 4);
    bench.gateway.resolve(lookup("GB434031494"), within(CALL)).await;
    assert_eq!(bench.hmrc.calls().len(), 5, "the better lookup has said so");
    bench.vies.script("DE136695976", [Ok(no())]);
    bench.gateway.resolve(lookup("DE136695976"), within(CALL)).await;
    assert_eq!(bench.vies.calls().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_second_lookup_takes_no_turn_that_anybody_else_wants() {
    let bench = bench(Duration::from_millis(50));
    bench.hmrc.script(NUMBER, [Ok(no())]);
    let crowd: Vec<String> = (0..40).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    let doubtful = async {
        let started = Instant::now();
        (bench.gateway.resolve(lookup(NUMBER), within(CALL)).await, started.elapsed())
    };
    let (crowd, (resolution, took)) = tokio::join!(resolve_all(&bench.gateway, &crowd, CALL), doubtful);
    assert!(crowd.iter().all(|one| reason(one).is_none()));
    assert_eq!(verdict(&resolution), Some(&Verdict::NotRegistered), "the first word stands");
    assert!((5..7).contains(&took.as_secs()), "and is waited for no longer: {took:?}");
    assert_eq!(bench.hmrc.calls().len(), 41);
}

#[tokio::test(start_paused = true)]
async fn before_the_deadline_the_first_word_is_told() {
    let bench = bench(Duration::from_millis(100));
    bench.hmrc.script(NUMBER, [Ok(no())]);
    for (limit, asked) in [(500, 1), (1800, 3)] {
        let limit = Duration::from_millis(limit);
        let started = Instant::now();
        let resolution = bench.gateway.resolve(lookup(NUMBER), within(limit)).await;
        assert_eq!(verdict(&resolution), Some(&Verdict::NotRegistered));
        assert!(started.elapsed() < limit);
        assert_eq!(bench.hmrc.calls().len(), asked);
    }
}

#[tokio::test(start_paused = true)]
async fn a_single_no_does_not_replace_a_yes_of_lately() {
    let bench = bench(Duration::from_millis(100));
    bench.hmrc.script(NUMBER, [Ok(registered()), Ok(no()), Ok(no())]);
    assert_eq!(reason(&bench.gateway.resolve(lookup(NUMBER), within(CALL)).await), None);
    let resolution = bench.gateway.resolve(lookup(NUMBER), within(Duration::from_millis(900))).await;
    assert_eq!(reason(&resolution), Some(UnresolvedReason::Deadline), "no time to ask again");
    let resolution = bench.gateway.resolve(lookup(NUMBER), within(CALL)).await;
    assert_eq!(verdict(&resolution), Some(&Verdict::NotRegistered), "it says so twice");
}
