//! What reading a number with its check digits costs, beside a loop that checks nothing: it strips separators,
//! raises letters and adds up the bytes. Only the ratio of the two travels from machine to machine.

use std::hint::black_box;
use std::time::Instant;

use vat::VatNumber;

const ROUNDS: usize = 41;
const READINGS_A_ROUND: usize = 400;

fn main() {
    let mut table =
        csv::Reader::from_reader(include_str!("../tests/data/vat-number-examples.csv").as_bytes());
    let numbers: Vec<String> =
        table.records().flatten().filter_map(|row| row.get(0).map(str::to_owned)).collect();

    let mut read = Vec::with_capacity(ROUNDS);
    let mut floor = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        read.push(nanoseconds_a_number(&numbers, |number| VatNumber::parse(number).check_digits().is_some()));
        floor.push(nanoseconds_a_number(&numbers, strip_raise_and_sum));
    }
    let (read, floor) = (median(read), median(floor));
    println!("{} numbers, median of {ROUNDS} rounds", numbers.len());
    println!("read with check digits  {read:6.1} ns a number");
    println!("floor                   {floor:6.1} ns a number");
    println!("ratio                   {:6.2}", read / floor);
}

fn nanoseconds_a_number<T>(numbers: &[String], work: impl Fn(&str) -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..READINGS_A_ROUND {
        for number in numbers {
            black_box(work(black_box(number)));
        }
    }
    let worked = u32::try_from(READINGS_A_ROUND * numbers.len()).unwrap_or(u32::MAX);
    start.elapsed().as_secs_f64() * 1e9 / f64::from(worked)
}

fn strip_raise_and_sum(number: &str) -> u32 {
    let kept = number.bytes().filter(|byte| !matches!(byte, b' ' | b'-' | b'.' | b'/'));
    kept.map(|byte| u32::from(byte.to_ascii_uppercase())).sum()
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
