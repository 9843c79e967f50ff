//! The OAuth 2.0 access token (client credentials), kept until nine tenths of its life. One fetch serves everybody who
//! waits, and is nobody's: a caller that leaves or runs out of time does not end it for the others.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use secrecy::{ExposeSecret, SecretString};
use tokio::time::timeout;

use super::wire;
use crate::{
    clock::SharedClock,
    config::{HmrcConfig, HmrcCredentials},
    registries::body::Body,
    verification::registry::{Trouble, TroubleKind},
};

/// A fetch that is under way or over; its outcome stays with it.
type Fetch = Shared<BoxFuture<'static, Result<AccessToken, Trouble>>>;

/// Where the token comes from and the latest one.
pub(super) struct AccessTokens {
    source: Arc<TokenSource>,
    latest: Mutex<Option<Fetch>>,
}

struct TokenSource {
    http: reqwest::Client,
    url: String,
    credentials: HmrcCredentials,
    limit: Duration,
    clock: SharedClock,
}

/// A token as HMRC issued it.
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
        config: &HmrcConfig,
        credentials: HmrcCredentials,
        clock: SharedClock,
    ) -> Self {
        let url = format!("{}/oauth/token", config.base_url);
        let source = Arc::new(TokenSource { http, url, credentials, limit: config.timeout, clock });
        Self { source, latest: Mutex::default() }
    }

    /// The token in use, or the one that is being fetched, or a new one.
    pub(super) async fn get(&self) -> Result<AccessToken, Trouble> {
        self.fetch_in_use().await
    }

    /// Whether there is a token that need not be fetched first.
    pub(super) fn is_at_hand(&self) -> bool {
        self.good_for().is_some()
    }

    /// For how long the token can be used that is at hand.
    pub(super) fn good_for(&self) -> Option<Duration> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        self.left_of(latest.as_ref()?)
    }

    /// For how long the token can be used that a fetch has brought, if it has brought one.
    fn left_of(&self, fetch: &Fetch) -> Option<Duration> {
        let token = fetch.peek()?.as_ref().ok()?;
        token.use_until.checked_sub(self.source.clock.elapsed()).filter(|left| !left.is_zero())
    }

    /// Whether a fetch is under way, or has brought a token that can be used.
    fn is_of_use(&self, fetch: &Fetch) -> bool {
        fetch.peek().is_none() || self.left_of(fetch).is_some()
    }

    fn fetch_in_use(&self) -> Fetch {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fetch) = latest.as_ref().filter(|fetch| self.is_of_use(fetch)) {
            return fetch.clone();
        }
        let fetch = start(Arc::clone(&self.source));
        *latest = Some(fetch.clone());
        fetch
    }

    /// Forgets `refused`, unless it has been replaced already.
    pub(super) fn forget(&self, refused: &AccessToken) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let is_refused = |fetch: &Fetch| {
            fetch
                .peek()
                .is_some_and(|outcome| outcome.as_ref().is_ok_and(|token| token.secret() == refused.secret()))
        };
        if latest.as_ref().is_some_and(is_refused) {
            *latest = None;
        }
    }
}

fn start(source: Arc<TokenSource>) -> Fetch {
    let task = tokio::spawn(async move {
        let too_slow = || Trouble::new(TroubleKind::TimedOut, "token endpoint: no answer in time");
        let outcome = timeout(source.limit, source.fetch()).await.unwrap_or_else(|_| Err(too_slow()));
        let told = outcome.as_ref().map_or_else(|trouble| trouble.kind.reason().as_str(), |_| "issued");
        metrics::counter!("crossvat_hmrc_token_requests_total", "outcome" => told).increment(1);
        outcome
    });
    async move {
        task.await
            .unwrap_or_else(|_| Err(Trouble::new(TroubleKind::RegistryUnavailable, "the fetch was ended")))
    }
    .boxed()
    .shared()
}

impl TokenSource {
    async fn fetch(&self) -> Result<AccessToken, Trouble> {
        let form = [
            ("client_id", self.credentials.client_id.as_str()),
            ("client_secret", self.credentials.client_secret.expose_secret()),
            ("grant_type", "client_credentials"),
            ("scope", "read:vat"),
        ];
        let asked_at = self.clock.elapsed();
        // What is sent here may be a secret.
        let without_raw = |trouble: Trouble| trouble.with_raw(None);
        let body = Body::fetch(self.http.post(&self.url).form(&form)).await.map_err(without_raw)?;
        let issued = wire::read_token(&body)?;
        Ok(AccessToken { secret: issued.secret, use_until: asked_at + issued.life * 9 / 10 })
    }
}
