//! An enterprise customer's program: knows a key and calls the API.

use chrono::{DateTime, Utc};
use crossvat::{
    api_keys::{ApiKey, KeyMode, NewKey},
    audit::Actor,
};
use rand::rngs::SysRng;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Answer, TestApp};

/// One account with a key.
pub struct Customer {
    pub account_id: Uuid,
    pub key: String,
    http: reqwest::Client,
    url: String,
}

impl Customer {
    pub(super) async fn create(app: &TestApp, name: &str) -> Self {
        let account_id = app.accounts().find_or_create(name, &Actor::COMMAND_LINE).await.expect("account");
        let key = String::new();
        let mut customer = Self { account_id, key, http: app.http.clone(), url: app.url("/") };
        customer.key = customer.another_key(app, None).await;
        customer
    }

    /// A further key of the same account.
    pub async fn another_key(&self, app: &TestApp, expires_at: Option<DateTime<Utc>>) -> String {
        self.issue(app, KeyMode::Live, expires_at).await
    }

    async fn issue(&self, app: &TestApp, mode: KeyMode, expires_at: Option<DateTime<Utc>>) -> String {
        let new = NewKey { id: None, account_id: self.account_id, name: "test", mode, expires_at };
        let issued = app.api_keys().issue(new, &Actor::COMMAND_LINE, &mut SysRng).await.expect("key");
        issued.secret.reveal().to_owned()
    }

    /// The same account with a test key.
    pub async fn in_the_sandbox(&self, app: &TestApp) -> Self {
        let key = self.issue(app, KeyMode::Test, None).await;
        Self { account_id: self.account_id, key, http: self.http.clone(), url: self.url.clone() }
    }

    /// The same account with another of its keys.
    pub fn with_key(&self, key: &str) -> Self {
        Self {
            account_id: self.account_id,
            key: key.to_owned(),
            http: self.http.clone(),
            url: self.url.clone(),
        }
    }

    /// The same program, calling a server that was started anew.
    pub fn at(&self, app: &TestApp) -> Self {
        Self {
            account_id: self.account_id,
            key: self.key.clone(),
            http: self.http.clone(),
            url: app.url("/"),
        }
    }

    /// The key that this program knows, as it is listed.
    pub async fn listed_key(&self, app: &TestApp) -> ApiKey {
        let keys = app.api_keys().list(self.account_id).await.expect("keys");
        let known =
            |key: &ApiKey| self.key.starts_with(key.mode.prefix()) && self.key.ends_with(&key.last_four);
        keys.into_iter().find(known).expect("the key")
    }

    /// Ends the key that this program knows.
    pub async fn revoke_key(&self, app: &TestApp) {
        let key = self.listed_key(app).await.id;
        app.api_keys().revoke(self.account_id, key, &Actor::COMMAND_LINE).await.expect("revokes");
    }

    /// What the account has used, as the API tells it.
    pub async fn account(&self) -> Answer {
        Answer::of(self.http.get(format!("{}v1/account", self.url)).bearer_auth(&self.key)).await
    }

    /// Numbers used of this month's allowance, as the API tells it.
    pub async fn numbers_used(&self) -> u64 {
        self.account().await.body["usage"]["numbers"].as_u64().expect("a number")
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
        self.http.post(format!("{}v1/verify-vat", self.url)).bearer_auth(&self.key)
    }
}
