//! One entry of a batch with what became of it, and what both front ends say about it.

use chrono::{DateTime, Utc};
use vat::{Advice, Prefix, Registry, ReverseCharge, Status, SupplierCountry, VatNumber};

use super::{
    batch::Entry,
    gateway::{Answered, Resolution, Unresolved},
    registry::{Trader, Verdict},
};

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
    Asked { number: VatNumber, resolution: Resolution },
    /// It cannot be a number.
    Malformed { decided_at: DateTime<Utc> },
    /// No registry covers it.
    Unsupported { decided_at: DateTime<Utc> },
}

impl CheckedNumber {
    /// The string as sent.
    #[must_use]
    pub fn submitted(&self) -> &str {
        &self.entry.submitted
    }

    /// The number in canonical form.
    #[must_use]
    pub fn canonical(&self) -> String {
        self.entry.reading.canonical().to_owned()
    }

    /// The leading letters, `ZZ` where there are none.
    #[must_use]
    pub fn country_code(&self) -> String {
        self.entry.reading.country_code().to_string()
    }

    /// The outcome in one word.
    #[must_use]
    pub fn status(&self) -> Status {
        match &self.outcome {
            Outcome::Malformed { .. } => Status::Malformed,
            Outcome::Unsupported { .. } => Status::Unsupported,
            Outcome::Asked { resolution: Resolution::Unresolved(_), .. } => Status::Unavailable,
            Outcome::Asked { resolution: Resolution::Answered(answered), .. } => {
                match answered.answer.verdict {
                    Verdict::Registered(_) => Status::Valid,
                    Verdict::NotRegistered => Status::NotRegistered,
                    Verdict::FormRefused => Status::Malformed,
                }
            }
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

    /// When the registry's answer arrived, or when we decided without one.
    #[must_use]
    pub fn decided_at(&self) -> DateTime<Utc> {
        match &self.outcome {
            Outcome::Asked { resolution: Resolution::Answered(answered), .. } => answered.received_at,
            Outcome::Asked { resolution: Resolution::Unresolved(unresolved), .. } => unresolved.decided_at,
            Outcome::Malformed { decided_at } | Outcome::Unsupported { decided_at } => *decided_at,
        }
    }

    /// The registry that was asked, whether it answered or not.
    #[must_use]
    pub fn asked(&self) -> Option<Registry> {
        self.prefix().map(Prefix::registry)
    }

    /// Whether the registry answered.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.answered().is_some()
    }

    /// Why there is no answer, when a registry was asked and gave none.
    #[must_use]
    pub fn unresolved(&self) -> Option<&Unresolved> {
        match &self.outcome {
            Outcome::Asked { resolution: Resolution::Unresolved(unresolved), .. } => Some(unresolved),
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
        let Outcome::Asked { number, resolution } = &self.outcome else {
            return advice;
        };
        let number = *number;
        let registry = number.registry();
        let prefix = number.prefix();
        if prefix == Prefix::Xi {
            advice.push(Advice::xi_covers_goods_only());
        }
        match resolution {
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
            Outcome::Asked { resolution: Resolution::Answered(answered), .. } => Some(answered),
            _ => None,
        }
    }
}
