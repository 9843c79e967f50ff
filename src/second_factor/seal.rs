//! Secrets at rest: XChaCha20-Poly1305 with a random nonce before what it hides, bound to the person. What was encrypted for
//! one person cannot be read as another's. No I/O.

use std::fmt;

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use data_encoding::HEXLOWER;
use rand::TryCryptoRng;
use serde::{Deserialize, Serialize};

use super::{SecondFactorError, TotpSecret};
use crate::people::Person;

const NONCE_BYTES: usize = 24;

/// The key under which secrets of second factors are kept.
#[derive(Clone)]
pub struct SecondFactorKey(XChaCha20Poly1305);

/// The secret of somebody's second factor, encrypted. It may be kept in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedSecret(String);

impl SealedSecret {
    /// What stands in it; nothing when it was not written here.
    pub(super) fn bytes(&self) -> Vec<u8> {
        HEXLOWER.decode(self.0.as_bytes()).unwrap_or_default()
    }
}

impl SecondFactorKey {
    /// A key of 256 bits.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(&(*key).into()))
    }

    pub(super) fn seal(
        &self,
        person: Person,
        secret: &TotpSecret,
        random: &mut impl TryCryptoRng,
    ) -> Result<SealedSecret, SecondFactorError> {
        let mut nonce = [0; NONCE_BYTES];
        random.try_fill_bytes(&mut nonce).map_err(|_| SecondFactorError::NoRandomness)?;
        let payload = Payload { msg: secret.bytes(), aad: &bound_to(person) };
        // Refused is only what is longer than gigabytes.
        let hidden = self.0.encrypt(&nonce.into(), payload).map_err(|_| SecondFactorError::Unreadable)?;
        Ok(SealedSecret(HEXLOWER.encode(&[&nonce[..], &hidden].concat())))
    }

    /// `None` when it was encrypted for somebody else, under another key, or was changed.
    pub(super) fn open(&self, person: Person, sealed: &[u8]) -> Option<TotpSecret> {
        let (nonce, hidden) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let nonce: XNonce = (*nonce).into();
        let payload = Payload { msg: hidden, aad: &bound_to(person) };
        let secret = self.0.decrypt(&nonce, payload).ok()?;
        secret.try_into().ok().map(TotpSecret::from_bytes)
    }
}

impl fmt::Debug for SecondFactorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecondFactorKey")
    }
}

fn bound_to(person: Person) -> Vec<u8> {
    let (kind, id) = match person {
        Person::Member(id) => (&b"second factor of member "[..], id),
        Person::Support(id) => (&b"second factor of support "[..], id),
    };
    [kind, id.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_secret_is_read_by_its_key_for_its_person_alone() {
        let random = &mut StdRng::seed_from_u64(1);
        let (key, other_key) = (SecondFactorKey::new(&[7; 32]), SecondFactorKey::new(&[8; 32]));
        let id = Uuid::from_u128(1);
        let helen = Person::Member(id);
        let secret = TotpSecret::generate(random).expect("randomness");
        let sealed = key.seal(helen, &secret, random).expect("seals");
        let read = |key: &SecondFactorKey, person, sealed: &[u8]| {
            key.open(person, sealed).map(|secret| secret.groups().concat())
        };
        assert_eq!(read(&key, helen, &sealed.bytes()), Some(secret.groups().concat()));
        assert_eq!(sealed.bytes().len(), 60);
        assert_ne!(key.seal(helen, &secret, random).expect("seals"), sealed, "no nonce is used twice");
        assert_eq!(read(&other_key, helen, &sealed.bytes()), None);
        for somebody_else in [Person::Support(id), Person::Member(Uuid::from_u128(2))] {
            assert_eq!(read(&key, somebody_else, &sealed.bytes()), None);
        }
        for place in 0..60 {
            let mut changed = sealed.bytes();
            changed[place] ^= 1;
            assert_eq!(read(&key, helen, &changed), None, "{place}");
        }
        for cut in [&[][..], &sealed.bytes()[..24], &sealed.bytes()[..59]] {
            assert_eq!(read(&key, helen, cut), None);
        }
        assert!(SealedSecret("no hexadecimal digits".to_owned()).bytes().is_empty());
        assert_eq!(format!("{key:?}"), "SecondFactorKey");
    }
}
