//! What the registries heard: every call, and how many lookups were in flight at once.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::http::{Method, Uri};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};

use crate::{script::millis, state::lock, world::real_time};

/// Calls kept; older ones are dropped.
const KEPT: usize = 100_000;

/// Who was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Registry {
    /// HMRC's API or its token endpoint.
    Hmrc,
    /// VIES's REST service.
    Vies,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is still waiting for its answer.
    Open,
    /// It was answered with this HTTP status.
    Status(u16),
    /// Its connection was reset instead of an answer.
    Reset,
    /// It was kept waiting on purpose, and still is if [`Call::took`] is none.
    Silence,
    /// The caller went away before its answer was due.
    Abandoned,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("open"),
            Self::Status(status) => status.fmt(f),
            Self::Reset => f.write_str("reset"),
            Self::Silence => f.write_str("silence"),
            Self::Abandoned => f.write_str("abandoned"),
        }
    }
}

impl Serialize for Ending {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One call as the simulator saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    /// Who was asked.
    pub registry: Registry,
    /// The HTTP method.
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Prefix of the number asked about, as sent to VIES, `GB` for HMRC; empty when the call was no lookup.
    pub country: String,
    /// The number asked about without its prefix; empty when the call was no lookup.
    pub number: String,
    /// In whose name, prefix and number; `None` without a requester.
    pub requester: Option<String>,
    /// How it ended.
    pub ending: Ending,
    /// What was answered in a word: `valid`, `not registered`, an error code, `html`, `raw` and the like.
    pub said: String,
    /// When it arrived.
    pub started: DateTime<Utc>,
    /// The same on a clock that never jumps: time since the simulator started.
    #[serde(rename = "since_start_ms", with = "millis")]
    pub since_start: Duration,
    /// From arrival to the answer; `None` while it waits.
    #[serde(rename = "took_ms", serialize_with = "millis::serialize_optional")]
    pub took: Option<Duration>,
    /// Other lookups of this registry that were in flight when this call arrived.
    pub in_flight_at_start: usize,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let registry = match self.registry {
            Registry::Hmrc => "HMRC",
            Registry::Vies => "VIES",
        };
        let at = self.started.to_rfc3339_opts(SecondsFormat::Millis, true);
        write!(f, "{at} {registry} {} {}", self.method, self.path)?;
        if !self.number.is_empty() {
            write!(f, " {}{}", self.country, self.number)?;
        }
        if let Some(requester) = &self.requester {
            write!(f, " for {requester}")?;
        }
        write!(f, " -> {}", self.ending)?;
        if !self.said.is_empty() {
            write!(f, " {}", self.said)?;
        }
        if let Some(took) = self.took {
            write!(f, " in {} ms", took.as_millis())?;
        }
        write!(f, ", {} others in flight", self.in_flight_at_start)
    }
}

/// A call as it arrives.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) registry: Registry,
    pub(crate) method: String,
    pub(crate) path: String,
    /// Prefix and number, for a lookup.
    pub(crate) about: Option<(String, String)>,
    pub(crate) requester: Option<String>,
}

impl Arrival {
    /// A call that is no lookup: for a token, for the status, for nothing that exists.
    pub(crate) fn about_no_number(registry: Registry, method: &Method, uri: &Uri) -> Self {
        Self { registry, method: method.to_string(), path: uri.to_string(), about: None, requester: None }
    }
}

/// The calls and the gauges.
#[derive(Debug)]
pub(crate) struct Log {
    start: Instant,
    state: Mutex<LogState>,
}

#[derive(Debug, Default)]
struct LogState {
    calls: VecDeque<Call>,
    /// Number of the first call kept.
    first: usize,
    gauges: HashMap<Scope, Gauge>,
}

/// What lookups are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Scope {
    All,
    Registry(Registry),
    Country(Registry, String),
}

#[derive(Clone, Copy, Debug, Default)]
struct Gauge {
    now: usize,
    peak: usize,
}

impl Default for Log {
    fn default() -> Self {
        Self { start: Instant::now(), state: Mutex::default() }
    }
}

impl Log {
    /// Notes a call. It is open, and if it is a lookup in flight, until the handle is dropped.
    pub(crate) fn open(self: &Arc<Self>, arrival: Arrival) -> OpenCall {
        let Arrival { registry, method, path, about, requester } = arrival;
        let mut state = lock(&self.state);
        let in_flight_at_start = state.gauge(&Scope::Registry(registry)).now;
        let scopes = about.as_ref().map_or_else(Vec::new, |(country, _)| {
            vec![Scope::All, Scope::Registry(registry), Scope::Country(registry, country.clone())]
        });
        for scope in &scopes {
            let gauge = state.gauges.entry(scope.clone()).or_default();
            gauge.now += 1;
            gauge.peak = gauge.peak.max(gauge.now);
        }
        let crowd = Crowd {
            registry: state.gauge(&Scope::Registry(registry)).now,
            country: scopes.last().map_or(0, |scope| state.gauge(scope).now),
        };
        let (country, number) = about.unwrap_or_default();
        state.calls.push_back(Call {
            registry,
            method,
            path,
            country,
            number,
            requester,
            ending: Ending::Open,
            said: String::new(),
            started: real_time(),
            since_start: self.start.elapsed(),
            took: None,
            in_flight_at_start,
        });
        let id = state.first + state.calls.len() - 1;
        if state.calls.len() > KEPT {
            state.calls.pop_front();
            state.first += 1;
        }
        OpenCall { log: Arc::clone(self), id, scopes, crowd, arrived: Instant::now(), ended: false }
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        lock(&self.state).calls.iter().cloned().collect()
    }

    pub(crate) fn clear(&self) {
        let mut state = lock(&self.state);
        state.first += state.calls.len();
        state.calls.clear();
        state.gauges.retain(|_, gauge| gauge.now > 0);
        for gauge in state.gauges.values_mut() {
            gauge.peak = gauge.now;
        }
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.gauge(&Scope::All).now
    }

    pub(crate) fn peak_in_flight(&self) -> usize {
        self.gauge(&Scope::All).peak
    }

    pub(crate) fn in_flight_at(&self, registry: Registry) -> usize {
        self.gauge(&Scope::Registry(registry)).now
    }

    pub(crate) fn peak_in_flight_at(&self, registry: Registry) -> usize {
        self.gauge(&Scope::Registry(registry)).peak
    }

    pub(crate) fn peak_in_flight_of(&self, registry: Registry, country: &str) -> usize {
        self.gauge(&Scope::Country(registry, country.to_owned())).peak
    }

    fn gauge(&self, scope: &Scope) -> Gauge {
        lock(&self.state).gauge(scope)
    }
}

impl LogState {
    fn gauge(&self, scope: &Scope) -> Gauge {
        self.gauges.get(scope).copied().unwrap_or_default()
    }

    fn call(&mut self, id: usize) -> Option<&mut Call> {
        id.checked_sub(self.first).and_then(|index| self.calls.get_mut(index))
    }
}

/// Lookups in flight when one arrived, that one included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd {
    pub(crate) registry: usize,
    pub(crate) country: usize,
}

/// A call that has not been answered yet.
#[derive(Debug)]
pub(crate) struct OpenCall {
    log: Arc<Log>,
    id: usize,
    scopes: Vec<Scope>,
    crowd: Crowd,
    arrived: Instant,
    ended: bool,
}

impl OpenCall {
    pub(crate) fn crowd(&self) -> Crowd {
        self.crowd
    }

    /// Notes how the call ends. It stays in flight until it is dropped.
    pub(crate) fn ends(&mut self, ending: Ending, said: &str) {
        self.ended = true;
        if let Some(call) = lock(&self.log.state).call(self.id) {
            call.ending = ending;
            said.clone_into(&mut call.said);
        }
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        if !self.ended {
            self.ends(Ending::Abandoned, "");
        }
        let mut state = lock(&self.log.state);
        for scope in &self.scopes {
            if let Some(gauge) = state.gauges.get_mut(scope) {
                gauge.now = gauge.now.saturating_sub(1);
            }
        }
        if let Some(call) = state.call(self.id) {
            call.took = Some(self.arrived.elapsed());
            tracing::info!("{call}");
        }
    }
}
