//! What is limited, how often it may happen, and under which key it is counted.

use std::{net::IpAddr, time::Duration};

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::sliding_window::Micros;

/// Something that may happen only so often. Each variant has windows of its own, one for each account, person or
/// address.
#[derive(Clone, Copy, Debug)]
pub enum LimitedAction<'a> {
    /// A call with a live key of an account.
    LiveCall {
        /// Whose key.
        account: Uuid,
        /// What its plan serves in any 60 seconds.
        per_minute: u32,
    },
    /// A call with a test key of an account: trying things out takes nothing from production.
    TestCall {
        /// Whose key.
        account: Uuid,
        /// What its plan serves in any 60 seconds.
        per_minute: u32,
    },
    /// A person tries to sign in from one address. Ten tries in 15 minutes are plenty for somebody who has forgotten a
    /// password, and what others try from elsewhere does not lock that person out.
    SignIn {
        /// As typed.
        email: &'a str,
        /// The client's.
        address: IpAddr,
    },
    /// Anybody tries to sign in from an address: passwords tried on many people. Wider, for an office behind one
    /// address.
    SignInFrom(IpAddr),
    /// A person tries to sign in from any address: passwords guessed by many machines. At 100 an hour no decent
    /// password is guessed.
    SignInAs {
        /// As typed.
        email: &'a str,
    },
    /// A code of somebody's second factor is tried, from any address: of a million codes three are right at a time, so at ten
    /// an hour the chance of a guess stays below one in a thousand a day. Only who knows the password gets so far.
    SecondFactorOf(Uuid),
    /// Codes of anybody's second factor are tried from an address.
    SecondFactorFrom(IpAddr),
    /// An address signs up. Nobody needs many accounts; each costs us a mail.
    SignUpFrom(IpAddr),
    /// A mail with a one-time link goes to a person: nobody's mailbox is filled through us.
    OneTimeLinkTo {
        /// As typed.
        email: &'a str,
    },
    /// An address asks for one-time links or follows them.
    OneTimeLinkFrom(IpAddr),
    /// An address tries the service without an account.
    TryFrom(IpAddr),
    /// A registry is asked about the own number of a company that asks for keys from an address. Whoever signs up asks
    /// about one.
    OwnNumberFrom(IpAddr),
    /// The same, from anywhere: those who ask for keys must not take the registries from those who have some.
    OwnNumber,
    /// An account asks support for keys. It asks once, or again when it was declined.
    KeyRequest {
        /// Which.
        account: Uuid,
    },
    /// What somebody typed is kept who has to sign in first. A form may be large, so not many are.
    UnsentForm {
        /// Who was signed in.
        person: Uuid,
    },
}

/// How often something may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quota {
    /// Requests served in any window.
    pub(super) limit: u32,
    /// The span in which requests are counted.
    pub(super) window: Micros,
}

impl Quota {
    const fn new(limit: u32, window: Duration) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "spans are hours at most")]
        let window = window.as_micros() as Micros;
        Self { limit, window }
    }
}

/// Names one window. Small and copied: refusals allocate nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct WindowKey {
    pub(super) kind: Kind,
    pub(super) id: u128,
}

/// [`LimitedAction`] without whom it concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    LiveCall,
    TestCall,
    SignIn,
    SignInFrom,
    SignInAs,
    SecondFactorOf,
    SecondFactorFrom,
    SignUpFrom,
    OneTimeLinkTo,
    OneTimeLinkFrom,
    TryFrom,
    OwnNumberFrom,
    OwnNumber,
    KeyRequest,
    UnsentForm,
}

impl Kind {
    /// Its word in keys of Redis.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::LiveCall => "live-call",
            Self::TestCall => "test-call",
            Self::SignIn => "sign-in",
            Self::SignInFrom => "sign-in-from",
            Self::SignInAs => "sign-in-as",
            Self::SecondFactorOf => "second-factor-of",
            Self::SecondFactorFrom => "second-factor-from",
            Self::SignUpFrom => "sign-up-from",
            Self::OneTimeLinkTo => "one-time-link-to",
            Self::OneTimeLinkFrom => "one-time-link-from",
            Self::TryFrom => "try-from",
            Self::OwnNumberFrom => "own-number-from",
            Self::OwnNumber => "own-number",
            Self::KeyRequest => "key-request",
            Self::UnsentForm => "unsent-form",
        }
    }

    /// The span in which requests are counted.
    pub(super) const fn window(self) -> Micros {
        let window = match self {
            Self::LiveCall | Self::TestCall | Self::TryFrom | Self::OwnNumber => Duration::from_mins(1),
            Self::SignIn | Self::SignInFrom | Self::SecondFactorFrom => Duration::from_mins(15),
            Self::SignInAs
            | Self::SecondFactorOf
            | Self::SignUpFrom
            | Self::OneTimeLinkTo
            | Self::OneTimeLinkFrom
            | Self::OwnNumberFrom
            | Self::KeyRequest
            | Self::UnsentForm => Duration::from_hours(1),
        };
        Quota::new(0, window).window
    }
}

impl LimitedAction<'_> {
    pub(super) const fn quota(&self) -> Quota {
        let limit = match *self {
            Self::LiveCall { per_minute, .. } | Self::TestCall { per_minute, .. } => per_minute,
            Self::SignIn { .. } | Self::SecondFactorOf(_) | Self::SignUpFrom(_) | Self::UnsentForm { .. } => {
                10
            }
            Self::SignInFrom(_) | Self::SecondFactorFrom(_) => 50,
            Self::SignInAs { .. } => 100,
            Self::OneTimeLinkTo { .. }
            | Self::TryFrom(_)
            | Self::OwnNumberFrom(_)
            | Self::KeyRequest { .. } => 5,
            Self::OneTimeLinkFrom(_) => 20,
            Self::OwnNumber => 30,
        };
        Quota { limit, window: self.kind().window() }
    }

    pub(super) fn key(&self) -> WindowKey {
        let id = match *self {
            Self::LiveCall { account, .. }
            | Self::TestCall { account, .. }
            | Self::KeyRequest { account } => account.as_u128(),
            Self::OwnNumber => 0,
            Self::SignIn { email, address } => hashed(email, network(address)),
            Self::SignInAs { email } | Self::OneTimeLinkTo { email } => hashed(email, 0),
            Self::SecondFactorOf(person) | Self::UnsentForm { person } => person.as_u128(),
            Self::SignInFrom(address)
            | Self::SecondFactorFrom(address)
            | Self::SignUpFrom(address)
            | Self::OneTimeLinkFrom(address)
            | Self::TryFrom(address)
            | Self::OwnNumberFrom(address) => network(address),
        };
        WindowKey { kind: self.kind(), id }
    }

    const fn kind(&self) -> Kind {
        match self {
            Self::LiveCall { .. } => Kind::LiveCall,
            Self::TestCall { .. } => Kind::TestCall,
            Self::SignIn { .. } => Kind::SignIn,
            Self::SignInFrom(_) => Kind::SignInFrom,
            Self::SignInAs { .. } => Kind::SignInAs,
            Self::SecondFactorOf(_) => Kind::SecondFactorOf,
            Self::SecondFactorFrom(_) => Kind::SecondFactorFrom,
            Self::SignUpFrom(_) => Kind::SignUpFrom,
            Self::OneTimeLinkTo { .. } => Kind::OneTimeLinkTo,
            Self::OneTimeLinkFrom(_) => Kind::OneTimeLinkFrom,
            Self::TryFrom(_) => Kind::TryFrom,
            Self::OwnNumberFrom(_) => Kind::OwnNumberFrom,
            Self::OwnNumber => Kind::OwnNumber,
            Self::KeyRequest { .. } => Kind::KeyRequest,
            Self::UnsentForm { .. } => Kind::UnsentForm,
        }
    }
}

/// An IPv4 address, or the /64 an IPv6 address lies in: one customer of a network holds at least that many.
fn network(address: IpAddr) -> u128 {
    match address.to_canonical() {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits() >> 64 << 64,
    }
}

/// E-mail addresses never leave this process in clear. Letter case and blanks around them do not tell people apart.
fn hashed(email: &str, network: u128) -> u128 {
    let mut hash = Sha256::new();
    for letter in email.trim().chars().flat_map(char::to_lowercase) {
        hash.update(letter.encode_utf8(&mut [0; 4]).as_bytes());
    }
    // No e-mail address holds this byte: what precedes it cannot be mistaken for what follows.
    hash.update([0]);
    hash.update(network.to_be_bytes());
    let hash: [u8; 32] = hash.finalize().into();
    hash[..16].iter().fold(0, |id, byte| id << 8 | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn every_action_has_its_own_quota_and_window() {
        let account = Uuid::from_u128(7);
        let (email, address) = ("a@example.org", ip("192.0.2.1"));
        let actions = [
            (LimitedAction::LiveCall { account, per_minute: 250 }, 250, 60),
            (LimitedAction::TestCall { account, per_minute: 100 }, 100, 60),
            (LimitedAction::SignIn { email, address }, 10, 900),
            (LimitedAction::SignInFrom(address), 50, 900),
            (LimitedAction::SignInAs { email }, 100, 3600),
            (LimitedAction::SecondFactorOf(account), 10, 3600),
            (LimitedAction::SecondFactorFrom(address), 50, 900),
            (LimitedAction::SignUpFrom(address), 10, 3600),
            (LimitedAction::OneTimeLinkTo { email }, 5, 3600),
            (LimitedAction::OneTimeLinkFrom(address), 20, 3600),
            (LimitedAction::TryFrom(address), 5, 60),
            (LimitedAction::OwnNumberFrom(address), 5, 3600),
            (LimitedAction::OwnNumber, 30, 60),
            (LimitedAction::KeyRequest { account }, 5, 3600),
            (LimitedAction::UnsentForm { person: account }, 10, 3600),
        ];
        let mut words = Vec::new();
        for (action, limit, seconds) in actions {
            assert_eq!(action.quota(), Quota { limit, window: seconds * 1_000_000 }, "{action:?}");
            words.push(action.key().kind.as_str());
        }
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), actions.len(), "no two share keys in Redis");
    }

    #[test]
    fn an_ipv6_network_is_one_client_and_an_ipv4_address_is_one_however_written() {
        for (one, other, same) in [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
        ] {
            assert_eq!(network(ip(one)) == network(ip(other)), same, "{one} {other}");
        }
    }

    #[test]
    fn a_person_is_one_however_the_address_is_typed_and_not_to_be_read_from_the_key() {
        let id = |email| LimitedAction::SignInAs { email }.key().id;
        assert_eq!(id("Ann@Example.org "), id("ann@example.org"));
        assert_ne!(id("ann@example.org"), id("ann@example.com"));
        let from =
            |address| LimitedAction::SignIn { email: "ann@example.org", address: ip(address) }.key().id;
        assert_ne!(from("192.0.2.1"), from("192.0.2.2"));
        // The first half of SHA-256 of the address, a zero byte and 16 more.
        assert_eq!(format!("{:032x}", id("ann@example.org")), HASH);
    }

    const HASH: &str = "4ba52acd84845267683a2575dd4653f4";
}
