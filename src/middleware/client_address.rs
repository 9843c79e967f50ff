//! Whose address a request came from, which limits and the audit log need. Behind proxies it is what they say, as far as
//! they are trusted.

use std::net::IpAddr;

use axum::http::{Extensions, HeaderMap};
use ipnet::IpNet;

/// Where proxies note who asked them, the nearest last.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The networks of proxies that are believed when they say for whom they ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Those networks.
    #[must_use]
    pub const fn new(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }

    fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// The other end of the connection, among a request's extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerAddress(pub IpAddr);

/// Who asked: the first, from our side on, that is none of the proxies. The unspecified address when the connection
/// has none.
#[must_use]
pub fn client_address(proxies: &TrustedProxies, extensions: &Extensions, headers: &HeaderMap) -> IpAddr {
    let unspecified = IpAddr::from([0, 0, 0, 0]);
    let mut client = extensions.get::<PeerAddress>().map_or(unspecified, |peer| peer.0);
    let named = headers.get_all(FORWARDED_FOR).into_iter().filter_map(|value| value.to_str().ok());
    let named: Vec<&str> = named.flat_map(|value| value.split(',')).collect();
    for named in named.into_iter().rev() {
        if !proxies.contain(client) {
            break;
        }
        match named.trim().parse() {
            Ok(address) => client = address,
            Err(_) => break,
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use axum::http::{Extensions, HeaderMap, HeaderValue};

    use super::{FORWARDED_FOR, PeerAddress, TrustedProxies, client_address};

    #[test]
    fn only_trusted_proxies_are_believed() {
        let networks = ["10.0.0.0/8", "192.0.2.1/32"].map(|network| network.parse().expect("a network"));
        let proxies = TrustedProxies::new(networks.to_vec());
        for (peer, forwarded, client) in [
            ("203.0.113.9", vec![], "203.0.113.9"),
            ("203.0.113.9", vec!["198.51.100.1"], "203.0.113.9"),
            ("10.1.2.3", vec!["198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", vec!["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", vec!["198.51.100.1, 192.0.2.1"], "198.51.100.1"),
            ("10.1.2.3", vec!["198.51.100.1", "10.9.9.9"], "198.51.100.1"),
            ("10.1.2.3", vec!["what"], "10.1.2.3"),
            ("10.1.2.3", vec![], "10.1.2.3"),
        ] {
            let mut extensions = Extensions::new();
            extensions.insert(PeerAddress(peer.parse().expect("an address")));
            let mut headers = HeaderMap::new();
            for value in &forwarded {
                headers.append(FORWARDED_FOR, HeaderValue::from_static(value));
            }
            let expected: IpAddr = client.parse().expect("an address");
            assert_eq!(client_address(&proxies, &extensions, &headers), expected, "{peer} {forwarded:?}");
        }
    }
}
