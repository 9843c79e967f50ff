//! HMRC's bodies: the found trader, the error table, and London time.

use chrono::{DateTime, Datelike, Days, NaiveDate, TimeDelta, Utc};
use serde::Serialize;
use serde_json::json;

use crate::{
    known_numbers::Trader,
    reply::{Content, Http, plain},
    script::Answer,
};

const GATEWAY_TYPE: &str = "application/vnd.hmrc.2.0+json";
const CHALLENGE: &str = "Bearer realm=\"HMRC API Platform\"";

/// Status, code, text and whether the API platform (not the service) says it. HMRC Developer Hub, Reference
/// guide, and the API's published source. The first row of a code is its usual one.
const ERRORS: [(u16, &str, &str, bool); 20] = [
    (400, "INVALID_REQUEST", "Invalid targetVrn - Vrn parameters should be 9 or 12 digits", false),
    (403, "INVALID_REQUEST", "requesterVrn does not match a registered company", false),
    (404, "NOT_FOUND", "targetVrn does not match a registered company", false),
    (500, "INTERNAL_SERVER_ERROR", "Unknown error", false),
    (401, "MISSING_CREDENTIALS", "Authentication information is not provided", true),
    (401, "INVALID_CREDENTIALS", "Invalid Authentication information provided", true),
    (401, "UNAUTHORIZED", "Bearer token is missing or not authorized", true),
    (
        401,
        "INCORRECT_ACCESS_TOKEN_TYPE",
        "The access token type used is not supported when invoking the API",
        true,
    ),
    (403, "HTTPS_REQUIRED", "HTTPS is required to invoke the API", true),
    (
        403,
        "RESOURCE_FORBIDDEN",
        "The application is not subscribed to the API which it is attempting to invoke",
        true,
    ),
    (
        403,
        "INVALID_SCOPE",
        "Cannot access the required resource. Ensure this token has all the required scopes.",
        true,
    ),
    (403, "FORBIDDEN", "Not authorised for the requested data", true),
    (
        404,
        "MATCHING_RESOURCE_NOT_FOUND",
        "A resource with the name in the request can not be found in the API",
        true,
    ),
    (405, "METHOD_NOT_ALLOWED", "The method is not allowed for the resource", true),
    (406, "ACCEPT_HEADER_INVALID", "The accept header is missing or invalid", false),
    (
        429,
        "MESSAGE_THROTTLED_OUT",
        "The request for the API is throttled as you have exceeded your quota.",
        true,
    ),
    (501, "NOT_IMPLEMENTED", "The API is not deployed", true),
    (503, "SERVER_ERROR", "A temporary problem occurred", true),
    (503, "SCHEDULED_MAINTENANCE", "Scheduled maintenance", false),
    (504, "GATEWAY_TIMEOUT", "Request timed out", false),
];

/// The error of a code as HMRC usually says it.
pub(crate) fn error(code: &str) -> Http {
    error_as(code, None, None)
}

/// The error of a code with another status or text.
pub(crate) fn error_as(code: &str, status: Option<u16>, message: Option<&str>) -> Http {
    let named = || ERRORS.iter().filter(|row| row.1 == code);
    let row = named().find(|row| Some(row.0) == status).or_else(|| named().next());
    let (usual_status, _, text, from_gateway) = row.copied().unwrap_or((500, code, "Unknown error", false));
    let status = status.unwrap_or(usual_status);
    let body = json!({"code": code, "message": message.unwrap_or(text)});
    let mut http = Http::json(status, &body, code);
    if from_gateway {
        GATEWAY_TYPE.clone_into(&mut http.content_type);
        http.challenge = matches!(status, 401 | 403).then_some(CHALLENGE);
    }
    http
}

/// What everyone is told while HMRC as a whole is not up; without an answer of its own, a temporary problem.
pub(super) fn everyone(answer: &Answer) -> Content {
    match answer {
        Answer::Error { code, status, message } => error_as(code, *status, message.as_deref()).into(),
        Answer::Truncated => error("SERVER_ERROR").truncated().into(),
        Answer::CutOff => error("SERVER_ERROR").cut_off().into(),
        answer => plain(answer).unwrap_or_else(|| error("SERVER_ERROR").into()),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'a> {
    target: Target<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requester: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    consultation_number: Option<String>,
    processing_date: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Target<'a> {
    name: &'a str,
    vat_number: &'a str,
    address: Address<'a>,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Address<'a> {
    line1: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line2: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line3: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line4: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line5: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postcode: Option<&'a str>,
    country_code: &'a str,
}

impl<'a> Address<'a> {
    /// Reads the lines as [`Answer::Valid`] documents them.
    fn from_lines(text: &'a str) -> Self {
        let mut lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let mut take_last = |looks: fn(&str) -> bool| lines.pop_if(|line| looks(line));
        let country_code = take_last(is_country_code).unwrap_or("GB");
        let postcode = take_last(is_postcode);
        let mut lines = lines.into_iter();
        Self {
            line1: lines.next().unwrap_or_default(),
            line2: lines.next(),
            line3: lines.next(),
            line4: lines.next(),
            line5: lines.next(),
            postcode,
            country_code,
        }
    }
}

fn is_country_code(line: &str) -> bool {
    line.len() == 2 && line.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Two groups, at most eight characters, the second group a digit and two letters.
fn is_postcode(line: &str) -> bool {
    let Some((outward, inward)) = line.split_once(' ') else { return false };
    let alphanumeric =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    line.len() <= 8
        && outward.starts_with(|first: char| first.is_ascii_uppercase())
        && alphanumeric(outward)
        && matches!(inward.as_bytes(), [b'0'..=b'9', b'A'..=b'Z', b'A'..=b'Z'])
}

/// A registered target; `proof` is the requester's VRN and the consultation number.
pub(super) fn found(vrn: &str, trader: &Trader, proof: Option<(&str, String)>, now: DateTime<Utc>) -> Http {
    let (requester, consultation_number) = proof.unzip();
    let body = Found {
        target: Target { name: &trader.name, vat_number: vrn, address: Address::from_lines(&trader.address) },
        requester,
        consultation_number,
        processing_date: london_time(now),
    };
    Http::json(200, &body, "valid")
}

/// Whole seconds with the offset of Europe/London: `+01:00` from the last Sunday of March to the last Sunday of
/// October, changing at 01:00 UTC.
fn london_time(now: DateTime<Utc>) -> String {
    let change = |month| last_sunday(now.year(), month)?.and_hms_opt(1, 0, 0).map(|naive| naive.and_utc());
    let summer = change(3).zip(change(10)).is_some_and(|(start, end)| (start..end).contains(&now));
    if summer {
        (now + TimeDelta::hours(1)).format("%Y-%m-%dT%H:%M:%S+01:00").to_string()
    } else {
        now.format("%Y-%m-%dT%H:%M:%S+00:00").to_string()
    }
}

/// The last Sunday of a month of 31 days.
fn last_sunday(year: i32, month: u32) -> Option<NaiveDate> {
    let last_day = NaiveDate::from_ymd_opt(year, month, 31)?;
    last_day.checked_sub_days(Days::new(last_day.weekday().num_days_from_sunday().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn london_time_changes_at_one_in_the_morning_utc() {
        let table = [
            ("2026-01-15T10:43:17Z", "2026-01-15T10:43:17+00:00"),
            ("2026-03-29T00:59:59Z", "2026-03-29T00:59:59+00:00"),
            ("2026-03-29T01:00:00Z", "2026-03-29T02:00:00+01:00"),
            ("2026-07-15T23:30:00Z", "2026-07-16T00:30:00+01:00"),
            ("2026-10-25T00:59:59Z", "2026-10-25T01:59:59+01:00"),
            ("2026-10-25T01:00:00Z", "2026-10-25T01:00:00+00:00"),
        ];
        for (utc, london) in table {
            assert_eq!(london_time(utc.parse().unwrap()), london);
        }
    }

    #[test]
    fn addresses_split_into_lines_postcode_and_country() {
        let table = [
            (
                "1 BRAHAM STREET\nLONDON\nE1 8EE",
                Address {
                    line1: "1 BRAHAM STREET",
                    line2: Some("LONDON"),
                    postcode: Some("E1 8EE"),
                    country_code: "GB",
                    ..Address::default()
                },
            ),
            (
                "Rue des Essais 7\nFR",
                Address { line1: "Rue des Essais 7", country_code: "FR", ..Address::default() },
            ),
            (
                "1\n2\n3\n4\n5\nZZ4 7HB\nJE",
                Address {
                    line1: "1",
                    line2: Some("2"),
                    line3: Some("3"),
                    line4: Some("4"),
                    line5: Some("5"),
                    postcode: Some("ZZ4 7HB"),
                    country_code: "JE",
                },
            ),
        ];
        for (text, address) in table {
            assert_eq!(Address::from_lines(text), address);
        }
    }
}
