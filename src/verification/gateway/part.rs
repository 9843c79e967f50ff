//! Whom it can be told of how they are: the two registries and the member states behind VIES.

use vat::{Prefix, Registry};

/// A registry, or a member state behind VIES.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RegistryPart {
    /// The registry as a whole.
    Whole(Registry),
    /// A prefix that VIES asks a member state about; never that of HMRC.
    Behind(Prefix),
}

impl RegistryPart {
    /// Both registries, then those behind VIES in the order of their prefixes.
    pub fn all() -> impl Iterator<Item = Self> {
        let behind = Prefix::ALL.into_iter().filter(|prefix| prefix.registry() == Registry::Vies);
        [Registry::Hmrc, Registry::Vies].into_iter().map(Self::Whole).chain(behind.map(Self::Behind))
    }

    /// The one that is asked about numbers with a prefix in the end.
    #[must_use]
    pub fn of(prefix: Prefix) -> Self {
        match prefix.registry() {
            Registry::Hmrc => Self::Whole(Registry::Hmrc),
            Registry::Vies => Self::Behind(prefix),
        }
    }

    /// The registry that is asked, and the member state where it is one behind it.
    pub(super) const fn line(self) -> (Registry, Option<Prefix>) {
        match self {
            Self::Whole(registry) => (registry, None),
            Self::Behind(prefix) => (Registry::Vies, Some(prefix)),
        }
    }

    /// How it is called in addresses and in the database: `HMRC`, `VIES`, or the prefix.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Whole(registry) => registry.name(),
            Self::Behind(prefix) => prefix.as_str(),
        }
    }

    /// The one that is called so.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::all().find(|part| part.code() == code)
    }

    /// Its name in a sentence.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whole(registry) => registry.name(),
            Self::Behind(prefix) => prefix.country_name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_leads_back_and_fits_its_column() {
        assert_eq!(RegistryPart::all().count(), 2 + Prefix::ALL.len() - 1);
        for part in RegistryPart::all() {
            assert_eq!(RegistryPart::from_code(part.code()), Some(part));
            assert!(part.code().len() <= 4, "{part:?}");
        }
        assert_eq!(RegistryPart::from_code("GB"), None, "that is HMRC");
        assert_eq!(RegistryPart::of(Prefix::Gb).code(), "HMRC");
        assert_eq!(RegistryPart::of(Prefix::El).code(), "EL");
    }
}
