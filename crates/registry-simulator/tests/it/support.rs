//! A simulator with a client that knows how to ask it.

use std::{sync::Once, time::Duration};

use registry_simulator::{Settings, Simulator};
use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::{Value, json};

/// The API version HMRC's lookups ask for.
pub const ACCEPT: &str = "application/vnd.hmrc.2.0+json";

/// Registered, published example numbers without a script of their own.
pub const IRISH: (&str, &str) = ("IE", "6388047V");
pub const GERMAN: (&str, &str) = ("DE", "811569869");
pub const FRENCH: (&str, &str) = ("FR", "83404833048");

pub struct World {
    pub simulator: Simulator,
    pub client: Client,
}

impl World {
    pub async fn start() -> Self {
        Self::with(Settings::default()).await
    }

    pub async fn with(settings: Settings) -> Self {
        Self { simulator: Simulator::start(settings).await.unwrap(), client: client() }
    }

    /// Asks VIES with POST.
    pub fn vies(&self, (country, number): (&str, &str)) -> RequestBuilder {
        self.vies_body(&json!({ "countryCode": country, "vatNumber": number }))
    }

    pub fn vies_body(&self, body: &Value) -> RequestBuilder {
        self.client.post(format!("{}/check-vat-number", self.simulator.vies_base_url())).json(body)
    }

    /// Asks VIES with the web page's GET.
    pub fn vies_web(&self, (country, number): (&str, &str)) -> RequestBuilder {
        self.client.get(format!("{}/ms/{country}/vat/{number}", self.simulator.vies_base_url()))
    }

    /// The same in a requester's name.
    pub fn vies_web_for(&self, (country, number): (&str, &str), requester: (&str, &str)) -> RequestBuilder {
        let base = self.simulator.vies_base_url();
        let (requester_country, requester_number) = requester;
        self.client.get(format!(
            "{base}/ms/{country}/vat/{number}\
             ?requesterMemberStateCode={requester_country}&requesterNumber={requester_number}"
        ))
    }

    /// Asks HMRC with whatever headers are added.
    pub fn hmrc_bare(&self, path: &str) -> RequestBuilder {
        let base = self.simulator.hmrc_base_url();
        self.client.get(format!("{base}/organisations/vat/check-vat-number/lookup/{path}"))
    }

    pub fn hmrc(&self, token: &str, path: &str) -> RequestBuilder {
        self.hmrc_bare(path).header("accept", ACCEPT).bearer_auth(token)
    }

    pub fn token_request(&self, form: &[(&str, &str)]) -> RequestBuilder {
        self.client.post(format!("{}/oauth/token", self.simulator.hmrc_base_url())).form(form)
    }

    pub async fn token(&self) -> String {
        let (status, body) = json_of(self.token_request(&CREDENTIALS)).await;
        assert_eq!(status, 200, "{body}");
        body["access_token"].as_str().unwrap().to_owned()
    }

    /// Asks, and goes away without an answer so long after it was heard.
    pub async fn ask_in_vain(&self, request: RequestBuilder, patience: Duration) {
        let before = self.simulator.calls().len();
        let waiting = tokio::spawn(request.send());
        eventually("it is heard", || self.simulator.calls().len() > before).await;
        tokio::time::sleep(patience).await;
        assert!(!waiting.is_finished(), "it was answered: {:?}", self.simulator.calls().last());
        waiting.abort();
    }

    pub fn control(&self, method: reqwest::Method, path: &str, body: &str) -> RequestBuilder {
        let base = self.simulator.hmrc_base_url();
        self.client.request(method, format!("{base}/control{path}")).body(body.to_owned())
    }
}

/// A token request that succeeds.
pub const CREDENTIALS: [(&str, &str); 4] = [
    ("client_id", "sandbox-client"),
    ("client_secret", "sandbox-secret"),
    ("grant_type", "client_credentials"),
    ("scope", "read:vat"),
];

#[expect(clippy::disallowed_methods, reason = "a client without the product's limits is what tests need")]
pub fn client() -> Client {
    static PROVIDER: Once = Once::new();
    // Another test may have installed it already.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    Client::builder().no_proxy().timeout(Duration::from_secs(10)).build().unwrap()
}

pub async fn json_of(request: RequestBuilder) -> (StatusCode, Value) {
    let response = request.send().await.unwrap();
    let status = response.status();
    let bytes = response.bytes().await.unwrap();
    let value = serde_json::from_slice(&bytes)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&bytes)));
    (status, value)
}

/// The error codes of a published VIES answer.
pub fn vies_codes(body: &Value) -> Vec<&str> {
    assert_eq!(body["actionSucceed"], false, "{body}");
    body["errorWrappers"].as_array().unwrap().iter().map(|error| error["error"].as_str().unwrap()).collect()
}

/// Waits until something is so, for at most five seconds.
pub async fn eventually(what: &str, so: impl Fn() -> bool) {
    for _ in 0..500 {
        if so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never happened: {what}");
}
