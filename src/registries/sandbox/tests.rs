//! The table is complete and well made, and its answers are those of the gateway.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use tokio::time::Instant;
use uuid::Uuid;
use vat::{CheckDigits, Prefix};

use super::*;
use crate::{
    clock::ManualClock,
    registries::disclosed::disclosed,
    verification::{
        fake_registry::{FakeRegistry, gateway_before},
        registry::{RegistryError, Trader, Trouble, TroubleKind},
    },
};

const CALL: Duration = Duration::from_secs(25);
const GOOD_GB: &str = "GB999910095";
const GOOD_FR: &str = "FR89999991003";
const REFUSED_GB: &str = "GB999920287";
const REFUSED_DE: &str = "DE999992024";

fn clock() -> SharedClock {
    Arc::new(ManualClock::starting_at("2026-07-01T12:00:00.250Z".parse().expect("a time")))
}

fn number(text: &str) -> VatNumber {
    VatNumber::parse(text).number().expect("a number")
}

fn asking(limit: Duration) -> Asking {
    Asking::alone(Uuid::nil(), Instant::now() + limit)
}

async fn resolve(text: &str, requester: Option<&str>) -> Resolution {
    let lookup = Lookup { number: number(text), requester: requester.map(number) };
    Sandbox::new(clock()).resolve(lookup, asking(CALL)).await
}

async fn answer(text: &str, requester: Option<&str>) -> Arc<Answered> {
    match resolve(text, requester).await {
        Resolution::Answered(answered) => answered,
        Resolution::Unresolved(unresolved) => panic!("{text}: {unresolved:?}"),
    }
}

fn entries_of(registry: Registry) -> impl Iterator<Item = &'static SandboxNumber> {
    NUMBERS.iter().filter(move |entry| number(entry.number).registry() == registry)
}

/// The three digits that stand for an outcome, as the head of the module lists them.
fn digits_of(outcome: SandboxOutcome) -> &'static str {
    match outcome {
        SandboxOutcome::Registered(_) => "100",
        SandboxOutcome::RegisteredSlowly(_) => "105",
        SandboxOutcome::NotRegistered => "200",
        SandboxOutcome::FormRefused => "201",
        SandboxOutcome::RequesterRefused => "202",
        SandboxOutcome::Deadline => "303",
        SandboxOutcome::Trouble(kind) => match kind {
            TroubleKind::RegistryUnavailable => "300",
            TroubleKind::MemberStateUnavailable => "301",
            TroubleKind::TimedOut => "302",
            TroubleKind::Unreadable => "304",
            TroubleKind::NumberBlocked | TroubleKind::CallerBlocked => "400",
            TroubleKind::NotConfigured => "402",
            TroubleKind::RegistryBusy => "500",
            TroubleKind::MemberStateBusy => "600",
            other => panic!("no digits stand for {other:?}"),
        },
    }
}

fn trader_of(outcome: SandboxOutcome) -> Option<SandboxTrader> {
    match outcome {
        SandboxOutcome::Registered(trader) | SandboxOutcome::RegisteredSlowly(trader) => trader,
        _ => None,
    }
}

#[test]
fn every_prefix_has_a_registered_and_an_unregistered_number() {
    for prefix in Prefix::ALL {
        let has = |wanted: fn(SandboxOutcome) -> bool| {
            NUMBERS.iter().any(|entry| number(entry.number).prefix() == prefix && wanted(entry.outcome))
        };
        assert!(has(|outcome| matches!(outcome, SandboxOutcome::Registered(_))), "{prefix}");
        assert!(has(|outcome| outcome == SandboxOutcome::NotRegistered), "{prefix}");
    }
}

#[tokio::test(start_paused = true)]
async fn each_registry_gives_every_reason_it_can_have() {
    for (registry, never) in [
        (Registry::Hmrc, UnresolvedReason::MemberStateUnavailable),
        (Registry::Vies, UnresolvedReason::NotConfigured),
    ] {
        let mut given = BTreeSet::new();
        for entry in entries_of(registry) {
            if let Resolution::Unresolved(unresolved) = resolve(entry.number, None).await {
                given.insert(unresolved.reason);
                let code = format!("`{}`", unresolved.reason.as_str());
                assert!(entry.says.contains(&code), "{}: {}", entry.number, entry.says);
            }
        }
        let possible = UnresolvedReason::ALL.into_iter().filter(|reason| *reason != never).collect();
        assert_eq!(given, possible, "{registry}");
    }
}

#[test]
fn each_registry_shows_every_outcome_that_is_no_outage() {
    for registry in [Registry::Hmrc, Registry::Vies] {
        for digits in ["105", "201", "202"] {
            let found = entries_of(registry).any(|entry| digits_of(entry.outcome) == digits);
            assert!(found, "{registry} {digits}");
        }
    }
    let undisclosed = |entry: &&SandboxNumber| entry.outcome == SandboxOutcome::Registered(None);
    let states: Vec<_> =
        entries_of(Registry::Vies).filter(undisclosed).map(|entry| &entry.number[..2]).collect();
    assert_eq!(states, ["DE", "ES"]);
    assert_eq!(entries_of(Registry::Hmrc).filter(undisclosed).count(), 0);
}

#[test]
fn numbers_are_canonical_fit_and_need_no_advice() {
    for entry in NUMBERS {
        let reading = VatNumber::parse(entry.number);
        assert_eq!(reading.canonical(), entry.number);
        assert!(
            matches!(reading.check_digits(), Some(CheckDigits::Fit | CheckDigits::Absent)),
            "{}",
            entry.number
        );
        assert_eq!(reading.advice(), [], "{}", entry.number);
    }
}

#[test]
fn a_number_tells_by_its_digits_what_it_shows() {
    for entry in NUMBERS {
        let digits = digits_of(entry.outcome);
        let told = ["999", "888"].iter().any(|lead| entry.number.contains(&format!("{lead}{digits}")));
        assert!(told, "{} has no {digits}", entry.number);
    }
}

#[test]
fn no_number_stands_twice() {
    let numbers: HashSet<&str> = NUMBERS.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers.len(), NUMBERS.len());
}

#[test]
fn no_number_is_a_published_one() {
    let published: HashSet<&str> = [
        include_str!("../../../crates/vat/tests/data/vat-number-examples.csv"),
        // Holds the numbers of HMRC's own sandbox.
        include_str!("../../../crates/registry-simulator/data/registered-numbers.tsv"),
    ]
    .into_iter()
    .flat_map(str::lines)
    .filter_map(|line| line.split([',', '\t']).next())
    .collect();
    assert!(published.contains("GB980780684") && published.contains("GB166804280212"));
    for entry in NUMBERS {
        assert!(!published.contains(entry.number), "{}", entry.number);
    }
}

#[test]
fn every_entry_says_what_it_shows_in_one_sentence() {
    for SandboxNumber { number, says, .. } in NUMBERS {
        assert!(says.starts_with(char::is_uppercase), "{number}: {says}");
        assert!(says.ends_with('.') && says.matches('.').count() == 1, "{number}: {says}");
        assert_eq!(says.matches('`').count() % 2, 0, "{number}: {says}");
    }
}

#[test]
fn traders_are_written_as_an_adapter_would_pass_them_on() {
    let traders: Vec<_> = NUMBERS.iter().filter_map(|entry| trader_of(entry.outcome)).collect();
    for text in traders.iter().flat_map(|trader| [trader.name, trader.address]) {
        assert_eq!(disclosed(text).as_deref(), Some(text));
    }
    let names: HashSet<&str> = traders.iter().map(|trader| trader.name).collect();
    assert_eq!(names.len(), traders.len());
    assert!(names.iter().filter(|name| !name.is_ascii()).count() >= 10, "{names:?}");
}

#[tokio::test(start_paused = true)]
async fn a_registered_number_has_its_trader_and_a_date_as_its_registry_writes_it() {
    let answered = answer(GOOD_GB, None).await;
    assert_eq!(answered.received_at, clock().now());
    assert_eq!(answered.answer.dated.as_deref(), Some("2026-07-01T12:00:00+00:00"));
    assert_eq!(answered.answer.consultation_number, None);
    let trader = Trader {
        name: Some("Quillfeather Imaginary Goods Ltd".to_owned()),
        address: Some("1 Larkspur Yard, Farrowby, ZZ12 9QX".to_owned()),
    };
    assert_eq!(answered.answer.verdict, Verdict::Registered(trader));
    let answered = answer("DE999991005", None).await;
    assert_eq!(answered.answer.dated.as_deref(), Some("2026-07-01T12:00:00.250Z"));
    assert_eq!(answered.answer.verdict, Verdict::Registered(Trader::default()));
}

#[tokio::test(start_paused = true)]
async fn any_other_number_is_not_registered() {
    for text in ["GB980780684", "GB166804280212", "DE136695976", "XI980780684", REFUSED_GB, REFUSED_DE] {
        let answered = answer(text, None).await;
        assert_eq!(answered.answer.verdict, Verdict::NotRegistered, "{text}");
        assert!(!answered.requester_refused);
    }
}

#[tokio::test(start_paused = true)]
async fn a_requester_gets_proof_of_what_is_registered() {
    for (asked, requester, proof) in [
        (GOOD_GB, "GB980780684", Some("ALL-MAD-EUP")),
        ("GB999910585", GOOD_GB, Some("ALL-MAD-EUP")),
        (GOOD_FR, "XI999910095", Some("WAPIAllMadeUp000")),
        ("GB999920091", GOOD_GB, None),
        ("GB999920189", GOOD_GB, None),
        ("FR76999992001", GOOD_FR, None),
    ] {
        let answered = answer(asked, Some(requester)).await;
        assert_eq!(answered.answer.consultation_number.as_deref(), proof, "{asked}");
        assert!(!answered.requester_refused, "{asked}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_its_refused_requester_the_answer_stands() {
    for (asked, requester, refused) in [
        (GOOD_GB, REFUSED_GB, true),
        (GOOD_FR, REFUSED_DE, true),
        ("FR76999992001", REFUSED_DE, true),
        // HMRC says "not found" before it looks at the requester, and both refuse a form first.
        ("GB999920091", REFUSED_GB, false),
        ("GB999920189", REFUSED_GB, false),
        ("DE999992016", REFUSED_DE, false),
    ] {
        let answered = answer(asked, Some(requester)).await;
        let without = answer(asked, None).await;
        assert_eq!(*answered, Answered { requester_refused: refused, ..(*without).clone() }, "{asked}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_answer_takes_its_time_and_no_longer_than_the_call() {
    let sandbox = Sandbox::new(clock());
    for entry in NUMBERS {
        let SandboxOutcome::RegisteredSlowly(_) = entry.outcome else { continue };
        let lookup = Lookup { number: number(entry.number), requester: None };
        let start = Instant::now();
        let resolution = sandbox.resolve(lookup, asking(CALL)).await;
        assert!(matches!(resolution, Resolution::Answered(_)), "{resolution:?}");
        assert_eq!(start.elapsed(), SLOW);

        let start = Instant::now();
        let resolution = sandbox.resolve(lookup, asking(Duration::from_secs(2))).await;
        assert_eq!(resolution, sandbox.unresolved(UnresolvedReason::Deadline, Duration::from_secs(5)));
        assert_eq!(start.elapsed(), Duration::from_secs(2));
    }
}

#[tokio::test(start_paused = true)]
async fn all_but_slow_answers_and_deadlines_come_at_once() {
    for entry in NUMBERS {
        let start = Instant::now();
        resolve(entry.number, None).await;
        let expected = match entry.outcome {
            SandboxOutcome::RegisteredSlowly(_) => SLOW,
            SandboxOutcome::Deadline => CALL,
            _ => Duration::ZERO,
        };
        assert_eq!(start.elapsed(), expected, "{}", entry.number);
    }
}

/// What the gateway makes of registries that say `said` to every question about `lookup`, or nothing at all.
async fn at_the_gateway(lookup: Lookup, said: Option<TroubleKind>) -> Resolution {
    let long = Duration::from_hours(1);
    let registry = FakeRegistry::taking(if said.is_some() { Duration::ZERO } else { long });
    if let Some(kind) = said {
        let trouble = RegistryError::Trouble(Trouble::new(kind, "scripted"));
        registry.script(lookup.number.as_str(), [Err(trouble)]);
    }
    gateway_before((registry.clone(), registry), (long, long), clock()).resolve(lookup, asking(CALL)).await
}

#[tokio::test(start_paused = true)]
async fn failures_are_told_as_the_gateway_tells_them() {
    let mut compared = 0;
    for entry in NUMBERS {
        let said = match entry.outcome {
            SandboxOutcome::Trouble(kind) => Some(kind),
            SandboxOutcome::Deadline => None,
            _ => continue,
        };
        let lookup = Lookup { number: number(entry.number), requester: None };
        assert_eq!(resolve(entry.number, None).await, at_the_gateway(lookup, said).await, "{}", entry.number);
        compared += 1;
    }
    assert!(compared > UnresolvedReason::ALL.len());
}
