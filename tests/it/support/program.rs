//! The real program as a process of its own, to be killed.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread::JoinHandle,
    time::Duration,
};

use registry_simulator::Simulator;

/// A running program; killed when dropped.
pub struct Program {
    pub address: SocketAddr,
    child: Child,
    log: Option<JoinHandle<String>>,
}

impl Program {
    /// Runs `serve` as an operator would, on a free port, against `simulator` and the site in `site`, and logs what passes
    /// `filter`. `command` is the program with whatever else it is to be told.
    pub fn serve(mut command: Command, simulator: &Simulator, site: &Path, filter: &str) -> Self {
        let mut child = command
            .arg("serve")
            .env("CROSSVAT_HTTP__BIND", "127.0.0.1:0")
            .env("CROSSVAT_HTTP__SITE_DIRECTORY", site)
            .env("CROSSVAT_HMRC__BASE_URL", simulator.hmrc_base_url())
            .env("CROSSVAT_VIES__BASE_URL", simulator.vies_base_url())
            .env("CROSSVAT_LOG__FORMAT", "json")
            .env("CROSSVAT_LOG__FILTER", filter)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let errors = BufReader::new(child.stderr.take().expect("piped"));
        let (found, address) = mpsc::channel();
        let log = std::thread::spawn(move || {
            let mut log = String::new();
            for line in errors.lines().map_while(Result::ok) {
                if let Some((_, rest)) = line.split_once(r#""message":"serving","address":""#) {
                    let _nobody_waits = found.send(rest.split('"').next().unwrap_or_default().to_owned());
                }
                log.push_str(&line);
                log.push('\n');
            }
            log
        });
        let Ok(address) = address.recv_timeout(Duration::from_mins(1)) else {
            let _already_gone = child.kill();
            let _already_gone = child.wait();
            panic!("it does not serve: {}", log.join().expect("read"));
        };
        Self { address: address.parse().expect("an address"), child, log: Some(log) }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// As `kill -9`: it learns of nothing and can do nothing about it.
    pub fn kill(mut self) {
        self.child.kill().expect("kills");
        self.child.wait().expect("ends");
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        signal("-TERM", self.id());
    }

    /// Asks it to stop, and gives its whole log.
    pub fn stop(&mut self) -> String {
        self.terminate();
        self.ended()
    }

    /// Waits until it has ended as it was asked to, and gives its whole log.
    pub fn ended(&mut self) -> String {
        let status = self.child.wait().expect("ends");
        let log = self.log.take().expect("read once").join().expect("read");
        assert!(status.success(), "{status}: {log}");
        log
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _already_gone = self.child.kill();
        let _already_gone = self.child.wait();
        if std::thread::panicking()
            && let Some(log) = self.log.take()
        {
            println!("{}", log.join().unwrap_or_default());
        }
    }
}

/// Sends a signal such as `-TERM` to a process of the test's own.
pub fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.expect("kill is installed").success(), "{name} {process}");
}
