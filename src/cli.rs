//! The command line. Answers go to standard output, everything else to standard error.

use std::{io::Write, path::PathBuf, sync::Arc};

use anyhow::Context;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use clap::{Parser, Subcommand};
use rand::rngs::SysRng;

use crate::{
    accounts::Accounts,
    api,
    api_keys::ApiKeys,
    application::{Application, Overrides},
    clock::{SharedClock, SystemClock},
    config::{Config, Settings},
    db, lifecycle, telemetry,
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
    /// Make an API key, and its account if there is none of that name. Prints the key and nothing else: it is shown
    /// only this once.
    IssueKey {
        /// The account's name.
        #[arg(long, value_name = "NAME")]
        organisation: String,
        /// What the key is for.
        #[arg(long)]
        name: String,
        /// When the key ends: a day such as 2027-01-31 (at its beginning, UTC) or a time such as 2027-01-31T12:00:00Z.
        #[arg(long, value_name = "WHEN", value_parser = moment)]
        expires: Option<DateTime<Utc>>,
    },
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
            Command::Migrate => migrate(&configured()?.0).await,
            Command::IssueKey { organisation, name, expires } => {
                issue_key(&configured()?.0, &organisation, &name, expires).await
            }
            Command::PrintOpenapi => print(&api::document()),
            Command::CheckConfig => print(&configured()?.1.describe().collect::<Vec<_>>().join("\n")),
        }
    }
}

async fn migrate(config: &Config) -> anyhow::Result<()> {
    let connection = db::connect(&config.database.url).await?;
    db::migrate(&connection).await?;
    Ok(connection.close().await?)
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let stop = lifecycle::stop_on_signal().context("cannot listen for signals")?;
    let application = Application::build(config, Overrides::default()).await?;
    application.run_until(stop).await;
    Ok(())
}

async fn issue_key(
    config: &Config,
    organisation: &str,
    name: &str,
    expires: Option<DateTime<Utc>>,
) -> anyhow::Result<()> {
    let clock: SharedClock = Arc::new(SystemClock::default());
    let connection = db::connect(&config.database.url).await?;
    db::migrate(&connection).await?;
    let keys = ApiKeys::new(connection.clone(), Arc::clone(&clock));
    // Before anything is made: a refused command must leave nothing behind.
    keys.accepts(name, expires)?;
    let account = Accounts::new(connection.clone(), clock).find_or_create(organisation).await?;
    let secret = keys.issue(account, name, expires, &mut SysRng).await?;
    // Before anything else can fail: it is stored, and shown only here.
    print(secret.reveal())?;
    Ok(connection.close().await?)
}

fn print(text: &str) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{}", text.trim_end()).context("cannot write to standard output")
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
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

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
