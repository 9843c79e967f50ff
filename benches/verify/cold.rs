//! A hundred EU numbers that nobody asked about yet, at the simulator that refuses what VIES refuses: the service, a bare
//! client that keeps to the limits and does nothing else, and libraries of others as their documentation has them used.

use std::{
    collections::HashMap,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use registry_simulator::{Settings, Simulator};
use serde_json::{Value, json};
use vat::VatNumber;

use crate::{
    ROUNDS,
    published::eu_numbers,
    quiet_program, ratio,
    soap::SoapService,
    support::{
        Server,
        figures::{self, Figure, Limits, Unit},
        http_client, issue_key, median, peers,
        process::Watch,
    },
};

const NUMBERS: usize = 100;
/// What VIES allows, and how long it takes.
const IN_FLIGHT: usize = 8;
const PER_MEMBER_STATE: usize = 3;
const LATENCY: Duration = Duration::from_millis(150);
/// Libraries, and the scripts that use them.
const PEERS: [(&str, &str); 3] =
    [("python-stdnum", "ask.py"), ("pyvat", "ask.py"), ("validate-vat", "ask.mjs")];
/// The table that they stand in beside us.
const TABLE: &str = "100 cold EU numbers";

pub async fn measure(folder: &Path) {
    let limits = Settings {
        latency: LATENCY,
        vies_limit: u32::try_from(IN_FLIGHT).ok(),
        vies_limit_per_member_state: u32::try_from(PER_MEMBER_STATE).ok(),
        ..Settings::default()
    };
    let simulator = Simulator::start(limits).await.expect("the simulator");
    let numbers: Vec<_> = eu_numbers().into_iter().take(NUMBERS).collect();
    assert_eq!(numbers.len(), NUMBERS);
    let bound = ourselves(folder, &simulator, &numbers).await;
    others(folder, &simulator, &numbers, bound).await;
}

/// The service beside the bare client. What the latter took.
async fn ourselves(folder: &Path, simulator: &Simulator, numbers: &[VatNumber]) -> Duration {
    let server = Server::start(quiet_program(folder), folder, simulator).await;
    let key = issue_key(folder, "Bench");
    let client = http_client();
    let watch = Watch::over(&[server.process_id()]);
    let (mut ours, mut bound, mut answered, mut refused) = (Vec::new(), Vec::new(), NUMBERS, 0);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        bound_client(&client, simulator, numbers).await;
        bound.push(started.elapsed());
        let refused_before = simulator.vies().refusals();
        // Asked anew in each round, whatever the one before has learnt.
        let call = json!({ "vatNumbers": texts(numbers), "maxAgeSeconds": 0, "partial": true });
        let started = Instant::now();
        let request = client.post(server.url("/v1/verify-vat")).bearer_auth(&key).json(&call);
        let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
        ours.push(started.elapsed());
        let results = answer["results"].as_array().expect("results");
        answered = answered.min(results.iter().filter(|result| result["source"] == "live").count());
        refused += simulator.vies().refusals() - refused_before;
    }
    let others = Some(watch.cores_used_by_others());
    let (ours, bound) = (median(ours), median(bound));
    let figure = |part, measured, unit, limits, others| {
        let beside = format!("{ours:.2?} beside {bound:.2?} of a bare client");
        Figure { goal: Some(4), part, measured, unit, limits, beside, others }.report();
    };
    figure("", ratio(ours, bound), Unit("of bound", 3), Limits::at_most(1.03, 1.10), others);
    figure("answered", count(answered), Unit("numbers", 0), Limits::exactly(count(NUMBERS)), None);
    figure("refused", count(refused), Unit("lookups", 0), Limits::exactly(0.0), None);
    row("a bare client that keeps to the limits", IN_FLIGHT, (bound, NUMBERS, 0), bound);
    row("Crossvat", IN_FLIGHT, (ours, answered, refused / ROUNDS), bound);
    bound
}

/// Libraries that ask VIES's SOAP service, with as many calls at once as VIES allows, and one after the other.
async fn others(folder: &Path, simulator: &Simulator, numbers: &[VatNumber], bound: Duration) {
    let service = SoapService::start(simulator).await;
    let list = folder.join("numbers");
    fs::write(&list, texts(numbers).join("\n")).expect("writes");
    for (library, script) in PEERS {
        for (at_once, rounds) in [(IN_FLIGHT, ROUNDS), (1, 1)] {
            let mut took = Vec::new();
            let (mut name, mut answered, mut refused) = (String::new(), Vec::new(), Vec::new());
            for _ in 0..rounds {
                let Some(mut asked) = peers::script(script) else {
                    println!("{library}: left out, for it is not installed");
                    return;
                };
                asked.arg(library).arg(service.url()).arg(at_once.to_string()).arg(&list);
                let refused_before = simulator.vies().refusals();
                let said = tokio::task::spawn_blocking(|| peers::run(asked)).await.expect("ends");
                let said = said.into_iter().next().expect("a line");
                refused.push(simulator.vies().refusals() - refused_before);
                said["library"].as_str().expect("a name").clone_into(&mut name);
                took.push(Duration::from_secs_f64(said["seconds"].as_f64().expect("seconds")));
                answered.push(said["answered"].as_u64().and_then(|n| n.try_into().ok()).expect("a number"));
            }
            row(&name, at_once, (median(took), median(answered), median(refused)), bound);
        }
    }
}

fn row(who: &str, at_once: usize, (took, answered, refused): (Duration, usize, usize), bound: Duration) {
    let cells = [
        ("who asks", who.to_owned()),
        ("lookups at once", at_once.to_string()),
        ("took", format!("{:.2} s", took.as_secs_f64())),
        ("of bound", format!("{:.2}", ratio(took, bound))),
        ("answered", format!("{answered} of {NUMBERS}")),
        ("refused by the registry", refused.to_string()),
    ];
    figures::row(TABLE, &cells);
}

fn texts(numbers: &[VatNumber]) -> Vec<&str> {
    numbers.iter().map(VatNumber::as_str).collect()
}

fn count(of: usize) -> f64 {
    u32::try_from(of).map_or(f64::INFINITY, f64::from)
}

/// One pooled client that keeps as many calls in flight as are allowed, and does nothing else.
async fn bound_client(client: &reqwest::Client, simulator: &Simulator, numbers: &[VatNumber]) {
    let url = format!("{}/check-vat-number", simulator.vies_base_url());
    let mut waiting: Vec<_> =
        numbers.iter().map(|number| (number.prefix().as_str(), number.national())).collect();
    let mut of_state: HashMap<&str, usize> = HashMap::new();
    let mut open = FuturesUnordered::new();
    loop {
        while open.len() < IN_FLIGHT {
            let free =
                |(country, _): &(&str, _)| of_state.get(country).copied().unwrap_or(0) < PER_MEMBER_STATE;
            let Some(at) = waiting.iter().position(free) else { break };
            let (country, number) = waiting.remove(at);
            *of_state.entry(country).or_default() += 1;
            let request = client.post(&url).json(&json!({ "countryCode": country, "vatNumber": number }));
            open.push(async move {
                let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
                assert!(answer["valid"].is_boolean(), "refused: {answer}");
                country
            });
        }
        let Some(country) = open.next().await else { return };
        of_state.entry(country).and_modify(|count| *count -= 1);
    }
}
