//! Answers that are no answers: resets, silence, HTML, nothing, half a body, somebody else's bytes.

use std::{
    error::Error as _,
    io::ErrorKind,
    time::{Duration, Instant},
};

use registry_simulator::{Answer, Ending, Script};
use reqwest::RequestBuilder;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{IRISH, World, json_of};

/// Both registries, with a number each that is about to be answered strangely.
async fn both(world: &World, script: Script) -> [RequestBuilder; 2] {
    let token = world.token().await;
    world.simulator.hmrc().script("553557881", script.clone());
    world.simulator.vies().script(IRISH.0, IRISH.1, script);
    [world.hmrc(&token, "553557881"), world.vies(IRISH)]
}

#[tokio::test]
async fn a_reset_is_a_connection_error_and_no_status() {
    let world = World::start().await;
    for request in both(&world, Answer::Reset.into()).await {
        let error = request.send().await.unwrap_err();
        assert_eq!(error.status(), None);
        assert!(!error.is_timeout(), "{error:?}");
        let mut cause = error.source();
        let mut reset = false;
        while let Some(error) = cause {
            reset |= error
                .downcast_ref::<std::io::Error>()
                .is_some_and(|error| error.kind() == ErrorKind::ConnectionReset);
            cause = error.source();
        }
        assert!(reset, "{error:?}");
    }
    // One call each: the client did not try again behind our back.
    let endings: Vec<_> = world.simulator.calls().iter().skip(1).map(|call| call.ending).collect();
    assert_eq!(endings, [Ending::Reset, Ending::Reset]);
    // Other connections live on.
    assert_eq!(json_of(world.vies(("DE", "811569869"))).await.0, 200);
}

#[tokio::test]
async fn a_reset_is_a_tcp_reset() {
    let world = World::start().await;
    world.simulator.vies().script("IE", "6388047V", Answer::Reset.after(Duration::from_millis(30)));
    let mut stream = TcpStream::connect(world.simulator.address()).await.unwrap();
    let request = "GET /taxation_customs/vies/rest-api/ms/IE/vat/6388047V HTTP/1.1\r\nhost: vies\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    let error = stream.read_to_end(&mut bytes).await.unwrap_err();
    assert_eq!((error.kind(), bytes.len()), (ErrorKind::ConnectionReset, 0));
}

#[tokio::test]
async fn silence_lasts() {
    let world = World::start().await;
    for request in both(&world, Answer::Silence.into()).await {
        world.ask_in_vain(request, Duration::from_millis(250)).await;
    }
    let endings: Vec<_> = world.simulator.calls().iter().skip(1).map(|call| call.ending).collect();
    assert_eq!(endings, [Ending::Silence, Ending::Silence]);
}

#[tokio::test]
async fn html_empty_truncated_and_raw_bodies() {
    let world = World::start().await;
    let page = include_bytes!("fixtures/gateway-503.html");
    let cases = [
        (Answer::Html { status: 403 }, 403, "text/html; charset=UTF-8"),
        (Answer::Empty, 200, "application/json"),
        (Answer::raw(503, "text/html; charset=UTF-8", *page), 503, "text/html; charset=UTF-8"),
        (Answer::raw(418, "text/plain", [0xff, 0x00, 0xfe]), 418, "text/plain"),
    ];
    for (answer, status, content_type) in cases {
        for request in both(&world, answer.clone().into()).await {
            let response = request.send().await.unwrap();
            assert_eq!(
                (response.status().as_u16(), &response.headers()["content-type"]),
                (status, &content_type.parse().unwrap())
            );
            let body = response.bytes().await.unwrap();
            match &answer {
                Answer::Raw { body: expected, .. } => assert_eq!(&body, expected),
                Answer::Empty => assert!(body.is_empty()),
                _ => assert!(String::from_utf8_lossy(&body).contains("<html")),
            }
        }
        // HMRC allows three lookups a second, these are more.
        world.simulator.hmrc().set_calls_per_second(None);
    }
    for request in both(&world, Answer::Truncated.into()).await {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        let text = response.text().await.unwrap();
        assert!(text.starts_with('{') && serde_json::from_str::<serde_json::Value>(&text).is_err(), "{text}");
    }
}

#[tokio::test]
async fn a_delayed_step_delays_only_itself() {
    let world = World::start().await;
    let slow = Duration::from_secs(2);
    let script = Script::first([Answer::Usual.after(slow)]);
    world.simulator.vies().script(IRISH.0, IRISH.1, script);
    json_of(world.vies(IRISH)).await;
    json_of(world.vies(IRISH)).await;
    let took: Vec<_> = world.simulator.calls().iter().map(|call| call.took.unwrap()).collect();
    assert!(took[0] >= slow && took[1] < slow, "{took:?}");
}

#[tokio::test]
async fn a_body_that_is_cut_off_or_slow_is_what_it_says() {
    let world = World::start().await;
    for request in both(&world, Answer::CutOff.into()).await {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert!(response.content_length() > Some(20));
        assert!(response.bytes().await.is_err(), "fewer bytes than were promised");
    }
    let slow = Duration::from_millis(400);
    for request in both(&world, Answer::Usual.over(slow).into()).await {
        let started = Instant::now();
        let mut response = request.send().await.unwrap();
        let mut pieces = 0;
        while response.chunk().await.unwrap().is_some() {
            pieces += 1;
            assert!(pieces > 1 || world.simulator.in_flight() == 1, "until the last piece");
        }
        assert!(pieces > 1 && started.elapsed() >= slow, "{pieces} in {:?}", started.elapsed());
        assert_eq!(world.simulator.in_flight(), 0);
    }
}
