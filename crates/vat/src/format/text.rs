//! The normalised text of what is no number, kept without an allocation where it is short.

use std::fmt;

const SHORT: usize = 22;

/// A text that does not change.
#[derive(Clone)]
pub(crate) enum Text {
    /// The bytes of a text, filled up with zeros, and how many are in use.
    Short(u8, [u8; SHORT]),
    Long(Box<str>),
}

impl Text {
    pub(crate) const EMPTY: Self = Self::Short(0, [0; SHORT]);

    pub(crate) fn new(text: &str) -> Self {
        Self::joined("", text)
    }

    /// One text after the other.
    pub(crate) fn joined(start: &str, end: &str) -> Self {
        let length = start.len() + end.len();
        match u8::try_from(length) {
            Ok(used) if length <= SHORT => {
                let mut short = [0; SHORT];
                let (at_start, after) = short.split_at_mut(start.len());
                at_start.copy_from_slice(start.as_bytes());
                after[..end.len()].copy_from_slice(end.as_bytes());
                Self::Short(used, short)
            }
            _ => Self::Long([start, end].concat().into()),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            // Made of a text, so always UTF-8.
            Self::Short(length, bytes) => {
                str::from_utf8(bytes.get(..usize::from(*length)).unwrap_or_default()).unwrap_or_default()
            }
            Self::Long(text) => text,
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}
