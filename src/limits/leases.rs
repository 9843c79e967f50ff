//! Places of which so many may be taken, in groups, over all instances. A place is leased: it is free again after a while even
//! if its holder was killed. A server whose time is put forward frees all at once; one whose time is put back keeps them for
//! longer.

use std::{
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use redis::Script;

use super::sharing::{Away, Sharing, millis};

/// An instance without a place looks again so often: another gives its places back without telling it.
pub const LOOK_AGAIN: Duration = Duration::from_millis(30);
/// For so long others wait for one that said that it waits: it comes again a few times meanwhile.
const PATIENCE: Duration = Duration::from_millis(100);
/// Places that Redis could not be told of as given back, and is told of later. More end with their leases.
const MOST_UNTOLD: usize = 1000;

/// Places over all instances.
pub struct Leases {
    sharing: Sharing,
    /// The places, who waits, and when each instance took one last.
    keys: [String; 3],
    instance: String,
    script: Script,
    lasting: Duration,
    numbers: AtomicU64,
    /// Given back here; Redis does not know yet.
    given_back: Mutex<Vec<String>>,
}

/// A place that is given back when this is dropped.
pub struct Lease {
    leases: Arc<Leases>,
    /// Empty: there is nothing to give back.
    member: String,
}

/// Whether there was a place.
pub enum Taken {
    /// There was.
    Lease(Lease),
    /// Its group is full, or another instance's turn.
    GroupIsFull,
    /// All groups together are.
    AllIsFull,
}

impl Leases {
    /// The places that everybody means who gives them this name. Each is free again after `lasting`.
    #[must_use]
    pub fn new(sharing: Sharing, name: &str, lasting: Duration) -> Arc<Self> {
        let key = sharing.key("leases", name);
        Arc::new(Self {
            keys: [key.clone(), format!("{key}:waiting"), format!("{key}:took")],
            instance: sharing.instance(),
            sharing,
            script: Script::new(include_str!("leases.lua")),
            lasting,
            numbers: AtomicU64::new(0),
            given_back: Mutex::default(),
        })
    }

    /// Takes a place of `group`, of which at most so many are taken then, and in all.
    ///
    /// # Errors
    /// Redis is away.
    pub async fn take(self: &Arc<Self>, group: &str, of_group: usize, in_all: usize) -> Result<Taken, Away> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        // Held from here on: if the answer is lost, or nobody waits for it, the place is given back.
        let lease = Lease { leases: Arc::clone(self), member: format!("{group}|{}|{number}", self.instance) };
        let given_back = self.take_given_back();
        let asked = self.sharing.ask(async |mut connection| {
            let mut call = self.script.prepare_invoke();
            for key in &self.keys {
                call.key(key);
            }
            call.arg(group).arg(&self.instance).arg(number).arg(millis(self.lasting));
            call.arg(of_group).arg(in_all).arg(millis(PATIENCE)).arg(&given_back);
            call.invoke_async::<u8>(&mut connection).await
        });
        match asked.await {
            Ok(0) => Ok(Taken::Lease(lease)),
            Ok(full) => {
                lease.was_not_taken();
                Ok(if full == 1 { Taken::GroupIsFull } else { Taken::AllIsFull })
            }
            Err(away) => {
                self.keep(given_back);
                Err(away)
            }
        }
    }

    /// Tells Redis what was given back, unless somebody who took a place has told it already.
    async fn tell(self: Arc<Self>) {
        let given_back = self.take_given_back();
        if given_back.is_empty() {
            return;
        }
        let told = self.sharing.ask(async |mut connection| {
            redis::cmd("ZREM").arg(&self.keys[0]).arg(&given_back).query_async::<()>(&mut connection).await
        });
        if told.await.is_err() {
            self.keep(given_back);
        }
    }

    fn take_given_back(&self) -> Vec<String> {
        mem::take(&mut *self.given_back())
    }

    fn keep(&self, members: Vec<String>) {
        let mut given_back = self.given_back();
        let room = MOST_UNTOLD.saturating_sub(given_back.len());
        given_back.extend(members.into_iter().take(room));
    }

    fn given_back(&self) -> MutexGuard<'_, Vec<String>> {
        self.given_back.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease {
    fn was_not_taken(mut self) {
        self.member.clear();
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.member.is_empty() {
            return;
        }
        self.leases.keep(vec![mem::take(&mut self.member)]);
        // Outside a runtime the server has ended, and the lease will.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(Arc::clone(&self.leases).tell());
        }
    }
}
