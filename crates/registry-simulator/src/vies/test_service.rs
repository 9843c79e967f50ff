//! `POST /check-vat-test-service`: the number picks the answer, whatever the member states are doing.

use std::sync::Arc;

use axum::{
    body::Bytes,
    extract::{ConnectInfo, OriginalUri, State},
    http::Method,
    response::Response,
};
use serde_json::json;

use super::{
    check::Request,
    wire::{self, Shape, request_date},
};
use crate::{
    connection::Connection,
    log::{Arrival, Registry},
    reply::{Content, Http, Reply},
    world::{Clock, World},
};

/// Numbers and the errors they stand for (the test service's WSDL).
const MAGIC: [(&str, &str); 11] = [
    ("201", "INVALID_INPUT"),
    ("202", "INVALID_REQUESTER_INFO"),
    ("300", "SERVICE_UNAVAILABLE"),
    ("301", "MS_UNAVAILABLE"),
    ("302", "TIMEOUT"),
    ("400", "VAT_BLOCKED"),
    ("401", "IP_BLOCKED"),
    ("500", "GLOBAL_MAX_CONCURRENT_REQ"),
    ("501", "GLOBAL_MAX_CONCURRENT_REQ_TIME"),
    ("600", "MS_MAX_CONCURRENT_REQ"),
    ("601", "MS_MAX_CONCURRENT_REQ_TIME"),
];

/// The endpoint. Its calls are logged without a number: they are no lookups.
pub(crate) async fn post(
    State(world): State<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    OriginalUri(uri): OriginalUri,
    body: Bytes,
) -> Response {
    let call = world.log.open(Arrival::about_no_number(Registry::Vies, &Method::POST, &uri));
    let (delay, overriding) = world.vies.condition();
    let content = overriding.map_or_else(
        || Content::Http(answer(&world.clock, Request::read(&body))),
        |answer| wire::everyone(&answer, &Shape::Published, &world.clock),
    );
    Reply::after(delay, content).deliver(call, &connection).await
}

fn answer(clock: &Clock, request: Option<Request>) -> Http {
    let error = |code| wire::error(&Shape::Published, clock, code);
    let Some(Request { country_code, vat_number, .. }) = request else { return error("VOW-ERR-1") };
    let verdict = |valid: bool, name: &str, address: &str| {
        let body = json!({
            "countryCode": country_code,
            "vatNumber": vat_number,
            "requestDate": request_date(clock),
            "valid": valid,
            "requestIdentifier": "",
            "name": name,
            "address": address,
        });
        Http::json(200, &body, if valid { "valid" } else { "not registered" })
    };
    match vat_number.as_str() {
        _ if country_code.is_empty() => error("INVALID_INPUT"),
        "100" => verdict(true, "John Doe", "123 Main St, Anytown, UK"),
        "200" => verdict(false, "---", "---"),
        number => {
            let code = MAGIC.iter().find(|(magic, _)| *magic == number);
            error(code.map_or("SERVICE_UNAVAILABLE", |(_, code)| code))
        }
    }
}
