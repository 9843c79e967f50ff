//! The lookup itself, as `POST /check-vat-number` and as `GET /ms/{cc}/vat/{number}`: the same state behind both.

use std::sync::Arc;

use axum::{
    body::Bytes,
    extract::{ConnectInfo, OriginalUri, Path, Query, State},
    http::{Method, Uri},
    response::Response,
};
use serde::Deserialize;

use super::{
    Vies, find,
    patterns::{fits, is_country_code},
    wire::{self, Finding, Shape, Verdict},
};
use crate::{
    connection::Connection,
    known_numbers::Trader,
    log::{Arrival, OpenCall, Registry},
    reply::{Content, Http, Reply, plain},
    script::Answer,
    world::{Clock, World},
};

/// Member states that do not disclose names and addresses.
const UNDISCLOSED: [&str; 2] = ["DE", "ES"];

/// The body of `POST /check-vat-number` (VIES swagger).
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Request {
    pub(super) country_code: String,
    pub(super) vat_number: String,
    requester_member_state_code: String,
    requester_number: String,
    pub(super) trader_name: String,
    pub(super) trader_street: String,
    pub(super) trader_postal_code: String,
    pub(super) trader_city: String,
    pub(super) trader_company_type: String,
}

impl Request {
    /// An object with strings for the fields it has, or nothing.
    pub(super) fn read(body: &[u8]) -> Option<Self> {
        let fields: serde_json::Map<_, _> = serde_json::from_slice(body).ok()?;
        serde_json::from_value(fields.into()).ok()
    }

    fn requester(&self) -> Option<(&str, &str)> {
        let named = !self.requester_member_state_code.is_empty() || !self.requester_number.is_empty();
        named.then_some((self.requester_member_state_code.as_str(), self.requester_number.as_str()))
    }
}

/// The published way of asking.
pub(crate) async fn post(
    State(world): State<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    OriginalUri(uri): OriginalUri,
    body: Bytes,
) -> Response {
    let request = Request::read(&body);
    let call = open(&world, &Method::POST, &uri, request.as_ref());
    let reply = match request {
        Some(request) => world.vies.answer(&world.clock, &call, &request, &Shape::Published),
        None => Reply::now(wire::error(&Shape::Published, &world.clock, "VOW-ERR-1")),
    };
    reply.deliver(call, &connection).await
}

/// The web page's way of asking. VIES strips a repeated prefix here and says so.
pub(crate) async fn web(
    State(world): State<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    OriginalUri(uri): OriginalUri,
    Path((country_code, original)): Path<(String, String)>,
    Query(named): Query<Request>,
) -> Response {
    let vat_number = original.strip_prefix(&country_code).unwrap_or(&original).to_owned();
    let request = Request {
        country_code,
        vat_number: vat_number.clone(),
        requester_member_state_code: named.requester_member_state_code,
        requester_number: named.requester_number,
        ..Request::default()
    };
    let call = open(&world, &Method::GET, &uri, Some(&request));
    let shape = Shape::Web { original, vat_number };
    let reply = world.vies.answer(&world.clock, &call, &request, &shape);
    reply.deliver(call, &connection).await
}

fn open(world: &World, method: &Method, uri: &Uri, request: Option<&Request>) -> OpenCall {
    world.log.open(Arrival {
        registry: Registry::Vies,
        method: method.to_string(),
        path: uri.to_string(),
        about: request.map(|request| (request.country_code.clone(), request.vat_number.clone())),
        requester: request.and_then(Request::requester).map(|(country, number)| format!("{country}{number}")),
    })
}

impl Vies {
    fn answer(&self, clock: &Clock, call: &OpenCall, request: &Request, shape: &Shape) -> Reply {
        let (mut delay, overriding) = self.condition();
        if let Some(answer) = overriding {
            return Reply::after(delay, wire::everyone(&answer, shape, clock));
        }
        let country = &request.country_code;
        if let Some(code) = self.refusal(country, call.crowd()) {
            return Reply::now(wire::error(shape, clock, code));
        }
        let faults = self.faults(request, shape);
        if !faults.is_empty() {
            return Reply::after(delay, wire::errors(shape, clock, &faults));
        }
        let (longer, overriding) = self.member_state(country);
        delay += longer;
        if let Some(answer) = overriding {
            return Reply::after(delay, wire::everyone(&answer, shape, clock));
        }
        let step = self.next_step(country, &request.vat_number);
        Reply::after(delay + step.delay, self.say(clock, step.answer, request, shape)).over(step.body)
    }

    /// What is wrong with the question, in the codes of the way it was asked.
    fn faults(&self, request: &Request, shape: &Shape) -> Vec<&'static str> {
        let (country, number) = (request.country_code.as_str(), request.vat_number.as_str());
        if country.is_empty() || number.is_empty() {
            return vec!["VOW-ERR-11"];
        }
        if !is_country_code(country) || number.len() > 100 {
            return vec!["INVALID_INPUT"];
        }
        if number.starts_with('-') {
            return vec!["VOW-ERR-1"];
        }
        let mut faults = Vec::new();
        if fits(country, number) == Some(false) {
            faults.push(shape.own_code("VOW-ERR-2600"));
        }
        if let Some((country, number)) = request.requester() {
            match fits(country, number) {
                None => faults.push(shape.own_code("VOW-ERR-2500")),
                Some(false) => faults.push(shape.own_code("VOW-ERR-2700")),
                Some(true) if self.refuses_unknown_requesters() && !self.is_registered(country, number) => {
                    faults.push("INVALID_REQUESTER_INFO");
                }
                Some(true) => {}
            }
        }
        faults
    }

    fn say(&self, clock: &Clock, answer: Answer, request: &Request, shape: &Shape) -> Content {
        if let Some(content) = plain(&answer) {
            return content;
        }
        let http = match answer {
            Answer::Valid { name, address } => {
                let trader = Trader { name, address };
                self.verdict(clock, Some((&trader, true)), request, shape)
            }
            Answer::NotRegistered => self.verdict(clock, None, request, shape),
            Answer::Error { code, status, message } => {
                wire::error_as(shape, clock, &code, status, message.as_deref())
            }
            Answer::Truncated => self.usual(clock, request, shape).truncated(),
            Answer::CutOff => self.usual(clock, request, shape).cut_off(),
            _ => self.usual(clock, request, shape),
        };
        http.into()
    }

    fn usual(&self, clock: &Clock, request: &Request, shape: &Shape) -> Http {
        let disclosed = !UNDISCLOSED.contains(&request.country_code.as_str());
        let trader = find(&request.country_code, &request.vat_number);
        self.verdict(clock, trader.as_ref().map(|trader| (trader, disclosed)), request, shape)
    }

    /// The verdict on a trader, with whether the member state discloses the name.
    fn verdict(
        &self,
        clock: &Clock,
        found: Option<(&Trader, bool)>,
        request: &Request,
        shape: &Shape,
    ) -> Http {
        let proven = found.is_some()
            && request.requester().is_some_and(|(country, number)| self.is_registered(country, number));
        let verdict = Verdict {
            trader: found.map(|(trader, _)| trader),
            disclosed: found.is_some_and(|(_, disclosed)| disclosed),
            consultation_number: if proven { self.consultation_number() } else { String::new() },
        };
        wire::finding(shape, clock, &Finding { request, verdict })
    }
}
