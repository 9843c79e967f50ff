//! On whose behalf a lookup is made, as far as that decides when its turn comes.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::resolution::{Resolution, Unresolved};

/// Who asks, and how long that is of use.
#[derive(Clone, Debug)]
pub struct Asking {
    /// Accounts take turns.
    pub account: Uuid,
    /// The call's numbers; when several calls wait for the answer, those of the shortest.
    pub size: CallSize,
    /// The call is answered then, with what is known.
    pub deadline: Instant,
    /// What was asked goes on until then, for whoever asks the same again.
    pub until: Instant,
    /// Once the call is answered, what has not been asked yet is given up when this says so.
    pub leave: CancellationToken,
    /// What may be told of it at the deadline.
    pub so_far: SoFar,
}

/// The trouble that a lookup has met so far: it says more than that a call's time is over.
#[derive(Clone, Debug, Default)]
pub struct SoFar(Arc<Mutex<Option<Unresolved>>>);

/// Numbers of the shortest call that waits for a lookup.
#[derive(Clone, Debug)]
pub struct CallSize(watch::Receiver<usize>);

/// The other end of a [`CallSize`].
#[derive(Debug)]
pub struct SizeOfCalls(watch::Sender<usize>);

impl Asking {
    /// A single number of an account that nobody else waits for.
    #[must_use]
    pub fn alone(account: Uuid, deadline: Instant) -> Self {
        let (size, leave) = (SizeOfCalls::new(1).size(), CancellationToken::new());
        Self { account, size, deadline, until: deadline, leave, so_far: SoFar::default() }
    }

    /// How long anything may take that is begun now.
    pub(super) fn limit(&self) -> Instant {
        if Instant::now() < self.deadline { self.deadline } else { self.until }
    }

    /// Whether the call is answered.
    pub(super) fn is_answered(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Once nobody wants it asked any more.
    pub(super) async fn given_up(&self) {
        sleep_until(self.deadline).await;
        self.leave.cancelled().await;
    }
}

impl SoFar {
    /// What is told of the lookup when the call's time is over at `now`.
    #[must_use]
    pub fn told(&self, now: DateTime<Utc>) -> Resolution {
        let met = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.map_or_else(|| Resolution::past_deadline(now), Resolution::Unresolved)
    }

    pub(super) fn met(&self, trouble: Unresolved) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble);
    }
}

impl SizeOfCalls {
    /// One call of so many numbers.
    #[must_use]
    pub fn new(numbers: usize) -> Self {
        Self(watch::Sender::new(numbers))
    }

    /// Another call waits too.
    pub fn add(&self, numbers: usize) {
        self.0.send_if_modified(|size| {
            let is_shorter = numbers < *size;
            *size = numbers.min(*size);
            is_shorter
        });
    }

    /// What the lookup is told.
    #[must_use]
    pub fn size(&self) -> CallSize {
        CallSize(self.0.subscribe())
    }
}

impl CallSize {
    /// Now.
    pub(super) fn now(&self) -> usize {
        *self.0.borrow()
    }

    /// Once it has become less.
    pub(super) async fn less(&mut self) -> usize {
        if self.0.changed().await.is_err() {
            // Nobody can join any more.
            std::future::pending::<()>().await;
        }
        *self.0.borrow_and_update()
    }
}
