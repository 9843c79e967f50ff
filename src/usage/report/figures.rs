//! What is counted, added up. Pure.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::{
    db::CallerName,
    usage::counts::{ANSWERED, REGISTRY_UNAVAILABLE},
};

/// What was counted of a time or a caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Calls whose results were told, with a 503 that carries results too: what the API calls requests.
    pub requests: u64,
    /// Calls that were answered with an error code; also those 503.
    pub refused: u64,
    /// Numbers by what became of them.
    pub outcomes: Outcomes,
    /// Answered numbers by where the answer came from.
    pub sources: Sources,
    /// Numbers by the registry that was to answer.
    pub registries: Registries,
}

/// Numbers by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Registered.
    pub valid: u64,
    /// Not registered.
    pub not_registered: u64,
    /// No VAT number by its form.
    pub malformed: u64,
    /// Of a country that no registry here answers for.
    pub unsupported: u64,
    /// Without an answer.
    pub unavailable: u64,
}

impl Outcomes {
    /// All numbers.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.answered() + self.unavailable
    }

    /// All but those without an answer.
    #[must_use]
    pub const fn answered(&self) -> u64 {
        self.valid + self.not_registered + self.malformed + self.unsupported
    }
}

/// Answered numbers by where the answer came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The registry was asked.
    pub live: u64,
    /// It had been asked before.
    pub cache: u64,
}

/// Numbers by registry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registries {
    /// HMRC.
    pub hmrc: u64,
    /// VIES.
    pub vies: u64,
}

/// What was counted from a day or an hour on, as long as that lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point<T> {
    /// The day, or the hour's first moment.
    pub start: T,
    /// What was counted in it.
    pub figures: Figures,
}

/// What was counted of one caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallerFigures {
    /// Who.
    pub caller: CallerName,
    /// As in [`Figures`].
    pub requests: u64,
    /// As in [`Figures`].
    pub refused: u64,
    /// Numbers in all.
    pub numbers: u64,
}

/// Calls with one error code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusals {
    /// As the API tells it.
    pub code: String,
    /// How many.
    pub calls: u64,
}

/// What was counted over a time: `T` is a day or an hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<T> {
    /// Oldest first, without a gap: a time in which nothing happened has zeros.
    pub points: Vec<Point<T>>,
    /// All of them together.
    pub total: Figures,
    /// By caller, most numbers first.
    pub callers: Vec<CallerFigures>,
    /// By error code, most calls first.
    pub refusals: Vec<Refusals>,
}

/// When a count was made, as its row says.
pub(super) trait Moment: Ord + Copy {
    /// Of a count in the hour that begins then.
    fn of_hour(hour: DateTime<Utc>) -> Self;
}

impl Moment for NaiveDate {
    fn of_hour(hour: DateTime<Utc>) -> Self {
        hour.date_naive()
    }
}

impl Moment for DateTime<Utc> {
    fn of_hour(hour: DateTime<Utc>) -> Self {
        hour
    }
}

/// Numbers of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NumberSum {
    pub(super) registry: String,
    pub(super) status: String,
    pub(super) source: String,
    pub(super) count: u64,
}

/// Calls with one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallSum {
    pub(super) answer: String,
    pub(super) count: u64,
}

impl Figures {
    pub(super) fn add_numbers(&mut self, sum: &NumberSum) {
        let outcomes = &mut self.outcomes;
        // Exactly what `Status::as_str`, `Source::as_str` and the registries are written as.
        match sum.status.as_str() {
            "valid" => outcomes.valid += sum.count,
            "not_registered" => outcomes.not_registered += sum.count,
            "malformed" => outcomes.malformed += sum.count,
            "unsupported" => outcomes.unsupported += sum.count,
            _ => outcomes.unavailable += sum.count,
        }
        match sum.source.as_str() {
            "live" => self.sources.live += sum.count,
            "cache" => self.sources.cache += sum.count,
            _ => {}
        }
        match sum.registry.as_str() {
            "hmrc" => self.registries.hmrc += sum.count,
            "vies" => self.registries.vies += sum.count,
            _ => {}
        }
    }

    pub(super) fn add_calls(&mut self, sum: &CallSum) {
        let (told, refused) = told_and_refused(&sum.answer);
        self.requests += if told { sum.count } else { 0 };
        self.refused += if refused { sum.count } else { 0 };
    }
}

/// Whether results were told with an answer, and whether it is an error.
fn told_and_refused(answer: &str) -> (bool, bool) {
    (matches!(answer, ANSWERED | REGISTRY_UNAVAILABLE), answer != ANSWERED)
}

/// A report that is being added up.
pub(super) struct Building<T> {
    points: BTreeMap<T, Figures>,
    total: Figures,
    callers: BTreeMap<Uuid, (Figures, u64)>,
    refusals: BTreeMap<String, u64>,
}

impl<T: Moment> Building<T> {
    /// Over these times.
    pub(super) fn over(times: impl Iterator<Item = T>) -> Self {
        Self {
            points: times.map(|time| (time, Figures::default())).collect(),
            total: Figures::default(),
            callers: BTreeMap::new(),
            refusals: BTreeMap::new(),
        }
    }

    pub(super) fn add_numbers(&mut self, time: T, sum: &NumberSum) {
        self.points.entry(time).or_default().add_numbers(sum);
        self.total.add_numbers(sum);
    }

    pub(super) fn add_calls(&mut self, time: T, sum: CallSum) {
        self.points.entry(time).or_default().add_calls(&sum);
        self.total.add_calls(&sum);
        if sum.answer != ANSWERED {
            *self.refusals.entry(sum.answer).or_default() += sum.count;
        }
    }

    pub(super) fn add_calls_of(&mut self, caller: Uuid, sum: &CallSum) {
        self.callers.entry(caller).or_default().0.add_calls(sum);
    }

    pub(super) fn add_numbers_of(&mut self, caller: Uuid, count: u64) {
        self.callers.entry(caller).or_default().1 += count;
    }

    /// Everybody who was counted.
    pub(super) fn callers(&self) -> impl Iterator<Item = Uuid> {
        self.callers.keys().copied()
    }

    pub(super) fn finish(self, name_of: impl Fn(Uuid) -> CallerName) -> Report<T> {
        let mut callers: Vec<_> = self
            .callers
            .into_iter()
            .map(|(caller, (calls, numbers))| CallerFigures {
                caller: name_of(caller),
                requests: calls.requests,
                refused: calls.refused,
                numbers,
            })
            .collect();
        callers.sort_by_key(|one| std::cmp::Reverse((one.numbers, one.requests, one.refused)));
        let mut refusals: Vec<_> =
            self.refusals.into_iter().map(|(code, calls)| Refusals { code, calls }).collect();
        refusals.sort_by_key(|one| std::cmp::Reverse(one.calls));
        let points = self.points.into_iter().map(|(start, figures)| Point { start, figures }).collect();
        Report { points, total: self.total, callers, refusals }
    }
}
