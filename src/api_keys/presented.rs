//! A key as a caller presents it, known to be well-formed.

use std::fmt;

use super::secret::{CHECKSUM_LENGTH, LIVE_PREFIX, RANDOM_LENGTH, TEST_PREFIX, checksum, hash};

/// A well-formed key, of which only the hash is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PresentedKey([u8; 32]);

impl PresentedKey {
    /// `None` when `text` cannot be a key of ours: wrong prefix, length, alphabet or checksum. No I/O.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let random_and_checksum =
            text.strip_prefix(LIVE_PREFIX).or_else(|| text.strip_prefix(TEST_PREFIX))?;
        let well_formed = random_and_checksum.len() == RANDOM_LENGTH + CHECKSUM_LENGTH
            && random_and_checksum.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !well_formed {
            return None;
        }
        let (signed, given) = text.split_at(text.len() - CHECKSUM_LENGTH);
        (checksum(signed) == given).then(|| Self(hash(text)))
    }

    /// SHA-256 of the key.
    #[must_use]
    pub const fn hash(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for PresentedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PresentedKey")
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;
    use crate::api_keys::{KeyMode, NewSecret};

    #[test]
    fn a_made_key_is_recognised_and_hashes_the_same() {
        let secret = NewSecret::generate(KeyMode::Live, &mut StdRng::seed_from_u64(1)).expect("a key");
        let key = secret.reveal();
        assert_eq!(key.len(), 46);
        assert_eq!(PresentedKey::parse(key).map(|presented| *presented.hash()), Some(secret.hash()));
        assert!(key.ends_with(secret.last_four()));
        assert_eq!(format!("{secret:?}"), "NewSecret");
    }

    #[test]
    fn the_checksum_is_crc_32_of_all_before_it_in_base_62() {
        // CRC-32 of "123456789" is 0xCBF43926 (the algorithm's check value) = 3421780262.
        // 3421780262 = 3*62^5 + 45*62^4 + 35*62^3 + 24*62^2 + 37*62 + 28.
        assert_eq!(checksum("123456789"), expected_base62(3_421_780_262));
    }

    fn expected_base62(mut value: u64) -> String {
        let alphabet: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
        let mut digits = Vec::new();
        for _ in 0..6 {
            digits.insert(0, alphabet[usize::try_from(value % 62).expect("small")]);
            value /= 62;
        }
        digits.into_iter().collect()
    }

    #[test]
    fn any_single_wrong_character_is_noticed() {
        let secret = NewSecret::generate(KeyMode::Live, &mut StdRng::seed_from_u64(2)).expect("a key");
        let key = secret.reveal();
        for at in 0..key.len() {
            let mut bytes = key.as_bytes().to_vec();
            bytes[at] = if bytes[at] == b'a' { b'b' } else { b'a' };
            let changed = String::from_utf8(bytes).expect("ASCII");
            assert_eq!(PresentedKey::parse(&changed), None, "position {at}");
        }
    }

    #[test]
    fn what_is_no_key_of_ours_is_refused() {
        let secret = NewSecret::generate(KeyMode::Live, &mut StdRng::seed_from_u64(3)).expect("a key");
        let key = secret.reveal();
        for text in [
            "",
            "cv_live_",
            "sk_live_abc",
            &key[1..],
            &key[..45],
            &format!("{key}0"),
            &format!("{key} "),
            "é",
        ] {
            assert_eq!(PresentedKey::parse(text), None, "{text:?}");
        }
    }
}
