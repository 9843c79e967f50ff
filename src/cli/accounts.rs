//! Commands about accounts.

use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use super::{Opened, print};
use crate::{
    accounts::{Account, Accounts, Limits, STANDARD_PLAN},
    audit::Actor,
};

/// `create-account`
#[derive(Debug, Args)]
pub(super) struct Create {
    /// Its name.
    #[arg(long)]
    name: String,
    /// Its plan.
    #[arg(long, default_value = STANDARD_PLAN)]
    plan: String,
    /// Requests a minute, if others than the plan's were agreed.
    #[arg(long, value_name = "NUMBER")]
    requests_per_minute: Option<u32>,
    /// Numbers a month, if others than the plan's were agreed.
    #[arg(long, value_name = "NUMBER")]
    numbers_per_month: Option<u64>,
}

/// `suspend-account` and `restore-account`
#[derive(Debug, Args)]
pub(super) struct Judge {
    /// The account's name.
    #[arg(long, value_name = "NAME")]
    organisation: String,
    /// Why, for the audit log.
    #[arg(long)]
    reason: String,
}

impl Create {
    pub(super) async fn run(self, opened: Opened) -> anyhow::Result<()> {
        let limits = Limits {
            plan: self.plan,
            requests_per_minute: self.requests_per_minute,
            numbers_per_month: self.numbers_per_month,
        };
        let id = opened.accounts().create(&self.name, &limits, &Actor::COMMAND_LINE).await?;
        print(&id.to_string())?;
        opened.close().await
    }
}

impl Judge {
    pub(super) async fn suspend(self, opened: Opened) -> anyhow::Result<()> {
        let account = known_account(&opened, &self.organisation).await?;
        opened.accounts().suspend(account.id, &self.reason, &Actor::COMMAND_LINE).await?;
        opened.close().await
    }

    pub(super) async fn restore(self, opened: Opened) -> anyhow::Result<()> {
        let account = known_account(&opened, &self.organisation).await?;
        opened.accounts().restore(account.id, &self.reason, &Actor::COMMAND_LINE).await?;
        opened.close().await
    }
}

impl Opened {
    fn accounts(&self) -> Accounts {
        Accounts::new(self.db.clone(), Arc::clone(&self.clock))
    }
}

/// The account of that name.
pub(super) async fn known_account(opened: &Opened, name: &str) -> anyhow::Result<Account> {
    opened.accounts().named(name).await?.with_context(|| format!("there is no account {:?}", name.trim()))
}
