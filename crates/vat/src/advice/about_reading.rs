//! The advice about a reading: what was put right, what does not fit, what may have been meant.

use super::{Advice, AdviceCode, did_you_mean, misfit, words};
use crate::format::Lookalike;
use crate::{Reading, Repair};

/// Everything a reading gives cause to say, what was put right first.
pub(crate) fn about(reading: &Reading) -> Vec<Advice> {
    let mut advice = Vec::new();
    advice.extend(lookalikes(reading.lookalikes()));
    if reading.has_repair(Repair::PrefixRepeated) {
        advice.push(Advice::new(
            AdviceCode::PrefixRepeated,
            "The country letters were written more than once; they were read once.",
        ));
    }
    if reading.has_repair(Repair::PrefixReplaced) {
        advice.push(prefix_replaced(reading));
    }
    advice.extend(left_out_or_added(reading));
    let Some(number) = reading.number() else {
        advice.extend(did_you_mean::instead_of_text(reading));
        return advice;
    };
    if let Some(misfit) = misfit::advice(number) {
        advice.push(misfit);
        advice.extend(did_you_mean::instead_of_number(number));
    }
    advice
}

/// How many look-alikes are named when there are more.
const NAMED: usize = 3;

fn lookalikes(found: &[Lookalike]) -> Option<Advice> {
    let message = match found {
        [] => return None,
        [one] => {
            let ordinal = words::ordinal(one.position);
            format!("The {ordinal} character was {}; it was read as {}.", one.description(), read_as(one))
        }
        several => {
            let named = several.iter().take(NAMED).map(|one| {
                format!("the {}, {}, as {}", words::ordinal(one.position), one.description(), read_as(one))
            });
            let more = match several.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            let named = named.collect::<Vec<_>>().join("; ");
            format!("Several characters were read as what they look like: {named}{more}.")
        }
    };
    Some(Advice::new(AdviceCode::LookalikeCharacter, message))
}

fn read_as(found: &Lookalike) -> String {
    let read_as = &found.read_as;
    let kind = match (read_as.len(), read_as.bytes().all(|byte| byte.is_ascii_digit())) {
        (1, true) => "digit",
        (_, true) => "digits",
        _ => "Latin letter",
    };
    format!("the {kind} {read_as}")
}

fn prefix_replaced(reading: &Reading) -> Advice {
    let message = if reading.country_code() == "EL" {
        "The VAT prefix of Greece is EL; GR was read as EL."
    } else {
        "The VAT prefix of the United Kingdom is GB; UK was read as GB."
    };
    Advice::new(AdviceCode::PrefixReplaced, message)
}

/// What was left out and the zero that was added, in one sentence. The zero alone has a code of its own, but
/// nothing to suggest: it has been added already.
fn left_out_or_added(reading: &Reading) -> Option<Advice> {
    let left_out = match (
        reading.has_repair(Repair::LabelRemoved),
        reading.has_repair(Repair::SeparatorsRemoved),
    ) {
        (true, false) => Some("Words that are no part of the number were left out"),
        (false, true) => Some("Blanks, punctuation or invisible marks were left out"),
        (true, true) => Some(
            "Words that are no part of the number, and blanks, punctuation or invisible marks, were left out",
        ),
        (false, false) => None,
    };
    let added = reading.number().filter(|_| reading.has_repair(Repair::LeadingZeroAdded)).map(|number| {
        let country = words::country(number.prefix());
        let digits = words::count(number.national().len());
        format!("a leading zero was added: numbers of {country} have {digits} digits.")
    });
    match (left_out, added) {
        (None, None) => None,
        (Some(left_out), None) => Some(Advice::new(AdviceCode::SeparatorsRemoved, format!("{left_out}."))),
        (Some(left_out), Some(added)) => {
            Some(Advice::new(AdviceCode::SeparatorsRemoved, format!("{left_out}, and {added}")))
        }
        (None, Some(added)) => {
            Some(Advice::new(AdviceCode::DidYouMean, added.replacen("a leading", "A leading", 1)))
        }
    }
}
