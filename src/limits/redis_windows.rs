//! The windows that instances share, in Redis: one connection and what is said over it. When to connect and what a
//! failure means is not known here.

use std::time::Duration;

use redis::{
    AsyncConnectionConfig, Client, ErrorKind, Pipeline, RedisError, Script, aio::MultiplexedConnection,
};
use uuid::Uuid;

use super::{
    action::{Quota, WindowKey},
    sliding_window::{Micros, Served},
};

/// Connecting, signing in and choosing the database together, unless a call waits longer.
const CONNECT_LIMIT: Duration = Duration::from_secs(1);

/// Telling Redis what was served without it, one batch of it, unless a call waits longer.
const TELL_LIMIT: Duration = Duration::from_secs(2);

/// Calls waiting to be written. More than are ever worked on at once would wait in the connection instead.
const CALLS_BUFFERED: usize = 1024;

/// An instance that said nothing for so long is gone.
pub(super) const GONE_AFTER: Duration = Duration::from_secs(10);

/// Cleaning up only, and far beyond every window: a server's clock that is put forward frees no room.
const CLEAN_UP_SECONDS: u64 = 24 * 60 * 60;

/// How this instance writes its windows and requests in Redis.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Before every key.
    pub(super) namespace: String,
    /// Before every request.
    pub(super) instance: Uuid,
}

impl Names {
    fn window(&self, key: WindowKey) -> String {
        format!("{}rate:{}:{:032x}", self.namespace, key.kind.as_str(), key.id)
    }

    fn request(&self, number: u64) -> String {
        format!("{}-{number}", self.instance.simple())
    }
}

/// What Redis said. Times are this instance's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Served {
        /// The time under which it counts.
        at: Micros,
        /// How many count now.
        counted: u32,
        /// When the oldest of them leaves.
        oldest_leaves: Micros,
    },
    Refused {
        /// When one will be served.
        opens_at: Micros,
    },
}

/// A connection. The first error it returns should be its end.
pub(super) struct RedisWindows {
    connection: MultiplexedConnection,
    script: Script,
    greeting: Script,
    names: Names,
    patience: Duration,
    /// Shared time minus this instance's.
    anchor: Micros,
}

impl RedisWindows {
    /// Connects. A call does not wait longer than `patience` for a decision. `anchor` is that of an earlier connection: shared time goes on as this instance's clock does, whatever
    /// the server's clock has done since.
    pub(super) async fn connect(
        client: &Client,
        names: Names,
        patience: Duration,
        anchor: Option<Micros>,
        now: impl Fn() -> Micros + Send,
    ) -> Result<Self, RedisError> {
        let connect_limit = CONNECT_LIMIT.max(patience);
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(connect_limit))
            .set_response_timeout(Some(patience))
            .set_pipeline_buffer_size(CALLS_BUFFERED);
        let connecting = client.get_multiplexed_async_connection_with_config(&config);
        let mut connection = tokio::time::timeout(connect_limit, connecting)
            .await
            .map_err(|_| RedisError::from((ErrorKind::Io, "no connection in time")))??;
        let asked = now();
        let (seconds, micros): (u64, u64) = redis::cmd("TIME").query_async(&mut connection).await?;
        let answered = now();
        let between = asked.midpoint(answered);
        let anchor = anchor.unwrap_or_else(|| (seconds * 1_000_000 + micros).saturating_sub(between));
        let script = Script::new(include_str!("window.lua"));
        let greeting = Script::new(include_str!("greet.lua"));
        Ok(Self { connection, script, greeting, names, patience, anchor })
    }

    pub(super) const fn anchor(&self) -> Micros {
        self.anchor
    }

    /// Decides about `request` for all instances.
    pub(super) async fn admit(
        &self,
        key: WindowKey,
        quota: Quota,
        request: Served,
    ) -> Result<Decision, RedisError> {
        let (served, counted, at, leaving): (bool, u32, Micros, Micros) = self
            .script
            .key(self.names.window(key))
            .arg(self.anchor + request.at)
            .arg(quota.window)
            .arg(quota.limit)
            .arg(self.names.request(request.number))
            .arg(CLEAN_UP_SECONDS)
            .invoke_async(&mut self.connection.clone())
            .await?;
        let local = |shared: Micros| shared.saturating_sub(self.anchor);
        Ok(if served {
            Decision::Served { at: local(at), counted, oldest_leaves: local(leaving + quota.window) }
        } else {
            Decision::Refused { opens_at: local(leaving + quota.window) }
        })
    }

    /// Makes sure that Redis knows these requests. What it knows already stays as it is.
    pub(super) async fn tell(&self, windows: &[(WindowKey, Vec<Served>)]) -> Result<(), RedisError> {
        let mut pipeline = Pipeline::with_capacity(2 * windows.len());
        for (key, requests) in windows {
            let name = self.names.window(*key);
            let add = pipeline.cmd("ZADD").arg(&name).arg("NX");
            for request in requests {
                add.arg(self.anchor + request.at).arg(self.names.request(request.number));
            }
            add.ignore().cmd("EXPIRE").arg(&name).arg(CLEAN_UP_SECONDS).ignore();
        }
        let mut connection = self.connection.clone();
        connection.set_response_timeout(TELL_LIMIT.max(self.patience));
        pipeline.query_async(&mut connection).await
    }

    /// Says that this instance is there. How many are, itself among them.
    pub(super) async fn greet(&self) -> Result<usize, RedisError> {
        self.greeting
            .key(format!("{}instances", self.names.namespace))
            .arg(self.names.instance.simple().to_string())
            .arg(u64::try_from(GONE_AFTER.as_millis()).unwrap_or(u64::MAX))
            .invoke_async(&mut self.connection.clone())
            .await
    }

    /// For other questions over the same connection.
    pub(super) fn connection(&self) -> MultiplexedConnection {
        self.connection.clone()
    }
}
