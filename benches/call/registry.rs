//! The registry behind the product: the simulator without latency or limits, on a thread of its own, and numbers that
//! it knows.

use std::sync::atomic::{AtomicU32, Ordering};

use registry_simulator::{Answer, Settings, Simulator};
use tokio::runtime::Runtime;
use vat::{CheckDigits, Prefix};

use crate::{
    generator::{Request, post},
    published::eu_numbers,
};

/// What the registry says of every number here.
pub const NAME: &str = "Muster Werkzeugbau Aktiengesellschaft";
const ADDRESS: &str = "Industriestraße 117\n1030 Wien";
/// As the product writes it.
pub const JOINED_ADDRESS: &str = "Industriestraße 117, 1030 Wien";

/// The simulator with the runtime it lives on.
pub struct Registry {
    pub simulator: Simulator,
    runtime: Option<Runtime>,
    used: AtomicU32,
}

impl Registry {
    pub async fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let settings =
            Settings { vies_limit: None, vies_limit_per_member_state: None, ..Settings::default() };
        let simulator =
            runtime.spawn(Simulator::start(settings)).await.expect("is not cut off").expect("the simulator");
        Self { simulator, runtime: Some(runtime), used: AtomicU32::new(0) }
    }

    /// A hundred published numbers, registered here, about which there is nothing to advise: then the product's results
    /// have the members of the bare server's and no more.
    pub fn published_numbers(&self) -> Vec<String> {
        let numbers: Vec<_> = eu_numbers()
            .into_iter()
            .filter(|number| number.check_digits() == CheckDigits::Fit && number.prefix() != Prefix::Xi)
            .take(100)
            .collect();
        assert_eq!(numbers.len(), 100);
        for number in &numbers {
            self.register(number.prefix().as_str(), number.national());
        }
        numbers.iter().map(|number| number.as_str().to_owned()).collect()
    }

    /// This many numbers that nobody asked about yet, registered here. Their check digits fit.
    pub fn new_numbers(&self, count: u32) -> Vec<String> {
        let first = self.used.fetch_add(count, Ordering::Relaxed);
        let numbers = (first..first + count).map(|at| {
            // Luxembourg: six digits and their remainder by 89.
            let body = 100_000 + at;
            format!("{body}{:02}", body % 89)
        });
        numbers
            .map(|national| {
                self.register("LU", &national);
                format!("LU{national}")
            })
            .collect()
    }

    /// The question that the product asks about a number, for asking it directly.
    pub fn question(&self, number: &str) -> Request {
        let address = self.simulator.address();
        let base_url = self.simulator.vies_base_url();
        let path = base_url.strip_prefix(&format!("http://{address}")).expect("begins so");
        let (prefix, national) = number.split_at(2);
        let body = serde_json::json!({ "countryCode": prefix, "vatNumber": national });
        post(address, &format!("{path}/check-vat-number"), None, &body.to_string())
    }

    fn register(&self, prefix: &str, national: &str) {
        let answer = Answer::Valid { name: NAME.to_owned(), address: ADDRESS.to_owned() };
        self.simulator.vies().script(prefix, national, answer);
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        // A runtime must not be dropped, and so waited for, on another's thread.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
