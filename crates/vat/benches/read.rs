//! What reading a number with its check digits costs, beside a loop that checks nothing (it strips separators, raises letters
//! and adds up the bytes) and beside libraries of others, over the same published numbers. Only ratios travel from machine
//! to machine.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on stops")]

#[expect(dead_code, reason = "other benchmarks use the rest")]
#[path = "../../../benches/support/figures.rs"]
mod figures;
#[path = "../../../benches/support/peers.rs"]
mod peers;
#[expect(dead_code, reason = "other benchmarks use the rest")]
#[path = "../../../benches/support/process.rs"]
mod process;

use std::{hint::black_box, time::Instant};

use figures::{Figure, Limits, Unit};
use serde_json::Value;
use vat::{CheckDigits, Reading, Shape, UnsupportedReason, VatNumber};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vat-number-examples.csv");
const ROUNDS: usize = 41;
const READINGS_A_ROUND: usize = 400;

/// A published number, and whether its form and its check digits are as they should be.
struct Published {
    number: String,
    is_good: bool,
}

/// What a reader of numbers does with the published ones.
struct Reader {
    name: String,
    nanoseconds: f64,
    /// How many it takes for what they are; a loop that checks nothing takes none.
    right: Option<usize>,
}

fn main() {
    let mut table = csv::Reader::from_path(TABLE).expect("the numbers");
    let published: Vec<_> = table
        .records()
        .flatten()
        .map(|row| Published { number: row[0].to_owned(), is_good: &row[3] == "pass" })
        .collect();

    let watch = process::Watch::over(&[]);
    let (mut ours, mut floor) = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        ours.push(nanoseconds_a_number(&published, |number| {
            VatNumber::parse(number).check_digits().is_some()
        }));
        floor.push(nanoseconds_a_number(&published, strip_raise_and_sum));
    }
    let right = published.iter().filter(|row| is_good(&VatNumber::parse(&row.number)) == row.is_good).count();
    let ours = Reader { name: "Crossvat".to_owned(), nanoseconds: median(ours), right: Some(right) };
    let floor =
        Reader { name: "a loop that checks nothing".to_owned(), nanoseconds: median(floor), right: None };
    let peers: Vec<_> = ["read.mjs", "read.py"].into_iter().filter_map(peer).flatten().collect();
    let others = watch.cores_used_by_others();

    report(&ours, &floor, published.len(), others);
    for (library, limits) in
        [("jsvat", Limits::at_least(40.0, 20.0)), ("python-stdnum", Limits::at_least(160.0, 80.0))]
    {
        match peers.iter().find(|peer| peer.name.starts_with(library)) {
            Some(peer) => report_beside(peer, &ours, limits, others),
            None => println!("{library}: left out, for it is not installed"),
        }
    }
    for reader in [&floor, &ours].into_iter().chain(&peers) {
        row(reader, &ours, published.len());
    }
}

fn report(ours: &Reader, floor: &Reader, of: usize, others: f64) {
    let figure = |part, measured, unit, limits, beside, others| {
        Figure { goal: Some(9), part, measured, unit, limits, beside, others }.report();
    };
    let beside = format!(
        "{:.2} times the {:.1} ns of a loop that checks nothing",
        ours.nanoseconds / floor.nanoseconds,
        floor.nanoseconds
    );
    figure("", ours.nanoseconds, Unit("ns a number", 1), Limits::at_most(48.0, 96.0), beside, Some(others));
    let beside = "published and computed numbers".to_owned();
    figure(
        "read right",
        count(ours.right),
        Unit("numbers", 0),
        Limits::exactly(count(Some(of))),
        beside,
        None,
    );
}

fn report_beside(peer: &Reader, ours: &Reader, limits: Limits, others: f64) {
    Figure {
        goal: Some(9),
        part: &format!("beside {}", peer.name),
        measured: peer.nanoseconds / ours.nanoseconds,
        unit: Unit("times as fast", 0),
        limits,
        beside: format!("{:.0} ns a number", peer.nanoseconds),
        others: Some(others),
    }
    .report();
}

fn row(reader: &Reader, ours: &Reader, of: usize) {
    let right = reader.right.map_or_else(|| "nothing".to_owned(), |right| format!("{right} of {of}"));
    let cells = [
        ("what reads", reader.name.clone()),
        ("ns a number", format!("{:.0}", reader.nanoseconds)),
        ("of Crossvat", format!("{:.1}", reader.nanoseconds / ours.nanoseconds)),
        ("judges rightly", right),
    ];
    figures::row("Published numbers read offline, with check digits", &cells);
}

/// Libraries that a script measures; none where they are not installed.
fn peer(script: &str) -> Option<Vec<Reader>> {
    let mut script = peers::script(script)?;
    script.arg(TABLE);
    let reader = |said: Value| Reader {
        name: said["library"].as_str().expect("a name").to_owned(),
        nanoseconds: said["nanoseconds"].as_f64().expect("a figure"),
        right: said["right"].as_u64().and_then(|right| right.try_into().ok()),
    };
    Some(peers::run(script).into_iter().map(reader).collect())
}

/// Whether a number's form and check digits are as they should be. VIES knows nothing of government departments and health
/// authorities, whose numbers are good all the same.
fn is_good(reading: &Reading) -> bool {
    match reading.shape() {
        Shape::Number(number) => number.check_digits() != CheckDigits::DoNotFit,
        Shape::Unsupported(reason) => *reason == UnsupportedReason::GovernmentOrHealthBody,
        Shape::Malformed(_) => false,
    }
}

fn nanoseconds_a_number<T>(numbers: &[Published], work: impl Fn(&str) -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..READINGS_A_ROUND {
        for row in numbers {
            black_box(work(black_box(&row.number)));
        }
    }
    let worked = u32::try_from(READINGS_A_ROUND * numbers.len()).unwrap_or(u32::MAX);
    start.elapsed().as_secs_f64() * 1e9 / f64::from(worked)
}

fn strip_raise_and_sum(number: &str) -> u32 {
    let kept = number.bytes().filter(|byte| !matches!(byte, b' ' | b'-' | b'.' | b'/'));
    kept.map(|byte| u32::from(byte.to_ascii_uppercase())).sum()
}

fn count(of: Option<usize>) -> f64 {
    of.and_then(|of| u32::try_from(of).ok()).map_or(0.0, f64::from)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
