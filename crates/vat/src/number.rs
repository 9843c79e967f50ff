//! A VAT number that may be asked at its registry. How a text becomes one is in `format`.

use std::fmt;

use crate::check_digits::{self, National, Verdict};
use crate::format;
use crate::{Prefix, Reading, Registry};

/// A number that its registry can be asked about: a prefix and a national part of its hard structure, in
/// canonical form. Whether the number is registered is another question.
///
/// A number of Great Britain or Northern Ireland has nine or twelve digits: the forms of government
/// departments and health authorities (`GD`, `HA`) are refused by HMRC and are no such number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct VatNumber {
    prefix: Prefix,
    /// How many of the bytes of `text` are in use.
    length: u8,
    /// The canonical form in ASCII, filled up with zeros. At most 14 are in use; 16 are copied in one step.
    text: [u8; 16],
}

/// Whether the check digits of a number fit. A misfit is often a slip, but real numbers have failed too: only
/// the registry decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckDigits {
    /// They fit.
    Fit,
    /// Numbers of this kind have none, such as Czech birth numbers issued before 1954.
    Absent,
    /// They do not, or a character is of a kind that the country is not known to use.
    DoNotFit,
}

impl VatNumber {
    /// Reads a text as people type it.
    #[must_use]
    pub fn parse(submitted: &str) -> Reading {
        format::read(submitted, None)
    }

    /// Reads a text beside which a country was given. A prefix in the text goes before the country, unless the
    /// text as a whole has the structure of that country's numbers (a French key may be two letters that are also
    /// a prefix) and is no number with fitting check digits of its own.
    #[must_use]
    pub fn parse_in(submitted: &str, country: Prefix) -> Reading {
        format::read(submitted, Some(country))
    }

    /// A number of these characters, if they have the structure of the prefix. `text` begins with the prefix
    /// and is filled up with zeros; `digits` has a bit for every one of its bytes that is a digit, the lowest
    /// first.
    #[inline]
    pub(crate) fn of_structure(prefix: Prefix, text: [u8; 16], length: u8, digits: u64) -> Option<Self> {
        let [_, _, national @ .., _, _] = &text;
        format::has_structure(prefix, national, length.wrapping_sub(2), digits >> 2).then_some(Self {
            prefix,
            length,
            text,
        })
    }

    /// The prefix, `EL` for Greece.
    #[must_use]
    pub const fn prefix(&self) -> Prefix {
        self.prefix
    }

    /// What follows the prefix: capitals, digits, `+` and `*`.
    #[must_use]
    pub fn national(&self) -> &str {
        self.as_str().get(2..).unwrap_or_default()
    }

    /// The canonical form, such as `DE136695976`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let used = self.text.get(..usize::from(self.length)).unwrap_or_default();
        // Always ASCII.
        str::from_utf8(used).unwrap_or_default()
    }

    /// Who is asked about the number.
    #[must_use]
    pub const fn registry(&self) -> Registry {
        self.prefix.registry()
    }

    /// Whether the check digits fit.
    #[must_use]
    #[inline]
    pub fn check_digits(&self) -> CheckDigits {
        match self.verdict() {
            Verdict::Fits => CheckDigits::Fit,
            Verdict::NothingToCheck => CheckDigits::Absent,
            _ => CheckDigits::DoNotFit,
        }
    }

    #[inline]
    pub(crate) fn verdict(&self) -> Verdict {
        let [_, _, places @ .., _, _] = &self.text;
        let length = usize::from(self.length).saturating_sub(2);
        check_digits::verdict(self.prefix, National { places, length })
    }

    /// The national part in the groups in which people print it. Joined they are the national part.
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.national();
        let mut sizes = group_sizes(self.prefix, rest.len()).iter();
        std::iter::from_fn(move || {
            let (group, after) = rest.split_at_checked(*sizes.next()?).unwrap_or((rest, ""));
            rest = after;
            Some(group)
        })
        .filter(|group| !group.is_empty())
    }
}

/// How many characters the groups have, from the left.
const fn group_sizes(prefix: Prefix, length: usize) -> &'static [usize] {
    match (prefix, length) {
        (Prefix::At, _) => &[1, 4, 4],
        (Prefix::Be | Prefix::Sk, _) | (Prefix::Bg, 10) => &[4, 3, 3],
        (Prefix::Cy, _) => &[4, 4, 1],
        (Prefix::Cz, 9 | 10) => &[6, 4],
        (Prefix::Dk, _) => &[2, 2, 2, 2],
        (Prefix::Fr, _) => &[2, 3, 3, 3],
        (Prefix::Gb | Prefix::Xi, _) => &[3, 4, 2, 3],
        (Prefix::Hr | Prefix::It | Prefix::Lv, _) => &[3, 4, 4],
        (Prefix::Cz | Prefix::Fi | Prefix::Hu | Prefix::Lu | Prefix::Mt | Prefix::Si, _)
        | (Prefix::Ie, 8) => &[4, 4],
        (Prefix::Ie, _) => &[4, 5],
        (Prefix::Pl, _) => &[3, 3, 2, 2],
        (Prefix::Se, _) => &[6, 4, 2],
        _ => &[3, 3, 3, 3],
    }
}

impl fmt::Display for VatNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for VatNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VatNumber({})", self.as_str())
    }
}
