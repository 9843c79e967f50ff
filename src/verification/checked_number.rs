//! One entry of a batch with what became of it, and what both front ends say about it.

use chrono::{DateTime, Utc};
use uuid::Uuid;
use vat::{Advice, Prefix, Registry, ReverseCharge, Shape, Status, SupplierCountry, VatNumber};

use super::{
    batch::{Batch, Entry},
    gateway::{Answered, Resolution, Unresolved},
    plan::VerificationPlan,
    registry::{Trader, Verdict},
};

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The registry was asked for this call.
    Live,
    /// It was asked for an earlier call, or for one at the same time.
    Cache,
}

/// What came of a lookup.
#[derive(Clone, Debug)]
pub struct Found {
    /// The answer, or why there is none.
    pub resolution: Resolution,
    /// Where it came from.
    pub source: Source,
}

/// One entry of a batch with what became of it.
#[derive(Clone, Debug)]
pub struct CheckedNumber {
    pub(super) entry: Entry,
    pub(super) outcome: Outcome,
}

/// What became of an entry.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// It is a number, and its registry was asked.
    Asked { number: VatNumber, found: Found },
    /// It cannot be a number.
    Malformed { decided_at: DateTime<Utc> },
    /// No registry covers it.
    Unsupported { decided_at: DateTime<Utc> },
}

impl Source {
    /// The value of the API's field `source`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Cache => "cache",
        }
    }
}

impl CheckedNumber {
    /// The entries of `batch`, read at `read_at`, with what came of the plan's lookups, in their order.
    #[must_use]
    pub fn of_batch(
        batch: Batch,
        read_at: DateTime<Utc>,
        plan: &VerificationPlan,
        found: &[Found],
    ) -> Vec<Self> {
        let never_asked = || Found { resolution: Resolution::past_deadline(read_at), source: Source::Live };
        let outcome = |position: usize, entry: &Entry| match entry.reading.shape() {
            Shape::Malformed(_) => Outcome::Malformed { decided_at: read_at },
            Shape::Unsupported(_) => Outcome::Unsupported { decided_at: read_at },
            Shape::Number(number) => {
                let found = plan.answer_to(position).and_then(|index| found.get(index));
                Outcome::Asked { number: *number, found: found.cloned().unwrap_or_else(never_asked) }
            }
        };
        batch
            .into_entries()
            .into_iter()
            .enumerate()
            .map(|(position, entry)| Self { outcome: outcome(position, &entry), entry })
            .collect()
    }

    /// What was known of `submitted` once and is told again. `resolution` is what came of its lookup, if it is a number; when
    /// it is none, that was decided at `decided_at`.
    #[must_use]
    pub fn recalled(submitted: String, resolution: Resolution, decided_at: DateTime<Utc>) -> Self {
        let entry = Entry { reading: VatNumber::parse(&submitted), submitted };
        let outcome = match entry.reading.shape() {
            Shape::Malformed(_) => Outcome::Malformed { decided_at },
            Shape::Unsupported(_) => Outcome::Unsupported { decided_at },
            Shape::Number(number) => {
                Outcome::Asked { number: *number, found: Found { resolution, source: Source::Cache } }
            }
        };
        Self { entry, outcome }
    }

    /// The string as sent.
    #[must_use]
    pub fn submitted(&self) -> &str {
        &self.entry.submitted
    }

    /// The number in canonical form.
    #[must_use]
    pub fn canonical(&self) -> &str {
        self.entry.reading.canonical()
    }

    /// The leading letters, `ZZ` where there are none.
    #[must_use]
    pub fn country_code(&self) -> &str {
        self.entry.reading.country_code()
    }

    /// The outcome in one word.
    #[must_use]
    pub fn status(&self) -> Status {
        match &self.outcome {
            Outcome::Malformed { .. } => Status::Malformed,
            Outcome::Unsupported { .. } => Status::Unsupported,
            Outcome::Asked { found, .. } => found.resolution.status(),
        }
    }

    /// Who is registered, for a valid number.
    #[must_use]
    pub fn trader(&self) -> Option<&Trader> {
        match &self.answered()?.answer.verdict {
            Verdict::Registered(trader) => Some(trader),
            Verdict::NotRegistered | Verdict::FormRefused => None,
        }
    }

    /// The registry's proof, when it gave one.
    #[must_use]
    pub fn consultation_number(&self) -> Option<&str> {
        self.answered()?.answer.consultation_number.as_deref()
    }

    /// The evidence of the registry's answer; `None` without an answer and in the sandbox.
    #[must_use]
    pub fn evidence_id(&self) -> Option<Uuid> {
        self.answered()?.evidence_id
    }

    /// Whether the registry answered, but not in the name of the requester, which it refused.
    #[must_use]
    pub fn requester_refused(&self) -> bool {
        self.answered().is_some_and(|answered| answered.requester_refused)
    }

    /// When the registry's answer arrived, or when we decided without one.
    #[must_use]
    pub fn decided_at(&self) -> DateTime<Utc> {
        match &self.outcome {
            Outcome::Asked { found: Found { resolution: Resolution::Answered(answered), .. }, .. } => {
                answered.received_at
            }
            Outcome::Asked {
                found: Found { resolution: Resolution::Unresolved(unresolved), .. }, ..
            } => unresolved.decided_at,
            Outcome::Malformed { decided_at } | Outcome::Unsupported { decided_at } => *decided_at,
        }
    }

    /// The registry that was asked, whether it answered or not.
    #[must_use]
    pub fn asked(&self) -> Option<Registry> {
        self.prefix().map(Prefix::registry)
    }

    /// Where the registry's answer came from; `None` without one.
    #[must_use]
    pub fn source(&self) -> Option<Source> {
        match &self.outcome {
            Outcome::Asked { found: Found { resolution: Resolution::Answered(_), source }, .. } => {
                Some(*source)
            }
            _ => None,
        }
    }

    /// Why there is no answer, when a registry was asked and gave none.
    #[must_use]
    pub fn unresolved(&self) -> Option<&Unresolved> {
        match &self.outcome {
            Outcome::Asked {
                found: Found { resolution: Resolution::Unresolved(unresolved), .. }, ..
            } => Some(unresolved),
            _ => None,
        }
    }

    /// Whether the customer accounts for the VAT, seen from `supplier`.
    #[must_use]
    pub fn reverse_charge(&self, supplier: Option<SupplierCountry>) -> ReverseCharge {
        ReverseCharge::decide(self.status(), self.prefix(), supplier)
    }

    /// What is worth knowing about the entry and its outcome.
    #[must_use]
    pub fn advice(&self) -> Vec<Advice> {
        let mut advice = self.entry.reading.advice();
        let Outcome::Asked { number, found } = &self.outcome else {
            return advice;
        };
        let number = *number;
        let registry = number.registry();
        let prefix = number.prefix();
        if prefix == Prefix::Xi {
            advice.push(Advice::xi_covers_goods_only());
        }
        match &found.resolution {
            Resolution::Unresolved(unresolved) => advice.push(Advice::unresolved(unresolved.reason, number)),
            Resolution::Answered(answered) => {
                match &answered.answer.verdict {
                    Verdict::Registered(trader) if registry == Registry::Vies && trader.name.is_none() => {
                        advice.push(Advice::not_disclosed_by_member_state(prefix));
                    }
                    Verdict::Registered(_) => {}
                    Verdict::FormRefused => advice.push(Advice::refused_by_registry(registry)),
                    Verdict::NotRegistered => {
                        advice.push(Advice::new_registrations_take_time(registry));
                        if registry == Registry::Vies && prefix != Prefix::Xi {
                            advice.push(Advice::national_registration_may_exist(prefix));
                        }
                        advice.extend(Advice::gb_twin_of_xi(number));
                        advice.extend(Advice::nine_digit_form(number));
                    }
                }
                if answered.requester_refused {
                    advice.push(Advice::requester_not_accepted(registry));
                }
            }
        }
        advice
    }

    fn prefix(&self) -> Option<Prefix> {
        match &self.outcome {
            Outcome::Asked { number, .. } => Some(number.prefix()),
            Outcome::Malformed { .. } | Outcome::Unsupported { .. } => None,
        }
    }

    fn answered(&self) -> Option<&Answered> {
        match &self.outcome {
            Outcome::Asked { found: Found { resolution: Resolution::Answered(answered), .. }, .. } => {
                Some(answered)
            }
            _ => None,
        }
    }
}
