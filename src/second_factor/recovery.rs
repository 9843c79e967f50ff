//! Recovery codes: 120 random bits each, in letters and digits that are not mistaken for each other. No I/O.

use std::fmt;

use data_encoding::BASE32_NOPAD;
use rand::TryCryptoRng;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// Made at a time.
const COUNT: usize = 10;
const BYTES: usize = 15;
/// Letters and digits that so many bytes are written in.
const LENGTH: usize = 24;
/// The same of codes that were made with 80 bits, and are good until they are used or renewed.
const OLD_LENGTH: usize = 16;
const GROUP: usize = 4;

/// The recovery codes of a person that were just made: the only time they are known here.
pub struct RecoveryCodes(Vec<SecretString>);

impl RecoveryCodes {
    pub(super) fn generate<R: TryCryptoRng>(random: &mut R) -> Result<Self, R::Error> {
        let code = |_| {
            let mut bytes = [0; BYTES];
            random.try_fill_bytes(&mut bytes)?;
            Ok(SecretString::from(BASE32_NOPAD.encode(&bytes)))
        };
        (0..COUNT).map(code).collect::<Result<_, _>>().map(Self)
    }

    /// The codes as people read them, to be shown once.
    pub fn reveal(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|code| {
            let letters: Vec<char> = code.expose_secret().to_lowercase().chars().collect();
            let groups: Vec<String> = letters.chunks(GROUP).map(|group| group.iter().collect()).collect();
            groups.join("-")
        })
    }

    /// What is stored.
    pub(super) fn hashes(&self) -> impl Iterator<Item = [u8; 32]> {
        self.0.iter().map(|code| sha_256(code.expose_secret()))
    }
}

impl fmt::Debug for RecoveryCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCodes")
    }
}

/// What is stored of a code as it was typed; `None` when it cannot be one. Blanks, hyphens and letter case do not count, and
/// digits that no code has are read as the letters they look like.
pub(super) fn hash(typed: &str) -> Option<[u8; 32]> {
    let of_code = |c: char| match c.to_ascii_uppercase() {
        '0' => 'O',
        '1' => 'I',
        '8' => 'B',
        other => other,
    };
    let code: String =
        typed.chars().filter(|c| !c.is_whitespace() && *c != '-').map(of_code).take(LENGTH + 1).collect();
    let fits = matches!(code.len(), LENGTH | OLD_LENGTH)
        && code.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'));
    fits.then(|| sha_256(&code))
}

fn sha_256(code: &str) -> [u8; 32] {
    Sha256::digest(code.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    #[test]
    fn a_code_is_recognised_however_it_is_typed_and_no_other_text() {
        let codes = RecoveryCodes::generate(&mut StdRng::seed_from_u64(1)).expect("randomness");
        let shown: Vec<String> = codes.reveal().collect();
        assert_eq!((shown.len(), shown.iter().collect::<HashSet<_>>().len()), (COUNT, COUNT));
        for (code, stored) in shown.iter().zip(codes.hashes()) {
            assert_eq!((code.len(), code.matches('-').count()), (29, 5), "{code}");
            let looks_alike = code.replace('o', "0").replace('i', "1").replace('b', "8");
            for typed in
                [code.clone(), code.to_uppercase(), code.replace('-', ""), format!(" {code}\n"), looks_alike]
            {
                assert_eq!(hash(&typed), Some(stored), "{typed:?}");
            }
            for wrong in [&code[1..], &format!("{code}a"), &code.replacen(&code[..1], "9", 1), "123456", ""] {
                assert_eq!(hash(wrong), None, "{wrong:?}");
            }
        }
        // Of those that were made before.
        assert_eq!(hash("abcd-efgh-ijkl-mnop"), Some(sha_256("ABCDEFGHIJKLMNOP")));
        assert_eq!(hash("abcd-efgh-ijkl-mno"), None);
        assert_eq!(hash(&"é".repeat(LENGTH)), None);
        assert_eq!(hash(&"é".repeat(LENGTH / 2)), None);
        assert_eq!(format!("{codes:?}"), "RecoveryCodes");
    }
}
