//! One server with a database, a simulator, a clock and a site of its own.

use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};

use chrono::{TimeZone, Utc};
use crossvat::{
    accounts::{Accounts, Limits},
    api_keys::ApiKeys,
    application::{Application, Died, Overrides},
    audit::Actor,
    batch_checks::BatchChecks,
    clock::{ManualClock, SharedClock},
    config::{Config, KeyBytes},
    db::Database,
    early_access::EarlyAccess,
    email::{Letter, Memory, Outbox},
    onboarding::{Onboarding, Services},
    one_time_links::OneTimeLinks,
    second_factor::{SecondFactorKey, SecondFactors},
    verification::gateway::{RegistryGateway, RegistryPart},
};
use registry_simulator::{Settings as SimulatorSettings, Simulator};
use sea_orm::ConnectionTrait;
use secrecy::ExposeSecret;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{Customer, database};

/// Under which every server keeps the secrets of second factors, unless it is set otherwise.
pub const SECOND_FACTOR_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// A running server. Dropping it stops it and fails the test if it had ended by itself.
pub struct TestApp {
    pub address: SocketAddr,
    pub simulator: Simulator,
    pub clock: Arc<ManualClock>,
    /// Every letter the server has sent.
    pub mail: Memory,
    pub http: reqwest::Client,
    pub database: Database,
    /// The server's own.
    pub batch_checks: BatchChecks,
    /// As above.
    pub registries: Arc<RegistryGateway>,
    config: Config,
    environment: Vec<(String, String)>,
    stop: CancellationToken,
    server: Option<JoinHandle<Result<(), Died>>>,
    folder: TempDir,
}

/// Settings that differ from an ordinary test's.
#[derive(Default)]
pub struct TestAppBuilder {
    settings: Vec<(String, String)>,
    simulator: SimulatorSettings,
    without_hmrc_credentials: bool,
}

impl TestAppBuilder {
    /// Sets `CROSSVAT_<name>`.
    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.settings.push((format!("CROSSVAT_{name}"), value.to_owned()));
        self
    }

    pub fn simulator(mut self, settings: SimulatorSettings) -> Self {
        self.simulator = settings;
        self
    }

    pub fn without_hmrc_credentials(mut self) -> Self {
        self.without_hmrc_credentials = true;
        self
    }

    pub async fn start(self) -> TestApp {
        let simulator = Simulator::start(self.simulator).await.expect("simulator");
        let folder = tempfile::tempdir().expect("folder");
        write_site(folder.path());
        let clock = Arc::new(ManualClock::starting_at(Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap()));
        let mut environment = vec![
            ("CROSSVAT_HTTP__BIND".to_owned(), "127.0.0.1:0".to_owned()),
            ("CROSSVAT_HTTP__SITE_DIRECTORY".to_owned(), folder.path().display().to_string()),
            ("CROSSVAT_DATABASE__URL".to_owned(), database::url_for(folder.path())),
            ("CROSSVAT_HMRC__BASE_URL".to_owned(), simulator.hmrc_base_url()),
            ("CROSSVAT_VIES__BASE_URL".to_owned(), simulator.vies_base_url()),
            ("CROSSVAT_ACCOUNTS__SECOND_FACTOR_KEY".to_owned(), SECOND_FACTOR_KEY.to_owned()),
        ];
        if !self.without_hmrc_credentials {
            environment.push(("CROSSVAT_HMRC__CLIENT_ID".to_owned(), "sandbox-client".to_owned()));
            environment.push(("CROSSVAT_HMRC__CLIENT_SECRET".to_owned(), "sandbox-secret".to_owned()));
        }
        environment.extend(self.settings);
        let config = Config::load(None, environment.clone()).expect("configuration");
        let database_url = config.database.url.clone();
        let mail = Memory::default();
        let Running { address, batch_checks, registries, stop, server } =
            serve(config.clone(), &clock, &mail).await;
        TestApp {
            address,
            batch_checks,
            registries,
            simulator,
            clock,
            mail,
            http: http_client(),
            database: Database::connect(&database_url).await.expect("database"),
            config,
            environment,
            stop,
            server: Some(server),
            folder,
        }
    }
}

impl TestApp {
    pub async fn start() -> Self {
        TestAppBuilder::default().start().await
    }

    /// Everything but the server, which has ended: nothing happens to the database that the test does not do.
    pub async fn without_server() -> Self {
        let mut app = Self::start().await;
        app.ask_to_stop();
        app.ended().await;
        app
    }

    pub fn with() -> TestAppBuilder {
        TestAppBuilder::default()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Where the server's database is.
    pub fn database_url(&self) -> &str {
        self.config.database.url.expose_secret()
    }

    /// The folder with the pages' files.
    pub fn site_directory(&self) -> &Path {
        self.folder.path()
    }

    /// An account with a live key.
    pub async fn customer(&self, name: &str) -> Customer {
        Customer::create(self, name).await
    }

    /// Asks the server to stop, as a signal does.
    pub fn ask_to_stop(&self) {
        self.stop.cancel();
    }

    /// Ends the server in order and starts it anew, on another port, over the same database.
    pub async fn restart(&mut self) {
        self.ask_to_stop();
        self.ended().await;
        self.start_again().await;
    }

    /// As [`TestApp::restart`], with `CROSSVAT_<name>` set otherwise.
    pub async fn restart_with(&mut self, name: &str, value: &str) {
        let changed = (format!("CROSSVAT_{name}"), value.to_owned());
        self.environment.push(changed);
        self.config = Config::load(None, self.environment.clone()).expect("configuration");
        self.restart().await;
    }

    /// Starts a server anew that has ended, on another port, over the same database.
    pub async fn start_again(&mut self) {
        let Running { address, batch_checks, registries, stop, server } =
            serve(self.config.clone(), &self.clock, &self.mail).await;
        (self.address, self.batch_checks, self.registries) = (address, batch_checks, registries);
        (self.stop, self.server) = (stop, Some(server));
    }

    /// Waits until a server that was asked to stop has ended.
    pub async fn ended(&mut self) {
        let server = self.server.take().expect("still ours");
        tokio::time::timeout(Duration::from_mins(1), server)
            .await
            .expect("ends in time")
            .expect("ends without a panic")
            .expect("ends with all its parts");
    }
}

/// A server that was started.
struct Running {
    address: SocketAddr,
    batch_checks: BatchChecks,
    registries: Arc<RegistryGateway>,
    stop: CancellationToken,
    server: JoinHandle<Result<(), Died>>,
}

async fn serve(config: Config, clock: &Arc<ManualClock>, mail: &Memory) -> Running {
    let overrides = Overrides { clock: Some(clock.clone()), mailer: Some(Arc::new(mail.clone())) };
    let application = Application::build(config, overrides).await.expect("starts");
    let address = application.address();
    let (batch_checks, registries) =
        (application.batch_checks().clone(), Arc::clone(application.registries()));
    let stop = CancellationToken::new();
    let server = tokio::spawn(application.run_until(stop.clone()));
    Running { address, batch_checks, registries, stop, server }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        // Before the stop, which an idle server follows at once.
        let ended_early = self.server.as_ref().is_some_and(JoinHandle::is_finished);
        self.stop.cancel();
        database::forget(self.folder.path());
        assert!(!ended_early || std::thread::panicking(), "the server ended before the test did");
    }
}

/// The least that the pages need: a manifest and the files it names.
pub fn write_site(folder: &Path) {
    std::fs::create_dir_all(folder.join("pkg")).expect("folder");
    for (name, content) in [
        (
            "manifest.json",
            r#"{"stylesheet":"/pkg/test.css","script":"/pkg/test.js","wasm":"/pkg/test.wasm"}"#,
        ),
        ("favicon.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- as it is --></svg>"),
        ("favicon.ico", "as it is"),
        ("apple-touch-icon.png", "as it is"),
        ("pkg/test.css", "/* as it is */"),
        ("pkg/test.js", "// as it is"),
        ("pkg/test.wasm", "as it is"),
    ] {
        std::fs::write(folder.join(name), content).expect("write");
        // Told apart by their text: nobody unpacks them.
        for (ending, packed) in [("br", "as brotli"), ("gz", "as gzip")] {
            std::fs::write(folder.join(format!("{name}.{ending}")), packed).expect("write");
        }
    }
}

/// A caller: no redirects, no proxies, and no patience beyond half a minute.
pub fn http_client() -> reqwest::Client {
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    #[expect(clippy::disallowed_methods, reason = "a caller's client, not the product's")]
    let builder = reqwest::Client::builder();
    builder
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(35))
        .build()
        .expect("a client")
}

/// What goes on behind the server's back.
impl TestApp {
    /// The services as the command line has them: over the same database, but not the server's own.
    pub fn api_keys(&self) -> ApiKeys {
        ApiKeys::new(self.database.clone(), self.shared_clock())
    }

    /// As [`TestApp::api_keys`].
    pub fn accounts(&self) -> Accounts {
        Accounts::new(self.database.clone(), self.shared_clock())
    }

    /// As [`TestApp::api_keys`].
    pub fn second_factors(&self) -> SecondFactors {
        let key: KeyBytes = SECOND_FACTOR_KEY.parse().expect("a key");
        let key = SecondFactorKey::new(key.expose());
        SecondFactors::new(self.database.main.clone(), self.shared_clock(), Some(key))
    }

    /// As [`TestApp::api_keys`]. The server sends what is put into it.
    pub fn outbox(&self) -> Outbox {
        let url = format!("http://{}", self.address);
        Outbox::new(self.database.main.clone(), self.shared_clock(), url.into(), None)
    }

    /// As [`TestApp::api_keys`].
    pub fn early_access(&self) -> EarlyAccess {
        EarlyAccess::new(self.database.clone(), self.shared_clock())
    }

    /// As [`TestApp::api_keys`].
    pub fn links(&self) -> OneTimeLinks {
        OneTimeLinks::new(self.database.main.clone(), self.shared_clock())
    }

    /// As [`TestApp::api_keys`].
    pub fn onboarding(&self) -> Onboarding {
        Onboarding::new(Services {
            db: self.database.clone(),
            members: self.members(),
            early_access: self.early_access(),
            links: self.links(),
            api_keys: self.api_keys(),
            outbox: self.outbox(),
            clock: self.shared_clock(),
        })
    }

    /// The letters to an address, once there are so many.
    pub async fn mail_to(&self, address: &str, letters: usize) -> Vec<Letter> {
        let waiting = async {
            loop {
                let found = self.mail.to(address);
                if found.len() >= letters {
                    return found;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), waiting).await.expect("the mail comes")
    }

    /// The clock, as services want it.
    pub fn shared_clock(&self) -> SharedClock {
        self.clock.clone()
    }

    /// An account with other limits than its plan's, and a live key.
    pub async fn customer_with(&self, name: &str, limits: &Limits) -> Customer {
        self.accounts().create(name, limits, &Actor::COMMAND_LINE).await.expect("account");
        self.customer(name).await
    }

    /// Has everything asked again, as if nothing had ever failed.
    pub fn close_breakers(&self) {
        for part in RegistryPart::all() {
            self.registries.close_by_hand(part);
        }
    }

    /// Takes the table of keys away from the server.
    pub async fn break_database(&self) {
        self.database.main.execute_unprepared("DROP TABLE api_keys").await.expect("drops");
    }
}
