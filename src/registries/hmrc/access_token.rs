//! The OAuth 2.0 access token (client credentials). Kept until nine tenths of its life; fetched by one task while
//! the others wait for it.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;

use super::wire;
use crate::{
    clock::SharedClock,
    config::HmrcCredentials,
    registries::body::Body,
    verification::registry::{Trouble, TroubleKind},
};

/// Where the token comes from and the one in use.
pub(super) struct AccessTokens {
    http: reqwest::Client,
    url: String,
    credentials: HmrcCredentials,
    clock: SharedClock,
    current: Mutex<Option<AccessToken>>,
}

/// A token that HMRC accepted not long ago.
#[derive(Clone)]
pub(super) struct AccessToken {
    secret: SecretString,
    /// On the clock's own scale.
    use_until: Duration,
}

impl AccessToken {
    pub(super) fn secret(&self) -> &str {
        self.secret.expose_secret()
    }
}

impl AccessTokens {
    pub(super) fn new(
        http: reqwest::Client,
        base_url: &str,
        credentials: HmrcCredentials,
        clock: SharedClock,
    ) -> Self {
        Self { http, url: format!("{base_url}/oauth/token"), credentials, clock, current: Mutex::new(None) }
    }

    /// The token in use, or a new one. The lock is held while fetching, so a crowd causes one request.
    pub(super) async fn get(&self) -> Result<AccessToken, Trouble> {
        let mut current = self.current.lock().await;
        if let Some(token) = current.as_ref().filter(|token| self.clock.elapsed() < token.use_until) {
            return Ok(token.clone());
        }
        let fetched = self.fetch().await?;
        *current = Some(fetched.clone());
        Ok(fetched)
    }

    /// Forgets `refused`, unless another task has replaced it already.
    pub(super) async fn forget(&self, refused: &AccessToken) {
        let mut current = self.current.lock().await;
        if current.as_ref().is_some_and(|token| token.secret() == refused.secret()) {
            *current = None;
        }
    }

    async fn fetch(&self) -> Result<AccessToken, Trouble> {
        let form = [
            ("client_id", self.credentials.client_id.as_str()),
            ("client_secret", self.credentials.client_secret.expose_secret()),
            ("grant_type", "client_credentials"),
            ("scope", "read:vat"),
        ];
        let asked_at = self.clock.elapsed();
        let body = Body::fetch(self.http.post(&self.url).form(&form)).await?;
        let issued = wire::read_token(&body)?;
        metrics::counter!("crossvat_hmrc_tokens_total").increment(1);
        Ok(AccessToken {
            secret: issued.access_token,
            use_until: asked_at + Duration::from_secs(issued.expires_in) * 9 / 10,
        })
    }
}

/// A token endpoint's refusal in our terms.
pub(super) fn refused(status: u16, error: &str) -> Trouble {
    let kind = if status >= 500 { TroubleKind::RegistryUnavailable } else { TroubleKind::NotConfigured };
    Trouble::new(kind, format!("token endpoint: HTTP {status} {error}"))
}
