//! Servers of a test's own, to be stopped, killed and started again.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use sea_orm::{ConnectOptions, Database};
use tempfile::TempDir;

use super::{Port, program::signal};

/// How long a server may take to start.
const START_LIMIT: Duration = Duration::from_secs(20);

/// A PostgreSQL with nothing in it.
pub struct PrivatePostgres {
    port: Port,
    folder: TempDir,
    server: Child,
}

impl PrivatePostgres {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        if is_root() {
            let given = Command::new("chown").arg("postgres:").arg(folder.path()).status();
            assert!(given.expect("chown is installed").success());
        }
        let initdb = as_owner("initdb")
            .arg("--pgdata")
            .arg(folder.path().join("data"))
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"])
            .output()
            .expect("runs");
        assert!(initdb.status.success(), "{}", String::from_utf8_lossy(&initdb.stderr));
        let port = Port::free();
        let server = Self::run(folder.path(), port.number());
        let mut postgres = Self { port, folder, server };
        postgres.answers().await;
        postgres
    }

    pub fn url(&self) -> String {
        Self::address(self.port())
    }

    /// Its address for somebody who reaches it at another port.
    pub fn address(port: u16) -> String {
        format!("postgres://postgres@127.0.0.1:{port}/postgres")
    }

    pub const fn port(&self) -> u16 {
        self.port.number()
    }

    /// Ends it as an operator does: open transactions are rolled back, connections closed.
    pub fn stop(&mut self) {
        signal("-INT", self.server.id());
        self.server.wait().expect("ends");
    }

    /// Ends it without a chance to write anything more.
    pub fn kill(&mut self) {
        let postmaster = self.server.id().to_string();
        let children =
            Command::new("pgrep").args(["--parent", &postmaster]).output().expect("pgrep is installed");
        self.server.kill().expect("kills");
        for child in String::from_utf8_lossy(&children.stdout).lines() {
            // One may have ended with the first signal.
            let _gone = Command::new("kill").args(["-KILL", child]).stderr(Stdio::null()).status();
        }
        self.server.wait().expect("ends");
    }

    /// Starts it again, with what it had written.
    pub async fn start_again(&mut self) {
        self.server = Self::run(self.folder.path(), self.port());
        self.answers().await;
    }

    fn run(folder: &Path, port: u16) -> Child {
        as_owner("postgres")
            .arg("-D")
            .arg(folder.join("data"))
            .arg("-k")
            .arg(folder)
            .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("PostgreSQL is installed")
    }

    async fn answers(&mut self) {
        let started = Instant::now();
        let mut options = ConnectOptions::new(self.url());
        options.connect_timeout(Duration::from_millis(500)).max_connections(1).sqlx_logging(false);
        loop {
            if let Ok(connection) = Database::connect(options.clone()).await
                && connection.ping().await.is_ok()
            {
                connection.close().await.expect("closes");
                return;
            }
            assert!(started.elapsed() < START_LIMIT, "PostgreSQL does not answer");
            if self.server.try_wait().expect("asks").is_some() {
                // What is left of a killed one still holds its memory for a moment.
                self.server = Self::run(self.folder.path(), self.port());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for PrivatePostgres {
    fn drop(&mut self) {
        // The test may have ended it already.
        if matches!(self.server.try_wait(), Ok(None)) {
            signal("-QUIT", self.server.id());
            let _ended = self.server.wait();
        }
    }
}

/// A Redis with nothing in it.
pub struct PrivateRedis {
    port: Port,
    server: Child,
}

impl PrivateRedis {
    pub async fn start() -> Self {
        let port = Port::free();
        let redis = Self { server: Self::run(port.number()), port };
        redis.answers().await;
        redis
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port.number())
    }

    pub fn kill(&mut self) {
        self.server.kill().expect("kills");
        self.server.wait().expect("ends");
    }

    /// Starts it again, with nothing in it.
    pub async fn start_again(&mut self) {
        self.server = Self::run(self.port.number());
        self.answers().await;
    }

    /// Sends it a signal: `-STOP` has it answer nothing without closing anything, `-CONT` ends that.
    pub fn signal(&self, name: &str) {
        signal(name, self.server.id());
    }

    fn run(port: u16) -> Child {
        Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port", &port.to_string()])
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed")
    }

    async fn answers(&self) {
        let started = Instant::now();
        let client = redis::Client::open(self.url()).expect("a client");
        while client.get_multiplexed_async_connection().await.is_err() {
            assert!(started.elapsed() < START_LIMIT, "Redis does not answer");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for PrivateRedis {
    fn drop(&mut self) {
        // It may have been killed by the test already.
        let _killed = self.server.kill();
        let _ended = self.server.wait();
    }
}

/// A program that ends with the test. PostgreSQL refuses to work for root.
fn as_owner(program: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    command.arg(program);
    command
}

/// Whether the test runs as root.
pub fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("id is installed");
    id.stdout.trim_ascii() == b"0"
}
