//! Asks HMRC about one number.

use async_trait::async_trait;
use reqwest::header::ACCEPT;
use vat::VatNumber;

use super::{
    access_token::{AccessToken, AccessTokens},
    wire::{self, LookupReply},
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
        let base_url = config.base_url.as_str();
        let tokens = config
            .credentials
            .clone()
            .map(|credentials| AccessTokens::new(http.clone(), base_url, credentials, clock));
        Self { http, lookup_url: format!("{base_url}/organisations/vat/check-vat-number/lookup"), tokens }
    }

    async fn ask(&self, lookup: Lookup, token: &AccessToken) -> Result<LookupReply, RegistryError> {
        let target = lookup.number.national();
        let url = match &lookup.requester {
            Some(requester) => format!("{}/{target}/{}", self.lookup_url, requester.national()),
            None => format!("{}/{target}", self.lookup_url),
        };
        let request = self.http.get(url).header(ACCEPT, VERSION).bearer_auth(token.secret());
        let body = Body::fetch(request).await?;
        wire::read_lookup(&body, &lookup.number)
    }
}

#[async_trait]
impl VatRegistry for Hmrc {
    async fn look_up(&self, lookup: Lookup) -> Result<RegistryAnswer, RegistryError> {
        let Some(tokens) = &self.tokens else {
            return Err(Trouble::new(TroubleKind::NotConfigured, "no HMRC credentials are configured").into());
        };
        let token = tokens.get().await?;
        if let LookupReply::Answer(answer) = self.ask(lookup, &token).await? {
            return Ok(answer);
        }
        // Expired or revoked before its time: once more with a new one, and never again.
        tokens.forget(&token).await;
        match self.ask(lookup, &tokens.get().await?).await? {
            LookupReply::Answer(answer) => Ok(answer),
            LookupReply::TokenRefused => {
                Err(Trouble::new(TroubleKind::NotConfigured, "HTTP 401 twice, with a new token too").into())
            }
        }
    }
}

/// Whether `echoed` is the number that was asked about.
pub(super) fn is_echo_of(number: &VatNumber, echoed: &str) -> bool {
    echoed == number.national()
}
