//! How often something may happen: calls of an account, and what anybody may do without one. Counted exactly: in any
//! window at most the limit is served, and nothing is refused while fewer were.
//!
//! Without Redis the windows are this process's. With it, all instances decide together:
//!
//! * what this instance alone has served up to the limit, or knows from Redis to be full, is refused without asking;
//! * else Redis decides in one step, and what it admits is mirrored here;
//! * Redis fails or takes too long: this instance decides from its mirror and asks no more until it has connected
//!   again. Meanwhile each instance serves at most the limit, so several together may serve more: that is the price of
//!   answering at all;
//! * Redis is back, perhaps empty: before it decides, each instance tells it what it served within the windows. Every
//!   request has a fixed name, so none counts twice.
//!
//! What else instances share over the same connection is in `spacing` (something that begins so far apart) and `leases`
//! (places of which so many may be taken): what registries allow.
//!
//! Time is the process's own, which never jumps. Redis's clock is read once, when the process first connects, to put
//! the times of instances side by side; stepping any clock after that mints nothing. A process that first connects after
//! Redis's own clock was stepped stands off from the older ones by the step: restart those too.

mod action;
mod leases;
mod link;
mod memory;
mod redis_windows;
mod sharing;
mod sliding_window;
mod spacing;

use std::{sync::Arc, time::Duration};

use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

pub use self::{
    action::LimitedAction,
    leases::{LOOK_AGAIN, Lease, Leases, Taken},
    sharing::{Away, Sharing},
    spacing::Spacing,
};
use self::{
    action::{Quota, WindowKey},
    link::Link,
    memory::{Asked, Memory},
    redis_windows::{Decision, RedisWindows},
};
use crate::clock::SharedClock;

/// Before the names of all keys in Redis, unless several deployments share one.
pub const DEFAULT_NAMESPACE: &str = "crossvat:";

/// Every limit of this process, shared with others when there is Redis.
#[derive(Clone)]
pub struct RateLimiter {
    memory: Arc<Memory>,
    link: Option<Arc<Link>>,
}

/// Where the one who acts stands after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateStatus {
    /// Requests served in any window.
    pub limit: u32,
    /// Requests that would be served now.
    pub remaining: u32,
    /// Until the oldest counted request leaves the window; of a refused one, until one will be served.
    pub resets_in: Duration,
}

impl RateStatus {
    /// What a refused one is told: after so many seconds one will be served.
    #[must_use]
    pub fn seconds_to_wait(&self) -> u64 {
        whole_seconds(self.resets_in)
    }
}

/// A wait as people and programs are told of it, at least one second. Rounded up: after so many it is certainly over.
#[must_use]
pub fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

/// What was given is no address of a Redis. It is not repeated: it may hold a password.
#[derive(Debug, Error)]
#[error("not an address of a Redis such as redis://127.0.0.1:6379/0")]
pub struct InvalidRedisUrl;

impl RateLimiter {
    /// A limiter that has seen nothing and is not shared.
    #[must_use]
    pub fn in_memory(clock: SharedClock) -> Self {
        Self { memory: Arc::new(Memory::new(clock)), link: None }
    }

    /// A limiter that all instances with the same `url` and `namespace` share. No call waits longer than `patience` for
    /// Redis. Works without it while it is away, from the beginning if need be; waits at most about a second for it at
    /// first, or `patience` where that is longer.
    ///
    /// # Errors
    /// `url` cannot be one of a Redis.
    pub async fn shared(
        url: &SecretString,
        namespace: impl Into<String>,
        patience: Duration,
        clock: SharedClock,
    ) -> Result<Self, InvalidRedisUrl> {
        let client = redis::Client::open(url.expose_secret()).map_err(|_| InvalidRedisUrl)?;
        let memory = Arc::new(Memory::new(clock));
        let link = Link::start(client, namespace.into(), patience, Arc::clone(&memory)).await;
        Ok(Self { memory, link: Some(link) })
    }

    /// Whether other instances' requests count too at present.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.current().is_some())
    }

    /// What else can be shared with those who share this; `None`: nobody does.
    #[must_use]
    pub fn sharing(&self) -> Option<Sharing> {
        self.link.clone().map(Sharing)
    }

    /// Counts `action`.
    ///
    /// # Errors
    /// The limit is used up: the request is not counted, and after `resets_in` one will be served.
    pub async fn admit(&self, action: &LimitedAction<'_>) -> Result<RateStatus, RateStatus> {
        let (key, quota) = (action.key(), action.quota());
        let Some(link) = &self.link else { return self.memory.admit(key, quota) };
        match link.current() {
            Some(redis) => Box::pin(ask(self.memory.ask(key, quota)?, link, &redis)).await,
            None => alone(link, key, self.memory.admit(key, quota)),
        }
    }
}

async fn ask(asked: Asked<'_>, link: &Link, redis: &Arc<RedisWindows>) -> Result<RateStatus, RateStatus> {
    let (key, quota, request) = (asked.key(), asked.quota(), asked.request());
    let status = |remaining, until: u64| RateStatus {
        limit: quota.limit,
        remaining,
        resets_in: Duration::from_micros(until.saturating_sub(request.at)),
    };
    match redis.admit(key, quota, request).await {
        Ok(Decision::Served { at, counted, oldest_leaves }) => {
            asked.served(at);
            Ok(status(quota.limit.saturating_sub(counted), oldest_leaves))
        }
        Ok(Decision::Refused { opens_at }) => {
            asked.refused(opens_at);
            Err(status(0, opens_at))
        }
        Err(error) => {
            link.lose(redis, &error);
            alone(link, key, asked.decide())
        }
    }
}

/// Notes a decision that Redis had no part in.
fn alone(
    link: &Link,
    key: WindowKey,
    decision: Result<RateStatus, RateStatus>,
) -> Result<RateStatus, RateStatus> {
    metrics::counter!("crossvat_limits_decided_locally_total").increment(1);
    if decision.is_ok() {
        link.decided_alone(key);
    }
    decision
}

#[cfg(test)]
mod tests;
