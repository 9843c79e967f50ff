//! The chain of events: which number and hash the next one gets, and where what was deleted ended. The chain's one row
//! is locked from there until the deed is committed, so that events of deeds done at once follow each other, on any number
//! of instances. It is the last lock that a deed takes before that of `access_version`: none waits for another in a circle.

use std::{fmt, str::FromStr};

use audit_chain::{ENCODING, Event as Chained, Hash};
use sea_orm::{ActiveEnum, ConnectionTrait, DatabaseTransaction, DbErr};
use thiserror::Error;

use super::{ActorKind, AuditEvent, Deed, store};

/// A place in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The number of an event; 0 before the first.
    pub sequence: i64,
    /// The event's hash.
    pub hash: Hash,
}

/// What was typed is no place in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected the number and the hash of an event, such as 118:3f2a…, as they were printed")]
pub struct BadLink;

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.sequence, self.hash)
    }
}

impl FromStr for Link {
    type Err = BadLink;

    fn from_str(text: &str) -> Result<Self, BadLink> {
        let (sequence, hash) = text.trim().split_once(':').ok_or(BadLink)?;
        let sequence = sequence.parse().ok().filter(|sequence| *sequence > 0).ok_or(BadLink)?;
        Ok(Self { sequence, hash: hash.parse().map_err(|_| BadLink)? })
    }
}

impl Link {
    pub(super) fn stored(sequence: i64, hash: &[u8]) -> Result<Self, DbErr> {
        let hash = Hash::try_from(hash)
            .map_err(|_| DbErr::Custom(format!("the hash of audit event {sequence} cannot be read")))?;
        Ok(Self { sequence, hash })
    }

    /// How the event of a deletion says where what was deleted ended.
    pub(super) fn in_words_of_purge(&self) -> String {
        format!("up to number {}, hash {}", self.sequence, self.hash)
    }
}

/// What the last part of a deletion was about, for its event.
pub(super) const PURGED: &str = "audit events";

/// Gives the event its place and adds it.
pub(super) async fn append(transaction: &impl ConnectionTrait, mut row: AuditEvent) -> Result<(), DbErr> {
    let last = store::lock_end(transaction).await?;
    row.sequence = last.sequence + 1;
    row.encoding = ENCODING;
    let hash = hash(&row, &last.hash);
    row.hash = hash.bytes().to_vec();
    let end = Link { sequence: row.sequence, hash };
    store::insert(transaction, row).await?;
    store::move_end(transaction, end).await
}

/// Deletes up to `most` of the oldest events before a moment, and notes what the first one that is kept follows. How many
/// they were and what to say of it, if there was one.
pub(super) async fn delete_oldest(
    transaction: &DatabaseTransaction,
    before: chrono::DateTime<chrono::Utc>,
    most: u64,
) -> Result<Option<(u64, String)>, DbErr> {
    // From the beginning, without a gap: of clocks that differ, an event may wait for an older one that follows it.
    let Some(last) = store::last_of_oldest(transaction, before, most).await? else { return Ok(None) };
    let rows = store::delete_up_to(transaction, last.sequence).await?;
    if rows == 0 {
        // Somebody else did.
        return Ok(None);
    }
    store::move_anchor(transaction, last).await?;
    Ok(Some((rows, format!("{PURGED}: {rows}, {}", last.in_words_of_purge()))))
}

fn hash(row: &AuditEvent, previous: &Hash) -> Hash {
    let (deed, actor_kind) = (Deed::to_value(&row.deed), ActorKind::to_value(&row.actor_kind));
    let event = Chained {
        sequence: row.sequence,
        id: row.id.into_bytes(),
        at: (row.at.timestamp(), row.at.timestamp_subsec_nanos()),
        deed: &deed,
        actor_kind: &actor_kind,
        actor_id: row.actor_id.map(uuid::Uuid::into_bytes),
        account_id: row.account_id.map(uuid::Uuid::into_bytes),
        subject_id: row.subject_id.map(uuid::Uuid::into_bytes),
        detail: &row.detail,
        from_address: row.from_address.as_deref(),
    };
    event.hash(previous)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_as_it_is_written() {
        let written = format!("118:{}", Hash::NONE);
        assert_eq!(written.parse::<Link>().map(|link| link.to_string()), Ok(written.clone()));
        for other in
            ["", "118", &written[1..4], &format!("0{}", &written[3..]), &written.replace("118", "-1")]
        {
            assert_eq!(other.parse::<Link>(), Err(BadLink), "{other}");
        }
    }
}
