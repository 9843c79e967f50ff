//! `[site]`: what the pages say of whoever runs this server.

use super::{
    settings::{ConfigError, Settings},
    types::PageAddress,
};

/// What the pages say of whoever runs this server.
#[derive(Clone, Debug)]
pub struct SiteConfig {
    /// Where they say who they are; `None`: no page links it.
    pub imprint_url: Option<PageAddress>,
    /// Where they say what they do with data of people; `None`: no page links it.
    pub privacy_url: Option<PageAddress>,
}

impl SiteConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let address = |key| settings.parse_optional(key, PageAddress::EXPECTED);
        Ok(Self { imprint_url: address("site.imprint_url")?, privacy_url: address("site.privacy_url")? })
    }
}
