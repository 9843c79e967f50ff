//! Evidence of a lookup, and an answer read back from it.

use chrono::{DateTime, Utc};
use uuid::Uuid;
use vat::{Registry, VatNumber};

use super::Asker;
use crate::{
    evidence::{EvidenceOutcome, EvidenceRow},
    verification::{
        gateway::{Answered, Resolution},
        registry::{Lookup, RegistryAnswer, Trader, Verdict},
    },
};

/// The proof that `asker` asked, and of what came of it.
pub(super) fn write(
    id: Uuid,
    asker: &Asker,
    request_id: &str,
    lookup: &Lookup,
    resolution: &Resolution,
) -> EvidenceRow {
    let (outcome, reason, received_at) = outcome(resolution);
    let answered = match resolution {
        Resolution::Answered(answered) => Some(answered),
        Resolution::Unresolved(_) => None,
    };
    let trader = answered.and_then(|answered| match &answered.answer.verdict {
        Verdict::Registered(trader) => Some(trader.clone()),
        Verdict::NotRegistered | Verdict::FormRefused => None,
    });
    let Trader { name, address } = trader.unwrap_or_default();
    EvidenceRow {
        id,
        account_id: asker.account_id,
        vat_number: lookup.number.as_str().to_owned(),
        registry: match lookup.number.registry() {
            Registry::Hmrc => "hmrc",
            Registry::Vies => "vies",
        }
        .to_owned(),
        outcome,
        reason: reason.map(str::to_owned),
        requester: lookup.requester.map(|requester| requester.as_str().to_owned()),
        requester_refused: answered.is_some_and(|answered| answered.requester_refused),
        name,
        address,
        consultation_number: answered.and_then(|answered| answered.answer.consultation_number.clone()),
        registry_dated: answered.and_then(|answered| answered.answer.dated.clone()),
        received_at,
        caller_kind: asker.kind,
        caller_id: asker.id,
        request_id: request_id.to_owned(),
    }
}

fn outcome(resolution: &Resolution) -> (EvidenceOutcome, Option<&'static str>, DateTime<Utc>) {
    match resolution {
        Resolution::Answered(answered) => {
            let outcome = match answered.answer.verdict {
                Verdict::Registered(_) => EvidenceOutcome::Valid,
                Verdict::NotRegistered => EvidenceOutcome::NotRegistered,
                Verdict::FormRefused => EvidenceOutcome::Malformed,
            };
            (outcome, None, answered.received_at)
        }
        Resolution::Unresolved(unresolved) => {
            (EvidenceOutcome::Unavailable, Some(unresolved.reason.as_str()), unresolved.decided_at)
        }
    }
}

/// The question and the answer of a proof; `None` when there was no answer.
pub(super) fn read(row: EvidenceRow) -> Option<(Lookup, Answered)> {
    let verdict = match row.outcome {
        EvidenceOutcome::Valid => Verdict::Registered(Trader { name: row.name, address: row.address }),
        EvidenceOutcome::NotRegistered => Verdict::NotRegistered,
        EvidenceOutcome::Malformed => Verdict::FormRefused,
        EvidenceOutcome::Unavailable => return None,
    };
    let number = VatNumber::parse(&row.vat_number).number()?;
    let requester = match row.requester {
        Some(requester) => Some(VatNumber::parse(&requester).number()?),
        None => None,
    };
    let answer =
        RegistryAnswer { verdict, consultation_number: row.consultation_number, dated: row.registry_dated };
    Some((
        Lookup { number, requester },
        Answered {
            answer,
            received_at: row.received_at,
            requester_refused: row.requester_refused,
            evidence_id: Some(row.id),
        },
    ))
}
