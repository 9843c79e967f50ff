//! A call with numbers that have to be asked: joins what is on its way, sets aside allowance for the rest, asks, and has
//! everything recorded before the caller hears of it.

use std::{sync::Arc, time::Duration};

use futures_util::future::{join, join_all};
use tokio::{
    sync::oneshot,
    time::{Instant, timeout_at},
};
use vat::Status;

use super::{
    Asker, Refusal, State,
    open_call::{Noted, OpenCall},
    proof,
    tally::Tally,
};
use crate::{
    evidence::Evidence,
    usage::{Record, Reservation, ReserveError, Settlement},
    verification::{
        checked_number::{Found, Source},
        flights::{Flight, Joined},
        gateway::Resolution,
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

impl State {
    /// Completes `known`. A task of its own: whether the caller waits or not, and for how long, what is set aside is
    /// settled and what is asked is recorded. At the deadline the answer is what is known then; the rest goes on for a while.
    pub(super) async fn ask(
        self: Arc<Self>,
        call: Call,
        known: Vec<Option<Found>>,
    ) -> Result<Vec<Found>, Refusal> {
        let patience = call.deadline + TIME_TO_RECORD;
        let state = Arc::clone(&self);
        let (answer, answered) = oneshot::channel();
        let working = self.calls.spawn(async move {
            match state.part(&call, known).await {
                Ok((known, parted, reservation)) => {
                    let open = OpenCall::new(call, known, reservation);
                    join(state.tell(&open, answer), state.complete(&open, parted)).await;
                }
                Err(refusal) => tell(answer, Err(refusal)),
            }
        });
        match timeout_at(patience, answered).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => match working.await {
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                _ => Err(Refusal::NotRecorded),
            },
            Err(_) => {
                tracing::error!("a slow database kept a call past its deadline");
                Err(Refusal::NotRecorded)
            }
        }
    }

    /// Answers the caller, once everything is known or the deadline has come.
    async fn tell(&self, open: &OpenCall, answer: Answer) {
        let (found, count) = open.answer(self).await;
        let is_recorded = match count {
            Some(count) => self.record(Record { count: Some(*count), ..Record::default() }).await,
            None => true,
        };
        tell(answer, found.filter(|_| is_recorded).ok_or(Refusal::NotRecorded));
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
        let until = call.deadline + self.parts.afterwards;
        let sent = to_send
            .into_iter()
            .map(|place| (place, self.flights.send(account, call.lookups[place], until, numbers)))
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

    async fn complete(&self, open: &OpenCall, parted: Parted) {
        let sent = parted.sent.into_iter().map(|(place, flight)| self.fly(open, place, flight));
        let joined = parted.joined.into_iter().map(|(place, flight)| self.wait_for(open, place, flight));
        join(join_all(sent), join_all(joined)).await;
    }

    /// Asks, records, and only then tells others.
    async fn fly(&self, open: &OpenCall, place: usize, flight: Flight) {
        let OpenCall { call, reservation, .. } = open;
        let lookup = call.lookups[place];
        let asking = open.send(self, place, flight.size());
        let resolution = self.parts.registries.resolve(lookup, asking).await;
        let id = Evidence::next_id(self.parts.clock.as_ref());
        let resolution = resolution.proved_by(id);
        let noted = open.note(self, place, Found { resolution: resolution.clone(), source: Source::Live });
        let is_in_time = matches!(noted, Noted::InTime(_));
        let used = matches!(resolution.status(), Status::Valid | Status::NotRegistered);
        let record = Record {
            evidence: Some(proof::write(id, &call.asker, &call.request_id, &lookup, &resolution)),
            settlement: reservation.map(|reservation| Settlement { reservation, used }),
            count: noted.count(),
        };
        let is_recorded = self.record(record).await;
        if is_recorded && let Resolution::Answered(answered) = &resolution {
            self.cache.keep(call.asker.account_id, &lookup, Arc::clone(answered));
        }
        if is_in_time {
            open.recorded(is_recorded);
        }
        if is_recorded {
            flight.land(resolution);
        }
    }

    /// Waits for another call's lookup, which is recorded there.
    async fn wait_for(&self, open: &OpenCall, place: usize, flight: Joined) {
        let Ok(landed) = timeout_at(open.call.deadline, flight.landed()).await else { return };
        let is_lost = landed.is_none();
        let resolution = landed.unwrap_or_else(|| Resolution::past_deadline(self.parts.clock.now()));
        let noted = open.note(self, place, Found { resolution, source: Source::Cache });
        if let Noted::InTime(count) = noted {
            let is_recorded = match count {
                Some(count) if !is_lost => {
                    self.record(Record { count: Some(*count), ..Record::default() }).await
                }
                _ => true,
            };
            open.recorded(is_recorded && !is_lost);
        }
    }

    async fn record(&self, record: Record) -> bool {
        let recorded = self.parts.recorder.record(record).await;
        if let Err(error) = recorded {
            tracing::error!(%error, "an answer was not recorded, so it is not acknowledged");
        }
        recorded.is_ok()
    }
}

/// Where the caller waits.
type Answer = oneshot::Sender<Result<Vec<Found>, Refusal>>;

fn tell(answer: Answer, result: Result<Vec<Found>, Refusal>) {
    // The caller has left: all the same.
    let _gone = answer.send(result);
}
