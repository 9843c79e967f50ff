//! Asks HMRC about one number.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::ACCEPT;

use super::{
    access_token::{AccessToken, AccessTokens},
    wire,
};
use crate::{
    clock::SharedClock,
    config::HmrcConfig,
    registries::body::Body,
    verification::registry::{Lookup, RegistryAnswer, RegistryError, Trouble, TroubleKind, VatRegistry},
};

/// The only value the version header may have (OpenAPI of the API, version 2.0).
const VERSION: &str = "application/vnd.hmrc.2.0+json";

/// HMRC as a registry.
pub struct Hmrc {
    http: reqwest::Client,
    lookup_url: String,
    /// `None`: no credentials are configured.
    tokens: Option<AccessTokens>,
}

impl Hmrc {
    /// A client with the credentials of `config`, if it has any.
    #[must_use]
    pub fn new(http: reqwest::Client, config: &HmrcConfig, clock: SharedClock) -> Self {
        let tokens = config
            .credentials
            .clone()
            .map(|credentials| AccessTokens::new(http.clone(), config, credentials, clock));
        Self {
            http,
            lookup_url: format!("{}/organisations/vat/check-vat-number/lookup", config.base_url),
            tokens,
        }
    }

    async fn ask(&self, lookup: Lookup, token: &AccessToken) -> Result<RegistryAnswer, RegistryError> {
        let target = lookup.number.national();
        let url = match &lookup.requester {
            Some(requester) => format!("{}/{target}/{}", self.lookup_url, requester.national()),
            None => format!("{}/{target}", self.lookup_url),
        };
        let request = self.http.get(url).header(ACCEPT, VERSION).bearer_auth(token.secret());
        let body = Body::fetch(request).await.map_err(|trouble| trouble.without(token.secret()))?;
        wire::read_lookup(&body, &lookup.number).map_err(|error| match body.shown_in(error) {
            RegistryError::Trouble(trouble) => trouble.without(token.secret()).into(),
            other => other,
        })
    }
}

#[async_trait]
impl VatRegistry for Hmrc {
    async fn look_up(&self, lookup: Lookup) -> Result<RegistryAnswer, RegistryError> {
        let Some(tokens) = &self.tokens else {
            return Err(Trouble::new(TroubleKind::NotConfigured, "no HMRC credentials are configured").into());
        };
        let token = tokens.get().await?;
        let result = self.ask(lookup, &token).await;
        if result == Err(RegistryError::CredentialsRefused) {
            // Expired or revoked before its time. Asking again takes a turn of its own, which is the gateway's to give.
            tokens.forget(&token);
        }
        result
    }

    /// Without credentials a lookup fails before anything is asked.
    fn is_ready(&self) -> bool {
        self.tokens.as_ref().is_none_or(AccessTokens::is_at_hand)
    }

    async fn make_ready(&self) -> Result<(), RegistryError> {
        if let Some(tokens) = &self.tokens {
            tokens.get().await?;
        }
        Ok(())
    }

    fn ready_for(&self) -> Option<Duration> {
        self.tokens.as_ref()?.good_for()
    }
}
