//! Which passwords may be chosen.

use std::{
    cmp::{Ordering, Reverse},
    fmt,
};

use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

use super::typed::{Typed, fold};

/// In characters.
const MIN_LENGTH: usize = 12;
/// In characters. A whole sentence fits.
pub(super) const MAX_LENGTH: usize = 128;
/// The commonest ones that are long enough, folded, in the order of their bytes; where they come from is told beside the list.
const COMMON: &str = include_str!("common_passwords.txt");
/// What everybody knows of this service: its name, and whom it asks.
const OURS: [&str; 3] = ["crossvat", "hmrc", "vies"];
/// Shorter words are parts of too many others, in characters.
const SHORTEST_WORD: usize = 4;
/// Letters and digits that a password has besides words that are known.
const MIN_OWN: usize = 8;

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
    /// Most of it is known of the person, or of this service.
    #[error(
        "besides words of your e-mail address, your name, your company's name and ours a password needs {MIN_OWN} letters or \
         digits"
    )]
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
        if is_line_of(COMMON, folded) {
            Err(UnfitPassword::Common)
        } else if is_made_of(known, folded) {
            Err(UnfitPassword::AboutYou)
        } else {
            Ok(Self(typed))
        }
    }

    pub(super) fn into_typed(self) -> Typed {
        self.0
    }
}

/// Whether a folded password is little more than words of what is known: what is left without them is soon guessed.
fn is_made_of(known: &[&str], folded: &str) -> bool {
    let known: Vec<String> = known.iter().copied().chain(OURS).map(fold).collect();
    let mut words: Vec<&str> = known
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.chars().count() >= SHORTEST_WORD)
        .filter(|word| folded.contains(word))
        .collect();
    // The longest first: a part of a word must not leave the rest of it.
    words.sort_by_key(|word| Reverse(word.len()));
    let own = words.iter().fold(folded.to_owned(), |left, word| left.replace(word, " "));
    !words.is_empty() && own.chars().filter(|c| c.is_alphanumeric()).count() < MIN_OWN
}

/// Whether `text`, whose lines stand in the order of their bytes, has this line. Few of its pages are read for that.
fn is_line_of(text: &str, line: &str) -> bool {
    let (mut text, line) = (text.as_bytes(), line.as_bytes());
    while !text.is_empty() {
        let middle = text.len() / 2;
        let start = text[..middle].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let end =
            text[middle..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| middle + end);
        match line.cmp(&text[start..end]) {
            Ordering::Equal => return true,
            Ordering::Less => text = &text[..start],
            Ordering::Greater => text = text.get(end + 1..).unwrap_or_default(),
        }
    }
    false
}
