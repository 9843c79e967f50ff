//! How a link's secret is written: 256 random bits as 64 hexadecimal digits.

use std::fmt;

use data_encoding::HEXLOWER;
use rand::TryCryptoRng;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

const BYTES: usize = 32;

/// The secret of a link that was just made: the only time it is known here.
pub struct LinkSecret(SecretString);

impl LinkSecret {
    pub(super) fn generate<R: TryCryptoRng>(random: &mut R) -> Result<Self, R::Error> {
        let mut bytes = [0; BYTES];
        random.try_fill_bytes(&mut bytes)?;
        Ok(Self(HEXLOWER.encode(&bytes).into()))
    }

    /// The secret, to be sent once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        self.0.expose_secret()
    }

    /// The secret, as letters take it.
    #[must_use]
    pub fn for_letter(&self) -> SecretString {
        self.0.clone()
    }

    /// What is stored.
    pub(super) fn hash(&self) -> [u8; 32] {
        sha_256(self.reveal())
    }
}

impl fmt::Debug for LinkSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkSecret")
    }
}

/// What is stored of a secret as it came in; `None` when it cannot be one. No I/O.
pub(super) fn hash(presented: &str) -> Option<[u8; 32]> {
    let bytes = HEXLOWER.decode(presented.as_bytes()).ok()?;
    (bytes.len() == BYTES).then(|| sha_256(presented))
}

fn sha_256(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    #[test]
    fn a_made_secret_is_recognised_and_no_other_text() {
        let random = &mut StdRng::seed_from_u64(1);
        let secret = LinkSecret::generate(random).expect("randomness");
        let other = LinkSecret::generate(random).expect("randomness");
        let text = secret.reveal();
        assert_eq!(hash(text), Some(secret.hash()));
        assert_ne!(secret.hash(), other.hash());
        assert_eq!(format!("{secret:?}"), "LinkSecret");
        for wrong in ["", &text[1..], &format!("{text}0"), &text.to_uppercase(), &format!("{}g", &text[1..])]
        {
            assert_eq!(hash(wrong), None, "{wrong}");
        }
    }
}
