//! Finding an account by whatever somebody has at hand of it: its company's name, a person's address, a number, a key as it
//! is shown. What is known of each is read for a page of them at once.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{AccountError, Accounts, store};
use crate::db::{entities::api_key::KeyMode, within_limit};

/// What is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchedFor {
    /// Every account.
    All,
    /// Part of a name, an address or a number as somebody typed it, how a key ends, or an identifier.
    Text(String),
    /// A key as it is shown.
    Key {
        /// Which registries it reaches.
        mode: KeyMode,
        /// Its last characters.
        last_four: String,
    },
}

/// An account as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRow {
    /// Its identifier.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Whether it is not served at present.
    pub suspended: bool,
    /// Whether it waits for support to answer its request for keys.
    pub waits: bool,
    /// What its plan is called.
    pub plan: String,
    /// How many people belong to it.
    pub members: u64,
    /// The address of the owner who has been one for the longest time.
    pub owner: Option<String>,
    /// When one of its keys was last used.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// A part of what was found, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountList {
    /// The accounts of this part.
    pub rows: Vec<AccountRow>,
    /// How many were found in all.
    pub total: u64,
}

impl Accounts {
    /// Up to `most` of the accounts that are searched for, without the first `offset`.
    ///
    /// # Errors
    /// The database failed.
    pub async fn search(
        &self,
        wanted: &SearchedFor,
        offset: u64,
        most: u64,
    ) -> Result<AccountList, AccountError> {
        let db = &self.db.main;
        within_limit(async {
            let total = store::count(db, wanted).await?;
            let found = store::page(db, wanted, offset, most).await?;
            let ids: Vec<Uuid> = found.iter().map(|account| account.id).collect();
            if ids.is_empty() {
                return Ok(AccountList { rows: Vec::new(), total });
            }
            let plans: HashMap<String, String> =
                store::plans(db).await?.into_iter().map(|plan| (plan.code, plan.name)).collect();
            let mut people: HashMap<Uuid, (u64, Option<String>)> = HashMap::new();
            for person in store::members_of(db, &ids).await? {
                let of_account = people.entry(person.account_id).or_default();
                of_account.0 += 1;
                if person.is_owner {
                    of_account.1.get_or_insert(person.email);
                }
            }
            let used = store::last_used(db, &ids).await?;
            let waiting = store::waiting(db, &ids).await?;
            let row = |account: store::FoundAccount| {
                let (members, owner) = people.remove(&account.id).unwrap_or_default();
                AccountRow {
                    id: account.id,
                    name: account.name,
                    suspended: account.suspended,
                    waits: waiting.contains(&account.id),
                    plan: plans.get(&account.plan).cloned().unwrap_or(account.plan),
                    members,
                    owner,
                    last_used_at: used.get(&account.id).copied(),
                }
            };
            Ok(AccountList { rows: found.into_iter().map(row).collect(), total })
        })
        .await
    }
}
