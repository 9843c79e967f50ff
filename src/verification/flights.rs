//! Lookups that are on their way, so that whoever asks the same at the same time waits for the same answer.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{
    sync::watch,
    time::{Instant, timeout_at},
};
use uuid::Uuid;

use super::{
    gateway::{CallSize, Resolution, SizeOfCalls},
    registry::Lookup,
};

/// Doors; a power of two is as good as any number.
const DOORS: usize = 64;

type Key = (Uuid, Lookup);

/// The lookups of all accounts that are on their way.
pub struct Flights {
    open: Mutex<HashMap<Key, Listed>>,
    /// One is shared by few accounts.
    doors: Vec<tokio::sync::Mutex<()>>,
    hasher: RandomState,
}

/// A lookup that others can join.
struct Listed {
    result: watch::Receiver<Option<Resolution>>,
    /// When it will be given up.
    deadline: Instant,
    /// Told to whoever decides when its turn comes.
    size: SizeOfCalls,
}

/// Somebody else's lookup on its way.
#[derive(Debug)]
pub struct Joined(watch::Receiver<Option<Resolution>>);

/// One's own lookup on its way. Dropped before it has landed, it leaves those who joined without an answer.
pub struct Flight {
    flights: Arc<Flights>,
    key: Key,
    result: watch::Sender<Option<Resolution>>,
    size: CallSize,
    /// Others can join it.
    listed: bool,
}

impl Default for Flights {
    fn default() -> Self {
        Self {
            open: Mutex::default(),
            doors: (0..DOORS).map(|_| tokio::sync::Mutex::default()).collect(),
            hasher: RandomState::new(),
        }
    }
}

impl Flights {
    /// Passes one call of an account at a time: between looking what is on its way and sending off the rest nobody may
    /// send off the same. `None`: not before `deadline`.
    pub async fn door(&self, account: Uuid, deadline: Instant) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        let at = usize::try_from(self.hasher.hash_one(account) % DOORS as u64).unwrap_or_default();
        timeout_at(deadline, self.doors.get(at)?.lock()).await.ok()
    }

    /// The same lookup, if it is on its way and is not given up before `lasting`, for a call of so many numbers.
    #[must_use]
    pub fn join(&self, account: Uuid, lookup: Lookup, lasting: Instant, numbers: usize) -> Option<Joined> {
        let open = self.lock();
        let listed = open.get(&(account, lookup)).filter(|listed| listed.deadline >= lasting)?;
        listed.size.add(numbers);
        Some(Joined(listed.result.clone()))
    }

    /// Sends a lookup of a call of so many numbers off, which is given up at `deadline`. When the same is on its way already,
    /// nobody can join this one.
    pub fn send(
        self: &Arc<Self>,
        account: Uuid,
        lookup: Lookup,
        deadline: Instant,
        numbers: usize,
    ) -> Flight {
        let (result, wait) = watch::channel(None);
        let of_calls = SizeOfCalls::new(numbers);
        let size = of_calls.size();
        let key = (account, lookup);
        let listed = match self.lock().entry(key) {
            Entry::Occupied(_) => false,
            Entry::Vacant(free) => {
                free.insert(Listed { result: wait, deadline, size: of_calls });
                true
            }
        };
        Flight { flights: Arc::clone(self), key, result, size, listed }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Listed>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Joined {
    /// What came of it; `None` when it was lost on its way.
    pub async fn landed(mut self) -> Option<Resolution> {
        self.0.wait_for(Option::is_some).await.ok()?.clone()
    }
}

impl Flight {
    /// The numbers of the shortest call that waits for it.
    #[must_use]
    pub fn size(&self) -> CallSize {
        self.size.clone()
    }

    /// Tells everybody who joined.
    pub fn land(self, resolution: Resolution) {
        let _nobody_joined = self.result.send(Some(resolution));
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        if self.listed {
            self.flights.lock().remove(&self.key);
        }
    }
}
