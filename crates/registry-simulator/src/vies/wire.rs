//! VIES's bodies: verdicts and errors in the published shape and in the web page's, and the error table.

use chrono::SecondsFormat;
use serde::Serialize;
use serde_json::json;

use super::check::Request;
use crate::{
    known_numbers::Trader,
    reply::{Content, Http, plain},
    script::Answer,
    world::Clock,
};

/// What stands where nothing is disclosed.
const NOTHING: &str = "---";

/// Codes that do not come with status 200, and their texts as others have seen them.
const PLATFORM_ERRORS: [(&str, u16, &str); 5] = [
    ("VOW-ERR-1", 500, "An unexpected error occurred. Please retry later or contact the support team."),
    ("VOW-ERR-11", 400, "A mandatory field is missing"),
    ("VOW-ERR-2500", 400, "The requester member state code is invalid."),
    ("VOW-ERR-2600", 400, "The Vat number does not respect the configured pattern"),
    ("VOW-ERR-2700", 400, "The requester VAT number does not respect the configured pattern"),
];

/// The way a lookup was asked, which decides the shape of its answer.
#[derive(Debug)]
pub(super) enum Shape {
    /// `POST /check-vat-number`.
    Published,
    /// `GET /ms/{cc}/vat/{number}`, with the number as sent and without a repeated prefix.
    Web { original: String, vat_number: String },
}

impl Shape {
    /// The web page's shape has classic codes where the published one has the platform's.
    pub(super) fn own_code(&self, code: &'static str) -> &'static str {
        match (self, code) {
            (Self::Web { .. }, "VOW-ERR-2500" | "VOW-ERR-2700") => "INVALID_REQUESTER_INFO",
            (Self::Web { .. }, _) => "INVALID_INPUT",
            (Self::Published, code) => code,
        }
    }
}

/// A verdict and the question it answers.
pub(super) struct Finding<'a> {
    pub(super) request: &'a Request,
    pub(super) verdict: Verdict<'a>,
}

/// What the member state says.
pub(super) struct Verdict<'a> {
    /// Who is behind the number; `None` when it is not registered.
    pub(super) trader: Option<&'a Trader>,
    /// Whether name and address may be told.
    pub(super) disclosed: bool,
    /// Empty without a registered requester.
    pub(super) consultation_number: String,
}

impl Verdict<'_> {
    fn disclosed(&self, text: impl Fn(&Trader) -> &String) -> &str {
        self.trader.filter(|_| self.disclosed).map_or(NOTHING, |trader| text(trader))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Published<'a> {
    country_code: &'a str,
    vat_number: &'a str,
    request_date: String,
    valid: bool,
    request_identifier: &'a str,
    name: &'a str,
    address: &'a str,
    trader_name: &'a str,
    trader_street: &'a str,
    trader_postal_code: &'a str,
    trader_city: &'a str,
    trader_company_type: &'a str,
    trader_name_match: Match,
    trader_street_match: Match,
    trader_postal_code_match: Match,
    trader_city_match: Match,
    trader_company_type_match: Match,
}

/// Whether a detail the caller sent agrees with the register.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Match {
    Valid,
    Invalid,
    NotProcessed,
}

/// The verdict in the shape of the question.
pub(super) fn finding(shape: &Shape, clock: &Clock, finding: &Finding<'_>) -> Http {
    let Finding { request, verdict } = finding;
    let valid = verdict.trader.is_some();
    let says = if valid { "valid" } else { "not registered" };
    let (name, address) =
        (verdict.disclosed(|trader| &trader.name), verdict.disclosed(|trader| &trader.address));
    let identifier = verdict.consultation_number.as_str();
    match shape {
        Shape::Web { original, vat_number } => {
            let user_error = if valid { "VALID" } else { "INVALID" };
            web(clock, valid, user_error, (name, address), identifier, (original, vat_number), says)
        }
        Shape::Published => {
            let compared = |sent: &str, known: fn(&Trader) -> &String| match verdict.trader {
                Some(trader) if !sent.is_empty() && request.country_code != "CZ" => {
                    if known(trader).to_lowercase().contains(&sent.to_lowercase()) {
                        Match::Valid
                    } else {
                        Match::Invalid
                    }
                }
                _ => Match::NotProcessed,
            };
            let body = Published {
                country_code: &request.country_code,
                vat_number: &request.vat_number,
                request_date: request_date(clock),
                valid,
                request_identifier: identifier,
                name,
                address,
                trader_name: sent_or_nothing(&request.trader_name),
                trader_street: sent_or_nothing(&request.trader_street),
                trader_postal_code: sent_or_nothing(&request.trader_postal_code),
                trader_city: sent_or_nothing(&request.trader_city),
                trader_company_type: sent_or_nothing(&request.trader_company_type),
                trader_name_match: compared(&request.trader_name, |trader| &trader.name),
                trader_street_match: compared(&request.trader_street, |trader| &trader.address),
                trader_postal_code_match: compared(&request.trader_postal_code, |trader| &trader.address),
                trader_city_match: compared(&request.trader_city, |trader| &trader.address),
                trader_company_type_match: Match::NotProcessed,
            };
            Http::json(200, &body, says)
        }
    }
}

/// The web page's shape: every outcome, failures included, in the same fields.
fn web(
    clock: &Clock,
    is_valid: bool,
    user_error: &str,
    (name, address): (&str, &str),
    request_identifier: &str,
    (original, vat_number): (&str, &str),
    says: &str,
) -> Http {
    let not_processed = 3;
    let body = json!({
        "isValid": is_valid,
        "requestDate": request_date(clock),
        "userError": user_error,
        "name": name,
        "address": address,
        "requestIdentifier": request_identifier,
        "originalVatNumber": original,
        "vatNumber": vat_number,
        "viesApproximate": {
            "name": NOTHING,
            "street": NOTHING,
            "postalCode": NOTHING,
            "city": NOTHING,
            "companyType": NOTHING,
            "matchName": not_processed,
            "matchStreet": not_processed,
            "matchPostalCode": not_processed,
            "matchCity": not_processed,
            "matchCompanyType": not_processed,
        },
    });
    Http::json(200, &body, says)
}

/// One error as VIES usually says it.
pub(super) fn error(shape: &Shape, clock: &Clock, code: &str) -> Http {
    error_as(shape, clock, code, None, None)
}

/// Several errors at once; the web page's shape has room for the first only.
pub(super) fn errors(shape: &Shape, clock: &Clock, codes: &[&str]) -> Http {
    match (shape, codes) {
        (Shape::Published, [first, ..]) => {
            let wrappers: Vec<_> = codes.iter().map(|code| wrapper(code, None)).collect();
            wrapped(usual(first).0, &wrappers, &codes.join(" "))
        }
        _ => error(shape, clock, codes.first().copied().unwrap_or("VOW-ERR-1")),
    }
}

/// One error with another status or text.
pub(super) fn error_as(
    shape: &Shape,
    clock: &Clock,
    code: &str,
    status: Option<u16>,
    message: Option<&str>,
) -> Http {
    match shape {
        Shape::Web { original, vat_number } if !code.starts_with("VOW-ERR-") => {
            let mut http = web(clock, false, code, (NOTHING, NOTHING), "", (original, vat_number), code);
            http.status = status.unwrap_or(http.status);
            http
        }
        Shape::Web { .. } | Shape::Published => {
            wrapped(status.unwrap_or(usual(code).0), &[wrapper(code, message)], code)
        }
    }
}

/// What everyone is told while VIES or a member state is not up; without an answer of its own, that VIES is down.
pub(super) fn everyone(answer: &Answer, shape: &Shape, clock: &Clock) -> Content {
    let unavailable = || error(shape, clock, "SERVICE_UNAVAILABLE");
    match answer {
        Answer::Error { code, status, message } => {
            error_as(shape, clock, code, *status, message.as_deref()).into()
        }
        Answer::Truncated => unavailable().truncated().into(),
        Answer::CutOff => unavailable().cut_off().into(),
        answer => plain(answer).unwrap_or_else(|| unavailable().into()),
    }
}

fn wrapped(status: u16, wrappers: &[serde_json::Value], says: &str) -> Http {
    Http::json(status, &json!({ "actionSucceed": false, "errorWrappers": wrappers }), says)
}

fn wrapper(code: &str, message: Option<&str>) -> serde_json::Value {
    match message.or(usual(code).1) {
        Some(message) => json!({ "error": code, "message": message }),
        None => json!({ "error": code }),
    }
}

/// Business errors come with status 200 and without a text.
fn usual(code: &str) -> (u16, Option<&'static str>) {
    PLATFORM_ERRORS
        .iter()
        .find(|(name, _, _)| *name == code)
        .map_or((200, None), |(_, status, text)| (*status, Some(*text)))
}

/// UTC with milliseconds.
pub(super) fn request_date(clock: &Clock) -> String {
    clock.now().to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn sent_or_nothing(sent: &str) -> &str {
    if sent.is_empty() { NOTHING } else { sent }
}
