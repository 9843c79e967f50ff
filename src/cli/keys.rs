//! Commands about API keys.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, NaiveTime, SecondsFormat, Utc};
use clap::Args;
use rand::rngs::SysRng;
use uuid::Uuid;

use super::{Opened, accounts::known_account, print};
use crate::{
    accounts::Accounts,
    api_keys::{ApiKey, ApiKeys, KeyMode, NewKey},
    audit::Actor,
};

/// `issue-key`
#[derive(Debug, Args)]
pub(super) struct Issue {
    /// The account's name.
    #[arg(long, value_name = "NAME")]
    organisation: String,
    /// What the key is for.
    #[arg(long)]
    name: String,
    /// When the key ends: a day such as 2027-01-31 (at its beginning, UTC) or a time such as 2027-01-31T12:00:00Z.
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    expires: Option<DateTime<Utc>>,
    /// Make a test key: it is answered by the sandbox and never reaches a registry.
    #[arg(long)]
    test: bool,
}

/// `list-keys`
#[derive(Debug, Args)]
pub(super) struct List {
    /// The account's name.
    #[arg(long, value_name = "NAME")]
    organisation: String,
}

/// `revoke-key`
#[derive(Debug, Args)]
pub(super) struct Revoke {
    /// The key's identifier, as `list-keys` prints it.
    #[arg(value_name = "ID")]
    id: Uuid,
}

impl Issue {
    pub(super) async fn run(self, opened: Opened) -> anyhow::Result<()> {
        let keys = opened.keys();
        // Before anything is made: a refused command must leave nothing behind.
        keys.accepts(&self.name, self.expires)?;
        let accounts = Accounts::new(opened.db.clone(), Arc::clone(&opened.clock));
        let account_id = accounts.find_or_create(&self.organisation, &Actor::COMMAND_LINE).await?;
        let mode = if self.test { KeyMode::Test } else { KeyMode::Live };
        let new = NewKey { id: None, account_id, name: &self.name, mode, expires_at: self.expires };
        let issued = keys.issue(new, &Actor::COMMAND_LINE, &mut SysRng).await?;
        // Before anything else can fail: it is stored, and shown only here.
        print(issued.secret.reveal())?;
        opened.close().await
    }
}

impl List {
    pub(super) async fn run(self, opened: Opened) -> anyhow::Result<()> {
        let account = known_account(&opened, &self.organisation).await?;
        let keys = opened.keys().list(account.id).await?;
        print(&keys.iter().map(line).collect::<Vec<_>>().join("\n"))?;
        opened.close().await
    }
}

impl Revoke {
    pub(super) async fn run(self, opened: Opened) -> anyhow::Result<()> {
        let keys = opened.keys();
        let account = keys.account_of(self.id).await?;
        keys.revoke(account, self.id, &Actor::COMMAND_LINE).await?;
        opened.close().await
    }
}

impl Opened {
    fn keys(&self) -> ApiKeys {
        ApiKeys::new(self.db.clone(), Arc::clone(&self.clock))
    }
}

fn line(key: &ApiKey) -> String {
    let used = key
        .last_used_at
        .map_or_else(|| "never".to_owned(), |at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
    let (prefix, last_four) = (key.mode.prefix(), &key.last_four);
    format!("{}  {:8}  {prefix}…{last_four}  {used:20}  {}", key.id, key.status.as_str(), key.name)
}

fn moment(text: &str) -> Result<DateTime<Utc>, String> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Ok(time.to_utc());
    }
    text.parse::<NaiveDate>()
        .map(|day| day.and_time(NaiveTime::MIN).and_utc())
        .map_err(|_| "expected a day such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_day_or_a_time_and_nothing_else() {
        assert_eq!(
            moment("2027-01-31").map(|at| at.to_rfc3339()),
            Ok("2027-01-31T00:00:00+00:00".to_owned())
        );
        assert_eq!(
            moment("2027-01-31T12:00:00+01:00").map(|at| at.to_rfc3339()),
            Ok("2027-01-31T11:00:00+00:00".to_owned())
        );
        for wrong in ["", "tomorrow", "31/01/2027", "2027-02-30"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }
}
