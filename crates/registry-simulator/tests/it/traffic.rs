//! The log and the counters made of it.

use std::time::Duration;

use registry_simulator::{Answer, Ending, Registry};

use crate::support::{FRENCH, GERMAN, IRISH, World, eventually, json_of};

#[tokio::test]
async fn calls_are_logged_with_what_they_asked_and_got() {
    let world = World::start().await;
    let token = world.token().await;
    json_of(world.hmrc(&token, "553557881/146295999727")).await;
    json_of(world.vies(IRISH)).await;
    world.client.get(format!("{}/nowhere", world.simulator.vies_base_url())).send().await.unwrap();
    let wrong = world.client.get(format!("{}/check-vat-number", world.simulator.vies_base_url()));
    assert_eq!(wrong.send().await.unwrap().status(), 404);
    let calls = world.simulator.calls();
    let seen: Vec<_> = calls
        .iter()
        .map(|call| {
            (
                call.registry,
                call.method.as_str(),
                call.country.as_str(),
                call.number.as_str(),
                call.said.as_str(),
                call.ending,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (Registry::Hmrc, "POST", "", "", "token", Ending::Status(200)),
            (Registry::Hmrc, "GET", "GB", "553557881", "valid", Ending::Status(200)),
            (Registry::Vies, "POST", "IE", "6388047V", "valid", Ending::Status(200)),
            (Registry::Vies, "GET", "", "", "unknown path", Ending::Status(404)),
            (Registry::Vies, "GET", "", "", "unknown path", Ending::Status(404)),
        ]
    );
    assert_eq!(calls[1].path, "/organisations/vat/check-vat-number/lookup/553557881/146295999727");
    assert_eq!(calls[1].requester.as_deref(), Some("GB146295999727"));
    assert!(calls[2].path.ends_with("/rest-api/check-vat-number"));
    assert!(calls[0].since_start <= calls[1].since_start && calls[2].took.is_some());
    assert_eq!(world.simulator.calls_about("GB", "553557881").len(), 1);
    assert_eq!(world.simulator.calls_about("DE", "553557881").len(), 0);
    world.simulator.clear_log();
    assert_eq!(world.simulator.calls(), []);
    assert_eq!(world.simulator.hmrc().token_requests(), 0);
}

#[tokio::test]
async fn lookups_in_flight_are_counted_and_their_peaks_kept() {
    let world = World::start().await;
    let token = world.token().await;
    let (vies, hmrc) = (world.simulator.vies(), world.simulator.hmrc());
    vies.set_delay(Duration::from_secs(5));
    hmrc.set_delay(Duration::from_secs(5));
    let lookups = [
        tokio::spawn(json_of(world.vies(IRISH))),
        tokio::spawn(json_of(world.vies(GERMAN))),
        tokio::spawn(json_of(world.vies_web(GERMAN))),
        tokio::spawn(json_of(world.hmrc(&token, "553557881"))),
    ];
    eventually("all four are in flight", || world.simulator.in_flight() == 4).await;
    assert_eq!((vies.in_flight(), hmrc.in_flight()), (3, 1));
    assert!(
        world.simulator.calls().iter().skip(1).all(|call| call.ending == Ending::Open && call.took.is_none())
    );
    for lookup in lookups {
        assert_eq!(lookup.await.unwrap().0, 200);
    }
    assert_eq!((world.simulator.in_flight(), world.simulator.peak_in_flight()), (0, 4));
    let peaks = ["DE", "IE", "GB", "FR"].map(|country| world.simulator.peak_in_flight_of(country));
    assert_eq!(peaks, [2, 1, 1, 0]);
    assert_eq!((vies.peak_in_flight(), hmrc.peak_in_flight()), (3, 1));

    world.simulator.clear_log();
    assert_eq!((world.simulator.peak_in_flight(), world.simulator.peak_in_flight_of("DE")), (0, 0));
    vies.set_delay(Duration::ZERO);
    json_of(world.vies(FRENCH)).await;
    assert_eq!(world.simulator.peak_in_flight(), 1);
}

#[tokio::test]
async fn a_caller_that_waits_for_its_answers_never_meets_itself() {
    let world = World::start().await;
    world.simulator.vies().set_limit(Some(1));
    for _ in 0..200 {
        assert_eq!(json_of(world.vies(IRISH)).await.1["valid"], true);
    }
    assert_eq!((world.simulator.vies().refusals(), world.simulator.vies().peak_in_flight()), (0, 1));
}

#[tokio::test]
async fn callers_that_go_away_leave_the_count() {
    let world = World::start().await;
    world.simulator.vies().script(IRISH.0, IRISH.1, Answer::Silence);
    world.simulator.vies().script(GERMAN.0, GERMAN.1, Answer::Usual.after(Duration::from_mins(1)));
    for asked in [IRISH, GERMAN] {
        world.ask_in_vain(world.vies(asked), Duration::ZERO).await;
    }
    eventually("both are gone", || world.simulator.in_flight() == 0).await;
    let calls = world.simulator.calls();
    assert_eq!((calls[0].ending, calls[1].ending), (Ending::Silence, Ending::Abandoned));
    assert!(calls.iter().all(|call| call.took.is_some_and(|took| took < Duration::from_secs(10))));
}
