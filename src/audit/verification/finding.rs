//! What can be wrong with the log, in words for an operator.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};
use uuid::Uuid;

use crate::audit::Link;

/// An event by what it is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its number.
    pub sequence: i64,
    /// Its identifier.
    pub id: Uuid,
    /// When it was.
    pub at: DateTime<Utc>,
}

/// Something that is not as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// An event does not fit the hash it was given, or does not follow the one before.
    Changed {
        /// Which one.
        event: Place,
        /// The one before it: where both it and its hash were made anew, that is the one that was changed.
        before: Option<Place>,
    },
    /// Events are not there.
    Missing {
        /// The number of the first of them.
        first: i64,
        /// And of the last.
        last: i64,
        /// The event before them.
        after: Option<Place>,
    },
    /// An event lies before the beginning or behind the end.
    Added(Place),
    /// The row of this number holds what no event holds.
    Unreadable(i64),
    /// An event was hashed in a way that this version does not know.
    UnknownEncoding(Place),
    /// The last event is not the one that was added last.
    EndIsAnother {
        /// What was added last.
        end: Link,
        /// What is there.
        last: Option<Place>,
    },
    /// The events up to this number are gone, and no event tells of their deletion.
    DeletedWithoutPurge(i64),
    /// The event that was noted once is not the one of this number now.
    NotedIsAnother(Link),
    /// The event that was noted once is not kept any more, so nothing can be said of it.
    NotedIsDeleted(Link),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
        write!(f, "event {} ({}, {at})", self.sequence, self.id)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { event, before: Some(before) } => {
                write!(f, "{event} is not as it was written, or {before} before it is not")
            }
            Self::Changed { event, before: None } => write!(f, "{event} is not as it was written"),
            Self::Missing { first, last, after } => {
                if first == last {
                    write!(f, "event {first} is missing")?;
                } else {
                    write!(f, "events {first} to {last} are missing")?;
                }
                match after {
                    Some(after) => write!(f, ", after {after}"),
                    None => Ok(()),
                }
            }
            Self::Added(event) => write!(f, "{event} was added outside of the chain"),
            Self::Unreadable(sequence) => write!(f, "event {sequence} holds what no event can hold"),
            Self::UnknownEncoding(event) => {
                write!(f, "{event} was hashed in a way that this version does not know")
            }
            Self::EndIsAnother { end, last: Some(last) } => {
                write!(f, "{last} is not the event that was added last, which has the hash {}", end.hash)
            }
            Self::EndIsAnother { end, last: None } => {
                write!(f, "the end of the chain, {end}, is not what was deleted last")
            }
            Self::DeletedWithoutPurge(sequence) => {
                write!(f, "the events up to {sequence} are gone, and no purge deleted them")
            }
            Self::NotedIsAnother(noted) => {
                write!(
                    f,
                    "event {} is not the one that was noted, whose hash is {}",
                    noted.sequence, noted.hash
                )
            }
            Self::NotedIsDeleted(noted) => {
                write!(f, "event {}, which was noted, is not there any more", noted.sequence)
            }
        }
    }
}
