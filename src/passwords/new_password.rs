//! Which passwords may be chosen.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

use super::typed::{Typed, fold};

/// In characters.
const MIN_LENGTH: usize = 12;
/// In characters. A whole sentence fits.
pub(super) const MAX_LENGTH: usize = 128;
/// The commonest ones that are long enough, folded; where they come from is told beside the list.
const COMMON: &str = include_str!("common_passwords.txt");

/// A password that may be chosen.
pub struct NewPassword(Typed);

/// Why a password may not be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UnfitPassword {
    /// With so many characters.
    #[error("a password needs {MIN_LENGTH} characters or more; this one has {0}")]
    TooShort(usize),
    /// With more than can be kept.
    #[error("a password may have {MAX_LENGTH} characters at most")]
    TooLong,
    /// Whoever guesses tries it first.
    #[error("this password is among the commonest of all: whoever guesses tries it first")]
    Common,
    /// It is known of the person.
    #[error("a password must not be your e-mail address, your name or your company's name")]
    AboutYou,
}

impl fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewPassword")
    }
}

impl NewPassword {
    /// Whether `typed` may be the password of somebody of whom `known` is known: the e-mail address and names.
    ///
    /// # Errors
    /// Why it may not.
    pub fn check(typed: &SecretString, known: &[&str]) -> Result<Self, UnfitPassword> {
        let typed = Typed::new(typed);
        match typed.length() {
            short @ ..MIN_LENGTH => return Err(UnfitPassword::TooShort(short)),
            MIN_LENGTH..=MAX_LENGTH => {}
            _ => return Err(UnfitPassword::TooLong),
        }
        let folded = typed.folded();
        let folded = folded.expose_secret();
        if known.iter().any(|word| fold(word) == folded) {
            Err(UnfitPassword::AboutYou)
        } else if COMMON.lines().any(|common| common == folded) {
            Err(UnfitPassword::Common)
        } else {
            Ok(Self(typed))
        }
    }

    pub(super) fn into_typed(self) -> Typed {
        self.0
    }
}
