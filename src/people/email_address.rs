//! E-mail addresses as people type them.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// Longest address that can be written in a mail's path (RFC 5321, section 4.5.3.1.3, without its angle brackets).
const MAX_ADDRESS: usize = 254;
/// Longest part before the `@` (RFC 5321, section 4.5.3.1.1).
const MAX_LOCAL_PART: usize = 64;
/// Longest label of a domain name (RFC 1035, section 2.3.4).
const MAX_LABEL: usize = 63;

/// An address in lower case, without blanks around it: the same address is the same text. ASCII alone; browsers send
/// other domain names in their ASCII form by themselves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmailAddress(String);

/// What was typed is no address that mail can be sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an e-mail address has an @ and a domain, such as name@company.com")]
pub struct BadEmailAddress;

impl EmailAddress {
    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for EmailAddress {
    type Err = BadEmailAddress;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        let address = typed.trim();
        let (local, domain) = address.rsplit_once('@').ok_or(BadEmailAddress)?;
        let good = address.len() <= MAX_ADDRESS && is_local_part(local) && is_domain(domain);
        good.then(|| Self(address.to_ascii_lowercase())).ok_or(BadEmailAddress)
    }
}

/// Dot-separated atoms (RFC 5322, section 3.2.3). Quoted ones, which hardly anybody has, would let blanks and line ends in.
fn is_local_part(text: &str) -> bool {
    let of_atom = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte);
    text.len() <= MAX_LOCAL_PART && text.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(of_atom))
}

/// A host name with at least one dot. Its last label is no number, which also rules out IPv4 addresses.
fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=MAX_LABEL).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    text.split('.').all(is_label) && text.rsplit_once('.').is_some_and(|(_, last)| !is_number(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_in_lower_case_without_blanks_around_it() {
        for (typed, kept) in [
            (" Helen@FenwickMarine.Example\n", "helen@fenwickmarine.example"),
            ("o'brien+vat@mail.co.uk", "o'brien+vat@mail.co.uk"),
            ("a@b.co", "a@b.co"),
            ("signe@xn--bdudstyr-9za.dk", "signe@xn--bdudstyr-9za.dk"),
        ] {
            assert_eq!(typed.parse(), Ok(EmailAddress(kept.to_owned())), "{typed:?}");
        }
        let longest = format!("{}@{}example", "a".repeat(63), format!("{}.", "b".repeat(60)).repeat(3));
        assert_eq!(longest.len(), MAX_ADDRESS);
        assert!(longest.parse::<EmailAddress>().is_ok());
    }

    #[test]
    fn what_mail_cannot_be_sent_to_is_no_address() {
        let long_local = format!("{}@b.co", "a".repeat(65));
        let long_label = format!("a@{}.co", "b".repeat(64));
        let long_address = format!("{}@{}example", "a".repeat(64), format!("{}.", "b".repeat(60)).repeat(3));
        for typed in [
            "",
            "@",
            "helen",
            "helen@",
            "@b.co",
            "helen@localhost",
            "a b@c.co",
            "a@b c.co",
            "a@b..co",
            "a@.co",
            "a@b.co.",
            "a@-b.co",
            "a@b-.co",
            ".a@b.co",
            "a.@b.co",
            "a..b@c.co",
            "a@b@c.co",
            "\"a b\"@c.co",
            "a@[127.0.0.1]",
            "a@127.0.0.1",
            "a@b.co\r\nBcc: c@d.co",
            "a\0@b.co",
            "ä@b.co",
            "a@bäd.co",
            "Helen <helen@b.co>",
            &long_local,
            &long_label,
            &long_address,
        ] {
            assert_eq!(typed.parse::<EmailAddress>(), Err(BadEmailAddress), "{typed:?}");
        }
    }
}
