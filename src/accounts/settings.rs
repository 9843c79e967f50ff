//! What an account's calls assume unless they say otherwise, and what its members need to sign in.

use std::{fmt, time::Duration};

use thiserror::Error;
use vat::{Registry, SupplierCountry, VatNumber};

/// The oldest an answer may be that is used again.
const MAX_AGE: Duration = Duration::from_hours(24);

/// What an account's owners settle, one part of it: who sets one part leaves the other as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountSettings {
    /// In whose names the registries are asked.
    Requesters {
        /// In whose name HMRC is asked.
        gb: Option<VatNumber>,
        /// In whose name VIES is asked: a member state's number or one of Northern Ireland.
        eu: Option<VatNumber>,
    },
    /// What else is assumed.
    Assumptions {
        /// Where the account sells from.
        supplier_country: Option<SupplierCountry>,
        /// How old an answer may be; whole seconds count.
        max_age: Duration,
    },
    /// What members need beside a password.
    SecondFactor {
        /// Whether every one of them needs a second factor.
        demanded: bool,
    },
}

/// What was set does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// A requester that the registry does not know.
    #[error("{0} knows only requesters of its own")]
    WrongRegistry(&'static str),
    /// An answer that old is never used again.
    #[error("answers may be up to 24 hours old")]
    TooOld,
}

impl AccountSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        match self {
            Self::Requesters { gb, eu } => {
                for (number, registry) in [(gb, Registry::Hmrc), (eu, Registry::Vies)] {
                    if number.is_some_and(|number| number.registry() != registry) {
                        return Err(SettingsError::WrongRegistry(registry.name()));
                    }
                }
                Ok(())
            }
            Self::Assumptions { max_age, .. } if *max_age > MAX_AGE => Err(SettingsError::TooOld),
            Self::Assumptions { .. } | Self::SecondFactor { .. } => Ok(()),
        }
    }
}

impl fmt::Display for AccountSettings {
    /// For the audit log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number =
            |number: Option<VatNumber>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
        match self {
            Self::Requesters { gb, eu } => write!(f, "requesters {} and {}", number(*gb), number(*eu)),
            Self::Assumptions { supplier_country, max_age } => write!(
                f,
                "supplier country {}, answers up to {} s old",
                supplier_country.map_or("none", SupplierCountry::as_str),
                max_age.as_secs(),
            ),
            Self::SecondFactor { demanded: true } => f.write_str("second factor: every member needs one"),
            Self::SecondFactor { demanded: false } => f.write_str("second factor: each member chooses"),
        }
    }
}
