//! Who and what an event's identifiers are, for people to read.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use super::{LogEntry, store};
use crate::{audit::AuditEvent, db::entities::api_key::KeyMode};

/// Somebody or something by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryName {
    /// A member of an account, removed or not.
    Member {
        /// The name.
        name: String,
        /// The address.
        email: String,
    },
    /// One of the support staff, disabled or not.
    Support {
        /// The name.
        name: String,
        /// The address.
        email: String,
    },
    /// A key, ended or not.
    Key {
        /// What it is for.
        name: String,
        /// Which registries it reaches.
        mode: KeyMode,
        /// How its secret ends.
        last_four: String,
    },
}

/// The events with the names of everybody and everything in them.
pub(super) async fn entries(
    db: &impl ConnectionTrait,
    events: Vec<AuditEvent>,
) -> Result<Vec<LogEntry>, DbErr> {
    let accounts: Vec<Uuid> = distinct(events.iter().filter_map(|event| event.account_id));
    let others: Vec<Uuid> =
        distinct(events.iter().flat_map(|event| [event.actor_id, event.subject_id]).flatten());
    let accounts = if accounts.is_empty() { Vec::new() } else { store::accounts(db, accounts).await? };
    let accounts: HashMap<Uuid, String> =
        accounts.into_iter().map(|account| (account.id, account.name)).collect();
    let mut names = HashMap::new();
    if !others.is_empty() {
        for key in store::keys(db, others.clone()).await? {
            let name = EntryName::Key { name: key.name, mode: key.mode, last_four: key.last_four };
            names.insert(key.id, name);
        }
        let members = store::members(db, others.clone()).await?;
        let mut kept = store::addresses_of_removed(db, &members).await?;
        for member in members {
            let email = kept.remove(&member.id).unwrap_or_else(|| member.shown_email());
            names.insert(member.id, EntryName::Member { name: member.name, email });
        }
        for person in store::staff(db, others).await? {
            names.insert(person.id, EntryName::Support { name: person.name, email: person.email });
        }
    }
    let name = |id: Option<Uuid>| id.and_then(|id| names.get(&id).cloned());
    let entry = |event: AuditEvent| LogEntry {
        account: event.account_id.and_then(|id| accounts.get(&id).cloned()),
        actor: name(event.actor_id),
        subject: name(event.subject_id),
        event,
    };
    Ok(events.into_iter().map(entry).collect())
}

fn distinct(ids: impl Iterator<Item = Uuid>) -> Vec<Uuid> {
    let mut ids: Vec<_> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
