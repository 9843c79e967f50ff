//! An enterprise customer's program: knows a key and calls the API.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use crossvat::{accounts::Accounts, api_keys::ApiKeys};
use rand::rngs::SysRng;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Answer, TestApp};

/// One account with a live key.
pub struct Customer {
    pub account_id: Uuid,
    pub key: String,
    http: reqwest::Client,
    url: String,
}

impl Customer {
    pub(super) async fn create(app: &TestApp, name: &str) -> Self {
        let clock: Arc<_> = app.clock.clone();
        let account_id =
            Accounts::new(app.database.clone(), clock).find_or_create(name).await.expect("account");
        let mut customer =
            Self { account_id, key: String::new(), http: app.http.clone(), url: app.url("/v1/verify-vat") };
        customer.key = customer.another_key(app, None).await;
        customer
    }

    /// A further key of the same account.
    pub async fn another_key(&self, app: &TestApp, expires_at: Option<DateTime<Utc>>) -> String {
        let clock: Arc<_> = app.clock.clone();
        let keys = ApiKeys::new(app.database.clone(), clock);
        let secret = keys.issue(self.account_id, "test", expires_at, &mut SysRng).await.expect("key");
        secret.reveal().to_owned()
    }

    /// Verifies numbers.
    pub async fn verify(&self, numbers: &[&str]) -> Answer {
        self.post(&json!({ "vatNumbers": numbers })).await
    }

    /// Verifies numbers with further fields of the request.
    pub async fn verify_with(&self, numbers: &[&str], fields: Value) -> Answer {
        let mut body = fields;
        body["vatNumbers"] = json!(numbers);
        self.post(&body).await
    }

    /// Posts any JSON.
    pub async fn post(&self, body: &Value) -> Answer {
        Answer::of(self.request().json(body)).await
    }

    /// A request with this customer's key, to be completed.
    pub fn request(&self) -> reqwest::RequestBuilder {
        self.http.post(&self.url).bearer_auth(&self.key)
    }
}
