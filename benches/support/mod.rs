//! What the benchmarks of the service share: the service as a process, an API key, and medians.

pub mod figures;
pub mod peers;
pub mod process;

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use registry_simulator::Simulator;

/// The server's process; ended when dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    /// Starts `program`, made by [`program`] and completed by the caller, in front of `simulator`. Ready on return.
    pub async fn start(mut program: Command, folder: &Path, simulator: &Simulator) -> Self {
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|free| free.local_addr())
            .expect("a free port");
        write_site(folder);
        let child = program
            .arg("serve")
            .env("CROSSVAT_HTTP__BIND", address.to_string())
            .env("CROSSVAT_HTTP__SITE_DIRECTORY", folder)
            .env("CROSSVAT_VIES__BASE_URL", simulator.vies_base_url())
            .spawn()
            .expect("starts");
        let server = Self { child, address };
        let client = http_client();
        let deadline = Instant::now() + Duration::from_secs(10);
        while client.get(server.url("/readyz")).send().await.is_err() {
            assert!(Instant::now() < deadline, "not ready within 10 seconds");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        server
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    pub fn resident_megabytes(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process_id())).expect("Linux");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("VmRSS");
        let kilobytes: f64 =
            line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).expect("a number");
        kilobytes / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// The service's program with its database in `folder` and nothing from this process's environment.
pub fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crossvat"));
    command.env_clear().env("CROSSVAT_DATABASE__URL", format!("sqlite://{}/bench.db", folder.display()));
    command
}

/// A key of the account `organisation`, which is made when there is none.
pub fn issue_key(folder: &Path, organisation: &str) -> String {
    let mut command = program(folder);
    let output = command
        .args(["issue-key", "--organisation", organisation, "--name", "bench"])
        .stderr(Stdio::inherit())
        .output()
        .expect("runs");
    assert!(output.status.success(), "no key");
    String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
}

/// A caller that follows nothing by itself: an answer that leads elsewhere is not taken for the page.
pub fn http_client() -> reqwest::Client {
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    #[expect(clippy::disallowed_methods, reason = "a caller's client, not the product's")]
    let builder = reqwest::Client::builder();
    builder.no_proxy().redirect(reqwest::redirect::Policy::none()).build().expect("a client")
}

pub fn median<T: Copy + PartialOrd>(mut figures: Vec<T>) -> T {
    figures.sort_unstable_by(|one, other| one.partial_cmp(other).expect("figures compare"));
    figures[figures.len() / 2]
}

/// The pages' files are not measured here.
fn write_site(folder: &Path) {
    fs::create_dir_all(folder.join("pkg")).expect("a folder");
    let manifest = r#"{"stylesheet":"/pkg/a.css","script":"/pkg/a.js","wasm":"/pkg/a.wasm"}"#;
    for (name, content) in
        [("manifest.json", manifest), ("pkg/a.css", ""), ("pkg/a.js", ""), ("pkg/a.wasm", "")]
    {
        fs::write(folder.join(name), content).expect("writes");
    }
    // The server wants every file that stands beside them.
    for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/public")).expect("a folder").flatten() {
        fs::copy(file.path(), folder.join(file.file_name())).expect("copies");
    }
}
