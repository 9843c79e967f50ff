//! A password as it goes into the hash.

use secrecy::{ExposeSecret, SecretString};
use unicode_normalization::UnicodeNormalization;

use super::new_password::MAX_LENGTH;

/// In NFKC (NIST SP 800-63B-4, section 3.1.1.2), so that it is the same on every keyboard. Of one that is too long to be
/// anybody's only a part is kept, which is too long as well: the rest is not worth the work.
pub(super) struct Typed(SecretString);

impl Typed {
    pub(super) fn new(typed: &SecretString) -> Self {
        Self(typed.expose_secret().nfkc().take(MAX_LENGTH + 1).collect::<String>().into())
    }

    /// In characters.
    pub(super) fn length(&self) -> usize {
        self.0.expose_secret().chars().count()
    }

    /// For comparisons whatever the case.
    pub(super) fn folded(&self) -> SecretString {
        fold(self.0.expose_secret()).into()
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }
}

/// In NFKC and lower case.
pub(super) fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).collect()
}
