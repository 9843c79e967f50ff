//! Whether the chain of events is whole: walked from its beginning to its end, in parts, so that a log of any length takes
//! little memory. Events may be added and deleted in order meanwhile.

mod finding;
mod store;

use audit_chain::{ENCODING, Event as Chained, Hash};
use chrono::{DateTime, Utc};
use sea_orm::DbErr;
use uuid::Uuid;

pub use self::finding::{Finding, Place};
use self::store::{Bounds, Row, StoredEvent};
use super::{AuditLog, Link, chain::PURGED};
use crate::db::within_limit;

/// Events that are read at once.
const PART: u64 = 1000;
/// Findings after which nothing more is looked for: a log that was changed that much is not read on to learn more.
const MOST_FINDINGS: usize = 20;
/// The word of a deletion that was due.
const PURGE: &str = "data_purged";

/// What came of looking at every event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Events that were looked at.
    pub events: u64,
    /// When the first of them was, and the last.
    pub time: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// The last event of the chain. Noted elsewhere, it proves later that all up to it is still as it was now.
    pub end: Link,
    /// The last event that was deleted because its time was over; number 0 if none was.
    pub anchor: Link,
    /// What is not as it was written. Nothing: the chain is whole.
    pub findings: Vec<Finding>,
}

impl AuditLog {
    /// Looks at every event, and whether the one that was `noted` once is still there as it was.
    ///
    /// # Errors
    /// The database failed, or the chain's own row is gone or cannot be read.
    pub async fn verify(&self, noted: Option<Link>) -> Result<Verification, DbErr> {
        let mut bounds = store::bounds(&self.db, MOST_FINDINGS as u64).await?;
        let mut walk = Walk::from(&bounds, noted);
        while walk.findings.len() < MOST_FINDINGS {
            if walk.sequence >= bounds.end.sequence {
                let now = store::bounds(&self.db, MOST_FINDINGS as u64).await?;
                let is_over = now.end.sequence <= walk.sequence;
                bounds = now;
                if is_over {
                    break;
                }
            }
            let span = (walk.sequence, bounds.end.sequence);
            let part = within_limit(store::part(&self.db, span, PART)).await?;
            if part.first().map(number) != Some(walk.sequence + 1) {
                let now = store::bounds(&self.db, MOST_FINDINGS as u64).await?;
                if now.anchor.sequence > walk.sequence {
                    // Their time was over, and they were deleted meanwhile.
                    walk.go_on_after(now.anchor);
                    bounds = now;
                    continue;
                }
            }
            let is_empty = part.is_empty();
            for row in part {
                walk.look_at(row);
            }
            if is_empty {
                walk.miss_up_to(bounds.end.sequence);
            }
        }
        Ok(walk.finish(bounds))
    }
}

/// How far the walk has come.
struct Walk {
    sequence: i64,
    /// The hash of the event there; none when it is missing or cannot be read.
    hash: Option<Hash>,
    place: Option<Place>,
    events: u64,
    time: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// What the latest event says of a deletion from the log itself.
    purged: Option<String>,
    noted: Option<Link>,
    findings: Vec<Finding>,
}

impl Walk {
    fn from(bounds: &Bounds, noted: Option<Link>) -> Self {
        let mut walk = Self {
            sequence: bounds.anchor.sequence,
            hash: Some(bounds.anchor.hash),
            place: None,
            events: 0,
            time: None,
            purged: None,
            noted,
            findings: Vec::new(),
        };
        if let Some(noted) = noted.filter(|noted| noted.sequence <= bounds.anchor.sequence) {
            if noted.sequence < bounds.anchor.sequence {
                walk.findings.push(Finding::NotedIsDeleted(noted));
            } else if noted != bounds.anchor {
                walk.findings.push(Finding::NotedIsAnother(noted));
            }
            walk.noted = None;
        }
        walk
    }

    fn go_on_after(&mut self, anchor: Link) {
        (self.sequence, self.hash, self.place) = (anchor.sequence, Some(anchor.hash), None);
    }

    fn look_at(&mut self, row: Row) {
        if self.findings.len() >= MOST_FINDINGS {
            return;
        }
        let sequence = number(&row);
        self.miss_up_to(sequence - 1);
        self.events += 1;
        self.sequence = sequence;
        let Ok(event) = row else {
            self.findings.push(Finding::Unreadable(sequence));
            (self.hash, self.place) = (None, None);
            return;
        };
        let place = Place { sequence, id: event.id, at: event.at };
        let kept = Hash::try_from(&*event.hash).ok();
        if event.encoding != ENCODING {
            self.findings.push(Finding::UnknownEncoding(place));
        } else if let Some(previous) = self.hash {
            if kept != Some(event.hash_after(&previous)) {
                self.findings.push(Finding::Changed { event: place, before: self.place });
            }
        } else if kept.is_none() {
            self.findings.push(Finding::Changed { event: place, before: None });
        }
        if let Some(noted) = self.noted.take_if(|noted| noted.sequence == sequence)
            && kept != Some(noted.hash)
        {
            self.findings.push(Finding::NotedIsAnother(noted));
        }
        self.time = Some(self.time.map_or((event.at, event.at), |(first, _)| (first, event.at)));
        if event.deed == PURGE && event.detail.starts_with(PURGED) {
            self.purged = Some(event.detail);
        }
        (self.hash, self.place) = (kept, Some(place));
    }

    /// Whatever lies between the last event and this number is not there.
    fn miss_up_to(&mut self, sequence: i64) {
        if sequence > self.sequence {
            let (first, last) = (self.sequence + 1, sequence);
            self.findings.push(Finding::Missing { first, last, after: self.place });
            (self.sequence, self.hash) = (sequence, None);
        }
    }

    fn finish(mut self, bounds: Bounds) -> Verification {
        let Bounds { end, anchor, outside } = bounds;
        if self.findings.len() < MOST_FINDINGS {
            if self.hash.is_some_and(|hash| hash != end.hash) {
                self.findings.push(Finding::EndIsAnother { end, last: self.place });
            }
            let told = self.purged.is_some_and(|detail| detail.ends_with(&anchor.in_words_of_purge()));
            if anchor.sequence > 0 && !told {
                self.findings.push(Finding::DeletedWithoutPurge(anchor.sequence));
            }
            if let Some(noted) = self.noted {
                self.findings.push(Finding::NotedIsDeleted(noted));
            }
            self.findings.extend(outside.into_iter().map(|row| match row {
                Ok(event) => Finding::Added(Place { sequence: event.sequence, id: event.id, at: event.at }),
                Err(sequence) => Finding::Unreadable(sequence),
            }));
            self.findings.truncate(MOST_FINDINGS);
        }
        Verification { events: self.events, time: self.time, end, anchor, findings: self.findings }
    }
}

impl StoredEvent {
    fn hash_after(&self, previous: &Hash) -> Hash {
        let event = Chained {
            sequence: self.sequence,
            id: self.id.into_bytes(),
            at: (self.at.timestamp(), self.at.timestamp_subsec_nanos()),
            deed: &self.deed,
            actor_kind: &self.actor_kind,
            actor_id: self.actor_id.map(Uuid::into_bytes),
            account_id: self.account_id.map(Uuid::into_bytes),
            subject_id: self.subject_id.map(Uuid::into_bytes),
            detail: &self.detail,
            from_address: self.from_address.as_deref(),
        };
        event.hash(previous)
    }
}

fn number(row: &Row) -> i64 {
    row.as_ref().map_or_else(|sequence| *sequence, |event| event.sequence)
}
