//! What an account's calls assume unless they say otherwise.

use std::{fmt, time::Duration};

use thiserror::Error;
use vat::{Registry, SupplierCountry, VatNumber};

/// The oldest an answer may be that is used again.
const MAX_AGE: Duration = Duration::from_hours(24);

/// What an account's calls assume unless they say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountSettings {
    /// In whose name HMRC is asked.
    pub gb_requester: Option<VatNumber>,
    /// In whose name VIES is asked: a member state's number or one of Northern Ireland.
    pub eu_requester: Option<VatNumber>,
    /// Where the account sells from.
    pub supplier_country: Option<SupplierCountry>,
    /// How old an answer may be; whole seconds count.
    pub max_age: Duration,
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
        for (number, registry) in [(self.gb_requester, Registry::Hmrc), (self.eu_requester, Registry::Vies)] {
            if number.is_some_and(|number| number.registry() != registry) {
                return Err(SettingsError::WrongRegistry(registry.name()));
            }
        }
        if self.max_age > MAX_AGE { Err(SettingsError::TooOld) } else { Ok(()) }
    }
}

impl fmt::Display for AccountSettings {
    /// For the audit log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number =
            |number: Option<VatNumber>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
        write!(
            f,
            "requesters {} and {}, supplier country {}, answers up to {} s old",
            number(self.gb_requester),
            number(self.eu_requester),
            self.supplier_country.map_or("none", SupplierCountry::as_str),
            self.max_age.as_secs(),
        )
    }
}
