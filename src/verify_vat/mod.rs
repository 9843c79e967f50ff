//! The use case: may this account call now, and what do the registries say of these numbers. The JSON handler and the
//! portal both call it and add only parsing and rendering.

mod afterwards;
mod asker;
mod live;
mod open_call;
mod proof;
mod tally;

use std::{net::IpAddr, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use thiserror::Error;
use tokio::time::{Instant, timeout_at};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;
use vat::SupplierCountry;

pub use self::asker::Asker;
use self::{afterwards::Afterwards, tally::Tally};
use crate::{
    api_keys::KeyMode,
    clock::SharedClock,
    evidence::Evidence,
    limits::{LimitedAction, RateLimiter, RateStatus},
    usage::{ANSWERED, Allowances, CallCount, Recorder},
    verification::{
        batch::Batch,
        cache::OutcomeCache,
        checked_number::{CheckedNumber, Found, Source},
        flights::Flights,
        gateway::{Asking, Resolution, Resolve},
        plan::VerificationPlan,
        registry::Lookup,
        requesters::Requesters,
    },
};

/// Somebody who tries the sandbox out waits no longer: a little more than its slow answers take.
const TRY_DEADLINE: Duration = Duration::from_secs(6);

/// Verifies numbers for accounts.
#[derive(Clone)]
pub struct VerifyVat(Arc<State>);

/// What the use case works with.
pub struct Parts {
    /// The way to the registries.
    pub registries: Arc<dyn Resolve>,
    /// What answers test keys.
    pub sandbox: Box<dyn Resolve>,
    /// Who may call now.
    pub limiter: RateLimiter,
    /// How many numbers may be asked.
    pub allowances: Allowances,
    /// What registries said before.
    pub evidence: Evidence,
    /// Who writes what is counted and proved.
    pub recorder: Recorder,
    /// A call takes no longer.
    pub deadline: Duration,
    /// What it asked goes on for so long after its answer, for whoever asks the same again.
    pub afterwards: Duration,
    /// The time.
    pub clock: SharedClock,
}

struct State {
    parts: Parts,
    cache: OutcomeCache,
    flights: Arc<Flights>,
    /// Calls go on when their caller leaves: what was asked is recorded.
    calls: TaskTracker,
    afterwards: Afterwards,
    /// What nobody waits for and has not been asked is given up.
    stopping: CancellationToken,
}

/// Proof that a call was counted against its account's rate limit. Made by [`VerifyVat::admit`] alone.
#[derive(Debug)]
pub struct Admission {
    asker: Asker,
    rate: RateStatus,
}

/// What a call asks.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The numbers, as typed.
    pub numbers: Vec<String>,
    /// In whose name; `None`: as the account has set.
    pub requesters: Option<Requesters>,
    /// Where the asker sells from; `None`: as the account has set.
    pub supplier_country: Option<SupplierCountry>,
    /// How old an answer may be; `None`: as the account has set.
    pub max_age: Option<Duration>,
    /// The asker reads what is unresolved in the results.
    pub partial: bool,
    /// The call's identifier, for its evidence.
    pub request_id: String,
}

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Verified {
    /// One for each number, in the order submitted.
    pub numbers: Vec<CheckedNumber>,
    /// Where the asker sells from.
    pub supplier_country: Option<SupplierCountry>,
}

/// A call that was refused as a whole. Nothing was asked, or nothing of it may be acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// Its live lookups do not all fit into what is left of the month's allowance.
    #[error("over the month's allowance")]
    OverAllowance {
        /// Numbers that would have been asked.
        needed: u64,
        /// Numbers that fit now.
        left: u64,
        /// Numbers in a month.
        allowance: u64,
        /// When the next month begins.
        resets_in: Duration,
    },
    /// What it says cannot be recorded at present.
    #[error("answers cannot be recorded at present")]
    NotRecorded,
}

impl Admission {
    /// Where the account stands after this call.
    #[must_use]
    pub const fn rate(&self) -> RateStatus {
        self.rate
    }
}

impl VerifyVat {
    /// The use case over its parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(State {
            parts,
            cache: OutcomeCache::default(),
            flights: Arc::default(),
            calls: TaskTracker::new(),
            afterwards: Afterwards::default(),
            stopping: CancellationToken::new(),
        }))
    }

    /// Counts a call of `asker`, whatever becomes of it.
    ///
    /// # Errors
    /// The account has used up its rate limit.
    pub async fn admit(&self, asker: Asker) -> Result<Admission, RateStatus> {
        let rate = self.0.parts.limiter.admit(&asker.action()).await?;
        Ok(Admission { asker, rate })
    }

    /// Counts, for the account's own statistics, a call that was refused with the error `code`.
    pub fn count_refusal(&self, asker: &Asker, code: &'static str) {
        let call = CallCount { numbers: Vec::new(), ..asker.call(self.0.parts.clock.now(), code) };
        self.0.parts.recorder.count(&call);
    }

    /// Counts, for the account's own statistics, entries of a list that were none to ask about: a call of their own, since
    /// those that ask have only the others. With none of them there was no such call.
    pub fn count_unread(&self, asker: &Asker, malformed: u32, unsupported: u32) {
        let numbers: Vec<_> = tally::unread(malformed, unsupported).collect();
        if !numbers.is_empty() {
            let call = CallCount { numbers, ..asker.call(self.0.parts.clock.now(), ANSWERED) };
            self.0.parts.recorder.count(&call);
        }
    }

    /// A call is answered after this time at the latest.
    #[must_use]
    pub fn deadline(&self) -> Duration {
        self.0.parts.deadline
    }

    /// Remembers that a key was used for something that is not counted.
    pub fn note_use(&self, asker: &Asker) {
        self.0.parts.recorder.use_key(asker.id, self.0.parts.clock.now());
    }

    /// Checks the numbers of `question`. One result for each, in order; takes little longer than the deadline.
    ///
    /// # Errors
    /// The call was refused as a whole.
    pub async fn verify(&self, admission: Admission, question: Question) -> Result<Verified, Refusal> {
        let state = &self.0;
        let parts = &state.parts;
        if !parts.recorder.has_room() {
            return Err(Refusal::NotRecorded);
        }
        let asker = admission.asker;
        let deadline = Instant::now() + parts.deadline;
        let read_at = parts.clock.now();
        let batch = Batch::read(question.numbers);
        let requesters = question.requesters.unwrap_or_else(|| asker.requesters());
        let plan = VerificationPlan::build(&batch, &requesters);
        let tally = Tally::new(asker.clone(), &batch, question.partial);
        // What waits for somebody is boxed: the many calls that wait for nobody stay small.
        let found = match asker.mode {
            KeyMode::Test => {
                let found = Box::pin(state.pretend(plan.lookups(), deadline)).await;
                parts.recorder.count(&tally.count(parts.clock.now(), plan.lookups(), found.iter()));
                found
            }
            KeyMode::Live => {
                let max_age = question.max_age.unwrap_or(asker.terms.max_age);
                let known = state.remembered(&asker, plan.lookups(), max_age, read_at);
                let known = if max_age.is_zero() || known.iter().all(Option::is_some) {
                    known
                } else {
                    let proved = state.proved(&asker, plan.lookups(), known, max_age, read_at);
                    timeout_at(deadline, Box::pin(proved)).await.map_err(|_| Refusal::NotRecorded)??
                };
                if let Some(all) = known.iter().cloned().collect::<Option<Vec<Found>>>() {
                    parts.recorder.count(&tally.count(read_at, plan.lookups(), all.iter()));
                    all
                } else {
                    let call = live::Call {
                        asker: asker.clone(),
                        lookups: plan.lookups().to_vec(),
                        max_age,
                        request_id: question.request_id,
                        deadline,
                        tally,
                    };
                    Box::pin(Arc::clone(state).ask(call, known)).await?
                }
            }
        };
        Ok(Verified {
            numbers: CheckedNumber::of_batch(batch, read_at, &plan, &found),
            supplier_country: question.supplier_country.or(asker.terms.supplier_country),
        })
    }

    /// What the sandbox says of a number that somebody tries out from an address, without a key. Nothing of it is kept.
    ///
    /// # Errors
    /// The address has tried enough for the moment: nothing was looked at.
    pub async fn try_out(&self, number: &str, from: IpAddr) -> Result<Verified, RateStatus> {
        self.0.parts.limiter.admit(&LimitedAction::TryFrom(from)).await?;
        Ok(self.show(number).await)
    }

    /// What the sandbox says of a number that we name ourselves, as an example. Nobody is counted.
    pub async fn show(&self, number: &str) -> Verified {
        self.ask_sandbox(vec![number.to_owned()], &Requesters::default(), None).await
    }

    /// What the sandbox says to somebody whose call was counted, whatever the key. The account's other books do not show
    /// it, and it takes less time than a call may.
    pub async fn rehearse(
        &self,
        admission: &Admission,
        numbers: Vec<String>,
        supplier_country: Option<SupplierCountry>,
    ) -> Verified {
        let asker = &admission.asker;
        let supplier_country = supplier_country.or(asker.terms.supplier_country);
        self.ask_sandbox(numbers, &asker.requesters(), supplier_country).await
    }

    async fn ask_sandbox(
        &self,
        numbers: Vec<String>,
        requesters: &Requesters,
        supplier_country: Option<SupplierCountry>,
    ) -> Verified {
        let parts = &self.0.parts;
        let deadline = Instant::now() + parts.deadline.min(TRY_DEADLINE);
        let read_at = parts.clock.now();
        let batch = Batch::read(numbers);
        let plan = VerificationPlan::build(&batch, requesters);
        let found = self.0.pretend(plan.lookups(), deadline).await;
        Verified { numbers: CheckedNumber::of_batch(batch, read_at, &plan, &found), supplier_country }
    }

    /// Waits until no call is open any more; none may be begun meanwhile. Of what goes on after its call's answer only
    /// what a registry is working on is waited for.
    pub async fn finish(&self) {
        self.0.stopping.cancel();
        self.0.calls.close();
        self.0.calls.wait().await;
    }
}

impl State {
    /// What is remembered of each lookup and young enough.
    fn remembered(
        &self,
        asker: &Asker,
        lookups: &[Lookup],
        max_age: Duration,
        now: DateTime<Utc>,
    ) -> Vec<Option<Found>> {
        let remembered = |lookup: &Lookup| {
            let answered = self.cache.get(asker.account_id, lookup, max_age, now)?;
            Some(Found { resolution: Resolution::Answered(answered), source: Source::Cache })
        };
        lookups.iter().map(remembered).collect()
    }

    /// Completes what is remembered from the evidence, as far as it is there.
    async fn proved(
        &self,
        asker: &Asker,
        lookups: &[Lookup],
        known: Vec<Option<Found>>,
        max_age: Duration,
        now: DateTime<Utc>,
    ) -> Result<Vec<Option<Found>>, Refusal> {
        let missing = lookups.iter().zip(&known).filter(|(_, known)| known.is_none());
        let numbers = missing.map(|(lookup, _)| lookup.number.as_str()).collect();
        let rows =
            self.parts.evidence.answers_since(asker.account_id, numbers, now - max_age).await.map_err(
                |error| {
                    tracing::error!(%error, "cannot read earlier answers");
                    Refusal::NotRecorded
                },
            )?;
        for (lookup, answered) in rows.into_iter().filter_map(proof::read) {
            self.cache.keep(asker.account_id, &lookup, Arc::new(answered));
        }
        let remembered = self.remembered(asker, lookups, max_age, now);
        Ok(known.into_iter().zip(remembered).map(|(known, remembered)| known.or(remembered)).collect())
    }

    /// What the sandbox says of each lookup.
    async fn pretend(&self, lookups: &[Lookup], deadline: Instant) -> Vec<Found> {
        // Nobody waits for a turn there, so it does not matter who asks.
        let asking = Asking::alone(Uuid::nil(), deadline);
        let resolutions = lookups.iter().map(|lookup| self.parts.sandbox.resolve(*lookup, asking.clone()));
        let found = |resolution| Found { resolution, source: Source::Live };
        join_all(resolutions).await.into_iter().map(found).collect()
    }
}
