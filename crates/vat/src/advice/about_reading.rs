//! The advice about a reading: what was put right, what does not fit, what may have been meant.

use super::{Advice, AdviceCode, did_you_mean, misfit, words};
use crate::{Lookalike, Reading, Repair};

/// Everything a reading gives cause to say, what was put right first.
pub(crate) fn about(reading: &Reading) -> Vec<Advice> {
    let mut advice: Vec<Advice> = reading.lookalikes().iter().map(lookalike).collect();
    if reading.has_repair(Repair::PrefixRepeated) {
        advice.push(Advice::new(AdviceCode::PrefixRepeated, "The prefix stood there more than once."));
    }
    if reading.has_repair(Repair::PrefixReplaced) {
        advice.push(prefix_replaced(reading));
    }
    if reading.has_repair(Repair::LabelRemoved) || reading.has_repair(Repair::SeparatorsRemoved) {
        advice.push(Advice::new(AdviceCode::SeparatorsRemoved, left_out(reading)));
    }
    let Some(number) = reading.number() else {
        advice.extend(did_you_mean::instead_of_text(reading));
        return advice;
    };
    if reading.has_repair(Repair::LeadingZeroAdded) {
        advice.push(Advice::did_you_mean(
            number,
            format!(
                "Did you mean {number}? A leading zero was added, since numbers of today have one digit more."
            ),
        ));
    }
    if let Some(misfit) = misfit::advice(number) {
        advice.push(misfit);
        advice.extend(did_you_mean::instead_of_number(number));
    }
    advice
}

fn lookalike(found: &Lookalike) -> Advice {
    let ordinal = words::ordinal(found.position);
    let what = found.description();
    let read_as = &found.read_as;
    let kind = match (read_as.len(), read_as.bytes().all(|byte| byte.is_ascii_digit())) {
        (1, true) => "digit",
        (_, true) => "digits",
        _ => "Latin letter",
    };
    Advice::new(
        AdviceCode::LookalikeCharacter,
        format!("The {ordinal} character was {what}; it was read as the {kind} {read_as}."),
    )
}

fn prefix_replaced(reading: &Reading) -> Advice {
    let message = if reading.country_code() == "EL" {
        "The VAT prefix of Greece is EL; GR was read as EL."
    } else {
        "The VAT prefix of the United Kingdom is GB; UK was read as GB."
    };
    Advice::new(AdviceCode::PrefixReplaced, message)
}

fn left_out(reading: &Reading) -> &'static str {
    match (reading.has_repair(Repair::LabelRemoved), reading.has_repair(Repair::SeparatorsRemoved)) {
        (true, false) => "Words before the number were left out.",
        (false, _) => "Blanks, punctuation or invisible marks were left out.",
        (true, true) => "Words before the number and blanks, punctuation or invisible marks were left out.",
    }
}
