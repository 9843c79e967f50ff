//! Answers that may be used again. They are kept for each account apart: the registries' terms allow no store of names
//! that tenants share. Only a bounded part is here; what registries said is in `evidence`. Outages are never kept.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use foldhash::fast::RandomState;
use moka::{ops::compute::Op, sync::Cache};
use uuid::Uuid;
use vat::VatNumber;

use super::{
    gateway::Answered,
    registry::{Lookup, Verdict},
};

/// Numbers whose answers are kept at once; over that, those that were not asked for the longest time are forgotten.
const MOST: u64 = 50_000;
/// A registry may know a number today that it did not know a moment ago.
const NEGATIVE_LIMIT: Duration = Duration::from_mins(5);
/// An answer from the future by more than clocks differ has no known age.
const CLOCKS_DIFFER_BY: TimeDelta = TimeDelta::seconds(60);

/// Answers that may be used again.
pub struct OutcomeCache {
    kept: Cache<(Uuid, VatNumber), Arc<[KeptAnswer]>, RandomState>,
}

/// An answer, and in whose name it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeptAnswer {
    requester: Option<VatNumber>,
    answered: Arc<Answered>,
}

impl Default for OutcomeCache {
    fn default() -> Self {
        Self { kept: Cache::builder().max_capacity(MOST).build_with_hasher(RandomState::default()) }
    }
}

impl OutcomeCache {
    /// The newest answer to `lookup` that may be used at `now`, at most `max_age` old. One that was got in the name of a
    /// requester serves lookups in the same name or none.
    #[must_use]
    pub fn get(
        &self,
        account: Uuid,
        lookup: &Lookup,
        max_age: Duration,
        now: DateTime<Utc>,
    ) -> Option<Arc<Answered>> {
        if max_age.is_zero() {
            return None;
        }
        let kept = self.kept.get(&(account, lookup.number))?;
        let answer = kept
            .iter()
            .filter(|answer| lookup.requester.is_none() || answer.requester == lookup.requester)
            .filter(|answer| !is_from_the_future(&answer.answered, now))
            // The newest, usable or not: an older one must not speak in its place.
            .max_by_key(|answer| answer.answered.received_at)?;
        if !may_be_used(&answer.answered, max_age, now) {
            return None;
        }
        if answer.answered.requester_refused && lookup.requester.is_none() {
            // That somebody else's name was refused is no affair of a lookup without one.
            return Some(Arc::new(Answered { requester_refused: false, ..(*answer.answered).clone() }));
        }
        Some(Arc::clone(&answer.answered))
    }

    /// Keeps the answer to `lookup`, in the place of an older one.
    pub fn keep(&self, account: Uuid, lookup: &Lookup, answered: Arc<Answered>) {
        let new = KeptAnswer { requester: lookup.requester, answered };
        let _what_became_of_it = self.kept.entry((account, lookup.number)).and_compute_with(|kept| {
            let kept = kept.map(moka::Entry::into_value).unwrap_or_default();
            let received_at = new.answered.received_at;
            // One from the future was dated by a clock that was wrong.
            let newer = |kept: &KeptAnswer| {
                kept.answered.received_at > received_at && !is_from_the_future(&kept.answered, received_at)
            };
            if kept.iter().any(|kept| kept.requester == new.requester && newer(kept)) {
                return Op::Nop;
            }
            let others = kept.iter().filter(|kept| kept.requester != new.requester).cloned();
            Op::Put(others.chain([new.clone()]).collect())
        });
    }
}

/// Whether an answer is young enough: a negative one for five minutes at most, whatever the caller allows.
fn may_be_used(answered: &Answered, max_age: Duration, now: DateTime<Utc>) -> bool {
    let limit = match answered.answer.verdict {
        Verdict::Registered(_) => max_age,
        Verdict::NotRegistered | Verdict::FormRefused => max_age.min(NEGATIVE_LIMIT),
    };
    now - answered.received_at <= TimeDelta::from_std(limit).unwrap_or(TimeDelta::MAX)
}

/// Whether it was dated by a clock that was ahead by more than clocks differ: its age is not known.
fn is_from_the_future(answered: &Answered, now: DateTime<Utc>) -> bool {
    answered.received_at - now > CLOCKS_DIFFER_BY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verification::registry::{RegistryAnswer, Trader};

    const ACCOUNT: Uuid = Uuid::from_u128(1);
    const HOUR: Duration = Duration::from_hours(1);

    fn number(text: &str) -> VatNumber {
        VatNumber::parse(text).number().expect("a number")
    }

    fn lookup(requester: Option<&str>) -> Lookup {
        Lookup { number: number("DE136695976"), requester: requester.map(number) }
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(1_000_000 + seconds)
    }

    fn answered(verdict: Verdict, proof: Option<&str>, received: i64) -> Arc<Answered> {
        let consultation_number = proof.map(str::to_owned);
        let answer = RegistryAnswer { verdict, consultation_number, dated: None };
        Arc::new(Answered { answer, received_at: at(received), requester_refused: false, evidence_id: None })
    }

    fn registered(proof: Option<&str>, received: i64) -> Arc<Answered> {
        answered(Verdict::Registered(Trader::default()), proof, received)
    }

    #[test]
    fn an_answer_is_used_as_long_as_the_caller_allows_and_no_longer() {
        let cache = OutcomeCache::default();
        cache.keep(ACCOUNT, &lookup(None), registered(None, 0));
        let used = |max_age, now| cache.get(ACCOUNT, &lookup(None), max_age, at(now)).is_some();
        assert!(used(HOUR, 0) && used(HOUR, 3600) && !used(HOUR, 3601));
        assert!(used(Duration::from_secs(10), 10) && !used(Duration::from_secs(10), 11));
        assert!(!used(Duration::ZERO, 0), "now means now");
        assert!(cache.get(Uuid::from_u128(2), &lookup(None), HOUR, at(0)).is_none(), "another account's");
    }

    #[test]
    fn a_negative_answer_is_used_for_five_minutes_at_most() {
        for verdict in [Verdict::NotRegistered, Verdict::FormRefused] {
            let cache = OutcomeCache::default();
            cache.keep(ACCOUNT, &lookup(None), answered(verdict, None, 0));
            let used = |max_age, now| cache.get(ACCOUNT, &lookup(None), max_age, at(now)).is_some();
            assert!(used(HOUR, 300) && !used(HOUR, 301));
            assert!(!used(Duration::from_mins(1), 61));
        }
    }

    #[test]
    fn an_answer_got_in_a_name_serves_that_name_and_none() {
        let cache = OutcomeCache::default();
        cache.keep(ACCOUNT, &lookup(Some("FR40303265045")), registered(Some("proof"), 0));
        let found = |requester| cache.get(ACCOUNT, &lookup(requester), HOUR, at(1));
        let proof = |requester| found(requester).and_then(|found| found.answer.consultation_number.clone());
        assert_eq!(proof(Some("FR40303265045")).as_deref(), Some("proof"));
        assert_eq!(proof(None).as_deref(), Some("proof"));
        assert!(found(Some("IE6388047V")).is_none());
        cache.keep(ACCOUNT, &lookup(None), registered(None, 1));
        assert_eq!(proof(None), None, "the newest goes first");
        assert_eq!(proof(Some("FR40303265045")).as_deref(), Some("proof"), "and takes no other's place");
        cache.keep(ACCOUNT, &lookup(None), registered(Some("older"), 0));
        assert_eq!(proof(None), None, "an older one takes nobody's place");
    }

    #[test]
    fn a_refused_name_is_no_affair_of_a_lookup_without_one() {
        let cache = OutcomeCache::default();
        let refused = Answered { requester_refused: true, ..(*registered(None, 0)).clone() };
        cache.keep(ACCOUNT, &lookup(Some("FR40303265045")), Arc::new(refused));
        let told = |requester| {
            cache.get(ACCOUNT, &lookup(requester), HOUR, at(0)).map(|found| found.requester_refused)
        };
        assert_eq!((told(Some("FR40303265045")), told(None)), (Some(true), Some(false)));
    }

    #[test]
    fn an_answer_from_the_future_has_no_known_age() {
        let cache = OutcomeCache::default();
        cache.keep(ACCOUNT, &lookup(None), registered(None, 0));
        assert!(cache.get(ACCOUNT, &lookup(None), HOUR, at(-60)).is_some());
        assert!(cache.get(ACCOUNT, &lookup(None), HOUR, at(-61)).is_none());
        cache.keep(ACCOUNT, &lookup(None), registered(Some("now"), -100));
        let found = cache.get(ACCOUNT, &lookup(None), HOUR, at(-99)).expect("keeps nobody from being used");
        assert_eq!(found.answer.consultation_number.as_deref(), Some("now"));
    }
}
