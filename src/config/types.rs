//! Value types that more than one section uses.

use std::{fmt, net::IpAddr, str::FromStr, time::Duration};

use ipnet::IpNet;
use url::Url;

use super::settings::{ConfigError, Settings};

/// An absolute `http` or `https` address without a trailing slash, to which paths are appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    pub(super) const EXPECTED: &str = "an http or https address such as https://example.org/api";

    /// The address, without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for BaseUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed: axum::http::Uri = text.parse().map_err(|_| Self::EXPECTED)?;
        let known_scheme = matches!(parsed.scheme_str(), Some("http" | "https"));
        if known_scheme && parsed.host().is_some_and(|host| !host.is_empty()) && parsed.query().is_none() {
            Ok(Self(text.trim_end_matches('/').to_owned()))
        } else {
            Err(Self::EXPECTED)
        }
    }
}

/// The address under which people reach this service: scheme, host and port, without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    pub(super) const EXPECTED: &str =
        "an https address without a path such as https://vat.example.org (http for localhost alone)";
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PublicUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url = Url::parse(text).map_err(|_| Self::EXPECTED)?;
        let private = url.host_str().is_some_and(|host| is_this_machine(host.trim_matches(['[', ']'])));
        let origin = url.origin().ascii_serialization();
        // Nothing but the origin: no path, no query, nobody's name.
        let bare = url.as_str().strip_suffix('/') == Some(origin.as_str());
        let fits = bare && (url.scheme() == "https" || (url.scheme() == "http" && private));
        if fits { Ok(Self(origin)) } else { Err(Self::EXPECTED) }
    }
}

/// Where to tell of weaknesses: a `mailto:` or `https:` address (RFC 9116, section 2.5.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecurityContact(String);

impl SecurityContact {
    pub(super) const EXPECTED: &str =
        "an address such as mailto:security@example.org or https://example.org/security";
}

impl fmt::Display for SecurityContact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SecurityContact {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url = Url::parse(text).map_err(|_| Self::EXPECTED)?;
        let fits = match url.scheme() {
            "mailto" => url
                .path()
                .split_once('@')
                .is_some_and(|(whom, host)| !whom.is_empty() && !host.is_empty() && !host.contains('@')),
            "https" => true,
            _ => false,
        };
        // As it was read: whatever would break the line is encoded or gone.
        if fits { Ok(Self(url.into())) } else { Err(Self::EXPECTED) }
    }
}

/// Where a page is that others keep: an `https` address, or a path at the address of this service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageAddress(String);

impl PageAddress {
    pub(super) const EXPECTED: &str =
        "an https address such as https://example.org/imprint, or a path such as /imprint";
}

impl fmt::Display for PageAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PageAddress {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Two slashes, or one the other way round, would lead to another host.
        let is_path = text.starts_with('/')
            && !text.starts_with("//")
            && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        if is_path {
            return Ok(Self(text.to_owned()));
        }
        match Url::parse(text) {
            Ok(url) if url.scheme() == "https" => Ok(Self(url.into())),
            _ => Err(Self::EXPECTED),
        }
    }
}

/// Networks as they are set: addresses and networks with commas between them.
pub(super) struct Networks(pub(super) Vec<IpNet>);

impl FromStr for Networks {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let network =
            |text: &str| text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(drop);
        text.split(',').map(|text| network(text.trim())).collect::<Result<_, _>>().map(Self)
    }
}

/// Whether a host is this very machine.
pub(super) fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// A time limit in seconds, fractions allowed, more than zero and at most an hour.
pub(super) fn seconds(settings: &Settings, key: &str) -> Result<Duration, ConfigError> {
    let seconds: f64 =
        settings.parse_if(key, "a number of seconds above 0 and up to 3600", |seconds: &f64| {
            *seconds > 0.0 && *seconds <= 3600.0
        })?;
    Ok(Duration::from_secs_f64(seconds))
}

/// A whole number of at least 1.
pub(super) fn at_least_one<T: FromStr + PartialOrd + From<u8>>(
    settings: &Settings,
    key: &str,
) -> Result<T, ConfigError> {
    settings.parse_if(key, "a whole number of 1 or more", |number: &T| *number >= T::from(1))
}
