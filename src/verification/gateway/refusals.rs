//! What a registry has refused of one lookup besides answering it, and what follows from that.

use crate::verification::registry::{Lookup, RegistryAnswer, RegistryError, Trouble, TroubleKind, Verdict};

/// The refusals a lookup has met so far.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    /// The requester was not accepted: the lookup goes on without one.
    pub(super) requester: bool,
    /// The refusal proved that the number is registered.
    number_is_known: bool,
    credentials: bool,
}

impl Refusals {
    /// Notes what `error` refused and takes it out of `lookup`; `None` when it can be asked again at once. Each thing
    /// can be refused once: a second time is trouble.
    pub(super) fn note(&mut self, error: RegistryError, lookup: &mut Lookup) -> Option<Trouble> {
        match error {
            RegistryError::RequesterRefused { number_is_known } if lookup.requester.is_some() => {
                self.requester = true;
                self.number_is_known = number_is_known;
                lookup.requester = None;
                None
            }
            RegistryError::RequesterRefused { .. } => {
                Some(Trouble::new(TroubleKind::Unreadable, "requester refused although none was sent"))
            }
            RegistryError::CredentialsRefused if !self.credentials => {
                self.credentials = true;
                None
            }
            RegistryError::CredentialsRefused => {
                Some(Trouble::new(TroubleKind::NotConfigured, "new credentials were refused as well"))
            }
            RegistryError::Trouble(trouble) => Some(trouble),
        }
    }

    /// A "no" after a refusal that proved the opposite is a fault of the registry's.
    pub(super) fn judge(&self, answer: RegistryAnswer) -> Result<RegistryAnswer, RegistryError> {
        if self.number_is_known && answer.verdict == Verdict::NotRegistered {
            let contradiction = "not found, although it was before its requester was refused";
            return Err(Trouble::new(TroubleKind::Unreadable, contradiction).into());
        }
        Ok(answer)
    }
}
