//! VIES's side: the handle with its controls and counters. The endpoints are in `check`, `status` and
//! `test_service`.

pub(crate) mod check;
mod patterns;
pub(crate) mod status;
pub(crate) mod test_service;
pub(crate) mod wire;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

pub(crate) use patterns::member_states;
use serde_json::json;

use crate::{
    condition::{Condition, Switch},
    known_numbers::{self, Trader},
    log::{Crowd, Log, Registry},
    script::{Answer, Script, Scripts, Step},
    serial::Serial,
    settings::Settings,
    state::lock,
};

/// VIES's controls and counters. Country codes are VIES's own: `EL` for Greece, `XI` for Northern Ireland.
#[derive(Debug)]
pub struct Vies {
    settings: Settings,
    log: Arc<Log>,
    serial: Serial,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    switch: Switch,
    member_states: BTreeMap<String, Switch>,
    limit: Option<u32>,
    member_state_limit: Option<u32>,
    refuses_unknown_requesters: bool,
    scripts: Scripts,
    refusals: Refusals,
}

/// Lookups refused because too many were in flight.
#[derive(Debug, Default)]
struct Refusals {
    global: usize,
    member_states: BTreeMap<String, usize>,
}

impl State {
    fn new(settings: &Settings) -> Self {
        Self {
            switch: Switch { condition: Condition::Up, delay: settings.latency },
            member_states: BTreeMap::new(),
            limit: settings.vies_limit,
            member_state_limit: settings.vies_limit_per_member_state,
            refuses_unknown_requesters: false,
            scripts: Scripts::default(),
            refusals: Refusals::default(),
        }
    }
}

impl Vies {
    pub(crate) fn new(settings: Settings, log: Arc<Log>) -> Self {
        let state = Mutex::new(State::new(&settings));
        Self { settings, log, serial: Serial::default(), state }
    }

    /// What VIES says about one number, the same for both ways of asking.
    pub fn script(&self, country: &str, number: &str, script: impl Into<Script>) {
        lock(&self.state).scripts.set(format!("{country}{number}"), script.into());
    }

    /// Forgets a script.
    pub fn unscript(&self, country: &str, number: &str) {
        lock(&self.state).scripts.remove(&format!("{country}{number}"));
    }

    /// How VIES as a whole is doing.
    pub fn set_condition(&self, condition: Condition) {
        lock(&self.state).switch.condition = condition;
    }

    /// How long every answer of VIES takes.
    pub fn set_delay(&self, delay: Duration) {
        lock(&self.state).switch.delay = delay;
    }

    /// How one member state's system is doing.
    pub fn set_member_state(&self, country: &str, condition: Condition) {
        lock(&self.state).member_states.entry(country.to_owned()).or_default().condition = condition;
    }

    /// How much longer than VIES itself one member state takes.
    pub fn set_member_state_delay(&self, country: &str, delay: Duration) {
        lock(&self.state).member_states.entry(country.to_owned()).or_default().delay = delay;
    }

    /// Lookups accepted at once; `None` for no limit. One more is answered `GLOBAL_MAX_CONCURRENT_REQ` at once.
    pub fn set_limit(&self, limit: Option<u32>) {
        lock(&self.state).limit = limit;
    }

    /// Lookups accepted at once for one member state; `None` for no limit. One more is answered
    /// `MS_MAX_CONCURRENT_REQ` at once.
    pub fn set_limit_per_member_state(&self, limit: Option<u32>) {
        lock(&self.state).member_state_limit = limit;
    }

    /// Whether a requester that is not registered is answered `INVALID_REQUESTER_INFO`. Otherwise, as from the
    /// start, the answer only lacks its consultation number.
    pub fn set_refuses_unknown_requesters(&self, refuses: bool) {
        lock(&self.state).refuses_unknown_requesters = refuses;
    }

    /// Lookups at VIES waiting for their answer now.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.log.in_flight_at(Registry::Vies)
    }

    /// The most lookups that were in flight at VIES at once. A refused one counts at the moment it arrived, so a
    /// figure above the limit means refusals.
    #[must_use]
    pub fn peak_in_flight(&self) -> usize {
        self.log.peak_in_flight_at(Registry::Vies)
    }

    /// The same for one member state.
    #[must_use]
    pub fn peak_in_flight_of(&self, country: &str) -> usize {
        self.log.peak_in_flight_of(Registry::Vies, country)
    }

    /// Lookups refused because a limit was exceeded, of either kind; scripted refusals are not counted.
    #[must_use]
    pub fn refusals(&self) -> usize {
        let state = lock(&self.state);
        state.refusals.global + state.refusals.member_states.values().sum::<usize>()
    }

    /// Lookups of one member state refused with `MS_MAX_CONCURRENT_REQ`.
    #[must_use]
    pub fn refusals_of(&self, country: &str) -> usize {
        lock(&self.state).refusals.member_states.get(country).copied().unwrap_or_default()
    }

    pub(crate) fn clear_counters(&self) {
        lock(&self.state).refusals = Refusals::default();
    }

    pub(crate) fn reset(&self) {
        *lock(&self.state) = State::new(&self.settings);
    }

    pub(crate) fn describe(&self) -> serde_json::Value {
        let (in_flight, peak_in_flight) = (self.in_flight(), self.peak_in_flight());
        let state = lock(&self.state);
        json!({
            "switch": state.switch,
            "member_states": state.member_states,
            "limit": state.limit,
            "limit_per_member_state": state.member_state_limit,
            "refuses_unknown_requesters": state.refuses_unknown_requesters,
            "scripts": state.scripts,
            "in_flight": in_flight,
            "peak_in_flight": peak_in_flight,
            "refusals": { "global": state.refusals.global, "member_states": state.refusals.member_states },
        })
    }

    /// Delay and, unless VIES is up, the answer everyone gets.
    fn condition(&self) -> (Duration, Option<Answer>) {
        let state = lock(&self.state);
        (state.switch.delay, state.switch.condition.overriding("SERVICE_UNAVAILABLE"))
    }

    /// The same for one member state.
    fn member_state(&self, country: &str) -> (Duration, Option<Answer>) {
        let state = lock(&self.state);
        let Some(switch) = state.member_states.get(country) else { return (Duration::ZERO, None) };
        (switch.delay, switch.condition.overriding("MS_UNAVAILABLE"))
    }

    /// The code a lookup is refused with when it finds too many others.
    fn refusal(&self, country: &str, crowd: Crowd) -> Option<&'static str> {
        let mut state = lock(&self.state);
        let exceeds = |count: usize, limit: Option<u32>| limit.is_some_and(|limit| count > limit as usize);
        if exceeds(crowd.registry, state.limit) {
            state.refusals.global += 1;
            return Some("GLOBAL_MAX_CONCURRENT_REQ");
        }
        if exceeds(crowd.country, state.member_state_limit) {
            *state.refusals.member_states.entry(country.to_owned()).or_default() += 1;
            return Some("MS_MAX_CONCURRENT_REQ");
        }
        None
    }

    fn next_step(&self, country: &str, number: &str) -> Step {
        lock(&self.state).scripts.next(&format!("{country}{number}"))
    }

    /// Whether a number would be found if it were asked about now; uses up no step of a script.
    fn is_registered(&self, country: &str, number: &str) -> bool {
        match lock(&self.state).scripts.coming(&format!("{country}{number}")) {
            Answer::Valid { .. } => true,
            Answer::NotRegistered => false,
            _ => find(country, number).is_some(),
        }
    }

    fn refuses_unknown_requesters(&self) -> bool {
        lock(&self.state).refuses_unknown_requesters
    }

    /// `WAPI` and twelve characters.
    fn consultation_number(&self) -> String {
        let characters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        format!("WAPIAAAA{}", self.serial.next(characters, 8))
    }
}

/// The trader behind a number of a country VIES serves; it has known no GB numbers since 2021.
fn find(country: &str, number: &str) -> Option<Trader> {
    member_states().find(|served| *served == country)?;
    known_numbers::find(country, number)
}
