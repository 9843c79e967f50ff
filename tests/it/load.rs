//! More at once than the server was told to work on, and stopping.

use std::time::Duration;

use crate::support::TestApp;

/// Waits until a lookup is on its way at VIES.
async fn vies_is_asked(app: &TestApp) {
    while app.simulator.vies().in_flight() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_call_over_the_places_is_refused_at_once_and_nothing_is_asked_for_it() {
    let app = TestApp::with().set("HTTP__MAX_IN_FLIGHT", "1").start().await;
    app.simulator.vies().set_delay(Duration::from_secs(5));
    let customer = app.customer("acme").await;
    let (first, second) = tokio::join!(customer.verify(&["FR40303265045"]), async {
        vies_is_asked(&app).await;
        let second = customer.verify(&["DE136695976"]).await;
        assert_eq!(app.simulator.vies().in_flight(), 1, "the first is still being worked on");
        app.simulator.vies().set_delay(Duration::ZERO);
        second
    });
    assert_eq!(first.only_result()["valid"], true);
    second.assert_problem(503, "overloaded");
    assert_eq!(second.header("retry-after"), Some("1"));
    assert!(app.simulator.calls_about("DE", "136695976").is_empty());
    assert_eq!(customer.verify(&["DE136695976"]).await.status, 200, "the place is free again");
}

#[tokio::test]
async fn a_stopping_server_answers_what_it_accepted() {
    let mut app = TestApp::start().await;
    app.simulator.vies().set_delay(Duration::from_millis(500));
    let customer = app.customer("acme").await;
    let call = async { customer.verify(&["FR40303265045"]).await };
    let stop = async {
        vies_is_asked(&app).await;
        app.ask_to_stop();
    };
    let (answer, ()) = tokio::join!(call, stop);
    assert_eq!(answer.only_result()["valid"], true);
    app.ended().await;
}

#[tokio::test]
async fn what_a_caller_that_left_had_asked_is_recorded_and_answers_the_next() {
    let app = TestApp::start().await;
    app.simulator.vies().set_delay(Duration::from_secs(3));
    let customer = app.customer("acme").await;
    tokio::select! {
        answer = customer.verify(&["FR40303265045"]) => panic!("it was to leave before {answer:?}"),
        () = vies_is_asked(&app) => {}
    }
    let answer = customer.verify(&["FR40303265045"]).await;
    let result = answer.only_result();
    assert_eq!((result["valid"].as_bool(), result["source"].as_str()), (Some(true), Some("cache")));
    assert_eq!(app.simulator.calls().len(), 1);
    assert_eq!(customer.numbers_used().await, 1);
}
