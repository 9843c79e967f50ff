//! The command line. Answers go to standard output, everything else to standard error.

mod accounts;
mod audit;
mod keys;
mod members;
mod password;
mod purge;
mod staff;

use std::{io::Write, path::PathBuf, sync::Arc};

use anyhow::Context;
use clap::{Parser, Subcommand};

use crate::{
    api,
    application::{Application, Overrides},
    clock::{SharedClock, SystemClock},
    config::{Config, Settings},
    db::Database,
    lifecycle, telemetry,
};

/// Verifies UK and EU VAT numbers at HMRC and VIES.
#[derive(Debug, Parser)]
#[command(name = "crossvat", version)]
pub struct CommandLine {
    /// A TOML file with settings. The environment (`CROSSVAT_<SECTION>__<KEY>`) overrides it.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and the portal; brings the database up to date first.
    Serve,
    /// Bring the database up to date and end.
    Migrate,
    /// Make an account.
    CreateAccount(accounts::Create),
    /// Serve an account no more; its keys open nothing until it is restored.
    SuspendAccount(accounts::Judge),
    /// Serve a suspended account again.
    RestoreAccount(accounts::Judge),
    /// Make an API key, and its account if there is none of that name. Prints the key and nothing else: it is shown
    /// only this once.
    IssueKey(keys::Issue),
    /// Print an account's keys, one a line: identifier, state, how the key begins and ends, when it was last used, name.
    ListKeys(keys::List),
    /// End a key, for good. Running servers refuse it within a second.
    RevokeKey(keys::Revoke),
    /// Make somebody a member of an account, with an address that needs no proof. Asks for the password on a terminal, and
    /// shows none of it; else reads it from standard input: one line. Prints the person's identifier.
    CreateMember(members::Create),
    /// Make somebody one of the support staff. Asks for the password on a terminal, and shows none of it; else reads it from
    /// standard input: one line. Prints the person's identifier.
    CreateStaff(staff::Create),
    /// Take away the second factor of somebody who has lost the telephone and the recovery codes. They are signed out, and
    /// told by mail.
    RemoveSecondFactor(staff::RemoveSecondFactor),
    /// Keep every secret of a second factor that a former key reads under the present one. Prints how many these were, how many
    /// were kept under it before, and how many are left that no key reads; fails when some are.
    RenewSecondFactors,
    /// Delete what is older than the settings in [retention] say. Meant to be run once a day.
    Purge,
    /// Look whether every event of the audit log is as it was written. Prints how many there are, from when to when, and the
    /// last one's number and hash; or what was changed, removed, added or swapped, and fails. Changes nothing: the database
    /// must be there, and of this version.
    VerifyAudit(audit::Verify),
    /// Print the OpenAPI document.
    PrintOpenapi,
    /// Check the configuration and print every setting with its value and where it comes from.
    CheckConfig,
}

impl CommandLine {
    /// Does what was asked.
    ///
    /// # Errors
    /// It could not be done; the text says why, for people.
    pub async fn run(self, environment: impl IntoIterator<Item = (String, String)>) -> anyhow::Result<()> {
        let configured = || {
            let settings = Settings::gather(self.config.as_deref(), environment)?;
            let config = Config::from_settings(&settings)?;
            telemetry::start_logging(&config.log);
            anyhow::Ok((config, settings))
        };
        match self.command {
            Command::Serve => serve(configured()?.0).await,
            Command::Migrate => migrate(configured()?.0).await,
            Command::CreateAccount(create) => create.run(Opened::new(configured()?.0).await?).await,
            Command::SuspendAccount(judge) => judge.suspend(Opened::existing(configured()?.0).await?).await,
            Command::RestoreAccount(judge) => judge.restore(Opened::existing(configured()?.0).await?).await,
            Command::IssueKey(issue) => issue.run(Opened::new(configured()?.0).await?).await,
            Command::ListKeys(list) => list.run(Opened::existing(configured()?.0).await?).await,
            Command::RevokeKey(revoke) => revoke.run(Opened::existing(configured()?.0).await?).await,
            Command::CreateMember(create) => create.run(Opened::existing(configured()?.0).await?).await,
            Command::CreateStaff(create) => create.run(Opened::new(configured()?.0).await?).await,
            Command::RemoveSecondFactor(remove) => remove.run(Opened::existing(configured()?.0).await?).await,
            Command::RenewSecondFactors => {
                staff::renew_second_factors(Opened::existing(configured()?.0).await?).await
            }
            Command::Purge => purge::run(Opened::existing(configured()?.0).await?).await,
            Command::VerifyAudit(verify) => verify.run(Opened::as_it_is(configured()?.0).await?).await,
            Command::PrintOpenapi => print(&api::document()),
            Command::CheckConfig => print(&configured()?.1.describe().collect::<Vec<_>>().join("\n")),
        }
    }
}

/// What the commands that look into the database work with.
struct Opened {
    config: Config,
    db: Database,
    clock: SharedClock,
}

impl Opened {
    /// Opens the database, makes it if it is missing, and brings it up to date.
    async fn new(config: Config) -> anyhow::Result<Self> {
        let db = Database::connect(&config.database.url).await?;
        Self::up_to_date(config, db).await
    }

    /// Opens a database that is there and brings it up to date: nothing can be found in one that would have to be made.
    async fn existing(config: Config) -> anyhow::Result<Self> {
        let db = Database::connect_existing(&config.database.url).await.context(
            "this needs the database of the service: database.url names it, and `crossvat check-config` shows what it is",
        )?;
        Self::up_to_date(config, db).await
    }

    async fn up_to_date(config: Config, db: Database) -> anyhow::Result<Self> {
        db.migrate().await?;
        Ok(Self { config, db, clock: Arc::new(SystemClock::default()) })
    }

    /// Opens a database that is there and up to date.
    async fn as_it_is(config: Config) -> anyhow::Result<Self> {
        let db = Database::connect_as_it_is(&config.database.url).await?;
        Ok(Self { config, db, clock: Arc::new(SystemClock::default()) })
    }

    async fn close(self) -> anyhow::Result<()> {
        Ok(self.db.close().await?)
    }
}

async fn migrate(config: Config) -> anyhow::Result<()> {
    Opened::new(config).await?.close().await
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let stop = lifecycle::stop_on_signal().context("cannot listen for signals")?;
    let application = Application::build(config, Overrides::default()).await?;
    Ok(application.run_until(stop).await?)
}

fn print(text: &str) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{}", text.trim_end()).context("cannot write to standard output")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }
}
