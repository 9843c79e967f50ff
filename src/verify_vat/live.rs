//! A call with numbers that have to be asked: joins what is on its way, sets aside allowance for the rest, asks, and has
//! everything recorded before the caller hears of it.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::{join, join_all};
use tokio::time::{Instant, timeout_at};
use vat::Status;

use super::{Asker, Refusal, State, proof, tally::Tally};
use crate::{
    evidence::Evidence,
    usage::{CallCount, Record, Reservation, ReserveError, Settlement},
    verification::{
        checked_number::{Found, Source},
        flights::{Flight, Joined},
        gateway::{Asking, Resolution},
        registry::Lookup,
    },
};

/// Over a call's deadline: what registries said by then may take so long to be recorded.
const TIME_TO_RECORD: Duration = Duration::from_secs(5);

/// A call that needs a registry.
pub(super) struct Call {
    pub(super) asker: Asker,
    pub(super) lookups: Vec<Lookup>,
    pub(super) max_age: Duration,
    pub(super) request_id: String,
    pub(super) deadline: Instant,
    pub(super) tally: Tally,
}

/// How each lookup that is not known yet will be answered; the number is its place in the plan.
#[derive(Default)]
struct Parted {
    joined: Vec<(usize, Joined)>,
    sent: Vec<(usize, Flight)>,
}

/// A call on its way.
struct OpenCall {
    call: Call,
    reservation: Option<Reservation>,
    found: Mutex<Vec<Option<Found>>>,
    /// Lookups that nothing is known of yet.
    open: AtomicUsize,
    /// Something could not be recorded: the call will not be acknowledged, so it must not be counted as answered.
    failed: AtomicBool,
}

impl State {
    /// Completes `known`. A task of its own: whether the caller waits or not, and for how long, what is set aside is
    /// settled and what is asked is recorded.
    pub(super) async fn ask(
        self: Arc<Self>,
        call: Call,
        known: Vec<Option<Found>>,
    ) -> Result<Vec<Found>, Refusal> {
        let patience = call.deadline + TIME_TO_RECORD;
        let state = Arc::clone(&self);
        let finished = self.calls.spawn(async move {
            let (known, parted, reservation) = state.part(&call, known).await?;
            let open = OpenCall {
                open: AtomicUsize::new(parted.joined.len() + parted.sent.len()),
                call,
                reservation,
                found: Mutex::new(known),
                failed: AtomicBool::new(false),
            };
            state.complete(open, parted).await
        });
        match timeout_at(patience, finished).await {
            Ok(Ok(result)) => result,
            Ok(Err(error)) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Ok(Err(_)) => Err(Refusal::NotRecorded),
            Err(_) => {
                tracing::error!("a slow database kept a call past its deadline");
                Err(Refusal::NotRecorded)
            }
        }
    }

    /// Decides what is joined and what is sent off. Behind the account's door, so that two calls at once cannot send off
    /// the same; the allowance is set aside there too, so that nobody joins a lookup that is then not sent off.
    async fn part(
        &self,
        call: &Call,
        mut known: Vec<Option<Found>>,
    ) -> Result<(Vec<Option<Found>>, Parted, Option<Reservation>), Refusal> {
        let account = call.asker.account_id;
        let _door = self.flights.door(account, call.deadline).await.ok_or(Refusal::NotRecorded)?;
        let now = self.parts.clock.now();
        // A lookup that another call is about to give up is no help.
        let lasting = Instant::now() + call.deadline.saturating_duration_since(Instant::now()) / 2;
        let numbers = call.lookups.len();
        let mut joined = Vec::new();
        let mut to_send = Vec::new();
        for (place, (lookup, known)) in call.lookups.iter().zip(&mut known).enumerate() {
            if known.is_some() {
                continue;
            }
            // A call that wants a new answer and proof gets its own.
            let flight = if call.max_age.is_zero() {
                None
            } else {
                self.flights.join(account, *lookup, lasting, numbers)
            };
            if let Some(flight) = flight {
                joined.push((place, flight));
            } else if let Some(landed) = self.cache.get(account, lookup, call.max_age, now) {
                *known = Some(Found { resolution: Resolution::Answered(landed), source: Source::Cache });
            } else {
                to_send.push(place);
            }
        }
        let reservation = self.reserve(&call.asker, to_send.len()).await?;
        let sent = to_send
            .into_iter()
            .map(|place| (place, self.flights.send(account, call.lookups[place], call.deadline, numbers)))
            .collect();
        Ok((known, Parted { joined, sent }, reservation))
    }

    async fn reserve(&self, asker: &Asker, numbers: usize) -> Result<Option<Reservation>, Refusal> {
        if numbers == 0 {
            return Ok(None);
        }
        let (allowance, needed) = (asker.terms.numbers_per_month, numbers as u64);
        match self.parts.allowances.reserve(asker.account_id, allowance, needed).await {
            Ok(reservation) => Ok(Some(reservation)),
            Err(ReserveError::Exceeded { resets_at, left }) => {
                let resets_in = (resets_at - self.parts.clock.now()).to_std().unwrap_or_default();
                Err(Refusal::OverAllowance { needed, left, allowance, resets_in })
            }
            Err(ReserveError::Database(error)) => {
                tracing::error!(%error, "cannot set allowance aside");
                Err(Refusal::NotRecorded)
            }
        }
    }

    async fn complete(&self, open: OpenCall, parted: Parted) -> Result<Vec<Found>, Refusal> {
        let sent = parted.sent.into_iter().map(|(place, flight)| self.fly(&open, place, flight));
        let joined = parted.joined.into_iter().map(|(place, flight)| self.wait_for(&open, place, flight));
        join(join_all(sent), join_all(joined)).await;
        if open.failed.load(Ordering::Acquire) {
            return Err(Refusal::NotRecorded);
        }
        let found = open.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.into_iter().collect::<Option<Vec<Found>>>().ok_or(Refusal::NotRecorded)
    }

    /// Asks, records, and only then tells others.
    async fn fly(&self, open: &OpenCall, place: usize, flight: Flight) {
        let OpenCall { call, reservation, .. } = open;
        let lookup = call.lookups[place];
        let alone = Asking::alone(call.asker.account_id, call.deadline);
        let asking = Asking { size: flight.size(), ..alone };
        let resolution = self.parts.registries.resolve(lookup, asking).await;
        let id = Evidence::next_id(self.parts.clock.as_ref());
        let resolution = resolution.proved_by(id);
        let count = open.note(self, place, Found { resolution: resolution.clone(), source: Source::Live });
        let used = matches!(resolution.status(), Status::Valid | Status::NotRegistered);
        let record = Record {
            evidence: Some(proof::write(id, &call.asker, &call.request_id, &lookup, &resolution)),
            settlement: reservation.map(|reservation| Settlement { reservation, used }),
            count,
        };
        if !self.record(open, record).await {
            return;
        }
        if let Resolution::Answered(answered) = &resolution {
            self.cache.keep(call.asker.account_id, &lookup, Arc::clone(answered));
        }
        flight.land(resolution);
    }

    /// Waits for another call's lookup, which is recorded there.
    async fn wait_for(&self, open: &OpenCall, place: usize, flight: Joined) {
        let resolution = match timeout_at(open.call.deadline, flight.landed()).await {
            Ok(Some(resolution)) => resolution,
            Ok(None) => return open.failed.store(true, Ordering::Release),
            Err(_) => Resolution::past_deadline(self.parts.clock.now()),
        };
        let count = open.note(self, place, Found { resolution, source: Source::Cache });
        if count.is_some() {
            self.record(open, Record { count, ..Record::default() }).await;
        }
    }

    async fn record(&self, open: &OpenCall, record: Record) -> bool {
        let recorded = self.parts.recorder.record(record).await;
        if let Err(error) = recorded {
            tracing::error!(%error, "an answer was not recorded, so it is not acknowledged");
            open.failed.store(true, Ordering::Release);
        }
        recorded.is_ok()
    }
}

impl OpenCall {
    /// Notes what came of a lookup. The whole call's count, when it was the last.
    fn note(&self, state: &State, place: usize, result: Found) -> Option<CallCount> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found[place] = Some(result);
        let last = self.open.fetch_sub(1, Ordering::AcqRel) == 1;
        (last && !self.failed.load(Ordering::Acquire)).then(|| {
            self.call.tally.count(state.parts.clock.now(), &self.call.lookups, found.iter().flatten())
        })
    }
}
