//! The windows of this process. Every request this instance served is here, whoever decided it.

use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{
    RateStatus,
    action::{Quota, WindowKey},
    sliding_window::{Micros, Served, SlidingWindow},
};
use crate::clock::SharedClock;

/// Callers of different windows seldom wait for each other. A power of two.
const SHARDS: usize = 16;

/// All windows that something counts in, and some that were left a while ago.
pub(super) struct Memory {
    shards: [Mutex<Shard>; SHARDS],
    numbers: AtomicU64,
    clock: SharedClock,
}

#[derive(Default)]
struct Shard {
    windows: HashMap<WindowKey, SlidingWindow>,
    /// The same keys in the order in which `hand` looks at them.
    keys: Vec<WindowKey>,
    hand: usize,
}

impl Shard {
    /// The window of `key`. For each new one, two old ones are looked at and dropped when idle: memory stays within
    /// twice what counts, and no request pays for all.
    fn window(&mut self, key: WindowKey, now: Micros) -> &mut SlidingWindow {
        if !self.windows.contains_key(&key) {
            self.sweep(now);
            self.sweep(now);
            self.keys.push(key);
        }
        self.windows.entry(key).or_default()
    }

    fn sweep(&mut self, now: Micros) {
        if self.hand >= self.keys.len() {
            self.hand = 0;
        }
        let Some(key) = self.keys.get(self.hand).copied() else { return };
        if self.windows.get(&key).is_none_or(|window| window.is_idle(key.kind.window(), now)) {
            self.windows.remove(&key);
            self.keys.swap_remove(self.hand);
        } else {
            self.hand += 1;
        }
    }
}

impl Memory {
    pub(super) fn new(clock: SharedClock) -> Self {
        Self { shards: Default::default(), numbers: AtomicU64::new(0), clock }
    }

    /// The time by which windows are counted here.
    pub(super) fn now(&self) -> Micros {
        u64::try_from(self.clock.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Counts a request by what this instance knows.
    pub(super) fn admit(&self, key: WindowKey, quota: Quota) -> Result<RateStatus, RateStatus> {
        let mut shard = self.shard(key);
        // Under the lock, so that requests enter their window in the order of their times.
        let now = self.now();
        shard.window(key, now).admit(quota, now, self.number()).map(|(status, _)| status)
    }

    /// Refuses what this instance alone knows to be too much; else Redis is to be asked.
    pub(super) fn ask(&self, key: WindowKey, quota: Quota) -> Result<Asked<'_>, RateStatus> {
        let mut shard = self.shard(key);
        let now = self.now();
        shard.window(key, now).ask(quota, now)?;
        drop(shard);
        Ok(Asked { memory: self, key, quota, request: Served { at: now, number: self.number() }, open: true })
    }

    /// What counts in one window.
    pub(super) fn live(&self, key: WindowKey) -> Vec<Served> {
        let now = self.now();
        let shard = self.shard(key);
        shard.windows.get(&key).map_or_else(Vec::new, |window| window.live(key.kind.window(), now).collect())
    }

    /// The windows there are, a part at a time, so that nobody waits long for the lock.
    pub(super) fn keys(&self) -> impl Iterator<Item = Vec<WindowKey>> {
        self.shards.iter().map(|shard| lock(shard).keys.clone())
    }

    fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    fn shard(&self, key: WindowKey) -> MutexGuard<'_, Shard> {
        // The identifiers' own randomness is enough; the map inside hashes with a secret.
        let [.., low] = (key.id ^ key.id >> 64).to_be_bytes();
        lock(&self.shards[usize::from(low) % SHARDS])
    }
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request that Redis is being asked about. Dropped unsettled, it was not served: its caller has left.
pub(super) struct Asked<'a> {
    memory: &'a Memory,
    key: WindowKey,
    quota: Quota,
    request: Served,
    open: bool,
}

impl Asked<'_> {
    pub(super) const fn key(&self) -> WindowKey {
        self.key
    }

    pub(super) const fn quota(&self) -> Quota {
        self.quota
    }

    pub(super) const fn request(&self) -> Served {
        self.request
    }

    /// Redis counted it as served at `at`.
    pub(super) fn served(self, at: Micros) {
        let number = self.request.number;
        self.settle(|window| window.count(Served { at, number }));
    }

    /// Redis refused it, and will until `opens_at`.
    pub(super) fn refused(self, opens_at: Micros) {
        let limit = self.quota.limit;
        self.settle(|window| window.refuse_until(opens_at, limit));
    }

    /// Redis failed. The request keeps its number: should Redis have counted it all the same, it counts once.
    pub(super) fn decide(self) -> Result<RateStatus, RateStatus> {
        let (quota, number, memory) = (self.quota, self.request.number, self.memory);
        self.settle(|window| window.admit(quota, memory.now(), number)).map(|(status, _)| status)
    }

    fn settle<T>(mut self, how: impl FnOnce(&mut SlidingWindow) -> T) -> T {
        self.open = false;
        let mut shard = self.memory.shard(self.key);
        let window = shard.window(self.key, self.request.at);
        window.answered();
        how(window)
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if self.open {
            self.memory.shard(self.key).window(self.key, self.request.at).answered();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use chrono::{TimeZone, Utc};
    use uuid::Uuid;

    use super::{super::LimitedAction, *};
    use crate::clock::ManualClock;

    fn memory() -> (Memory, Arc<ManualClock>) {
        let clock = Arc::new(ManualClock::starting_at(Utc.with_ymd_and_hms(2026, 9, 3, 8, 0, 0).unwrap()));
        (Memory::new(clock.clone()), clock)
    }

    fn action(id: u128) -> (WindowKey, Quota) {
        let action = LimitedAction::LiveCall { account: Uuid::from_u128(id), per_minute: 1 };
        (action.key(), action.quota())
    }

    fn windows(memory: &Memory) -> usize {
        memory.shards.iter().map(|shard| lock(shard).windows.len()).sum()
    }

    #[test]
    fn windows_that_nothing_counts_in_are_dropped_as_new_ones_come() {
        let (memory, clock) = memory();
        // 100 new callers a second, for half an hour: 6,000 count at a time.
        for id in 0..180_000 {
            let (key, quota) = action(id);
            assert!(memory.admit(key, quota).is_ok());
            clock.advance(Duration::from_millis(10));
            assert!(windows_within(&memory, id, 12_100), "{}", windows(&memory));
        }
        let keys: usize = memory.keys().map(|keys| keys.len()).sum();
        assert_eq!(keys, windows(&memory));
    }

    /// Looks now and then: counting takes all locks.
    fn windows_within(memory: &Memory, round: u128, most: usize) -> bool {
        !round.is_multiple_of(1000) || windows(memory) <= most
    }

    #[test]
    fn a_window_that_counts_is_never_dropped() {
        let (memory, clock) = memory();
        let (key, quota) = action(1);
        assert!(memory.admit(key, quota).is_ok());
        clock.advance(Duration::from_millis(59_999));
        for id in 2..10_000 {
            let (key, quota) = action(id);
            assert!(memory.admit(key, quota).is_ok());
        }
        assert!(memory.admit(key, quota).is_err());
    }

    #[test]
    fn a_caller_who_leaves_while_redis_is_asked_takes_no_room() {
        let (memory, _clock) = memory();
        let (key, quota) = action(1);
        drop(memory.ask(key, quota).map_err(|_| "refused").expect("asked"));
        assert!(memory.admit(key, quota).is_ok());
    }
}
