//! What became of a text that was read as a VAT number, and what was put right on the way. The reading itself
//! is in `format`, the sentences about it in `advice`.

use crate::advice;
use crate::format::{Lookalike, Text};
use crate::{Advice, CheckDigits, VatNumber};

/// A text, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    shape: Shape,
    repairs: Repairs,
    /// The normalised text, where it is no number.
    text: Text,
    /// Empty for most, so that it does not allocate.
    lookalikes: Vec<Lookalike>,
}

/// What a text turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number that its registry may be asked about.
    Number(VatNumber),
    /// Nothing that could be a number.
    Malformed(MalformedReason),
    /// Perhaps a number, but of a kind that neither registry can be asked about.
    Unsupported(UnsupportedReason),
}

/// Why a text cannot be a VAT number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MalformedReason {
    /// Nothing is left when blanks, separators and words such as "VAT" are dropped.
    Empty,
    /// More than [`MAX_CHARACTERS`](crate::MAX_CHARACTERS) characters, counted before trimming.
    TooLong,
    /// It does not begin with two letters, or has no digit at all. The country is never guessed from the digits.
    MissingPrefix,
    /// It holds a character that no number has.
    Characters,
    /// The part after the prefix does not have the structure of that country.
    Structure,
}

/// Why no registry can be asked about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnsupportedReason {
    /// It begins with two letters that neither registry covers.
    CountryNotCovered,
    /// `EU` and nine digits: a number of the non-Union one-stop shop, which VIES does not hold.
    OneStopShop,
    /// `IM` and ten digits: a number of the import one-stop shop, which is no VAT number.
    ImportScheme,
    /// `GD` or `HA` and three digits, which HMRC refuses; it knows such a body by nine digits that begin 8888
    /// (HMRC, VAT Government and Public Bodies manual, VATGPB9400).
    GovernmentOrHealthBody,
}

/// Something that was put right to make sense of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Repair {
    /// Words before the number, or between prefix and number, such as "VAT No.", were dropped.
    LabelRemoved = 1,
    /// Blanks inside the text, punctuation or invisible marks were dropped.
    SeparatorsRemoved = 1 << 1,
    /// The prefix is that of the country given beside the text.
    PrefixFromCountry = 1 << 2,
    /// The prefix was written more than once.
    PrefixRepeated = 1 << 3,
    /// `GR` was read as `EL`, or `UK` as `GB`.
    PrefixReplaced = 1 << 4,
    /// The zero that older Belgian and Greek numbers lack was put in front of the national part.
    LeadingZeroAdded = 1 << 5,
    /// A character that only looks like a Latin letter or plain digit was taken for it.
    LookalikeReplaced = 1 << 6,
}

impl Repair {
    const ALL: [Self; 7] = [
        Self::LabelRemoved,
        Self::SeparatorsRemoved,
        Self::PrefixFromCountry,
        Self::PrefixRepeated,
        Self::PrefixReplaced,
        Self::LeadingZeroAdded,
        Self::LookalikeReplaced,
    ];
}

/// A set of repairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repairs(u8);

impl Repairs {
    pub(crate) const fn insert(&mut self, repair: Repair) {
        self.0 |= repair as u8;
    }

    const fn contains(self, repair: Repair) -> bool {
        self.0 & repair as u8 != 0
    }
}

impl Reading {
    #[inline]
    pub(crate) const fn of_number(number: VatNumber, repairs: Repairs) -> Self {
        Self { shape: Shape::Number(number), repairs, text: Text::EMPTY, lookalikes: Vec::new() }
    }

    pub(crate) const fn malformed(reason: MalformedReason, repairs: Repairs, text: Text) -> Self {
        Self { shape: Shape::Malformed(reason), repairs, text, lookalikes: Vec::new() }
    }

    pub(crate) const fn unsupported(reason: UnsupportedReason, repairs: Repairs, text: Text) -> Self {
        Self { shape: Shape::Unsupported(reason), repairs, text, lookalikes: Vec::new() }
    }

    pub(crate) fn with_lookalikes(mut self, lookalikes: Vec<Lookalike>) -> Self {
        if !lookalikes.is_empty() {
            self.repairs.insert(Repair::LookalikeReplaced);
        }
        self.lookalikes = lookalikes;
        self
    }

    /// What the text turned out to be.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number, where there is one to ask about.
    #[must_use]
    pub const fn number(&self) -> Option<VatNumber> {
        match self.shape {
            Shape::Number(number) => Some(number),
            Shape::Malformed(_) | Shape::Unsupported(_) => None,
        }
    }

    /// Whether the number's check digits fit, where there is a number.
    #[must_use]
    #[inline]
    pub fn check_digits(&self) -> Option<CheckDigits> {
        match &self.shape {
            Shape::Number(number) => Some(number.check_digits()),
            Shape::Malformed(_) | Shape::Unsupported(_) => None,
        }
    }

    /// What was put right.
    pub fn repairs(&self) -> impl Iterator<Item = Repair> {
        let repairs = self.repairs;
        Repair::ALL.into_iter().filter(move |&repair| repairs.contains(repair))
    }

    /// Whether this was put right.
    #[must_use]
    pub const fn has_repair(&self, repair: Repair) -> bool {
        self.repairs.contains(repair)
    }

    /// The characters that were taken for the letters and digits they look like.
    #[must_use]
    pub(crate) fn lookalikes(&self) -> &[Lookalike] {
        &self.lookalikes
    }

    /// The canonical form: capitals, no separators, `EL` for Greece. For a text that is no number it is the
    /// normalised text, of an overlong one the beginning.
    #[must_use]
    pub fn canonical(&self) -> &str {
        match &self.shape {
            Shape::Number(number) => number.as_str(),
            Shape::Malformed(_) | Shape::Unsupported(_) => self.text.as_str(),
        }
    }

    /// The two letters the canonical form begins with, `ZZ` where it does not.
    #[must_use]
    pub fn country_code(&self) -> &str {
        match self.canonical().get(..2) {
            Some(code) if code.bytes().all(|byte| byte.is_ascii_uppercase()) => code,
            _ => "ZZ",
        }
    }

    /// What the person who wrote the text should know. Built anew each time.
    #[must_use]
    pub fn advice(&self) -> Vec<Advice> {
        advice::about(self)
    }
}
