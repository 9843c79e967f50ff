//! The gateway under paused time, before registries that do as they are told.

use std::{sync::Arc, time::Duration};

use chrono::DateTime;
use futures_util::future::join_all;
use tokio::time::{Instant, advance, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use vat::{Prefix, UnresolvedReason, VatNumber};

mod doubts;
mod fairness;
mod outages;
mod throttling;

use super::*;
use crate::{
    clock::ManualClock,
    verification::{
        fake_registry::{FakeRegistry, gateway_before, registered},
        registry::{RegistryError, Trouble, TroubleKind, Verdict},
    },
};

const ACCOUNT: Uuid = Uuid::from_u128(1);
const LONG: Duration = Duration::from_secs(1000);

struct Bench {
    hmrc: Arc<FakeRegistry>,
    vies: Arc<FakeRegistry>,
    gateway: Arc<RegistryGateway>,
}

fn bench(delay: Duration) -> Bench {
    let hmrc = FakeRegistry::taking(delay);
    let vies = FakeRegistry::taking(delay);
    let clock = Arc::new(ManualClock::starting_at(DateTime::UNIX_EPOCH));
    let limits = (Duration::from_secs(10), Duration::from_secs(15));
    let gateway = gateway_before((hmrc.clone(), vies.clone()), limits, clock);
    Bench { hmrc, vies, gateway: Arc::new(gateway) }
}

fn lookup(number: &str) -> Lookup {
    Lookup { number: VatNumber::parse(number).number().expect("a number"), requester: None }
}

/// A single number of an account, within this time.
fn within(limit: Duration) -> Asking {
    Asking::alone(ACCOUNT, Instant::now() + limit)
}

fn trouble(kind: TroubleKind) -> Result<RegistryAnswer, RegistryError> {
    Err(Trouble::new(kind, "scripted").into())
}

fn reason(resolution: &Resolution) -> Option<UnresolvedReason> {
    match resolution {
        Resolution::Answered(_) => None,
        Resolution::Unresolved(unresolved) => Some(unresolved.reason),
    }
}

async fn resolve_all(gateway: &RegistryGateway, numbers: &[String], limit: Duration) -> Vec<Resolution> {
    let deadline = Instant::now() + limit;
    let size = SizeOfCalls::new(numbers.len());
    let asking = Asking { size: size.size(), ..Asking::alone(ACCOUNT, deadline) };
    join_all(numbers.iter().map(|number| gateway.resolve(lookup(number), asking.clone()))).await
}

#[tokio::test(start_paused = true)]
async fn hmrc_is_asked_three_times_in_any_second_evenly_and_at_nearly_its_full_rate() {
    let bench = bench(Duration::from_millis(200));
    let numbers: Vec<String> = (0..60).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    let started = Instant::now();
    let resolutions = resolve_all(&bench.gateway, &numbers, LONG).await;
    assert!(resolutions.iter().all(|resolution| reason(resolution).is_none()));
    let calls = bench.hmrc.calls();
    for four in calls.windows(4) {
        assert!(four[3].0 - four[0].0 > Duration::from_millis(1005), "four within a second");
    }
    let rate = 59.0 / (calls[59].0 - started).as_secs_f64();
    assert!(rate > 0.97 * 3.0, "{rate}");
    let asked: Vec<String> = calls.iter().map(|(_, lookup)| lookup.number.to_string()).collect();
    assert_eq!(asked, numbers, "first come, first served");
}

#[tokio::test(start_paused = true)]
async fn whoever_leaves_the_queue_leaves_no_gap() {
    let bench = bench(Duration::ZERO);
    let numbers: Vec<String> = (0..30).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    let left = timeout(Duration::from_millis(10), resolve_all(&bench.gateway, &numbers, LONG)).await;
    assert!(left.is_err());
    let started = Instant::now();
    bench.gateway.resolve(lookup("GB980780684"), within(LONG)).await;
    assert!(started.elapsed() < Duration::from_millis(400), "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_hundred_uk_numbers_use_the_whole_deadline_and_the_rest_says_so() {
    let bench = bench(Duration::from_millis(150));
    let numbers: Vec<String> = (0..100).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    let resolutions = resolve_all(&bench.gateway, &numbers, Duration::from_secs(25)).await;
    let answered = resolutions.iter().filter(|resolution| reason(resolution).is_none()).count();
    assert!((70..=75).contains(&answered), "{answered}");
    assert!(
        resolutions.iter().all(|r| matches!(reason(r), None | Some(UnresolvedReason::Deadline))),
        "what was not answered was not reached in time"
    );
}

#[tokio::test(start_paused = true)]
async fn vies_keeps_to_eight_in_all_and_three_for_each_state() {
    let bench = bench(Duration::from_millis(150));
    let numbers: Vec<String> =
        (0..80).map(|n| format!("{}{:09}", ["DE", "EL", "PT", "EE"][n % 4], 100_000_000 + n)).collect();
    let started = Instant::now();
    resolve_all(&bench.gateway, &numbers, LONG).await;
    assert_eq!(bench.vies.peak(), 8);
    let rounds = started.elapsed().as_millis() / 150;
    assert!(
        (10..=11).contains(&rounds),
        "80 numbers at 8 at once are ten rounds, and one for an uneven end: {rounds}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_busy_state_keeps_no_common_place_from_others() {
    let bench = bench(Duration::from_secs(1));
    let many: Vec<String> = (0..50).map(|n| format!("DE{:09}", 100_000_000 + n)).collect();
    let gateway = Arc::clone(&bench.gateway);
    let crowd = tokio::spawn(async move { resolve_all(&gateway, &many, LONG).await });
    sleep(Duration::from_millis(10)).await;
    let started = Instant::now();
    bench.gateway.resolve(lookup("FR40303265045"), within(LONG)).await;
    assert_eq!(started.elapsed(), Duration::from_secs(1), "asked at once");
    crowd.await.expect("ends");
    assert_eq!(bench.vies.peak(), 4);
}

#[tokio::test(start_paused = true)]
async fn what_can_heal_is_tried_three_times_with_growing_pauses() {
    for kind in [
        TroubleKind::RegistryUnavailable,
        TroubleKind::MemberStateBusy,
        TroubleKind::RegistryBusy,
        TroubleKind::TimedOut,
        TroubleKind::Unreadable,
    ] {
        let bench = bench(Duration::ZERO);
        bench.vies.script("DE136695976", [trouble(kind)]);
        let resolution = bench.gateway.resolve(lookup("DE136695976"), within(LONG)).await;
        assert_eq!(reason(&resolution), Some(kind.reason()));
        let times: Vec<Instant> = bench.vies.calls().iter().map(|(at, _)| *at).collect();
        let [first, second, third] = times[..] else { panic!("{kind:?}: {} tries", times.len()) };
        let start = kind.first_pause().expect("heals");
        assert!((start..=start * 2).contains(&(second - first)), "{kind:?}: {:?}", second - first);
        assert!((start * 4..=start * 8).contains(&(third - second)), "{kind:?}: {:?}", third - second);
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_heal_within_a_call_is_tried_once() {
    for kind in [
        TroubleKind::RegistryClosed,
        TroubleKind::QuestionNotUnderstood,
        TroubleKind::MemberStateUnavailable,
        TroubleKind::MemberStateExhausted,
        TroubleKind::RegistryExhausted,
        TroubleKind::NumberBlocked,
        TroubleKind::CallerBlocked,
        TroubleKind::NotConfigured,
    ] {
        let bench = bench(Duration::ZERO);
        bench.vies.script("DE136695976", [trouble(kind)]);
        let resolution = bench.gateway.resolve(lookup("DE136695976"), within(LONG)).await;
        assert_eq!(reason(&resolution), Some(kind.reason()));
        assert_eq!(bench.vies.calls().len(), 1, "{kind:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn trouble_that_passes_ends_in_the_answer() {
    let bench = bench(Duration::ZERO);
    bench.vies.script(
        "DE136695976",
        [trouble(TroubleKind::MemberStateBusy), trouble(TroubleKind::Unreadable), Ok(registered())],
    );
    let resolution = bench.gateway.resolve(lookup("DE136695976"), within(LONG)).await;
    assert_eq!(reason(&resolution), None);
    assert_eq!(bench.vies.calls().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_would_not_end_before_the_deadline_is_not_begun() {
    let bench = bench(Duration::ZERO);
    bench.vies.script("DE136695976", [trouble(TroubleKind::MemberStateBusy)]);
    let started = Instant::now();
    let resolution = bench.gateway.resolve(lookup("DE136695976"), within(Duration::from_millis(400))).await;
    assert_eq!(
        reason(&resolution),
        Some(UnresolvedReason::Throttled),
        "the trouble that was met, not the deadline"
    );
    assert_eq!((bench.vies.calls().len(), started.elapsed()), (1, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_silent_registry_is_given_up_after_one_try_when_a_second_would_not_fit() {
    let bench = bench(LONG);
    let started = Instant::now();
    let resolution = bench.gateway.resolve(lookup("DE136695976"), within(Duration::from_secs(25))).await;
    assert_eq!(reason(&resolution), Some(UnresolvedReason::Timeout));
    assert_eq!(started.elapsed(), Duration::from_secs(15));
    assert_eq!(bench.vies.calls().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_try_cut_off_by_the_deadline_is_told_as_the_deadline() {
    let bench = bench(LONG);
    let started = Instant::now();
    let resolution = bench.gateway.resolve(lookup("DE136695976"), within(Duration::from_secs(5))).await;
    assert_eq!(reason(&resolution), Some(UnresolvedReason::Deadline));
    assert_eq!(started.elapsed(), Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn a_refused_requester_is_left_out_the_second_time() {
    let bench = bench(Duration::ZERO);
    bench.vies.script(
        "DE136695976",
        [Err(RegistryError::RequesterRefused { number_is_known: false }), Ok(registered())],
    );
    let mut question = lookup("DE136695976");
    question.requester = VatNumber::parse("FR40303265045").number();
    let resolution = bench.gateway.resolve(question, within(LONG)).await;
    let Resolution::Answered(answered) = resolution else { panic!("{resolution:?}") };
    assert!(answered.requester_refused);
    let requesters: Vec<bool> =
        bench.vies.calls().iter().map(|(_, lookup)| lookup.requester.is_some()).collect();
    assert_eq!(requesters, [true, false]);
}

#[tokio::test(start_paused = true)]
async fn a_registry_that_refuses_a_requester_nobody_sent_is_not_asked_for_ever() {
    let bench = bench(Duration::ZERO);
    bench.vies.script("DE136695976", [Err(RegistryError::RequesterRefused { number_is_known: false })]);
    let resolution = bench.gateway.resolve(lookup("DE136695976"), within(LONG)).await;
    assert_eq!(reason(&resolution), Some(UnresolvedReason::RegistryUnreadable));
    assert_eq!(bench.vies.calls().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn when_hmrc_says_too_many_nobody_asks_for_a_while() {
    let bench = bench(Duration::ZERO);
    bench.hmrc.script("GB980780684", [trouble(TroubleKind::RegistryBusy), Ok(registered())]);
    let refused = bench.gateway.resolve(lookup("GB980780684"), within(LONG));
    let other = async {
        advance(Duration::from_millis(1)).await;
        bench.gateway.resolve(lookup("GB434031494"), within(LONG)).await
    };
    tokio::join!(refused, other);
    let calls = bench.hmrc.calls();
    assert!(calls[1].0 - calls[0].0 >= Duration::from_secs(1), "{:?}", calls[1].0 - calls[0].0);
}

#[tokio::test(start_paused = true)]
async fn a_pause_the_registry_wishes_for_is_obeyed_and_passed_on() {
    let bench = bench(Duration::ZERO);
    let wish = Trouble {
        retry_after: Some(Duration::from_secs(7)),
        ..Trouble::new(TroubleKind::RegistryBusy, "429")
    };
    bench.vies.script("DE136695976", [Err(wish.into())]);
    let resolution = bench.gateway.resolve(lookup("DE136695976"), within(LONG)).await;
    let calls = bench.vies.calls();
    assert!(calls[1].0 - calls[0].0 >= Duration::from_secs(7));
    let Resolution::Unresolved(unresolved) = resolution else { panic!("{resolution:?}") };
    assert_eq!(unresolved.retry_after, Duration::from_secs(7));
}

#[tokio::test(start_paused = true)]
async fn a_no_after_a_refusal_that_proved_the_number_is_no_answer() {
    let bench = bench(Duration::ZERO);
    let no = RegistryAnswer { verdict: Verdict::NotRegistered, ..registered() };
    let refused = RegistryError::RequesterRefused { number_is_known: true };
    bench.hmrc.script("GB980780684", [Err(refused), Ok(no.clone())]);
    let mut question = lookup("GB980780684");
    question.requester = VatNumber::parse("GB434031494").number();
    let resolution = bench.gateway.resolve(question, within(LONG)).await;
    assert_eq!(reason(&resolution), Some(UnresolvedReason::RegistryUnreadable));
    let refused = RegistryError::RequesterRefused { number_is_known: false };
    bench.hmrc.script("GB980780684", [Err(refused), Ok(no)]);
    assert_eq!(reason(&bench.gateway.resolve(question, within(LONG)).await), None, "a plain no stands");
}

#[tokio::test(start_paused = true)]
async fn refused_credentials_are_renewed_once_and_in_a_turn_of_their_own() {
    let bench = bench(Duration::ZERO);
    bench.hmrc.script("GB980780684", [Err(RegistryError::CredentialsRefused), Ok(registered())]);
    let resolution = bench.gateway.resolve(lookup("GB980780684"), within(LONG)).await;
    assert_eq!(reason(&resolution), None);
    let calls = bench.hmrc.calls();
    assert!(
        calls[1].0 - calls[0].0 >= Duration::from_millis(338),
        "the second lookup is paced like any other"
    );
    bench.hmrc.script("GB980780684", [Err(RegistryError::CredentialsRefused)]);
    let resolution = bench.gateway.resolve(lookup("GB980780684"), within(LONG)).await;
    assert_eq!(reason(&resolution), Some(UnresolvedReason::NotConfigured));
    assert_eq!(bench.hmrc.calls().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn no_number_is_asked_about_more_than_three_times_whatever_is_refused() {
    let bench = bench(Duration::ZERO);
    bench.hmrc.script(
        "GB980780684",
        [
            Err(RegistryError::CredentialsRefused),
            Err(RegistryError::RequesterRefused { number_is_known: false }),
            trouble(TroubleKind::RegistryUnavailable),
            Ok(registered()),
        ],
    );
    let mut question = lookup("GB980780684");
    question.requester = VatNumber::parse("GB434031494").number();
    let resolution = bench.gateway.resolve(question, within(LONG)).await;
    assert_eq!(reason(&resolution), Some(UnresolvedReason::RegistryUnavailable));
    assert_eq!(bench.hmrc.calls().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn while_hmrc_wants_peace_beyond_the_deadline_callers_are_told_at_once_and_truly() {
    let bench = bench(Duration::ZERO);
    let wish = Trouble::new(TroubleKind::RegistryBusy, "429").with_retry_after(Some(Duration::from_hours(1)));
    bench.hmrc.script("GB980780684", [Err(wish.into())]);
    let limit = Duration::from_secs(25);
    let Resolution::Unresolved(first) = bench.gateway.resolve(lookup("GB980780684"), within(limit)).await
    else {
        panic!("answered")
    };
    assert_eq!(first.retry_after, Duration::from_hours(1), "the registry's own wish is passed on");
    let started = Instant::now();
    let Resolution::Unresolved(second) = bench.gateway.resolve(lookup("GB434031494"), within(limit)).await
    else {
        panic!("answered")
    };
    assert_eq!((second.reason, second.retry_after), (UnresolvedReason::Throttled, Duration::from_secs(30)));
    assert_eq!(started.elapsed(), Duration::ZERO, "nobody waits for nothing");
    sleep(Duration::from_secs(10)).await;
    let third = bench.gateway.resolve(lookup("GB434031494"), within(limit)).await;
    assert_eq!(reason(&third), None, "within the deadline it is waited for");
}

#[tokio::test(start_paused = true)]
async fn every_try_tells_how_the_registries_are() {
    let bench = bench(Duration::from_millis(150));
    let availability = bench.gateway.availability();
    let at_start = DateTime::UNIX_EPOCH;
    let refused = Err(RegistryError::RequesterRefused { number_is_known: true });
    bench.hmrc.script("GB980780684", [refused, Ok(registered())]);
    let mut question = lookup("GB980780684");
    question.requester = VatNumber::parse("GB434031494").number();
    bench.gateway.resolve(question, within(LONG)).await;
    let usual = Duration::from_millis(150);
    assert_eq!(
        availability.of_registry(Registry::Hmrc),
        RegistryState::Answering { since: at_start, usual },
        "a refused requester is an answer, and waiting for a turn is not the registry's doing"
    );
    bench.vies.script("DE136695976", (0..3).map(|_| trouble(TroubleKind::RegistryUnavailable)));
    bench.gateway.resolve(lookup("DE136695976"), within(LONG)).await;
    let reason = UnresolvedReason::RegistryUnavailable;
    for state in [availability.of(Prefix::De), availability.of_registry(Registry::Vies)] {
        assert_eq!(state, RegistryState::Refusing { since: at_start, reason });
    }
    bench.vies.script("FR40303265045", [trouble(TroubleKind::NumberBlocked)]);
    bench.gateway.resolve(lookup("FR40303265045"), within(LONG)).await;
    assert!(matches!(availability.of(Prefix::Fr), RegistryState::Answering { .. }), "said of one number");
    assert_eq!(availability.of(Prefix::It), RegistryState::NotMeasured { last: None });
}

#[tokio::test(start_paused = true)]
async fn what_was_asked_goes_on_after_the_call_until_nobody_wants_it() {
    let bench = bench(Duration::from_secs(2));
    let numbers: Vec<String> = (0..60).map(|n| format!("GB{:09}", 100_000_000 + n)).collect();
    let leave = CancellationToken::new();
    let deadline = Instant::now() + Duration::from_secs(5);
    let asking = Asking {
        until: deadline + Duration::from_mins(1),
        leave: leave.clone(),
        ..Asking::alone(ACCOUNT, deadline)
    };
    let started = Instant::now();
    let all = join_all(numbers.iter().map(|number| bench.gateway.resolve(lookup(number), asking.clone())));
    let ((), all) = tokio::join!(
        async {
            sleep(Duration::from_secs(9)).await;
            leave.cancel();
        },
        all
    );
    let answered = all.iter().filter(|one| reason(one).is_none()).count();
    assert_eq!(answered, bench.hmrc.calls().len(), "what was asked was waited for");
    assert_eq!(answered, 27, "three a second for nine seconds");
    assert!(all.iter().all(|one| matches!(reason(one), None | Some(UnresolvedReason::Deadline))));
    assert!(started.elapsed() < Duration::from_secs(12), "{:?}", started.elapsed());
    assert_eq!(bench.gateway.state(RegistryPart::Whole(Registry::Hmrc)).waiting, 0);
}

#[tokio::test(start_paused = true)]
async fn nothing_goes_on_for_longer_than_it_may() {
    let bench = bench(LONG);
    let deadline = Instant::now() + Duration::from_secs(1);
    let asking = Asking { until: deadline + Duration::from_secs(4), ..Asking::alone(ACCOUNT, deadline) };
    let started = Instant::now();
    let resolution = bench.gateway.resolve(lookup("DE136695976"), asking).await;
    assert_eq!(reason(&resolution), Some(UnresolvedReason::Deadline));
    assert_eq!(started.elapsed(), Duration::from_secs(5));
}
