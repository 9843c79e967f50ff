//! What a call adds to its account's counts: each different number that a registry was to be asked about once, and every
//! entry that was none.

use chrono::{DateTime, Utc};
use vat::{Registry, Shape, Status};

use super::Asker;
use crate::{
    usage::{ANSWERED, CallCount, NumberCount, REGISTRY_UNAVAILABLE},
    verification::{batch::Batch, checked_number::Found, gateway::Resolution, registry::Lookup},
};

/// What is known of a call before its lookups are.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    asker: Asker,
    partial: bool,
    malformed: u32,
    unsupported: u32,
}

impl Tally {
    pub(super) fn new(asker: Asker, batch: &Batch, partial: bool) -> Self {
        let (mut malformed, mut unsupported) = (0, 0);
        for entry in batch.entries() {
            match entry.reading.shape() {
                Shape::Malformed(_) => malformed += 1,
                Shape::Unsupported(_) => unsupported += 1,
                Shape::Number(_) => {}
            }
        }
        Self { asker, partial, malformed, unsupported }
    }

    /// The whole call, with what came of each of its lookups.
    pub(super) fn count<'a>(
        &self,
        at: DateTime<Utc>,
        lookups: &[Lookup],
        found: impl Iterator<Item = &'a Found>,
    ) -> CallCount {
        let mut numbers: Vec<(NumberCount, u32)> = Vec::with_capacity(4);
        let mut add =
            |kind: NumberCount, count: u32| match numbers.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, known)) => *known += count,
                None => numbers.push((kind, count)),
            };
        let mut unresolved = false;
        for (lookup, found) in lookups.iter().zip(found) {
            unresolved |= matches!(found.resolution, Resolution::Unresolved(_));
            add(kind_of(lookup, found), 1);
        }
        for (kind, count) in unread(self.malformed, self.unsupported) {
            add(kind, count);
        }
        let answer = if unresolved && !self.partial { REGISTRY_UNAVAILABLE } else { ANSWERED };
        CallCount { numbers, ..self.asker.call(at, answer) }
    }
}

/// Entries that were no numbers.
pub(super) fn unread(malformed: u32, unsupported: u32) -> impl Iterator<Item = (NumberCount, u32)> {
    let kind = |status: Status| NumberCount { registry: "none", status: status.as_str(), source: "none" };
    [(kind(Status::Malformed), malformed), (kind(Status::Unsupported), unsupported)]
        .into_iter()
        .filter(|(_, count)| *count > 0)
}

fn kind_of(lookup: &Lookup, found: &Found) -> NumberCount {
    NumberCount {
        registry: match lookup.number.registry() {
            Registry::Hmrc => "hmrc",
            Registry::Vies => "vies",
        },
        status: found.resolution.status().as_str(),
        source: match found.resolution {
            Resolution::Answered(_) => found.source.as_str(),
            Resolution::Unresolved(_) => "none",
        },
    }
}
