//! In whose name the registries are asked.

use vat::{Prefix, Registry, VatNumber};

/// At most one number for each registry: HMRC knows only GB requesters, VIES only EU and XI ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requesters {
    hmrc: Option<VatNumber>,
    vies: Option<VatNumber>,
}

impl Requesters {
    /// Adds one.
    ///
    /// # Errors
    /// The registry that has one already.
    pub fn add(&mut self, number: VatNumber) -> Result<(), Registry> {
        let place = match number.registry() {
            Registry::Hmrc => &mut self.hmrc,
            Registry::Vies => &mut self.vies,
        };
        if place.is_some() {
            return Err(number.registry());
        }
        *place = Some(number);
        Ok(())
    }

    /// The requester for questions about numbers of `prefix`.
    #[must_use]
    pub const fn asking_about(&self, prefix: Prefix) -> Option<VatNumber> {
        self.known_to(prefix.registry())
    }

    /// The requester for questions to `registry`.
    #[must_use]
    pub const fn known_to(&self, registry: Registry) -> Option<VatNumber> {
        match registry {
            Registry::Hmrc => self.hmrc,
            Registry::Vies => self.vies,
        }
    }
}
