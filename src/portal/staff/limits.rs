//! The plan and the limits that a form of the support staff gives an account.

use crossvat_app::portal::{Fault as FormFault, grouped};

use crate::{
    accounts::{AccountError, Limits},
    portal::{fault::Fault, state::Portal, typed::worded},
};

/// The plans there are, by code, in words that fit a phone: requests a minute and numbers a month.
pub(super) async fn plans(portal: &Portal) -> Result<Vec<(String, String)>, Fault> {
    let plans = portal.accounts.plans().await?.into_iter().map(|plan| {
        let words = format!(
            "{}: {} a minute, {} a month",
            plan.name,
            grouped(plan.requests_per_minute.into()),
            grouped(plan.numbers_per_month),
        );
        (plan.code, words)
    });
    Ok(plans.collect())
}

/// What was typed; else what needs changing. Whether there is such a plan is seen when it is given.
pub(super) fn limits(plan: &str, requests: &str, numbers: &str) -> Result<Limits, Vec<FormFault>> {
    let (requests, numbers) = (limit(requests), limit(numbers));
    let mut faults = Vec::new();
    for (field, limit) in [("requests_per_minute", requests), ("numbers_per_month", numbers)] {
        if limit.is_err() {
            faults.push(FormFault::new(field, worded(&AccountError::BadLimit)));
        }
    }
    match (requests, numbers) {
        (Ok(requests_per_minute), Ok(numbers)) => Ok(Limits {
            plan: plan.to_owned(),
            requests_per_minute,
            numbers_per_month: numbers.map(u64::from),
        }),
        _ => Err(faults),
    }
}

/// A limit as somebody typed it; none when nothing was.
fn limit(typed: &str) -> Result<Option<u32>, ()> {
    let digits: String = typed.chars().filter(|letter| !letter.is_whitespace() && *letter != ',').collect();
    if digits.is_empty() {
        return Ok(None);
    }
    let limit = digits.parse::<u32>().map_err(drop)?;
    if limit > 0 && i32::try_from(limit).is_ok() { Ok(Some(limit)) } else { Err(()) }
}

#[cfg(test)]
mod tests {
    use super::limit;

    #[test]
    fn a_limit_is_a_whole_number_as_people_write_it() {
        for (typed, found) in [
            ("", Ok(None)),
            (" ", Ok(None)),
            ("100", Ok(Some(100))),
            ("50,000", Ok(Some(50_000))),
            ("1 000 000", Ok(Some(1_000_000))),
            ("2147483647", Ok(Some(2_147_483_647))),
            ("2147483648", Err(())),
            ("0", Err(())),
            ("-1", Err(())),
            ("1.5", Err(())),
            ("many", Err(())),
        ] {
            assert_eq!(limit(typed), found, "{typed:?}");
        }
    }
}
