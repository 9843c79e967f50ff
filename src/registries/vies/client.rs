//! Asks VIES about one number, and how the member states are.

use async_trait::async_trait;
use reqwest::header::ACCEPT;
use serde::Serialize;

use super::{
    status::{ViesStatus, read_status},
    wire,
};
use crate::{
    config::ViesConfig,
    registries::body::Body,
    verification::registry::{Lookup, RegistryAnswer, RegistryError, Trouble, VatRegistry},
};

/// VIES as a registry.
pub struct Vies {
    http: reqwest::Client,
    check_url: String,
    status_url: String,
}

/// The question as VIES wants it. The requester's fields have other names than in SOAP.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Question<'a> {
    country_code: &'a str,
    vat_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    requester_member_state_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requester_number: Option<&'a str>,
}

impl Vies {
    /// A client of the interface at the configured address.
    #[must_use]
    pub fn new(http: reqwest::Client, config: &ViesConfig) -> Self {
        let base_url = config.base_url.as_str();
        Self {
            http,
            check_url: format!("{base_url}/check-vat-number"),
            status_url: format!("{base_url}/check-status"),
        }
    }

    /// Asks how VIES and its member states are.
    ///
    /// # Errors
    /// VIES does not say, or not readably.
    pub async fn status(&self) -> Result<ViesStatus, Trouble> {
        let body = Body::fetch(self.http.get(&self.status_url).header(ACCEPT, "application/json")).await?;
        read_status(&body)
    }
}

#[async_trait]
impl VatRegistry for Vies {
    async fn look_up(&self, lookup: Lookup) -> Result<RegistryAnswer, RegistryError> {
        let country = lookup.number.prefix().as_str();
        let requester = lookup.requester.as_ref();
        let question = Question {
            country_code: country,
            vat_number: lookup.number.national(),
            requester_member_state_code: requester.map(|requester| requester.prefix().as_str()),
            requester_number: requester.map(vat::VatNumber::national),
        };
        let request = self.http.post(&self.check_url).header(ACCEPT, "application/json").json(&question);
        let body = Body::fetch(request).await?;
        wire::read_answer(&body, country, lookup.number.national()).map_err(|error| body.shown_in(error))
    }
}
