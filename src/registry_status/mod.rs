//! How the registries and the member states behind VIES are and were in the last day, by our own lookups: what every
//! instance counts is kept in the database, so that all tell the same and a restart forgets nothing. And which of them are
//! asked nothing because somebody said so.
//!
//! Not here: what lookups say of whom, which the gateway judges; and words, which are the pages' business.

mod day;
mod holds;
mod store;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use chrono::{DateTime, Utc};
use sea_orm::DatabaseConnection;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use vat::UnresolvedReason;

pub use self::{
    day::{DAY, Day, SLICES, Since, SliceState, Stretch},
    holds::{Held, Hold, HoldError, Holds, NewHold, checked_reason},
};
use crate::{
    clock::SharedClock,
    verification::gateway::{Availability, RegistryPart, RegistryState, SLICE, WINDOW},
};

/// How often what was counted is kept. What was counted since is lost with a server that is killed; it is no evidence.
const PERIOD: Duration = Duration::from_secs(15);
/// The database is asked at most so often, however many look.
const FRESH_FOR: Duration = Duration::from_secs(5);

/// How the registries are and were.
#[derive(Clone)]
pub struct RegistryStatus {
    db: DatabaseConnection,
    availability: Arc<Availability>,
    holds: Holds,
    clock: SharedClock,
    read: Arc<Mutex<Option<Read>>>,
    reading: Arc<tokio::sync::Mutex<()>>,
}

/// When it was read, and what.
type Read = (Instant, Arc<Days>);

/// What is kept of the last day.
type Days = HashMap<RegistryPart, Day>;

/// How all of them are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// When this was put together.
    pub at: DateTime<Utc>,
    /// Both registries, then those behind VIES in the order of their prefixes.
    pub parts: Vec<PartStatus>,
    /// Whether the last day could be read. If not, only the present is told.
    pub has_history: bool,
}

/// How one of them is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartStatus {
    /// Whom this is about.
    pub part: RegistryPart,
    /// How it is now; of one that is asked nothing because somebody said so, since then.
    pub now: Now,
    /// That somebody said so.
    pub hold: Option<Hold>,
    /// The last 24 hours.
    pub day: Day,
}

/// How one is now, by the lookups of the last 15 minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// In a word.
    pub state: SliceState,
    /// Since when that has been so; `None` when nothing is measured.
    pub since: Option<Since>,
    /// What an answer usually takes; `None` when it does not answer, or only another server asked.
    pub usual: Option<Duration>,
    /// Why there is no answer, by the latest lookup; `None` when there is one, or only another server asked.
    pub reason: Option<UnresolvedReason>,
}

impl RegistryStatus {
    /// Kept in `db`, as `availability` learns it, but for what is open by hand.
    #[must_use]
    pub fn new(
        db: DatabaseConnection,
        availability: Arc<Availability>,
        holds: Holds,
        clock: SharedClock,
    ) -> Self {
        Self { db, availability, holds, clock, read: Arc::default(), reading: Arc::default() }
    }

    /// Breakers that are opened and closed by hand.
    #[must_use]
    pub const fn holds(&self) -> &Holds {
        &self.holds
    }

    /// How all of them are now and were.
    pub async fn status(&self) -> Status {
        let days = self.days().await;
        let held_now = self.holds.held();
        let now = self.clock.now();
        let parts = RegistryPart::all().map(|part| {
            let kept = days.as_ref().and_then(|days| days.get(&part));
            let day = kept.cloned().unwrap_or_else(|| Day::ending(now));
            let hold = held_now.get(&part).cloned();
            let now = match &hold {
                Some(hold) => Now {
                    state: SliceState::Refusing,
                    since: Some(Since::At(hold.since)),
                    usual: None,
                    reason: None,
                },
                None => present(self.availability.of_part(part), &day, now),
            };
            PartStatus { part, now, hold, day }
        });
        Status { at: now, parts: parts.collect(), has_history: days.is_some() }
    }

    /// Keeps what was counted, every now and then until `over`, and then what is left.
    pub async fn keep_until(self, over: CancellationToken) {
        while over.run_until_cancelled(tokio::time::sleep(PERIOD)).await.is_some() {
            self.keep().await;
        }
        self.keep().await;
    }

    /// Keeps what was counted since. What cannot be kept now is kept later.
    pub async fn keep(&self) {
        let slices = self.availability.take_slices();
        if slices.is_empty() {
            return;
        }
        if let Err(error) = store::add(&self.db, &slices, self.clock.now() - DAY - SLICE).await {
            tracing::warn!(%error, "how the registries were is not kept yet");
            self.availability.put_back(slices);
        }
    }

    /// Read at most every few seconds, by one at a time; `None` when the database does not answer.
    async fn days(&self) -> Option<Arc<Days>> {
        if let Some(days) = self.fresh() {
            return Some(days);
        }
        let _turn = self.reading.lock().await;
        if let Some(days) = self.fresh() {
            return Some(days);
        }
        let now = self.clock.now();
        let mut days = Days::new();
        let slices = match store::slices(&self.db, Day::ending(now).begins()).await {
            Ok(slices) => slices,
            Err(error) => {
                tracing::warn!(%error, "how the registries were cannot be read");
                return None;
            }
        };
        for slice in slices {
            let day = days.entry(slice.part).or_insert_with(|| Day::ending(now));
            day.note(slice.starts_at, SliceState::of(slice.counts));
        }
        let days = Arc::new(days);
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), Arc::clone(&days)));
        Some(days)
    }

    fn fresh(&self) -> Option<Arc<Days>> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.as_ref().filter(|(at, _)| at.elapsed() <= FRESH_FOR).map(|(_, days)| Arc::clone(days))
    }
}

/// By what this server knows, or else what others saw in the last minutes.
fn present(known: RegistryState, day: &Day, now: DateTime<Utc>) -> Now {
    let state = SliceState::of_now(known);
    let so = |since, usual, reason| Now { state, since: Some(day.since(state, since)), usual, reason };
    match known {
        RegistryState::Answering { since, usual } | RegistryState::Slow { since, usual } => {
            so(since, Some(usual), None)
        }
        RegistryState::Refusing { since, reason } => so(since, None, Some(reason)),
        RegistryState::NotMeasured { .. } => {
            let latest = day.latest(now, WINDOW);
            let (state, since) = latest.unzip();
            Now { state: state.unwrap_or_default(), since, usual: None, reason: None }
        }
    }
}
