//! How a key is written: `cv_live_` or `cv_test_`, 32 random base-62 characters and 6 of CRC-32, so that a mistyped or foreign key
//! is refused without a database read.

use std::fmt;

use rand::TryCryptoRng;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use super::KeyMode;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Live keys reach the registries. Never change this: it stands in customers' configurations.
pub(super) const LIVE_PREFIX: &str = "cv_live_";
/// Test keys have the same form.
pub(super) const TEST_PREFIX: &str = "cv_test_";
pub(super) const RANDOM_LENGTH: usize = 32;
pub(super) const CHECKSUM_LENGTH: usize = 6;

/// A key that was just made: the only time its secret is known here.
pub struct NewSecret(SecretString);

impl NewSecret {
    /// A key with 190 bits of randomness.
    ///
    /// # Errors
    /// The source of randomness fails.
    pub fn generate<R: TryCryptoRng>(mode: KeyMode, random: &mut R) -> Result<Self, R::Error> {
        let signed_length = mode.prefix().len() + RANDOM_LENGTH;
        let mut key = String::with_capacity(signed_length + CHECKSUM_LENGTH);
        key.push_str(mode.prefix());
        let mut bytes = [0; RANDOM_LENGTH];
        while key.len() < signed_length {
            random.try_fill_bytes(&mut bytes)?;
            // 248 = 4 * 62: larger bytes are dropped, so that every character is equally likely.
            let fair = bytes
                .iter()
                .filter(|byte| **byte < 248)
                .map(|byte| char::from(ALPHABET[usize::from(byte % 62)]));
            key.extend(fair.take(signed_length - key.len()));
        }
        let checksum = checksum(&key);
        key.push_str(&checksum);
        Ok(Self(key.into()))
    }

    /// The whole key, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        self.0.expose_secret()
    }

    /// The end that is shown later.
    #[must_use]
    pub fn last_four(&self) -> &str {
        let key = self.reveal();
        &key[key.len() - 4..]
    }

    /// What is stored.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        hash(self.reveal())
    }
}

impl fmt::Debug for NewSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewSecret")
    }
}

pub(super) fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

/// CRC-32 (IEEE) of `text` in base 62, most significant first, padded with zeros.
pub(super) fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes()) as usize;
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[rest % 62];
        rest /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}
