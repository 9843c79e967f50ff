//! `GET …/lookup/{target}` and `GET …/lookup/{target}/{requester}`: the checks in HMRC's order.

use std::sync::Arc;

use axum::{
    extract::{ConnectInfo, OriginalUri, Path, State},
    http::{HeaderMap, Method, Uri, header},
    response::Response,
};

use super::{Hmrc, find, wire};
use crate::{
    connection::Connection,
    known_numbers::Trader,
    log::{Arrival, Registry},
    reply::{Content, Http, Reply, plain},
    script::Answer,
    world::{Clock, World},
};

/// A lookup without proof.
pub(crate) async fn simple(
    State(world): State<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    OriginalUri(uri): OriginalUri,
    Path(target): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    answer(&world, &connection, &uri, &method, &headers, Question { target, requester: None }).await
}

/// A lookup in a requester's name.
pub(crate) async fn verified(
    State(world): State<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    OriginalUri(uri): OriginalUri,
    Path((target, requester)): Path<(String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    answer(&world, &connection, &uri, &method, &headers, Question { target, requester: Some(requester) })
        .await
}

/// Any other path: the gateway knows no such resource.
pub(crate) async fn unknown(
    State(world): State<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    OriginalUri(uri): OriginalUri,
    method: Method,
) -> Response {
    let call = world.log.open(Arrival::about_no_number(Registry::Hmrc, &method, &uri));
    Reply::now(wire::error("MATCHING_RESOURCE_NOT_FOUND")).deliver(call, &connection).await
}

struct Question {
    target: String,
    requester: Option<String>,
}

async fn answer(
    world: &World,
    connection: &Connection,
    uri: &Uri,
    method: &Method,
    headers: &HeaderMap,
    question: Question,
) -> Response {
    let call = world.log.open(Arrival {
        registry: Registry::Hmrc,
        method: method.to_string(),
        path: uri.to_string(),
        about: Some(("GB".to_owned(), question.target.clone())),
        requester: question.requester.as_ref().map(|requester| format!("GB{requester}")),
    });
    let reply = world.hmrc.answer_lookup(&world.clock, method, headers, &question);
    reply.deliver(call, connection).await
}

impl Hmrc {
    fn answer_lookup(
        &self,
        clock: &Clock,
        method: &Method,
        headers: &HeaderMap,
        question: &Question,
    ) -> Reply {
        self.note_arrival();
        let (delay, overriding) = self.condition();
        if let Some(answer) = overriding {
            return Reply::after(delay, wire::everyone(&answer));
        }
        if let Err(refusal) = self.pass_gateway(method, headers).and_then(|()| question.check_form()) {
            return Reply::after(delay, refusal);
        }
        if self.is_backend_failing() {
            let code = if question.requester.is_some() { "INTERNAL_SERVER_ERROR" } else { "NOT_FOUND" };
            return Reply::after(delay, wire::error(code));
        }
        let step = self.next_step(&question.target);
        Reply::after(delay + step.delay, self.say(clock, step.answer, question)).over(step.body)
    }

    /// What the API platform checks before the service sees the call.
    fn pass_gateway(&self, method: &Method, headers: &HeaderMap) -> Result<(), Http> {
        if method != Method::GET {
            return Err(wire::error("METHOD_NOT_ALLOWED"));
        }
        check_accept(headers)?;
        let token = bearer_token(headers).ok_or_else(|| wire::error("MISSING_CREDENTIALS"))?;
        let client_id = self.client_of(token).ok_or_else(|| wire::error("INVALID_CREDENTIALS"))?;
        if self.admit(&client_id) { Ok(()) } else { Err(wire::error("MESSAGE_THROTTLED_OUT")) }
    }

    fn say(&self, clock: &Clock, answer: Answer, question: &Question) -> Content {
        if let Some(content) = plain(&answer) {
            return content;
        }
        let http = match answer {
            Answer::Valid { name, address } => self.found(clock, &Trader { name, address }, question),
            Answer::NotRegistered => wire::error("NOT_FOUND"),
            Answer::Error { code, status, message } => wire::error_as(&code, status, message.as_deref()),
            Answer::Truncated => self.usual(clock, question).truncated(),
            Answer::CutOff => self.usual(clock, question).cut_off(),
            _ => self.usual(clock, question),
        };
        http.into()
    }

    fn usual(&self, clock: &Clock, question: &Question) -> Http {
        match find(&question.target) {
            Some(trader) => self.found(clock, &trader, question),
            None => wire::error("NOT_FOUND"),
        }
    }

    fn found(&self, clock: &Clock, trader: &Trader, question: &Question) -> Http {
        let proof = match &question.requester {
            Some(requester) if !self.is_registered(requester) => {
                return wire::error_as("INVALID_REQUEST", Some(403), None);
            }
            Some(requester) => Some((requester.as_str(), self.consultation_number())),
            None => None,
        };
        wire::found(&question.target, trader, proof, clock.now())
    }
}

impl Question {
    /// Nine or twelve digits, nothing else.
    fn check_form(&self) -> Result<(), Http> {
        let good = |vrn: &str| matches!(vrn.len(), 9 | 12) && vrn.bytes().all(|byte| byte.is_ascii_digit());
        let target = good(&self.target);
        let requester = self.requester.as_deref().is_none_or(good);
        let named = match (target, requester) {
            (true, true) => return Ok(()),
            (false, false) => "targetVrn and requesterVrn",
            (true, false) => "requesterVrn",
            (false, true) => "targetVrn",
        };
        let message = format!("Invalid {named} - Vrn parameters should be 9 or 12 digits");
        Err(wire::error_as("INVALID_REQUEST", Some(400), Some(&message)))
    }
}

/// Only version 2.0 exists. No version is taken for the retired 1.0, which the gateway no longer knows; 406 is
/// for what is no media type or a broken version.
fn check_accept(headers: &HeaderMap) -> Result<(), Http> {
    let unknown_version = || Err(wire::error("MATCHING_RESOURCE_NOT_FOUND"));
    let invalid = || Err(wire::error("ACCEPT_HEADER_INVALID"));
    let Some(accept) = headers.get(header::ACCEPT) else { return unknown_version() };
    let Some((kind, format)) = accept.to_str().ok().and_then(|accept| accept.split_once('/')) else {
        return invalid();
    };
    if kind != "application" || !format.starts_with("vnd.hmrc.") {
        return unknown_version();
    }
    match format.strip_prefix("vnd.hmrc.").and_then(|version| version.strip_suffix("+json")) {
        Some("2.0") => Ok(()),
        Some(version) if version.starts_with(|first: char| first.is_ascii_digit()) => unknown_version(),
        _ => invalid(),
    }
}

fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}
