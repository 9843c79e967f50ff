//! How every benchmark says what it measured: a line for people and, where the environment names a file, the same as a line
//! of JSON, from which `scripts/bench-table.mjs` makes the tables of docs/performance.md. What is measured is not known here.

use std::{env, fs::OpenOptions, io::Write as _};

use serde_json::{Value, json};

/// Names the file that lines of JSON are appended to.
const FILE: &str = "BENCH_FIGURES";
/// Other programs may use this much of a core, or the figures tell of them.
const QUIET: f64 = 0.1;

/// What the goals are about, in the order of their numbers.
const GOALS: [&str; 13] = [
    "cached call about 1 number",
    "cached call about 100 numbers",
    "steady 10,000 cached calls a second",
    "100 cold EU numbers, 8 places, 3 a member state",
    "100 cold numbers of one member state",
    "100 callers at once with the same 100 cold numbers",
    "one UK number beside three accounts with calls of 100",
    "100 cold UK numbers",
    "reading a number with its check digits, offline",
    "memory",
    "start until ready",
    "commit before the answer of a live call, one connection",
    "refused calls",
];

/// What a figure should be, and what it must be.
#[derive(Clone, Copy)]
pub struct Limits {
    sense: Sense,
    goal: f64,
    floor: Option<f64>,
}

#[derive(Clone, Copy)]
enum Sense {
    AtLeast,
    AtMost,
    Exactly,
}

impl Limits {
    pub const fn at_least(goal: f64, floor: f64) -> Self {
        Self { sense: Sense::AtLeast, goal, floor: Some(floor) }
    }

    pub const fn at_most(goal: f64, floor: f64) -> Self {
        Self { sense: Sense::AtMost, goal, floor: Some(floor) }
    }

    pub const fn at_most_without_floor(goal: f64) -> Self {
        Self { sense: Sense::AtMost, goal, floor: None }
    }

    /// Anything else is a defect.
    pub const fn exactly(goal: f64) -> Self {
        Self { sense: Sense::Exactly, goal, floor: Some(goal) }
    }

    fn reached(self, bound: f64, measured: f64) -> bool {
        match self.sense {
            Sense::AtLeast => measured >= bound,
            Sense::AtMost => measured <= bound,
            Sense::Exactly => (measured - bound).abs() < 0.5,
        }
    }

    fn verdict(self, measured: f64) -> &'static str {
        if self.reached(self.goal, measured) {
            "met"
        } else if self.floor.is_none_or(|floor| self.reached(floor, measured)) {
            "missed"
        } else {
            "floor missed"
        }
    }

    const fn sign(self) -> &'static str {
        match self.sense {
            Sense::AtLeast => "≥ ",
            Sense::AtMost => "≤ ",
            Sense::Exactly => "exactly ",
        }
    }
}

/// What a figure counts, and how many digits after the point are said.
#[derive(Clone, Copy)]
pub struct Unit(pub &'static str, pub usize);

impl Unit {
    fn say(self, figure: f64) -> String {
        let Self(name, digits) = self;
        format!("{figure:.digits$} {name}")
    }
}

/// One figure with what is to be known of it.
pub struct Figure<'a> {
    /// The number of its goal; none where it is measured beyond the goals.
    pub goal: Option<u8>,
    /// Which figure of the goal; what is measured, where there is no goal.
    pub part: &'a str,
    pub measured: f64,
    pub unit: Unit,
    pub limits: Limits,
    /// What it was measured beside, or is made of.
    pub beside: String,
    /// Cores that other programs used meanwhile; none where the figure does not depend on that.
    pub others: Option<f64>,
}

impl Figure<'_> {
    pub fn report(&self) {
        let Self { unit, limits, part, .. } = *self;
        let disturbed = self.others.filter(|cores| *cores > QUIET);
        let verdict = if disturbed.is_some() { "not judged" } else { limits.verdict(self.measured) };
        let about = self.goal.map(|number| GOALS[usize::from(number) - 1]);
        let measured = unit.say(self.measured);
        let aim = format!("{}{}", limits.sign(), unit.say(limits.goal));
        let digits = unit.1;
        let floor = limits.floor.map_or_else(|| "none".to_owned(), |floor| format!("{floor:.digits$}"));
        let name: Vec<_> = about.into_iter().chain([part]).filter(|text| !text.is_empty()).collect();
        let disturbance = disturbed.map_or_else(String::new, |cores| {
            format!(", other programs used {:.0} % of a core", cores * 100.0)
        });
        println!(
            "{}: {measured} (goal {aim}, floor {floor}: {verdict}{disturbance}); {}",
            name.join(": "),
            self.beside
        );
        append(&json!({
            "goal": self.goal,
            "about": about,
            "part": part,
            "measured": measured,
            "aim": aim,
            "floor": floor,
            "verdict": verdict,
            "beside": self.beside,
        }));
    }
}

/// A row of a table beside the goals: its cells with the names of their columns.
pub fn row(table: &str, cells: &[(&str, String)]) {
    let said: Vec<_> = cells.iter().map(|(_, cell)| cell.as_str()).collect();
    println!("{table}: {}", said.join(" | "));
    append(&json!({ "table": table, "cells": cells }));
}

/// What is to be known of the machine.
pub fn machine(text: &str) {
    println!("{text}");
    append(&json!({ "machine": text }));
}

#[expect(clippy::disallowed_methods, reason = "scripts/bench.sh says by the environment where figures go")]
fn append(line: &Value) {
    let Some(file) = env::var_os(FILE) else { return };
    let mut file = OpenOptions::new().create(true).append(true).open(file).expect("opens");
    file.write_all(format!("{line}\n").as_bytes()).expect("is written");
}
