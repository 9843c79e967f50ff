//! Lookups that go on after their call was answered: how many these may be. What they bring is recorded and remembered like
//! any answer, for whoever asks the same again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use metrics::gauge;
use uuid::Uuid;

/// More would be held in memory for answers that come too late.
const IN_ALL: usize = 5000;
/// A registry answers fewer of one account in the time that they may take.
const OF_AN_ACCOUNT: usize = 1000;

/// Counts the lookups that nobody waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct Afterwards(Arc<Mutex<Counted>>);

#[derive(Debug, Default)]
struct Counted {
    in_all: usize,
    of_accounts: HashMap<Uuid, usize>,
}

/// Lets one lookup go on for as long as it is held.
#[derive(Debug)]
pub(super) struct MayGoOn {
    afterwards: Afterwards,
    account: Uuid,
}

impl Afterwards {
    /// Lets one more lookup of an account go on, if there are not too many.
    pub(super) fn admit(&self, account: Uuid) -> Option<MayGoOn> {
        let mut counted = self.counted();
        if counted.in_all >= IN_ALL {
            return None;
        }
        let of_account = counted.of_accounts.entry(account).or_default();
        if *of_account >= OF_AN_ACCOUNT {
            return None;
        }
        *of_account += 1;
        counted.in_all += 1;
        gauge!("crossvat_lookups_afterwards").increment(1.0);
        Some(MayGoOn { afterwards: self.clone(), account })
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for MayGoOn {
    fn drop(&mut self) {
        let mut counted = self.afterwards.counted();
        counted.in_all -= 1;
        if let Some(of_account) = counted.of_accounts.get_mut(&self.account) {
            *of_account -= 1;
            if *of_account == 0 {
                counted.of_accounts.remove(&self.account);
            }
        }
        gauge!("crossvat_lookups_afterwards").decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_may_go_on_and_no_more_until_one_has_ended() {
        let afterwards = Afterwards::default();
        let account = Uuid::from_u128;
        let mut held: Vec<MayGoOn> =
            (0..OF_AN_ACCOUNT).map(|_| afterwards.admit(account(1)).expect("room")).collect();
        assert!(afterwards.admit(account(1)).is_none());
        held.pop();
        assert!(afterwards.admit(account(1)).is_some_and(|one| {
            held.push(one);
            true
        }));
        for other in 2_u128.. {
            let more: Vec<MayGoOn> =
                (0..OF_AN_ACCOUNT).map_while(|_| afterwards.admit(account(other))).collect();
            if more.is_empty() {
                break;
            }
            held.extend(more);
        }
        assert_eq!(held.len(), IN_ALL);
        held.clear();
        let counted = afterwards.counted();
        assert_eq!((counted.in_all, counted.of_accounts.len()), (0, 0));
    }
}
