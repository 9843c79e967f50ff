//! The use case: may this account call now, and what do the registries say of these numbers. The JSON handler and the
//! portal both call it and add only parsing and rendering.

use std::sync::Arc;

use uuid::Uuid;

use crate::{
    limits::{RateLimiter, RateStatus},
    verification::{batch::Batch, checked_number::CheckedNumber, requesters::Requesters, verifier::Verifier},
};

/// Verifies numbers for accounts.
#[derive(Clone)]
pub struct VerifyVat {
    verifier: Arc<Verifier>,
    limiter: Arc<RateLimiter>,
}

/// Proof that a call was counted against its account's rate limit. Made by [`VerifyVat::admit`] alone.
#[derive(Debug)]
pub struct Admission {
    rate: RateStatus,
}

impl Admission {
    /// Where the account stands after this call.
    #[must_use]
    pub const fn rate(&self) -> RateStatus {
        self.rate
    }
}

impl VerifyVat {
    /// The use case over its parts.
    #[must_use]
    pub fn new(verifier: Arc<Verifier>, limiter: Arc<RateLimiter>) -> Self {
        Self { verifier, limiter }
    }

    /// Counts a call of `account`, whatever becomes of it.
    ///
    /// # Errors
    /// The account has used up its rate limit.
    pub fn admit(&self, account: Uuid) -> Result<Admission, RateStatus> {
        self.limiter.admit(account).map(|rate| Admission { rate })
    }

    /// Checks `numbers` in the name of `requesters`. One result for each, in order; takes at most the deadline.
    pub async fn verify(
        &self,
        _admission: Admission,
        numbers: Vec<String>,
        requesters: &Requesters,
    ) -> Vec<CheckedNumber> {
        self.verifier.check(Batch::read(numbers), requesters).await
    }
}
