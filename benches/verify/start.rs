//! How long the service takes until it is ready, and what it holds when nobody asks it.

use std::{
    fs,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use registry_simulator::{Settings, Simulator};

use crate::{
    ROUNDS, quiet_program, ratio,
    support::{
        Server,
        figures::{Figure, Limits, Unit},
        median,
        process::Watch,
        program,
    },
};

pub async fn measure(folder: &Path) {
    let simulator = Simulator::start(Settings::default()).await.expect("the simulator");
    let (watch, mut ready, mut bare, mut empty) = (Watch::over(&[]), Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let started = Instant::now();
        let nothing = program(folder).arg("--version").stdout(Stdio::null()).status().expect("runs");
        assert!(nothing.success());
        bare.push(started.elapsed());
        let started = Instant::now();
        Server::start(quiet_program(folder), folder, &simulator).await;
        ready.push(started.elapsed());
        let fresh = folder.join(format!("fresh-{round}"));
        fs::create_dir(&fresh).expect("a folder");
        let started = Instant::now();
        Server::start(quiet_program(&fresh), &fresh, &simulator).await;
        empty.push(started.elapsed());
    }
    let others = Some(watch.cores_used_by_others());
    let (ready, bare, empty) = (median(ready), median(bare), median(empty));
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    for (part, took, limits) in [
        ("on a migrated database", ready, Limits::at_most(60.0, 150.0)),
        ("on an empty database", empty, Limits::at_most(150.0, 500.0)),
    ] {
        let beside = format!("{:.1} times the start of a process that does nothing", ratio(took, bare));
        let (measured, unit) = (milliseconds(took), Unit("ms", 0));
        Figure { goal: Some(11), part, measured, unit, limits, beside, others }.report();
    }
    let server = Server::start(quiet_program(folder), folder, &simulator).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    Figure {
        goal: Some(10),
        part: "idle, resident",
        measured: server.resident_megabytes(),
        unit: Unit("MB", 1),
        limits: Limits::at_most(20.0, 40.0),
        beside: "a second after the start".to_owned(),
        others: None,
    }
    .report();
}
