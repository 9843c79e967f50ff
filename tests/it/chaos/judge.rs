//! Whether an answer is the truth or none.

use rand::{RngExt, rngs::StdRng};
use serde_json::Value;

use super::truth::{Truth, number, truth_of};
use crate::support::Answer;

/// One string of a list.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) typed: String,
    /// Which number it is, if it is one.
    place: Option<usize>,
}

/// What an answer said.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// So much of numbers.
    Of { answered: usize, unresolved: usize },
    /// Nothing of any number.
    Nothing,
}

impl Sent {
    /// The number in this place, written in one way or another.
    pub(super) fn written(place: usize, random: &mut StdRng) -> Self {
        let (country, national) = number(place);
        let typed = match random.random_range(0..6) {
            0 => format!("{}{national}", country.to_lowercase()),
            1 => format!("{country} {} {}", &national[..3], &national[3..]),
            _ => format!("{country}{national}"),
        };
        Self { typed, place: Some(place) }
    }

    /// What is no number that any registry could be asked about.
    pub(super) fn none(typed: &str) -> Self {
        Self { typed: typed.to_owned(), place: None }
    }
}

/// What the answer to a list says, if all of it is true.
///
/// # Errors
/// What is not.
pub(super) fn judge(sent: &[Sent], partial: bool, answer: &Answer) -> Result<Said, String> {
    let wrong = |what: &str| format!("{what}: {sent:?} {answer:?}");
    let list = |name: &str| answer.body[name].as_array().map(Vec::as_slice);
    let said = match (answer.status, answer.body["code"].as_str()) {
        (200, None) => {
            let results = list("results").ok_or_else(|| wrong("no results"))?;
            check_all(sent.iter(), results, partial)
        }
        (503, Some("registry_unavailable")) if !partial => {
            let (Some(results), Some(unresolved)) = (list("results"), list("unresolved")) else {
                return Err(wrong("no lists"));
            };
            let waits = answer.header("retry-after").and_then(|wait| wait.parse::<u64>().ok());
            if waits.is_none_or(|wait| wait == 0) {
                return Err(wrong("no wait"));
            }
            check_rest(sent, results, unresolved)
        }
        (503, Some("overloaded")) => return Ok(Said::Nothing),
        _ => return Err(wrong("neither an answer nor an outage")),
    };
    said.map_err(|what| wrong(&what))
}

fn check_rest(sent: &[Sent], results: &[Value], unresolved: &[Value]) -> Result<Said, String> {
    let mut open = Vec::new();
    for one in unresolved {
        let index = one["index"].as_u64().and_then(|index| usize::try_from(index).ok());
        let index = index.filter(|index| *index < sent.len()).ok_or("an index that there is not")?;
        let place = sent[index].place.ok_or("unresolved, though no registry could be asked")?;
        if one["vatNumber"] != canonical(place) {
            return Err(format!("another number is unresolved at {index}"));
        }
        let is_reasoned = one["reason"].is_string() && one["retryAfterSeconds"].as_u64() > Some(0);
        if !is_reasoned || open.last().is_some_and(|last| *last >= index) {
            return Err(format!("no reason, or out of order, at {index}"));
        }
        open.push(index);
    }
    if open.is_empty() {
        return Err("an outage of nothing".to_owned());
    }
    let rest = sent.iter().enumerate().filter(|(index, _)| !open.contains(index)).map(|(_, one)| one);
    match check_all(rest, results, false)? {
        Said::Of { answered, .. } => Ok(Said::Of { answered, unresolved: open.len() }),
        Said::Nothing => Ok(Said::Nothing),
    }
}

fn check_all<'a>(
    sent: impl Iterator<Item = &'a Sent>,
    results: &[Value],
    partial: bool,
) -> Result<Said, String> {
    let sent: Vec<&Sent> = sent.collect();
    if sent.len() != results.len() {
        return Err(format!("{} results for {}", results.len(), sent.len()));
    }
    let (mut answered, mut unresolved) = (0, 0);
    for (one, result) in sent.into_iter().zip(results) {
        let is_known = check(one, result, partial)?;
        answered += usize::from(is_known && one.place.is_some());
        unresolved += usize::from(!is_known);
    }
    Ok(Said::Of { answered, unresolved })
}

/// Whether anything is known of it, and that is true.
fn check(sent: &Sent, result: &Value, partial: bool) -> Result<bool, String> {
    let status = result["status"].as_str().ok_or("no status")?;
    let valid = result["valid"].as_bool().ok_or("neither valid nor not")?;
    let Some(place) = sent.place else {
        let is_none = !valid && matches!(status, "malformed" | "unsupported");
        return if is_none { Ok(true) } else { Err(format!("{status} is said of {}", sent.typed)) };
    };
    if result["vatNumber"] != canonical(place) {
        return Err(format!("another number stands in the place of {}", sent.typed));
    }
    if status == "unavailable" {
        let claims = valid || result["reverseChargeEligible"] != false || result["source"] != "none";
        return if partial && !claims { Ok(false) } else { Err(format!("an outage that claims: {result}")) };
    }
    let truth = truth_of(place);
    let name = match &truth {
        Truth::Registered(name) => Some(name.as_str()),
        Truth::NotRegistered | Truth::FormRefused => None,
    };
    let is_true =
        status == truth.status() && valid == name.is_some() && result["businessName"].as_str() == name;
    if is_true { Ok(true) } else { Err(format!("{truth:?} is the truth, not {result}")) }
}

fn canonical(place: usize) -> String {
    let (country, national) = number(place);
    format!("{country}{national}")
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderValue};
    use serde_json::json;

    use super::*;

    /// One of each truth, and what is no number.
    fn sent() -> Vec<Sent> {
        let number = |place| Sent { typed: canonical(place), place: Some(place) };
        vec![number(1), number(41), number(61), Sent::none("hello")]
    }

    fn results() -> Vec<Value> {
        vec![
            json!({ "vatNumber": canonical(1), "status": "valid", "valid": true, "businessName": "Trader 1" }),
            json!({ "vatNumber": canonical(41), "status": "not_registered", "valid": false }),
            json!({ "vatNumber": canonical(61), "status": "malformed", "valid": false }),
            json!({ "vatNumber": "hello", "status": "malformed", "valid": false }),
        ]
    }

    fn unavailable(place: usize) -> Value {
        json!({
            "vatNumber": canonical(place), "status": "unavailable", "valid": false, "reverseChargeEligible": false,
            "source": "none",
        })
    }

    fn answer(status: u16, body: Value) -> Answer {
        let headers = HeaderMap::from_iter([(reqwest::header::RETRY_AFTER, HeaderValue::from_static("5"))]);
        Answer { status, headers, body }
    }

    fn outage(results: &[Value], open: &[(usize, usize)]) -> Answer {
        let unresolved: Vec<Value> = open
            .iter()
            .map(|(index, place)| {
                let number = canonical(*place);
                json!({ "index": index, "vatNumber": number, "reason": "timeout", "retryAfterSeconds": 5 })
            })
            .collect();
        let code = "registry_unavailable";
        answer(503, json!({ "code": code, "results": results, "unresolved": unresolved }))
    }

    #[test]
    fn the_truth_and_an_outage_pass() {
        let said = |answered, unresolved| Ok(Said::Of { answered, unresolved });
        assert_eq!(judge(&sent(), false, &answer(200, json!({ "results": results() }))), said(3, 0));
        let mut partly = results();
        partly[0] = unavailable(1);
        assert_eq!(judge(&sent(), true, &answer(200, json!({ "results": partly }))), said(2, 1));
        let rest = [results()[1].clone(), results()[3].clone()];
        assert_eq!(judge(&sent(), false, &outage(&rest, &[(0, 1), (2, 61)])), said(1, 2));
        let overloaded = answer(503, json!({ "code": "overloaded" }));
        assert_eq!(judge(&sent(), false, &overloaded), Ok(Said::Nothing));
    }

    #[test]
    fn nothing_else_does() {
        let changed = |place: usize, member: &str, value: Value| {
            let mut results = results();
            results[place][member] = value;
            answer(200, json!({ "results": results }))
        };
        let replaced = |place: usize, value: Value| {
            let mut results = results();
            results[place] = value;
            answer(200, json!({ "results": results }))
        };
        let rest = [results()[1].clone(), results()[3].clone()];
        let lies = [
            changed(0, "status", json!("not_registered")),
            changed(0, "valid", json!(false)),
            changed(0, "businessName", json!("Trader 2")),
            changed(0, "businessName", Value::Null),
            changed(0, "vatNumber", json!(canonical(2))),
            changed(1, "status", json!("valid")),
            changed(1, "valid", json!(true)),
            changed(1, "businessName", json!("Trader 41")),
            changed(2, "status", json!("not_registered")),
            changed(3, "valid", json!(true)),
            changed(3, "status", json!("not_registered")),
            replaced(0, unavailable(1)),
            answer(200, json!({ "results": results()[..3] })),
            answer(200, json!({})),
            answer(500, json!({ "results": results() })),
            answer(429, json!({ "code": "rate_limited" })),
            outage(&results(), &[]),
            outage(&rest, &[(0, 1)]),
            outage(&rest, &[(2, 61), (0, 1)]),
            outage(&rest, &[(0, 1), (0, 1)]),
            outage(&rest, &[(0, 1), (2, 1)]),
            outage(&rest, &[(0, 1), (9, 61)]),
            outage(&results()[1..3], &[(0, 1), (3, 61)]),
        ];
        for lie in &lies {
            assert!(judge(&sent(), false, lie).is_err(), "{lie:?}");
        }
        let mut claims = unavailable(1);
        claims["reverseChargeEligible"] = json!(true);
        assert!(judge(&sent(), true, &replaced(0, claims)).is_err());
        let mut without_a_wait = outage(&rest, &[(0, 1), (2, 61)]);
        without_a_wait.headers.clear();
        assert!(judge(&sent(), false, &without_a_wait).is_err());
    }
}
