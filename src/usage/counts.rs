//! Counts of calls and numbers, added up in memory until they are written. Pure.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, DurationRound, NaiveDate, TimeDelta, Utc};
use foldhash::fast::RandomState;
use uuid::Uuid;

use crate::db::entities::{api_key::KeyMode, evidence::CallerKind};

/// The answer of a call whose results were all told.
pub const ANSWERED: &str = "answered";
/// The answer of a call of whose numbers one at least is unresolved.
pub const REGISTRY_UNAVAILABLE: &str = "registry_unavailable";

/// One call, to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallCount {
    /// Whose call it was.
    pub account_id: Uuid,
    /// Whether a key or a member called.
    pub caller_kind: CallerKind,
    /// Which.
    pub caller_id: Uuid,
    /// Whether the registries were meant or the sandbox.
    pub mode: KeyMode,
    /// When.
    pub at: DateTime<Utc>,
    /// [`ANSWERED`], [`REGISTRY_UNAVAILABLE`], or the code of the error.
    pub answer: &'static str,
    /// Its numbers by what became of them.
    pub numbers: Vec<(NumberCount, u32)>,
}

/// What became of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NumberCount {
    /// `hmrc`, `vies` or `none`.
    pub registry: &'static str,
    /// The value of the API's field `status`.
    pub status: &'static str,
    /// The value of the API's field `source`.
    pub source: &'static str,
}

/// In what every count is told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Scope {
    pub(super) account_id: Uuid,
    pub(super) hour: DateTime<Utc>,
    pub(super) caller_id: Uuid,
    pub(super) mode: KeyMode,
}

/// Counts that wait to be written.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    requests: HashMap<(Scope, &'static str), i64, RandomState>,
    numbers: HashMap<(Scope, NumberCount), i64, RandomState>,
    used_keys: HashMap<Uuid, DateTime<Utc>, RandomState>,
}

impl Counts {
    pub(super) fn add(&mut self, call: &CallCount) {
        let scope = Scope {
            account_id: call.account_id,
            hour: call.at.duration_trunc(TimeDelta::hours(1)).unwrap_or(call.at),
            caller_id: call.caller_id,
            mode: call.mode,
        };
        *self.requests.entry((scope, call.answer)).or_default() += 1;
        for (number, count) in &call.numbers {
            *self.numbers.entry((scope, *number)).or_default() += i64::from(*count);
        }
        if call.caller_kind == CallerKind::ApiKey {
            self.use_key(call.caller_id, call.at);
        }
    }

    /// A key was used, if only to look.
    pub(super) fn use_key(&mut self, key: Uuid, at: DateTime<Utc>) {
        let minute = at.duration_trunc(TimeDelta::minutes(1)).unwrap_or(at);
        let last = self.used_keys.entry(key).or_insert(minute);
        *last = minute.max(*last);
    }

    /// Leaves out the uses of keys that are not `worth` writing.
    pub(super) fn keep_uses(&mut self, mut worth: impl FnMut(Uuid, DateTime<Utc>) -> bool) {
        self.used_keys.retain(|key, at| worth(*key, *at));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty() && self.numbers.is_empty() && self.used_keys.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.requests.len() + self.numbers.len() + self.used_keys.len()
    }

    /// In a fixed order, so that two writers cannot wait for each other's rows.
    pub(super) fn requests(&self) -> BTreeMap<(Scope, &'static str), i64> {
        self.requests.iter().map(|(key, count)| (*key, *count)).collect()
    }

    pub(super) fn numbers(&self) -> BTreeMap<(Scope, NumberCount), i64> {
        self.numbers.iter().map(|(key, count)| (*key, *count)).collect()
    }

    /// The first day with counts of each account that has some of a day before `today`.
    pub(super) fn late(&self, today: NaiveDate) -> BTreeMap<Uuid, NaiveDate> {
        let mut late = BTreeMap::new();
        // Every number is one of a call that is counted in the same hour.
        for (scope, _) in self.requests.keys() {
            let day = scope.hour.date_naive();
            if day < today {
                let first = late.entry(scope.account_id).or_insert(day);
                *first = day.min(*first);
            }
        }
        late
    }

    pub(super) fn used_keys(&self) -> BTreeMap<Uuid, DateTime<Utc>> {
        self.used_keys.iter().map(|(key, at)| (*key, *at)).collect()
    }
}
