//! Whether Redis is there: connects, notices that it is gone, and before it decides again tells it what this instance
//! served. Calls never wait for any of this.

use std::{
    mem,
    sync::{
        Arc, Mutex, OnceLock, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use redis::{Client, RedisError};
use uuid::Uuid;

use super::{
    action::WindowKey,
    memory::Memory,
    redis_windows::{Names, RedisWindows},
    sliding_window::Micros,
};

/// Between looks at Redis, there or not. At most this long after its return, and after a restart that no call
/// noticed, limits are shared again.
const LOOK_EVERY: Duration = Duration::from_secs(1);

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
    /// Windows in which something was decided without Redis since it was last told everything.
    untold: Mutex<Vec<WindowKey>>,
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

    /// `redis` failed: it is not asked again before the next look.
    pub(super) fn lose(&self, redis: &Arc<RedisWindows>, error: &RedisError) {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        // Other calls may have failed on it too, and a new connection may be there since.
        if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, redis)) {
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
                    redis.ping().await?;
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
            Ok(Arc::new(redis))
        };
        match connected.await {
            Ok(redis) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&redis));
                if self.away.swap(false, Ordering::SeqCst) {
                    tracing::info!("Redis is back: limits are shared between instances again");
                }
                if let Err(error) = self.tell_untold(&redis).await {
                    self.lose(&redis, &error);
                }
            }
            Err(error) => self.say_away(&error),
        }
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
            tracing::warn!(%error, "Redis is away: each instance counts limits alone until it is back");
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
