//! One server with a database, a simulator, a clock and a site of its own.

use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};

use chrono::{TimeZone, Utc};
use crossvat::{
    api_keys::PresentedKey,
    application::{Application, Overrides},
    clock::{Clock, ManualClock},
    config::Config,
    db::{
        self,
        entities::{account, api_key},
    },
};
use registry_simulator::{Settings as SimulatorSettings, Simulator};
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, QueryFilter, sea_query::Expr};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Customer;

/// A running server. Dropping it stops it and fails the test if it had ended by itself.
pub struct TestApp {
    pub address: SocketAddr,
    pub simulator: Simulator,
    pub clock: Arc<ManualClock>,
    pub http: reqwest::Client,
    pub database: DatabaseConnection,
    stop: CancellationToken,
    server: Option<JoinHandle<()>>,
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
            ("CROSSVAT_DATABASE__URL".to_owned(), format!("sqlite://{}/test.db", folder.path().display())),
            ("CROSSVAT_HMRC__BASE_URL".to_owned(), simulator.hmrc_base_url()),
            ("CROSSVAT_VIES__BASE_URL".to_owned(), simulator.vies_base_url()),
        ];
        if !self.without_hmrc_credentials {
            environment.push(("CROSSVAT_HMRC__CLIENT_ID".to_owned(), "sandbox-client".to_owned()));
            environment.push(("CROSSVAT_HMRC__CLIENT_SECRET".to_owned(), "sandbox-secret".to_owned()));
        }
        environment.extend(self.settings);
        let config = Config::load(None, environment).expect("configuration");
        let database_url = config.database.url.clone();
        let overrides = Overrides { clock: Some(clock.clone()) };
        let application = Application::build(config, overrides).await.expect("starts");
        let address = application.address();
        let stop = CancellationToken::new();
        let server = tokio::spawn(application.run_until(stop.clone()));
        TestApp {
            address,
            simulator,
            clock,
            http: http_client(),
            database: db::connect(&database_url).await.expect("database"),
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

    pub fn with() -> TestAppBuilder {
        TestAppBuilder::default()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
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

    /// Waits until a server that was asked to stop has ended.
    pub async fn ended(&mut self) {
        let server = self.server.take().expect("still ours");
        tokio::time::timeout(Duration::from_secs(30), server)
            .await
            .expect("ends in time")
            .expect("ends without a panic");
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.stop.cancel();
        let ended_early = self.server.as_ref().is_some_and(JoinHandle::is_finished);
        assert!(!ended_early || std::thread::panicking(), "the server ended before the test did");
    }
}

/// The least that the pages need: a manifest and the files it names.
fn write_site(folder: &Path) {
    std::fs::create_dir_all(folder.join("pkg")).expect("folder");
    for (name, content) in [
        (
            "manifest.json",
            r#"{"stylesheet":"/pkg/test.css","script":"/pkg/test.js","wasm":"/pkg/test.wasm"}"#,
        ),
        ("favicon.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        ("pkg/test.css", "/* test */"),
        ("pkg/test.js", "// test"),
        ("pkg/test.wasm", "test"),
    ] {
        std::fs::write(folder.join(name), content).expect("write");
    }
}

/// A caller: no redirects, no proxies, and no patience beyond half a minute.
fn http_client() -> reqwest::Client {
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

/// What support staff do, as long as there is no command for it.
impl TestApp {
    /// Revokes a key.
    pub async fn revoke(&self, key: &str) {
        let hash = PresentedKey::parse(key).expect("a key").hash().to_vec();
        let changed = api_key::Entity::update_many()
            .col_expr(api_key::Column::RevokedAt, Expr::value(self.clock.now()))
            .filter(api_key::Column::SecretHash.eq(hash))
            .exec(&self.database)
            .await
            .expect("updates");
        assert_eq!(changed.rows_affected, 1);
    }

    /// Takes the table of keys away from the server.
    pub async fn break_database(&self) {
        self.database.execute_unprepared("DROP TABLE api_keys").await.expect("drops");
    }

    /// Suspends an account.
    pub async fn suspend(&self, account: Uuid) {
        let changed = account::Entity::update_many()
            .col_expr(account::Column::State, Expr::value("suspended"))
            .filter(account::Column::Id.eq(account))
            .exec(&self.database)
            .await
            .expect("updates");
        assert_eq!(changed.rows_affected, 1);
    }
}
