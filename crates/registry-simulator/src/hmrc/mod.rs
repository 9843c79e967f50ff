//! HMRC's side: the handle with its controls and counters. The endpoints are in `token` and `lookup`.

pub(crate) mod lookup;
mod rate;
pub(crate) mod token;
pub(crate) mod wire;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::json;

use self::{
    rate::{RateLimit, Window},
    token::Tokens,
};
use crate::{
    condition::{Condition, Switch},
    known_numbers::{self, Trader},
    log::{Log, Registry},
    script::{Answer, Script, Scripts, Step},
    serial::Serial,
    settings::Settings,
    state::lock,
};

/// The two documented forms of HMRC's consultation numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsultationNumbers {
    /// Nine letters of both cases, as the API's published example has them (`qWzKpTmXe`).
    #[default]
    Letters,
    /// Nine capitals in three groups, as the published source of the service makes them (`AXK-MRT-PQV`).
    Hyphens,
}

/// HMRC's controls and counters.
#[derive(Debug)]
pub struct Hmrc {
    settings: Settings,
    log: Arc<Log>,
    serial: Serial,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    switch: Switch,
    backend_failing: bool,
    scripts: Scripts,
    consultation_numbers: ConsultationNumbers,
    calls_per_second: Option<u32>,
    rate_limits: HashMap<String, RateLimit>,
    arrivals: Window,
    peak_per_second: usize,
    throttled: usize,
    tokens: Tokens,
}

impl State {
    fn new(settings: &Settings, tokens: Tokens) -> Self {
        Self {
            switch: Switch { condition: Condition::Up, delay: settings.latency },
            backend_failing: false,
            scripts: Scripts::default(),
            consultation_numbers: ConsultationNumbers::default(),
            calls_per_second: settings.hmrc_calls_per_second,
            rate_limits: HashMap::new(),
            arrivals: Window::default(),
            peak_per_second: 0,
            throttled: 0,
            tokens,
        }
    }
}

impl Hmrc {
    pub(crate) fn new(settings: Settings, log: Arc<Log>) -> Self {
        let state = Mutex::new(State::new(&settings, Tokens::new(&settings)));
        Self { settings, log, serial: Serial::default(), state }
    }

    /// What HMRC says about one VRN, as target; a `GB` before the digits is dropped.
    pub fn script(&self, vrn: &str, script: impl Into<Script>) {
        lock(&self.state).scripts.set(key(vrn), script.into());
    }

    /// Forgets a script.
    pub fn unscript(&self, vrn: &str) {
        lock(&self.state).scripts.remove(&key(vrn));
    }

    /// What the token endpoint says; [`Answer::Usual`] is to judge the request, and error codes are OAuth's
    /// (`server_error`, `invalid_client`, …).
    pub fn script_tokens(&self, script: impl Into<Script>) {
        lock(&self.state).tokens.script = script.into();
    }

    /// How HMRC as a whole is doing, token endpoint included.
    pub fn set_condition(&self, condition: Condition) {
        lock(&self.state).switch.condition = condition;
    }

    /// How long every answer takes.
    pub fn set_delay(&self, delay: Duration) {
        lock(&self.state).switch.delay = delay;
    }

    /// While the store behind the service fails, a lookup with a requester is answered 500 and one without is
    /// answered 404 `NOT_FOUND`, as in the published source of the service since March 2026.
    pub fn set_backend_failing(&self, failing: bool) {
        lock(&self.state).backend_failing = failing;
    }

    /// The form of the consultation numbers given from now on.
    pub fn set_consultation_numbers(&self, form: ConsultationNumbers) {
        lock(&self.state).consultation_numbers = form;
    }

    /// Lookups accepted from one client id in any one second; `None` for no limit.
    pub fn set_calls_per_second(&self, limit: Option<u32>) {
        lock(&self.state).calls_per_second = limit;
    }

    /// The one client id and secret the token endpoint accepts.
    pub fn set_credentials(&self, client_id: &str, client_secret: &str) {
        lock(&self.state).tokens.set_credentials(client_id, client_secret);
    }

    /// How long tokens issued from now on are good for; said in whole seconds in `expires_in`.
    pub fn set_token_lifetime(&self, lifetime: Duration) {
        lock(&self.state).tokens.lifetime = lifetime;
    }

    /// Makes every token issued so far worthless: lookups with one get 401 `INVALID_CREDENTIALS`.
    pub fn revoke_tokens(&self) {
        lock(&self.state).tokens.revoke();
    }

    /// The access tokens that were issued and not revoked, in no order.
    #[must_use]
    pub fn issued_tokens(&self) -> Vec<String> {
        lock(&self.state).tokens.issued()
    }

    /// Requests the token endpoint has had, refused ones included.
    #[must_use]
    pub fn token_requests(&self) -> usize {
        lock(&self.state).tokens.requests
    }

    /// The most lookups that arrived within any one second, whatever became of them. A figure above the limit
    /// means that some were refused.
    #[must_use]
    pub fn peak_per_second(&self) -> usize {
        lock(&self.state).peak_per_second
    }

    /// Lookups refused with 429 because the limit was exceeded; scripted refusals are not counted.
    #[must_use]
    pub fn throttled(&self) -> usize {
        lock(&self.state).throttled
    }

    /// Lookups at HMRC waiting for their answer now.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.log.in_flight_at(Registry::Hmrc)
    }

    /// The most lookups that were in flight at HMRC at once.
    #[must_use]
    pub fn peak_in_flight(&self) -> usize {
        self.log.peak_in_flight_at(Registry::Hmrc)
    }

    pub(crate) fn clear_counters(&self) {
        let mut state = lock(&self.state);
        state.peak_per_second = 0;
        state.throttled = 0;
        state.tokens.requests = 0;
    }

    pub(crate) fn reset(&self) {
        let mut state = lock(&self.state);
        let mut tokens = Tokens::new(&self.settings);
        tokens.keep_issued(&mut state.tokens);
        *state = State::new(&self.settings, tokens);
    }

    pub(crate) fn describe(&self) -> serde_json::Value {
        let (in_flight, peak_in_flight) = (self.in_flight(), self.peak_in_flight());
        let state = lock(&self.state);
        json!({
            "switch": state.switch,
            "backend_failing": state.backend_failing,
            "consultation_numbers": state.consultation_numbers,
            "calls_per_second": state.calls_per_second,
            "token_lifetime_s": state.tokens.lifetime.as_secs(),
            "scripts": state.scripts,
            "token_script": state.tokens.script,
            "in_flight": in_flight,
            "peak_in_flight": peak_in_flight,
            "peak_per_second": state.peak_per_second,
            "throttled": state.throttled,
            "token_requests": state.tokens.requests,
        })
    }

    /// Delay and, unless HMRC is up, the answer everyone gets.
    fn condition(&self) -> (Duration, Option<Answer>) {
        let state = lock(&self.state);
        (state.switch.delay, state.switch.condition.overriding("SERVER_ERROR"))
    }

    /// Counts an arrival for the peak.
    fn note_arrival(&self) {
        let mut state = lock(&self.state);
        let count = state.arrivals.add(Instant::now());
        state.peak_per_second = state.peak_per_second.max(count);
    }

    /// Whether this application may look up now.
    fn admit(&self, client_id: &str) -> bool {
        let mut state = lock(&self.state);
        let limit = state.calls_per_second;
        let admitted =
            state.rate_limits.entry(client_id.to_owned()).or_default().admit(Instant::now(), limit);
        state.throttled += usize::from(!admitted);
        admitted
    }

    fn next_step(&self, vrn: &str) -> Step {
        lock(&self.state).scripts.next(&key(vrn))
    }

    /// Whether a VRN would be found if it were asked about now; uses up no step of a script.
    fn is_registered(&self, vrn: &str) -> bool {
        match lock(&self.state).scripts.coming(&key(vrn)) {
            Answer::Valid { .. } => true,
            Answer::NotRegistered => false,
            _ => find(vrn).is_some(),
        }
    }

    fn is_backend_failing(&self) -> bool {
        lock(&self.state).backend_failing
    }

    fn consultation_number(&self) -> String {
        let form = lock(&self.state).consultation_numbers;
        match form {
            ConsultationNumbers::Letters => {
                self.serial.next(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 9)
            }
            ConsultationNumbers::Hyphens => {
                let mut number = self.serial.next(b"ACDEFHJKLMNPQRTUVWXY", 9);
                number.insert(6, '-');
                number.insert(3, '-');
                number
            }
        }
    }
}

fn find(vrn: &str) -> Option<Trader> {
    known_numbers::find_at_hmrc(vrn)
}

fn key(vrn: &str) -> String {
    format!("GB{}", vrn.strip_prefix("GB").unwrap_or(vrn))
}
