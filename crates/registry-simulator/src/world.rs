//! Everything one simulator knows, shared by its handlers and its handles.

use std::{
    sync::{Arc, Mutex},
    time::SystemTime,
};

use chrono::{DateTime, Utc};

use crate::{hmrc::Hmrc, log::Log, settings::Settings, state::lock, vies::Vies};

/// The state behind the server.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) clock: Clock,
    pub(crate) hmrc: Hmrc,
    pub(crate) log: Arc<Log>,
    pub(crate) vies: Vies,
}

impl World {
    pub(crate) fn new(settings: Settings) -> Arc<Self> {
        let log = Arc::new(Log::default());
        Arc::new(Self {
            clock: Clock::default(),
            hmrc: Hmrc::new(settings.clone(), Arc::clone(&log)),
            vies: Vies::new(settings, Arc::clone(&log)),
            log,
        })
    }

    pub(crate) fn clear_log(&self) {
        self.log.clear();
        self.hmrc.clear_counters();
        self.vies.clear_counters();
    }

    pub(crate) fn reset(&self) {
        self.clock.set(None);
        self.hmrc.reset();
        self.vies.reset();
        self.clear_log();
    }
}

/// What the machine's clock shows.
#[expect(clippy::disallowed_methods, reason = "the simulator is outside the product: this is its clock")]
pub(crate) fn real_time() -> DateTime<Utc> {
    SystemTime::now().into()
}

/// The time the registries print: the real one unless it was fixed.
#[derive(Debug, Default)]
pub(crate) struct Clock(Mutex<Option<DateTime<Utc>>>);

impl Clock {
    pub(crate) fn now(&self) -> DateTime<Utc> {
        lock(&self.0).unwrap_or_else(real_time)
    }

    pub(crate) fn set(&self, now: Option<DateTime<Utc>>) {
        *lock(&self.0) = now;
    }
}
