//! A call on its way: what is known of its lookups, when it is answered, and by whom it is counted. It is counted exactly
//! once, by the lookup that completes it or at its deadline; what comes after that counts for nobody's call.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::{sync::Notify, time::timeout_at};
use tokio_util::sync::CancellationToken;

use super::{
    State,
    afterwards::{Afterwards, MayGoOn},
    live::Call,
};
use crate::{
    usage::{CallCount, Reservation},
    verification::{
        checked_number::{Found, Source},
        gateway::{Asking, CallSize, Resolution, SoFar},
    },
};

/// A call on its way.
pub(super) struct OpenCall {
    pub(super) call: Call,
    pub(super) reservation: Option<Reservation>,
    progress: Mutex<Progress>,
    /// Something has become known, or was recorded.
    news: Notify,
}

struct Progress {
    found: Vec<Option<Found>>,
    /// Lookups that nothing is known of yet.
    open: usize,
    /// Lookups whose result is known but is not recorded yet.
    unrecorded: usize,
    is_answered: bool,
    is_counted: bool,
    /// Something could not be recorded: the call will not be acknowledged, so it must not be counted as answered.
    failed: bool,
    sent: Vec<Sent>,
}

/// A lookup that the call has sent off.
struct Sent {
    place: usize,
    leave: CancellationToken,
    so_far: SoFar,
    may_go_on: Option<MayGoOn>,
}

/// What a result is to its call.
pub(super) enum Noted {
    /// A part of the answer; with the whole call's count, when it is the last.
    InTime(Option<Box<CallCount>>),
    /// The call is answered.
    Afterwards,
}

impl Noted {
    /// The whole call's count, if this completes it.
    pub(super) fn count(self) -> Option<CallCount> {
        match self {
            Self::InTime(count) => count.map(|count| *count),
            Self::Afterwards => None,
        }
    }
}

impl OpenCall {
    /// `known` is what is found already; what is not will be noted.
    pub(super) fn new(call: Call, known: Vec<Option<Found>>, reservation: Option<Reservation>) -> Self {
        let open = known.iter().filter(|found| found.is_none()).count();
        let progress = Progress {
            found: known,
            open,
            unrecorded: 0,
            is_answered: false,
            is_counted: false,
            failed: false,
            sent: Vec::new(),
        };
        Self { call, reservation, progress: Mutex::new(progress), news: Notify::new() }
    }

    /// The lookup at `place` is sent off, as is told by this.
    pub(super) fn send(&self, state: &State, place: usize, size: CallSize) -> Asking {
        let (leave, so_far) = (state.stopping.child_token(), SoFar::default());
        let sent = Sent { place, leave: leave.clone(), so_far: so_far.clone(), may_go_on: None };
        self.progress().sent.push(sent);
        let deadline = self.call.deadline;
        let (account, until) = (self.call.asker.account_id, deadline + state.parts.afterwards);
        Asking { account, size, deadline, until, leave, so_far }
    }

    /// Notes what came of a lookup; [`recorded`](Self::recorded) must follow when it is in time.
    pub(super) fn note(&self, state: &State, place: usize, result: Found) -> Noted {
        let mut progress = self.progress();
        if progress.is_answered {
            // It has ended, and so makes room.
            progress.sent.retain(|sent| sent.place != place);
            return Noted::Afterwards;
        }
        progress.found[place] = Some(result);
        progress.open -= 1;
        progress.unrecorded += 1;
        let is_last = progress.open == 0;
        Noted::InTime(if is_last { self.count(state, &mut progress) } else { None })
    }

    /// What was noted is recorded, or cannot be.
    pub(super) fn recorded(&self, is_recorded: bool) {
        let mut progress = self.progress();
        progress.unrecorded -= 1;
        progress.failed |= !is_recorded;
        drop(progress);
        self.news.notify_one();
    }

    /// What is found of each lookup, once everything is known and recorded, or else at the deadline; with the call's count,
    /// which is then to be recorded, unless a lookup has been recorded with it.
    pub(super) async fn answer(&self, state: &State) -> (Option<Vec<Found>>, Option<Box<CallCount>>) {
        let complete = self.until(|progress| progress.open == 0 && progress.unrecorded == 0);
        if timeout_at(self.call.deadline, complete).await.is_ok() {
            let count = self.count(state, &mut self.progress());
            return (self.found(), count);
        }
        let count = self.close(state);
        self.until(|progress| progress.unrecorded == 0).await;
        (self.found(), count)
    }

    /// Ends what can be part of the answer.
    fn close(&self, state: &State) -> Option<Box<CallCount>> {
        let mut progress = self.progress();
        progress.is_answered = true;
        if progress.open == 0 {
            return None;
        }
        let now = state.parts.clock.now();
        let Progress { found, sent, .. } = &mut *progress;
        // Whoever wants a new answer each time has no use for one that comes later.
        let goes_on = !self.call.max_age.is_zero();
        for sent in sent.iter_mut() {
            let found = &mut found[sent.place];
            if found.is_none() {
                *found = Some(Found { resolution: sent.so_far.told(now), source: Source::Live });
                sent.may_go_on = self.admitted(&state.afterwards).filter(|_| goes_on);
                if sent.may_go_on.is_none() {
                    sent.leave.cancel();
                }
            }
        }
        for missing in found.iter_mut().filter(|found| found.is_none()) {
            *missing = Some(Found { resolution: Resolution::past_deadline(now), source: Source::Live });
        }
        self.count(state, &mut progress)
    }

    fn admitted(&self, afterwards: &Afterwards) -> Option<MayGoOn> {
        afterwards.admit(self.call.asker.account_id)
    }

    fn count(&self, state: &State, progress: &mut Progress) -> Option<Box<CallCount>> {
        let may_count = !progress.failed && !progress.is_counted;
        progress.is_counted |= may_count;
        may_count.then(|| {
            let found = progress.found.iter().flatten();
            Box::new(self.call.tally.count(state.parts.clock.now(), &self.call.lookups, found))
        })
    }

    /// What is found of all; `None` when it may not be acknowledged.
    fn found(&self) -> Option<Vec<Found>> {
        let progress = self.progress();
        if progress.failed {
            return None;
        }
        progress.found.iter().cloned().collect()
    }

    async fn until(&self, is_so: impl Fn(&Progress) -> bool) {
        while !is_so(&self.progress()) {
            self.news.notified().await;
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
