//! A registry that says what it was told to, for tests of what stands before it.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use tokio::time::{Instant, sleep};
use vat::Prefix;

use super::{
    gateway::{HmrcLine, MemoryPacer, MemoryPlaces, MostPlaces, RegistryGateway, ViesLine},
    registry::{Lookup, RegistryAnswer, RegistryError, Trader, VatRegistry, Verdict},
};
use crate::clock::SharedClock;

/// What is said to one lookup.
pub(crate) type Said = Result<RegistryAnswer, RegistryError>;

/// Answers "registered" after a delay, unless a script for the number says otherwise.
#[derive(Default)]
pub(crate) struct FakeRegistry {
    delay: Duration,
    scripts: Mutex<HashMap<String, Vec<Said>>>,
    /// Whose lookups are never answered.
    silent: Mutex<Option<Prefix>>,
    /// When each lookup arrived, and about what.
    calls: Mutex<Vec<(Instant, Lookup)>>,
    in_flight: Arc<AtomicUsize>,
    peak: AtomicUsize,
}

impl FakeRegistry {
    pub(crate) fn taking(delay: Duration) -> Arc<Self> {
        Arc::new(Self { delay, ..Self::default() })
    }

    /// What to say to the lookups of `number`, in turn; the last is said again and again.
    pub(crate) fn script(&self, number: &str, said: impl IntoIterator<Item = Said>) {
        let mut said: Vec<Said> = said.into_iter().collect();
        said.reverse();
        self.scripts.lock().unwrap().insert(number.to_owned(), said);
    }

    /// From now on no lookup with this prefix is answered.
    pub(crate) fn silence(&self, prefix: Prefix) {
        *self.silent.lock().unwrap() = Some(prefix);
    }

    pub(crate) fn calls(&self) -> Vec<(Instant, Lookup)> {
        self.calls.lock().unwrap().clone()
    }

    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Ordering::SeqCst)
    }

    fn next(&self, number: &str) -> Said {
        match self.scripts.lock().unwrap().get_mut(number) {
            Some(said) if said.len() > 1 => said.pop().unwrap(),
            Some(said) => said[0].clone(),
            None => Ok(registered()),
        }
    }
}

/// A plain yes.
pub(crate) fn registered() -> RegistryAnswer {
    RegistryAnswer { verdict: Verdict::Registered(Trader::default()), consultation_number: None, dated: None }
}

/// A gateway with the usual limits before these, whose tries take at most so long.
pub(crate) fn gateway_before(
    (hmrc, vies): (Arc<FakeRegistry>, Arc<FakeRegistry>),
    (hmrc_try, vies_try): (Duration, Duration),
    clock: SharedClock,
) -> RegistryGateway {
    let hmrc = HmrcLine {
        registry: hmrc,
        pacer: Arc::new(MemoryPacer::default()),
        requests_per_second: 3.0,
        try_limit: hmrc_try,
    };
    let vies = ViesLine {
        registry: vies,
        places: Arc::new(MemoryPlaces::default()),
        most: MostPlaces { of_lane: 3, in_all: 8 },
        try_limit: vies_try,
    };
    RegistryGateway::new(hmrc, vies, Duration::from_mins(1), clock)
}

/// Counts a lookup out again, and one that nobody waits for any more a moment later, when the registry has seen that.
struct InFlight {
    count: Arc<AtomicUsize>,
    answered: bool,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let count = Arc::clone(&self.count);
        if self.answered {
            count.fetch_sub(1, Ordering::SeqCst);
        } else {
            tokio::spawn(async move {
                sleep(Duration::from_millis(200)).await;
                count.fetch_sub(1, Ordering::SeqCst);
            });
        }
    }
}

#[async_trait]
impl VatRegistry for FakeRegistry {
    async fn look_up(&self, lookup: Lookup) -> Said {
        self.calls.lock().unwrap().push((Instant::now(), lookup));
        self.peak.fetch_max(self.in_flight.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let mut counted = InFlight { count: Arc::clone(&self.in_flight), answered: false };
        if *self.silent.lock().unwrap() == Some(lookup.number.prefix()) {
            std::future::pending::<()>().await;
        }
        sleep(self.delay).await;
        counted.answered = true;
        self.next(&lookup.number.to_string())
    }
}
