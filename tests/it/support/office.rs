//! What the real program works with: a database with an account whose limits are never met, a simulator, a site.

use std::{path::Path, process::Command, sync::Arc, time::Duration};

use crossvat::{
    accounts::{AccountSettings, Accounts, Limits},
    api_keys::{ApiKeys, KeyMode, NewKey},
    audit::Actor,
    clock::SystemClock,
    db::Database,
};
use rand::rngs::SysRng;
use registry_simulator::{Answer, Settings, Simulator};
use serde_json::Value;
use tempfile::TempDir;
use uuid::Uuid;
use vat::VatNumber;

use super::{
    books::{Books, Caller},
    database, http_client,
    program::Program,
    test_app::write_site,
};
use crate::command_line;

/// The requester of every call: registered, so that every valid number comes with a proof.
const REQUESTER: &str = "IE6388047V";

/// Everything but the program itself.
pub struct Office {
    pub simulator: Simulator,
    pub database: Database,
    pub http: reqwest::Client,
    pub account: Uuid,
    pub url: String,
    folder: TempDir,
}

impl Office {
    /// A call takes no longer: longer than a busy machine keeps one waiting, and shorter than a caller's patience.
    const DEADLINE: Duration = Duration::from_secs(20);

    /// With a database of this run's kind.
    pub async fn open() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let url = database::url_for(folder.path());
        Self::with(folder, url).await
    }

    /// With the database at `url`.
    pub async fn on(url: String) -> Self {
        Self::with(tempfile::tempdir().expect("folder"), url).await
    }

    async fn with(folder: TempDir, url: String) -> Self {
        let unlimited = Settings {
            latency: Duration::from_millis(3),
            vies_limit: None,
            vies_limit_per_member_state: None,
            ..Settings::default()
        };
        let simulator = Simulator::start(unlimited).await.expect("simulator");
        write_site(folder.path());
        let database = Database::connect(&url.clone().into()).await.expect("database");
        database.migrate().await.expect("migrates");
        let accounts = Accounts::new(database.clone(), Arc::new(SystemClock::default()));
        let limits = Limits {
            requests_per_minute: Some(1_000_000),
            numbers_per_month: Some(1_000_000),
            ..Limits::default()
        };
        let account = accounts.create("acme", &limits, &Actor::COMMAND_LINE).await.expect("account");
        let requesters = AccountSettings::Requesters { gb: None, eu: VatNumber::parse(REQUESTER).number() };
        let assumptions =
            AccountSettings::Assumptions { supplier_country: None, max_age: Duration::from_hours(1) };
        for settings in [requesters, assumptions] {
            accounts.change_settings(account, &settings, &Actor::COMMAND_LINE).await.expect("settings");
        }
        Self { simulator, database, http: http_client(), account, url, folder }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// One more key of the account.
    pub async fn caller(&self, name: &str) -> Caller {
        let keys = ApiKeys::new(self.database.clone(), Arc::new(SystemClock::default()));
        let new = NewKey { id: None, account_id: self.account, name, mode: KeyMode::Live, expires_at: None };
        let issued = keys.issue(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key");
        Caller { id: issued.id, key: issued.secret.reveal().to_owned() }
    }

    /// Starts the program.
    pub fn serve(&self) -> Program {
        self.serve_with(self.program())
    }

    /// The program at this office's database, to be told more.
    pub fn program(&self) -> Command {
        let mut command = command_line::program(self.folder());
        command.env("CROSSVAT_DATABASE__URL", &self.url);
        command
    }

    /// Starts the program as `command` says, and as usual where it says nothing.
    pub fn serve_with(&self, mut command: Command) -> Program {
        for (name, usual) in [
            ("CROSSVAT_VIES__MAX_IN_FLIGHT", "64".to_owned()),
            ("CROSSVAT_VIES__MAX_IN_FLIGHT_PER_MEMBER_STATE", "16".to_owned()),
            ("CROSSVAT_VERIFICATION__DEADLINE_SECONDS", Self::DEADLINE.as_secs().to_string()),
        ] {
            if !command.get_envs().any(|(said, _)| said == name) {
                command.env(name, usual);
            }
        }
        Program::serve(command, &self.simulator, self.folder(), "warn,crossvat::application=info")
    }

    pub async fn books(&self) -> Books {
        Books::read(&self.database, self.account).await
    }

    /// No verdict about numbers of [`Office::number`] is another than the registry's.
    pub fn told_the_truth(results: &[Value]) {
        for result in results {
            let number = result["vatNumber"].as_str().expect("a number");
            let place: usize = number[3..].parse().expect("a place");
            let expected = if (place / 4).is_multiple_of(2) { "valid" } else { "not_registered" };
            assert_eq!(result["status"], expected, "{result}");
            assert_eq!(result["consultationNumber"].is_string(), expected == "valid", "{result}");
        }
    }

    /// The number in row `place`, which nobody else asks. Every other one is registered.
    pub fn number(&self, place: usize) -> String {
        let (country, national) = match place % 4 {
            0 => ("DE", format!("1{place:08}")),
            1 => ("PL", format!("1{place:09}")),
            2 => ("IT", format!("1{place:010}")),
            _ => ("DK", format!("1{place:07}")),
        };
        if (place / 4).is_multiple_of(2) {
            let answer = Answer::valid(format!("Trader {place}"), format!("{place} Sample Street"));
            self.simulator.vies().script(country, &national, answer);
        }
        format!("{country}{national}")
    }
}

impl Drop for Office {
    fn drop(&mut self) {
        database::forget(self.folder.path());
    }
}
