//! How the events of the audit log are chained: each has the SHA-256 of the hash before it and of everything that is kept
//! of the event itself. Whoever changes, removes, adds or swaps events has to make every later hash anew.
//!
//! Not here: where events are kept, and how the chain is walked. That is the server's `audit`.

use std::{fmt, str::FromStr};

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The way in which [`Event::hash`] writes an event down. Each event is kept with the number of its own, so that another
/// can be introduced for later ones.
pub const ENCODING: i16 = 1;
/// Nothing else that is hashed begins like this.
const DOMAIN: &[u8] = b"crossvat audit event";

/// The hash of an event, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; 32]);

/// This is no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a hash has 64 hexadecimal digits")]
pub struct BadHash;

impl Hash {
    /// What the first event of all follows.
    pub const NONE: Self = Self([0; 32]);

    /// As it is stored.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl TryFrom<&[u8]> for Hash {
    type Error = BadHash;

    fn try_from(stored: &[u8]) -> Result<Self, BadHash> {
        stored.try_into().map(Self).map_err(|_| BadHash)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Hash {
    type Err = BadHash;

    fn from_str(text: &str) -> Result<Self, BadHash> {
        // Somebody may type it.
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|_| BadHash)?;
        Self::try_from(&*bytes)
    }
}

/// An event by everything that is kept of it. Identifiers are their 16 bytes, enumerations the words that are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    /// Its place, from 1 on, without a gap.
    pub sequence: i64,
    /// Its identifier.
    pub id: [u8; 16],
    /// When it was: seconds from the beginning of 1970, and the nanoseconds over.
    pub at: (i64, u32),
    /// What was done.
    pub deed: &'a str,
    /// What kind of somebody did it.
    pub actor_kind: &'a str,
    /// Who, where there is more than one of the kind.
    pub actor_id: Option<[u8; 16]>,
    /// The account it concerns.
    pub account_id: Option<[u8; 16]>,
    /// What it was done to.
    pub subject_id: Option<[u8; 16]>,
    /// What a reader needs beside that.
    pub detail: &'a str,
    /// From where.
    pub from_address: Option<&'a str>,
}

impl Event<'_> {
    /// The event's hash, when `previous` is that of the one before.
    #[must_use]
    pub fn hash(&self, previous: &Hash) -> Hash {
        let mut written = Written(Sha256::new());
        written.0.update(DOMAIN);
        written.0.update(ENCODING.to_be_bytes());
        written.0.update(previous.0);
        written.0.update(self.sequence.to_be_bytes());
        written.0.update(self.id);
        written.0.update(self.at.0.to_be_bytes());
        written.0.update(self.at.1.to_be_bytes());
        written.text(self.deed);
        written.text(self.actor_kind);
        for id in [self.actor_id, self.account_id, self.subject_id] {
            written.optional(id, |written, id| written.0.update(id));
        }
        written.text(self.detail);
        written.optional(self.from_address, Written::text);
        Hash(written.0.finalize().into())
    }
}

/// What was written down so far. Everything has a length of its own or says it first, so that no two events are written
/// alike.
struct Written(Sha256);

impl Written {
    fn text(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_be_bytes());
        self.0.update(text);
    }

    fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.0.update([u8::from(value.is_some())]);
        if let Some(value) = value {
            write(self, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: Event<'static> = Event {
        sequence: 2,
        id: [7; 16],
        at: (1_788_424_867, 123_456_000),
        deed: "key_revoked",
        actor_kind: "support",
        actor_id: Some([1; 16]),
        account_id: Some([2; 16]),
        subject_id: None,
        detail: "Checkout: found in public",
        from_address: Some("198.51.100.7"),
    };

    /// Written down byte by byte, apart from the code above: rows that were hashed once must hash the same for ever.
    #[test]
    fn the_encoding_is_the_one_that_rows_were_hashed_with() {
        let mut bytes = b"crossvat audit event\x00\x01".to_vec();
        bytes.extend([0; 32]);
        bytes.extend([0, 0, 0, 0, 0, 0, 0, 2]);
        bytes.extend([7; 16]);
        bytes.extend([0, 0, 0, 0, 0x6a, 0x99, 0x32, 0xa3]);
        bytes.extend([0x07, 0x5b, 0xca, 0x00]);
        bytes.extend(b"\0\0\0\0\0\0\0\x0bkey_revoked\0\0\0\0\0\0\0\x07support");
        bytes.push(1);
        bytes.extend([1; 16]);
        bytes.push(1);
        bytes.extend([2; 16]);
        bytes.push(0);
        bytes.extend(b"\0\0\0\0\0\0\0\x19Checkout: found in public");
        bytes.extend(b"\x01\0\0\0\0\0\0\0\x0c198.51.100.7");
        let expected: [u8; 32] = Sha256::digest(&bytes).into();
        assert_eq!(EVENT.hash(&Hash::NONE), Hash(expected));
    }

    #[test]
    fn whatever_differs_the_hash_does() {
        let others = [
            Event { sequence: 3, ..EVENT },
            Event { id: [8; 16], ..EVENT },
            Event { at: (1_788_424_868, 123_456_000), ..EVENT },
            Event { at: (1_788_424_867, 123_456_001), ..EVENT },
            Event { deed: "key_renamed", ..EVENT },
            Event { actor_kind: "member", ..EVENT },
            Event { actor_id: None, ..EVENT },
            // The same bytes in another column.
            Event { actor_id: None, subject_id: Some([1; 16]), ..EVENT },
            Event { account_id: Some([3; 16]), ..EVENT },
            Event { subject_id: Some([0; 16]), ..EVENT },
            Event { detail: "", ..EVENT },
            Event { deed: "key_revoke", actor_kind: "dsupport", ..EVENT },
            Event { from_address: None, ..EVENT },
            Event { from_address: Some(""), ..EVENT },
        ];
        let hash = EVENT.hash(&Hash::NONE);
        for other in others {
            assert_ne!(other.hash(&Hash::NONE), hash, "{other:?}");
        }
        assert_ne!(EVENT.hash(&hash), hash);
    }

    #[test]
    fn a_hash_is_read_as_it_is_written() {
        let hash = EVENT.hash(&Hash::NONE);
        let written = hash.to_string();
        assert_eq!(written.parse(), Ok(hash));
        assert_eq!(Hash::try_from(&hash.bytes()[..]), Ok(hash));
        for other in ["", &written[1..], &format!("{written}0"), &written.replacen(&written[..1], "g", 1)] {
            assert_eq!(other.parse::<Hash>(), Err(BadHash), "{other}");
        }
        assert_eq!(Hash::try_from(&hash.bytes()[1..]), Err(BadHash));
    }
}
