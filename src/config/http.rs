//! `[http]`: the listener of the API and the portal.

use std::{net::SocketAddr, path::PathBuf};

use ipnet::IpNet;

use super::{
    settings::{ConfigError, Settings},
    types::{Networks, PublicUrl, SecurityContact, at_least_one},
};

/// The listener of the API and the portal.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// Address and port; port 0 lets the system choose.
    pub bind: SocketAddr,
    /// The address under which callers reach this service, for links alone; `None`: where it listens.
    pub public_url: Option<PublicUrl>,
    /// The folder with the built style sheet, script and wasm; `None`: what is built into the program, or else
    /// `target/site`.
    pub site_directory: Option<PathBuf>,
    /// The proxies that are believed when they say for whom they ask.
    pub trusted_proxies: Vec<IpNet>,
    /// Calls worked on at once.
    pub max_in_flight: u32,
    /// Where to tell of weaknesses; `None`: nobody is told where.
    pub security_contact: Option<SecurityContact>,
}

impl HttpConfig {
    pub(super) fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            bind: settings.parse("http.bind", "an address and port such as 127.0.0.1:8080")?,
            public_url: settings.parse_optional("http.public_url", PublicUrl::EXPECTED)?,
            site_directory: settings.parse_optional("http.site_directory", "the path of a folder")?,
            trusted_proxies: settings
                .parse_optional(
                    "http.trusted_proxies",
                    "addresses or networks such as 10.0.0.0/8, with commas between",
                )?
                .map_or_else(Vec::new, |networks: Networks| networks.0),
            max_in_flight: at_least_one(settings, "http.max_in_flight")?,
            security_contact: settings.parse_optional("http.security_contact", SecurityContact::EXPECTED)?,
        })
    }
}
