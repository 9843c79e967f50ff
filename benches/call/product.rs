//! The product under load: the real program, with everything on that it has by default, and metrics.

use std::{fs, net::SocketAddr, path::Path, process::Stdio};

use crossvat::api_keys::{KeyMode, NewSecret};
use rand::rngs::SysRng;

use crate::{
    cores::Cores,
    generator::{Request, Target, post},
    registry::Registry,
    support::{Server, issue_key, program},
};

/// Where the results of a call that was made before come from.
pub const SOURCE_OF_A_REPEATED_CALL: &str = "cache";
/// Requests a minute and numbers a month that no load here reaches.
pub const UNLIMITED: u32 = 1_000_000_000;

/// An account that calls.
#[derive(Clone, Copy)]
pub struct Account {
    pub name: &'static str,
    pub requests_per_minute: u32,
}

/// The server with its accounts' keys.
pub struct Product {
    server: Server,
    keys: Vec<(&'static str, String)>,
}

impl Product {
    /// A server with a new database in a folder of its own below `parent`.
    pub async fn start(
        cores: Cores,
        parent: &Path,
        name: &str,
        registry: &Registry,
        accounts: &[Account],
    ) -> Self {
        let folder = parent.join(name);
        fs::create_dir(&folder).expect("a folder");
        let keys = open_accounts(&folder, accounts);
        let mut command = program(&folder);
        // The registry here has no limits: what the product itself costs is measured, not its manners.
        command
            .env("CROSSVAT_VIES__MAX_IN_FLIGHT", "1000")
            .env("CROSSVAT_VIES__MAX_IN_FLIGHT_PER_MEMBER_STATE", "1000")
            .env("CROSSVAT_METRICS__BIND", "127.0.0.1:0");
        let mut command = cores.for_a_server(command);
        // Log lines are formatted and written, and nobody reads them.
        command.stderr(Stdio::null());
        Self { server: Server::start(command, &folder, &registry.simulator).await, keys }
    }

    pub fn target(&self) -> Target {
        Target { address: self.server.address, process_id: self.server.process_id() }
    }

    pub fn resident_megabytes(&self) -> f64 {
        self.server.resident_megabytes()
    }

    /// A call of an account about these numbers.
    pub fn call(&self, account: Account, numbers: &[String]) -> Request {
        let (_, key) = self.keys.iter().find(|(name, _)| *name == account.name).expect("has a key");
        verify_vat(self.server.address, Some(key), numbers)
    }

    /// A call with a well-formed key that is of no account, and one with a key that cannot be ours.
    pub fn calls_of_strangers(&self, numbers: &[String]) -> (Request, Request) {
        let key = NewSecret::generate(KeyMode::Live, &mut SysRng).expect("randomness");
        let call = |key: &str| verify_vat(self.server.address, Some(key), numbers);
        // Without its last character no checksum fits.
        (call(key.reveal()), call(&key.reveal()[..key.reveal().len() - 1]))
    }
}

/// The request itself.
pub fn verify_vat(address: SocketAddr, key: Option<&str>, numbers: &[String]) -> Request {
    post(address, "/v1/verify-vat", key, &serde_json::json!({ "vatNumbers": numbers }).to_string())
}

/// Makes the accounts in the database of `folder`, with a key for each.
fn open_accounts(folder: &Path, accounts: &[Account]) -> Vec<(&'static str, String)> {
    accounts
        .iter()
        .map(|account| {
            let made = program(folder)
                .args(["create-account", "--name", account.name])
                .args(["--requests-per-minute", &account.requests_per_minute.to_string()])
                .args(["--numbers-per-month", &UNLIMITED.to_string()])
                .stdout(Stdio::null())
                .status();
            assert!(made.expect("runs").success());
            (account.name, issue_key(folder, account.name))
        })
        .collect()
}
