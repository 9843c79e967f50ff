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

/// The key under which secrets of second factors are kept, and those under which they were kept before.
#[derive(Clone)]
pub struct SecondFactorKey {
    present: XChaCha20Poly1305,
    former: Vec<XChaCha20Poly1305>,
}

/// A secret that was read.
pub(super) struct Opened {
    pub(super) secret: TotpSecret,
    /// By a former key: it is to be kept under the present one.
    pub(super) by_former_key: bool,
}

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
        Self { present: cipher(key), former: Vec::new() }
    }

    /// The same, which reads what was kept under these keys as well and writes nothing under them.
    #[must_use]
    pub fn after<'a>(self, former: impl IntoIterator<Item = &'a [u8; 32]>) -> Self {
        Self { former: former.into_iter().map(cipher).collect(), ..self }
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
        let hidden =
            self.present.encrypt(&nonce.into(), payload).map_err(|_| SecondFactorError::Unreadable)?;
        Ok(SealedSecret(HEXLOWER.encode(&[&nonce[..], &hidden].concat())))
    }

    /// `None` when it was encrypted for somebody else, under a key that is not known, or was changed.
    pub(super) fn open(&self, person: Person, sealed: &[u8]) -> Option<Opened> {
        let (nonce, hidden) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let nonce: XNonce = (*nonce).into();
        let bound_to = bound_to(person);
        let read = |key: &XChaCha20Poly1305| {
            let secret = key.decrypt(&nonce, Payload { msg: hidden, aad: &bound_to }).ok()?;
            secret.try_into().ok().map(TotpSecret::from_bytes)
        };
        if let Some(secret) = read(&self.present) {
            return Some(Opened { secret, by_former_key: false });
        }
        self.former.iter().find_map(read).map(|secret| Opened { secret, by_former_key: true })
    }
}

impl fmt::Debug for SecondFactorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecondFactorKey")
    }
}

fn cipher(key: &[u8; 32]) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&(*key).into())
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
            key.open(person, sealed).map(|opened| opened.secret.groups().concat())
        };
        assert_eq!(read(&key, helen, &sealed.bytes()), Some(secret.groups().concat()));
        assert_eq!(sealed.bytes().len(), 60);
        assert_ne!(key.seal(helen, &secret, random).expect("seals"), sealed, "no nonce is used twice");
        assert_eq!(read(&other_key, helen, &sealed.bytes()), None);
        // Whoever has a new key reads what was kept under the one before, and writes under the new one.
        let by = |key: &SecondFactorKey| key.open(helen, &sealed.bytes()).map(|opened| opened.by_former_key);
        let (third, renewed) =
            (SecondFactorKey::new(&[9; 32]), other_key.clone().after([&[9; 32], &[7; 32]]));
        assert_eq!(
            [by(&key), by(&other_key), by(&third), by(&renewed)],
            [Some(false), None, None, Some(true)]
        );
        let anew = renewed.seal(helen, &secret, random).expect("seals");
        assert_eq!((read(&key, helen, &anew.bytes()), read(&third, helen, &anew.bytes())), (None, None));
        assert_eq!(read(&other_key, helen, &anew.bytes()), Some(secret.groups().concat()));
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
