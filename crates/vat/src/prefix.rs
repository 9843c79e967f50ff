//! The 29 country prefixes that a registry covers, and which registry covers them. How the national part
//! after a prefix looks is in `format`.

use std::fmt;

/// The two letters a VAT number begins with, where HMRC or VIES covers them.
///
/// Not ISO 3166: Greece is `EL` and Northern Ireland `XI` (VIES FAQ, "VAT identification number structure").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each variant is the prefix it is named after; `country_name` says the rest")]
pub enum Prefix {
    At,
    Be,
    Bg,
    Cy,
    Cz,
    De,
    Dk,
    Ee,
    El,
    Es,
    Fi,
    Fr,
    Gb,
    Hr,
    Hu,
    Ie,
    It,
    Lt,
    Lu,
    Lv,
    Mt,
    Nl,
    Pl,
    Pt,
    Ro,
    Se,
    Si,
    Sk,
    Xi,
}

/// The prefix for every pair of capital letters, so that finding one takes a single load.
static BY_LETTERS: [Option<Prefix>; 1024] = {
    let mut table = [None; 1024];
    let mut index = 0;
    while index < Prefix::ALL.len() {
        let prefix = Prefix::ALL[index];
        let code = prefix.as_str().as_bytes();
        table[letters_index(code[0], code[1])] = Some(prefix);
        index += 1;
    }
    table
};

const fn letters_index(first: u8, second: u8) -> usize {
    ((first & 31) as usize) << 5 | (second & 31) as usize
}

impl Prefix {
    /// Every prefix, in the order of its letters.
    pub const ALL: [Self; 29] = [
        Self::At,
        Self::Be,
        Self::Bg,
        Self::Cy,
        Self::Cz,
        Self::De,
        Self::Dk,
        Self::Ee,
        Self::El,
        Self::Es,
        Self::Fi,
        Self::Fr,
        Self::Gb,
        Self::Hr,
        Self::Hu,
        Self::Ie,
        Self::It,
        Self::Lt,
        Self::Lu,
        Self::Lv,
        Self::Mt,
        Self::Nl,
        Self::Pl,
        Self::Pt,
        Self::Ro,
        Self::Se,
        Self::Si,
        Self::Sk,
        Self::Xi,
    ];

    /// The prefix whose canonical code this is: two capitals, `EL` and not `GR`, `GB` and not `UK`.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        let [first, second] = *code.as_bytes() else { return None };
        Self::from_letters(first, second).filter(|prefix| prefix.as_str() == code)
    }

    /// As [`Self::from_code`], for two bytes of which each is a capital letter, a digit, `+` or `*`.
    #[inline]
    pub(crate) fn from_letters(first: u8, second: u8) -> Option<Self> {
        if first < b'A' || second < b'A' {
            return None;
        }
        BY_LETTERS[letters_index(first, second)]
    }

    /// The canonical code, such as `DE`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::At => "AT",
            Self::Be => "BE",
            Self::Bg => "BG",
            Self::Cy => "CY",
            Self::Cz => "CZ",
            Self::De => "DE",
            Self::Dk => "DK",
            Self::Ee => "EE",
            Self::El => "EL",
            Self::Es => "ES",
            Self::Fi => "FI",
            Self::Fr => "FR",
            Self::Gb => "GB",
            Self::Hr => "HR",
            Self::Hu => "HU",
            Self::Ie => "IE",
            Self::It => "IT",
            Self::Lt => "LT",
            Self::Lu => "LU",
            Self::Lv => "LV",
            Self::Mt => "MT",
            Self::Nl => "NL",
            Self::Pl => "PL",
            Self::Pt => "PT",
            Self::Ro => "RO",
            Self::Se => "SE",
            Self::Si => "SI",
            Self::Sk => "SK",
            Self::Xi => "XI",
        }
    }

    /// The English name of the country, as a title and without an article: `Netherlands`.
    #[must_use]
    pub const fn country_name(self) -> &'static str {
        match self {
            Self::At => "Austria",
            Self::Be => "Belgium",
            Self::Bg => "Bulgaria",
            Self::Cy => "Cyprus",
            Self::Cz => "Czechia",
            Self::De => "Germany",
            Self::Dk => "Denmark",
            Self::Ee => "Estonia",
            Self::El => "Greece",
            Self::Es => "Spain",
            Self::Fi => "Finland",
            Self::Fr => "France",
            Self::Gb => "United Kingdom",
            Self::Hr => "Croatia",
            Self::Hu => "Hungary",
            Self::Ie => "Ireland",
            Self::It => "Italy",
            Self::Lt => "Lithuania",
            Self::Lu => "Luxembourg",
            Self::Lv => "Latvia",
            Self::Mt => "Malta",
            Self::Nl => "Netherlands",
            Self::Pl => "Poland",
            Self::Pt => "Portugal",
            Self::Ro => "Romania",
            Self::Se => "Sweden",
            Self::Si => "Slovenia",
            Self::Sk => "Slovakia",
            Self::Xi => "Northern Ireland",
        }
    }

    /// Who is asked about numbers with this prefix.
    #[must_use]
    pub const fn registry(self) -> Registry {
        match self {
            Self::Gb => Registry::Hmrc,
            _ => Registry::Vies,
        }
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One of the two registries that say whether a number is registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Registry {
    /// The United Kingdom's tax authority, "Check a UK VAT number" API.
    Hmrc,
    /// The European Commission's VAT Information Exchange System: the member states and Northern Ireland.
    Vies,
}

impl Registry {
    /// The name in a sentence: `HMRC` or `VIES`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hmrc => "HMRC",
            Self::Vies => "VIES",
        }
    }

    /// The value of the API's field `routing`.
    #[must_use]
    pub const fn routing(self) -> &'static str {
        match self {
            Self::Hmrc => "HMRC API",
            Self::Vies => "European Commission VIES API",
        }
    }
}

impl fmt::Display for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
