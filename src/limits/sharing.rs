//! What instances share besides windows, decided by Redis in one step and in its own time. While it is away nothing is decided
//! here: whoever asks is told into how many parts to divide a limit.

use std::{sync::Arc, time::Duration};

use redis::{RedisError, aio::MultiplexedConnection};
use tokio::time::Instant;

use super::{link::Link, redis_windows::RedisWindows};

/// The way to what instances share.
#[derive(Clone)]
pub struct Sharing(pub(super) Arc<Link>);

/// Redis decides nothing at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Away {
    /// So many instances there were when it was there last, this one among them.
    pub instances: usize,
    /// Since when: it was lost then, or looked for in vain at the start.
    pub since: Instant,
}

impl Sharing {
    /// Into how many parts a limit is to be divided although Redis may be there again: others may still count alone, or what
    /// they have begun alone may not be over. `settling` is how long that takes.
    #[must_use]
    pub fn parts(&self, settling: Duration) -> Option<usize> {
        self.0.parts(settling)
    }

    /// Answers with what `ask` makes of the connection.
    pub(super) async fn ask<T>(
        &self,
        ask: impl AsyncFnOnce(MultiplexedConnection) -> Result<T, RedisError>,
    ) -> Result<T, Away> {
        let redis: Arc<RedisWindows> = self.0.current().ok_or_else(|| self.0.away())?;
        ask(redis.connection()).await.map_err(|error| {
            self.0.lose(&redis, &error);
            self.0.away()
        })
    }

    pub(super) fn key(&self, kind: &str, name: &str) -> String {
        format!("{}{kind}:{name}", self.0.names().namespace)
    }

    /// This instance's name.
    pub(super) fn instance(&self) -> String {
        self.0.names().instance.simple().to_string()
    }
}

/// A time as Redis's scripts take it.
pub(super) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// As above.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
