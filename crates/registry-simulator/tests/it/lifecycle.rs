//! Start and stop.

use std::time::{Duration, Instant};

use registry_simulator::{Answer, Settings, Simulator};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{IRISH, World, client, eventually, json_of};

#[tokio::test]
async fn dropping_it_ends_silent_waiting_and_idle_connections() {
    let world = World::start().await;
    let vies = world.simulator.vies();
    vies.script(IRISH.0, IRISH.1, Answer::Silence);
    vies.script("DE", "811569869", Answer::Usual.after(Duration::from_mins(1)));
    let waiting =
        [tokio::spawn(world.vies(IRISH).send()), tokio::spawn(world.vies(("DE", "811569869")).send())];
    let mut idle = TcpStream::connect(world.simulator.address()).await.unwrap();
    // A first answer, so that the connection is certainly accepted.
    idle.write_all(b"GET /control/ HTTP/1.1\r\nhost: simulator\r\n\r\n").await.unwrap();
    let mut buffer = [0; 64];
    assert!(idle.read(&mut buffer).await.unwrap() > 0);
    eventually("both wait", || world.simulator.in_flight() == 2).await;

    let address = world.simulator.address();
    let dropped = Instant::now();
    drop(world);
    for request in waiting {
        let error = request.await.unwrap().unwrap_err();
        assert!(!error.is_timeout(), "{error:?}");
    }
    while matches!(idle.read(&mut buffer).await, Ok(count) if count > 0) {}
    assert!(dropped.elapsed() < Duration::from_secs(5));
    let refused = client().get(format!("http://{address}/control/log")).send().await.unwrap_err();
    assert!(refused.is_connect(), "{refused:?}");
}

#[tokio::test]
async fn two_simulators_know_nothing_of_each_other() {
    let (first, second) = (World::start().await, World::start().await);
    assert_ne!(first.simulator.address(), second.simulator.address());
    json_of(first.vies(IRISH)).await;
    assert_eq!((first.simulator.calls().len(), second.simulator.calls().len()), (1, 0));
}

#[tokio::test]
async fn a_port_in_use_is_an_error() {
    let world = World::start().await;
    let settings = Settings { bind: world.simulator.address(), ..Settings::default() };
    assert_eq!(Simulator::start(settings).await.unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
}

#[tokio::test]
async fn its_addresses_name_the_services() {
    let world = World::start().await;
    let address = world.simulator.address();
    assert!(address.ip().is_loopback());
    assert_eq!(world.simulator.hmrc_base_url(), format!("http://{address}"));
    assert_eq!(world.simulator.vies_base_url(), format!("http://{address}/taxation_customs/vies/rest-api"));
}
