//! What was read of the keys that were presented lately, by their hash: most calls come with the same few keys.

use std::sync::Arc;

use foldhash::fast::RandomState;
use moka::sync::Cache;

use super::{Caller, PresentedKey};
use crate::db::AccessWatch;

/// Keys remembered at once; over that, those that were not presented for the longest time are forgotten.
const MOST: u64 = 20_000;

/// The keys that were presented lately.
pub(super) struct KnownKeys {
    keys: Cache<PresentedKey, Remembered, RandomState>,
    access: Arc<AccessWatch>,
}

#[derive(Clone)]
struct Remembered {
    edition: u64,
    /// `None`: no such key was ever issued.
    caller: Option<Arc<Caller>>,
}

impl KnownKeys {
    pub(super) fn new(access: Arc<AccessWatch>) -> Self {
        Self { keys: Cache::builder().max_capacity(MOST).build_with_hasher(RandomState::default()), access }
    }

    /// What is known of `key`; `None` when it has to be read, `Some(None)` when there is no such key.
    #[expect(
        clippy::option_option,
        reason = "not remembered, and remembered as unknown, are different things"
    )]
    pub(super) fn get(&self, key: &PresentedKey) -> Option<Option<Arc<Caller>>> {
        let edition = self.access.edition()?;
        let remembered = self.keys.get(key)?;
        (remembered.edition == edition).then_some(remembered.caller)
    }

    /// Remembers what was read after `edition` was the present one.
    pub(super) fn remember(&self, key: &PresentedKey, edition: Option<u64>, caller: Option<Arc<Caller>>) {
        if let Some(edition) = edition {
            self.keys.insert(*key, Remembered { edition, caller });
        }
    }
}
