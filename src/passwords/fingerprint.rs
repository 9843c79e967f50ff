//! Which password it was, without anything that helps to guess it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Of the hash, which is 32 bytes long.
const LENGTH: usize = 16;

/// Which of a person's passwords it was: the beginning of the SHA-256 of what is kept of it. What is kept holds a random
/// salt, so every password has another fingerprint, the same one chosen again too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PasswordFingerprint([u8; LENGTH]);

impl PasswordFingerprint {
    /// The fingerprint of the password of which `kept` is what is kept.
    #[must_use]
    pub fn of(kept: &str) -> Self {
        let hash: [u8; 32] = Sha256::digest(kept.as_bytes()).into();
        let mut beginning = [0; LENGTH];
        beginning.copy_from_slice(&hash[..LENGTH]);
        Self(beginning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_the_first_half_of_the_hash() {
        // SHA-256 of "abc" (FIPS 180-2, appendix B.1).
        let beginning =
            [0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23];
        assert_eq!(PasswordFingerprint::of("abc"), PasswordFingerprint(beginning));
        assert_ne!(PasswordFingerprint::of("abc"), PasswordFingerprint::of("xyz"));
    }
}
