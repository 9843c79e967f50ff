//! `GET /check-status`: the same switches the lookups obey, as VIES's status page shows them.

use std::sync::Arc;

use axum::{
    extract::{ConnectInfo, OriginalUri, State},
    http::Method,
    response::Response,
};
use serde_json::json;

use super::{
    Vies,
    patterns::member_states,
    wire::{self, Shape},
};
use crate::{
    condition::Condition,
    connection::Connection,
    log::{Arrival, Registry},
    reply::{Content, Http, Reply},
    state::lock,
    world::World,
};

/// The endpoint.
pub(crate) async fn check(
    State(world): State<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    OriginalUri(uri): OriginalUri,
) -> Response {
    let call = world.log.open(Arrival::about_no_number(Registry::Vies, &Method::GET, &uri));
    world.vies.answer_status(&world).deliver(call, &connection).await
}

/// Any other path or method below VIES's: not found, as plain as a web server says it.
pub(crate) async fn unknown(
    State(world): State<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    OriginalUri(uri): OriginalUri,
    method: Method,
) -> Response {
    let call = world.log.open(Arrival::about_no_number(Registry::Vies, &method, &uri));
    let http = Http {
        status: 404,
        content_type: "text/html; charset=UTF-8".to_owned(),
        challenge: None,
        body: b"<html><head><title>404 Not Found</title></head><body>Not Found</body></html>".to_vec(),
        says: "unknown path".to_owned(),
        is_cut_off: false,
    };
    Reply::now(http).deliver(call, &connection).await
}

impl Vies {
    fn answer_status(&self, world: &World) -> Reply {
        let (delay, overriding) = self.condition();
        let (condition, states) = {
            let state = lock(&self.state);
            (state.switch.condition.clone(), state.member_states.clone())
        };
        let content = match (condition, overriding) {
            // The page stays up when the lookups behind it are down.
            (Condition::Silent | Condition::Html, Some(answer)) => {
                wire::everyone(&answer, &Shape::Published, &world.clock)
            }
            (condition, _) => {
                let up = !matches!(condition, Condition::Down);
                let countries: Vec<_> = member_states()
                    .map(|country| {
                        let switch = states.get(country);
                        let availability = match switch.map(|switch| &switch.condition) {
                            _ if !up => "Unavailable",
                            None | Some(Condition::Up) => "Available",
                            Some(Condition::Unmonitored) => "Monitoring Disabled",
                            Some(_) => "Unavailable",
                        };
                        json!({ "countryCode": country, "availability": availability })
                    })
                    .collect();
                let body = json!({ "vow": { "available": up }, "countries": countries });
                Content::Http(Http::json(200, &body, "status"))
            }
        };
        Reply::after(delay, content)
    }
}
