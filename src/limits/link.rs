//! Whether Redis is there: connects, notices that it is gone, and before it decides again tells it what this instance
//! served. Calls never wait for any of this.

use std::{
    mem,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use redis::{Client, RedisError};
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    action::WindowKey,
    memory::Memory,
    redis_windows::{GONE_AFTER, Names, RedisWindows},
    sharing::Away,
    sliding_window::Micros,
};

/// Between looks at Redis, there or not. At most this long after its return, and after a restart that no call
/// noticed, limits are shared again.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Whoever shares limits is taken for one of two at first: another that starts beside it may not have said yet that it is there.
const AT_FIRST: usize = 2;

/// Windows told to Redis in one go.
const BATCH: usize = 500;

/// The way to Redis.
pub(super) struct Link {
    client: Client,
    names: Names,
    /// How long a call waits for Redis.
    patience: Duration,
    memory: Arc<Memory>,
    current: RwLock<Option<Arc<RedisWindows>>>,
    /// Set by the first connection, for the life of this process.
    anchor: OnceLock<Micros>,
    /// It was said that Redis is away, and not yet that it is back.
    away: AtomicBool,
    /// How many instances there were when this one last said that it is there.
    instances: AtomicUsize,
    turn: Mutex<Turn>,
    /// Windows in which something was decided without Redis since it was last told everything.
    untold: Mutex<Vec<WindowKey>>,
}

/// When Redis was lost last, or found.
#[derive(Clone, Copy)]
struct Turn {
    at: Instant,
    /// It had been away.
    is_return: bool,
    /// So many instances were known of before. Not all may have said yet that they are there.
    before: usize,
}

impl Link {
    /// Connects if that can be done now; else, and from then on, in the background until the last handle is dropped.
    pub(super) async fn start(
        client: Client,
        namespace: String,
        patience: Duration,
        memory: Arc<Memory>,
    ) -> Arc<Self> {
        let link = Arc::new(Self {
            client,
            names: Names { namespace, instance: Uuid::now_v7() },
            patience,
            memory,
            current: RwLock::default(),
            anchor: OnceLock::new(),
            away: AtomicBool::new(false),
            instances: AtomicUsize::new(AT_FIRST),
            turn: Mutex::new(Turn { at: Instant::now(), is_return: false, before: AT_FIRST }),
            untold: Mutex::default(),
        });
        link.look().await;
        tokio::spawn(keep_looking(Arc::downgrade(&link)));
        link
    }

    /// The connection, when Redis is there.
    pub(super) fn current(&self) -> Option<Arc<RedisWindows>> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How this instance writes what it has in Redis.
    pub(super) const fn names(&self) -> &Names {
        &self.names
    }

    /// Into how many parts a limit is to be divided, if so: Redis is away, or came back less than `settling` ago.
    pub(super) fn parts(&self, settling: Duration) -> Option<usize> {
        let turn = *self.turn();
        let settles = turn.is_return && turn.at.elapsed() < settling;
        (settles || self.current().is_none()).then(|| self.instances())
    }

    /// What is told to whoever wants Redis to decide while it is away.
    pub(super) fn away(&self) -> Away {
        Away { instances: self.instances(), since: self.turn().at }
    }

    /// How many instances there are, as far as this one knows; itself among them.
    fn instances(&self) -> usize {
        let Turn { at, before, .. } = *self.turn();
        let said = self.instances.load(Ordering::Relaxed).max(1);
        if self.current().is_none() || at.elapsed() < GONE_AFTER { said.max(before) } else { said }
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `redis` failed: it is not asked again before the next look.
    pub(super) fn lose(&self, redis: &Arc<RedisWindows>, error: &RedisError) {
        let before = self.instances();
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        // Other calls may have failed on it too, and a new connection may be there since.
        if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, redis)) {
            *self.turn() = Turn { at: Instant::now(), is_return: false, before };
            *current = None;
            drop(current);
            self.say_away(error);
        }
    }

    /// Something was decided in the window of `key` without Redis.
    pub(super) fn decided_alone(&self, key: WindowKey) {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).push(key);
    }

    async fn look(&self) {
        match self.current() {
            Some(redis) => {
                let told = async {
                    self.greet(&redis).await?;
                    self.tell_untold(&redis).await
                };
                if let Err(error) = told.await {
                    self.lose(&redis, &error);
                }
            }
            None => self.connect().await,
        }
    }

    async fn connect(&self) {
        // Everything will be told; what is decided alone meanwhile is told after that.
        self.take_untold();
        let connected = async {
            let anchor = self.anchor.get().copied();
            let names = self.names.clone();
            let redis =
                RedisWindows::connect(&self.client, names, self.patience, anchor, || self.memory.now())
                    .await?;
            self.anchor.get_or_init(|| redis.anchor());
            for keys in self.memory.keys() {
                self.tell(&redis, &keys).await?;
            }
            let instances = redis.greet().await?;
            Ok((Arc::new(redis), instances))
        };
        match connected.await {
            Ok((redis, instances)) => {
                let is_return = self.away.swap(false, Ordering::SeqCst);
                if is_return {
                    let before = self.instances();
                    *self.turn() = Turn { at: Instant::now(), is_return, before };
                }
                self.instances.store(instances, Ordering::Relaxed);
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&redis));
                if is_return {
                    tracing::info!("Redis is back: limits are shared between instances again");
                }
                if let Err(error) = self.tell_untold(&redis).await {
                    self.lose(&redis, &error);
                }
            }
            Err(error) => self.say_away(&error),
        }
    }

    /// Finds out whether Redis answers, and who else is there.
    async fn greet(&self, redis: &RedisWindows) -> Result<(), RedisError> {
        self.instances.store(redis.greet().await?, Ordering::Relaxed);
        Ok(())
    }

    async fn tell_untold(&self, redis: &RedisWindows) -> Result<(), RedisError> {
        let mut keys = self.take_untold();
        keys.sort_unstable();
        keys.dedup();
        self.tell(redis, &keys).await
    }

    async fn tell(&self, redis: &RedisWindows, keys: &[WindowKey]) -> Result<(), RedisError> {
        for keys in keys.chunks(BATCH) {
            let windows: Vec<_> = keys
                .iter()
                .map(|key| (*key, self.memory.live(*key)))
                .filter(|(_, requests)| !requests.is_empty())
                .collect();
            if !windows.is_empty() {
                redis.tell(&windows).await?;
            }
        }
        Ok(())
    }

    pub(super) fn take_untold(&self) -> Vec<WindowKey> {
        mem::take(&mut *self.untold.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn say_away(&self, error: &RedisError) {
        if !self.away.swap(true, Ordering::SeqCst) {
            tracing::warn!(%error, "Redis is away: until it is back each instance counts limits alone, and asks registries its share of what they allow");
        }
    }
}

async fn keep_looking(link: Weak<Link>) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let Some(link) = link.upgrade() else { return };
        link.look().await;
    }
}
