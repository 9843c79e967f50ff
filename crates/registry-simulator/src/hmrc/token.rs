//! `POST /oauth/token`: client credentials against an access token.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Form,
    extract::{ConnectInfo, OriginalUri, State, rejection::FormRejection},
    http::Method,
    response::Response,
};
use serde::Deserialize;
use serde_json::json;

use super::{Hmrc, wire};
use crate::{
    connection::Connection,
    log::{Arrival, Registry},
    reply::{Content, Http, Reply, plain},
    script::{Answer, Script},
    settings::Settings,
    state::lock,
    world::World,
};

const SCOPE: &str = "read:vat";

/// The tokens issued and how the endpoint behaves.
#[derive(Debug)]
pub(super) struct Tokens {
    client_id: String,
    client_secret: String,
    issued: HashMap<String, Token>,
    pub(super) lifetime: Duration,
    pub(super) script: Script,
    pub(super) requests: usize,
}

#[derive(Debug)]
struct Token {
    client_id: String,
    issued: Instant,
    lifetime: Duration,
}

impl Tokens {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            client_id: settings.hmrc_client_id.clone(),
            client_secret: settings.hmrc_client_secret.clone(),
            issued: HashMap::new(),
            lifetime: settings.hmrc_token_lifetime,
            script: Script::default(),
            requests: 0,
        }
    }

    pub(super) fn set_credentials(&mut self, client_id: &str, client_secret: &str) {
        client_id.clone_into(&mut self.client_id);
        client_secret.clone_into(&mut self.client_secret);
    }

    pub(super) fn issued(&self) -> Vec<String> {
        self.issued.keys().cloned().collect()
    }

    pub(super) fn revoke(&mut self) {
        self.issued.clear();
    }

    pub(super) fn keep_issued(&mut self, before: &mut Self) {
        self.issued = std::mem::take(&mut before.issued);
    }
}

/// The form fields of a token request.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct TokenRequest {
    client_id: Option<String>,
    client_secret: Option<String>,
    grant_type: Option<String>,
    scope: Option<String>,
}

/// The endpoint.
pub(crate) async fn issue(
    State(world): State<Arc<World>>,
    ConnectInfo(connection): ConnectInfo<Connection>,
    OriginalUri(uri): OriginalUri,
    form: Result<Form<TokenRequest>, FormRejection>,
) -> Response {
    let call = world.log.open(Arrival::about_no_number(Registry::Hmrc, &Method::POST, &uri));
    // What is no form has none of the fields.
    let request = form.map(|Form(request)| request).unwrap_or_default();
    world.hmrc.answer_token_request(&request).deliver(call, &connection).await
}

impl Hmrc {
    fn answer_token_request(&self, request: &TokenRequest) -> Reply {
        lock(&self.state).tokens.requests += 1;
        let (delay, overriding) = self.condition();
        if let Some(answer) = overriding {
            return Reply::after(delay, wire::everyone(&answer));
        }
        let step = lock(&self.state).tokens.script.next();
        let content = match &step.answer {
            Answer::Error { code, status, message } => refusal(code, *status, message.as_deref()).into(),
            Answer::Truncated => self.judge(request).truncated().into(),
            Answer::CutOff => self.judge(request).cut_off().into(),
            answer => plain(answer).unwrap_or_else(|| Content::Http(self.judge(request))),
        };
        Reply::after(delay + step.delay, content).over(step.body)
    }

    /// Checks in the order of the Developer Hub's table of token errors.
    fn judge(&self, request: &TokenRequest) -> Http {
        let required = |field: &Option<String>| field.clone().filter(|value| !value.is_empty());
        let missing = |name: &str| refusal("invalid_request", None, Some(&format!("{name} is required")));
        let Some(client_id) = required(&request.client_id) else { return missing("client_id") };
        let Some(client_secret) = required(&request.client_secret) else { return missing("client_secret") };
        let Some(grant_type) = required(&request.grant_type) else { return missing("grant_type") };
        if grant_type != "client_credentials" {
            return refusal("invalid_request", None, Some("unsupported grant_type"));
        }
        let mut state = lock(&self.state);
        let tokens = &mut state.tokens;
        if client_id != tokens.client_id || client_secret != tokens.client_secret {
            return refusal("invalid_client", None, None);
        }
        // Without a scope the application's own scopes apply.
        if required(&request.scope).is_some_and(|scope| scope != SCOPE) {
            return refusal("invalid_scope", None, None);
        }
        let access_token = self.serial.next(b"0123456789abcdef", 32);
        let lifetime = tokens.lifetime;
        tokens.issued.insert(access_token.clone(), Token { client_id, issued: Instant::now(), lifetime });
        let body = json!({
            "access_token": access_token,
            "token_type": "bearer",
            "expires_in": lifetime.as_secs(),
            "scope": SCOPE,
        });
        Http::json(200, &body, "token")
    }

    /// Whose token this is, while it is good.
    pub(super) fn client_of(&self, access_token: &str) -> Option<String> {
        let state = lock(&self.state);
        let token = state.tokens.issued.get(access_token)?;
        (token.issued.elapsed() < token.lifetime).then(|| token.client_id.clone())
    }
}

/// An OAuth error with the status and text of the Developer Hub's table.
fn refusal(error: &str, status: Option<u16>, description: Option<&str>) -> Http {
    let (usual_status, usual_description) = match error {
        "invalid_request" => (400, "grant_type is required"),
        "invalid_scope" => (400, "scope is invalid"),
        "invalid_client" => (401, "invalid client id or secret"),
        _ => (500, "An unexpected error occurred"),
    };
    let body = json!({"error": error, "error_description": description.unwrap_or(usual_description)});
    Http::json(status.unwrap_or(usual_status), &body, error)
}
