//! What people type or paste to find a key by. A whole key is known by its hash alone from here on, and of what may be a
//! part of one nothing but its end is kept: it must not come to stand in an address or on a page.

use std::fmt;

use super::{
    KeyMode, PresentedKey,
    secret::{CHECKSUM_LENGTH, RANDOM_LENGTH},
};

/// Characters by which a key is shown.
const SHOWN: usize = 4;
const MODES: [KeyMode; 2] = [KeyMode::Live, KeyMode::Test];

/// What somebody typed, where it is about a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedKey {
    /// A whole key.
    Whole(PresentedKey, KeyEnding),
    /// A key as it is shown: its prefix and how it ends.
    Ending(KeyEnding),
    /// Neither: a part of a key, or a mistyped one.
    Broken,
}

/// How a key is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEnding {
    /// Which registries it reaches.
    pub mode: KeyMode,
    /// Its last characters.
    pub last_four: String,
}

impl fmt::Display for KeyEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…{}", self.mode.prefix(), self.last_four)
    }
}

impl TypedKey {
    /// The key in what somebody typed; `None` when that is about something else. Blanks and line ends within it, and what
    /// stands around it in a sentence, a header or a file of settings, do not matter.
    #[must_use]
    pub fn find(typed: &str) -> Option<Self> {
        let joined: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
        let behind =
            |mode: KeyMode| joined.split(mode.prefix()).skip(1).map(move |rest| Self::behind(mode, rest));
        let found: Vec<Self> = MODES.into_iter().flat_map(behind).collect();
        let of_kind = |fits: fn(&Self) -> bool| found.iter().find(|found| fits(found)).cloned();
        // A whole key whose prefix was not copied.
        let bare = || {
            let texts = words(typed).chain([&*joined]);
            texts.flat_map(|text| MODES.map(|mode| Self::whole(mode, text))).flatten().next()
        };
        of_kind(|found| matches!(found, Self::Whole(..)))
            .or_else(bare)
            .or_else(|| words(typed).any(looks_secret).then_some(Self::Broken))
            .or_else(|| of_kind(|found| *found == Self::Broken))
            .or_else(|| found.first().cloned())
    }

    /// What stands behind a prefix.
    fn behind(mode: KeyMode, rest: &str) -> Self {
        if let Some(whole) = Self::whole(mode, rest) {
            return whole;
        }
        let end = rest.trim_start_matches(['…', '.', '*', '•']);
        let is_shown = end.len() < rest.len() && is_alphanumeric(end) && end.len() == SHOWN;
        if is_shown { Self::Ending(KeyEnding { mode, last_four: end.to_owned() }) } else { Self::Broken }
    }

    /// The key that a text without its prefix begins with, whatever follows.
    fn whole(mode: KeyMode, text: &str) -> Option<Self> {
        let random = text.get(..RANDOM_LENGTH + CHECKSUM_LENGTH)?;
        let key = PresentedKey::parse(&format!("{}{random}", mode.prefix()))?;
        let last_four = random[random.len() - SHOWN..].to_owned();
        Some(Self::Whole(key, KeyEnding { mode, last_four }))
    }
}

/// Whether more of a key stands in `text` than is shown of one.
#[must_use]
pub fn holds_secret(text: &str) -> bool {
    let behind = |mode: KeyMode| text.split(mode.prefix()).skip(1);
    let random = |rest: &str| rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    matches!(TypedKey::find(text), Some(TypedKey::Whole(..)))
        || MODES.into_iter().flat_map(behind).any(|rest| random(rest) > SHOWN)
        || words(text).any(looks_secret)
}

/// What may be a key or a part of one, each by itself.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
}

/// Whether this is as long and as mixed as the end of a key, and nothing that people call themselves.
fn looks_secret(text: &str) -> bool {
    text.len() >= RANDOM_LENGTH
        && text.len() <= RANDOM_LENGTH + CHECKSUM_LENGTH
        && is_alphanumeric(text)
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn is_alphanumeric(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;
    use crate::api_keys::NewSecret;

    #[test]
    fn a_whole_key_is_known_however_it_was_copied() {
        for mode in [KeyMode::Live, KeyMode::Test] {
            let secret = NewSecret::generate(mode, &mut StdRng::seed_from_u64(4)).expect("a key");
            let key = secret.reveal();
            let (start, end) = key.split_at(30);
            for typed in [
                key.to_owned(),
                format!("  {key}\n"),
                format!("{start}\n  {end}"),
                format!("Authorization: Bearer {key}"),
                format!("CROSSVAT_KEY=\"{key}\";"),
                key[8..].to_owned(),
                format!("{key} is what we found in the log"),
                format!("Is {} yours?", &key[8..]),
                format!("Not cv_live_…mT5x but {key}"),
            ] {
                let Some(TypedKey::Whole(found, ending)) = TypedKey::find(&typed) else {
                    panic!("{typed:?} was not recognised");
                };
                assert_eq!(found.hash(), &secret.hash(), "{typed:?}");
                assert_eq!(ending, KeyEnding { mode, last_four: secret.last_four().to_owned() });
                assert!(holds_secret(&typed), "{typed:?}");
            }
            let mistyped = format!("{}0", &key[..45]);
            for broken in [&key[..20], &key[..45], &mistyped, &key[8..44], &format!("the key {start} leaked")]
            {
                assert_eq!(TypedKey::find(broken), Some(TypedKey::Broken), "{broken:?}");
                assert!(holds_secret(broken), "{broken:?}");
            }
        }
    }

    #[test]
    fn a_key_as_it_is_shown_is_no_secret() {
        let ending = KeyEnding { mode: KeyMode::Live, last_four: "mT5x".to_owned() };
        for typed in ["cv_live_…mT5x", "cv_live_...mT5x", " cv_live_ … mT5x ", "cv_live_****mT5x"] {
            assert_eq!(TypedKey::find(typed), Some(TypedKey::Ending(ending.clone())), "{typed:?}");
            assert!(!holds_secret(typed), "{typed:?}");
        }
        assert_eq!(ending.to_string(), "cv_live_…mT5x");
        assert!(!holds_secret("The key cv_live_…mT5x was found in a public repository"));
        assert!(!holds_secret("cv_live_"));
        let beside = "Not cv_live_…mT5x: 9aZ8bY7cX6dW5eV4fU3gT2hS1iR0jQ9k was sent by mail";
        assert!(holds_secret(beside), "more of another key");
        assert_eq!(TypedKey::find(beside), Some(TypedKey::Broken));
    }

    #[test]
    fn other_things_are_no_keys() {
        let of_32_letters = "Fenwick Marine Supplies 24 Limited Co";
        assert_eq!(of_32_letters.split(' ').map(str::len).sum::<usize>(), 32);
        for typed in [
            of_32_letters,
            "Københavns Bådudstyr 1998 og Sønner A/S",
            "",
            "mT5x",
            "Fenwick Marine",
            "GB123456782",
            "01991f3a6c1e7d209a510c6be2f4a7d3",
            "cv_live",
        ] {
            assert_eq!(TypedKey::find(typed), None, "{typed:?}");
            assert!(!holds_secret(typed), "{typed:?}");
        }
    }
}
