//! An answer on its way to the caller: what goes over the wire, when, and its end in the log.

use std::time::Duration;

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use serde::Serialize;

use crate::{
    connection::Connection,
    log::{Ending, OpenCall},
    script::Answer,
};

/// What a proxy in front of a registry says.
const HTML: &str = "<!DOCTYPE html>\n<html lang=\"en\"><head><title>503 Service Unavailable</title></head><body>\
    <h1>Service Unavailable</h1><p>The service is temporarily unavailable.</p></body></html>\n";

/// What the caller gets.
#[derive(Debug)]
pub(crate) enum Content {
    Http(Http),
    Reset,
    Silence,
}

/// An HTTP answer and, for the log, what it says in a word.
#[derive(Debug)]
pub(crate) struct Http {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) challenge: Option<&'static str>,
    pub(crate) body: Vec<u8>,
    pub(crate) says: String,
}

impl Http {
    pub(crate) fn json(status: u16, body: &impl Serialize, says: impl Into<String>) -> Self {
        Self {
            status,
            content_type: "application/json".to_owned(),
            challenge: None,
            body: serde_json::to_vec(body).unwrap_or_default(),
            says: says.into(),
        }
    }

    /// The same answer with its body cut off in the middle.
    pub(crate) fn truncated(mut self) -> Self {
        self.body.truncate(self.body.len() / 2);
        "truncated".clone_into(&mut self.says);
        self
    }

    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if let Ok(value) = HeaderValue::try_from(self.content_type) {
            response.headers_mut().insert(header::CONTENT_TYPE, value);
        }
        if let Some(challenge) = self.challenge {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        response
    }
}

impl From<Http> for Content {
    fn from(http: Http) -> Self {
        Self::Http(http)
    }
}

/// The answers that look the same whatever was asked of whom.
pub(crate) fn plain(answer: &Answer) -> Option<Content> {
    let http = |status, content_type: &str, body: &[u8], says: &str| {
        Content::Http(Http {
            status,
            content_type: content_type.to_owned(),
            challenge: None,
            body: body.to_vec(),
            says: says.to_owned(),
        })
    };
    match answer {
        Answer::Html { status } => Some(http(*status, "text/html; charset=UTF-8", HTML.as_bytes(), "html")),
        Answer::Empty => Some(http(200, "application/json", b"", "empty")),
        Answer::Raw { status, content_type, body } => Some(http(*status, content_type, body, "raw")),
        Answer::Reset => Some(Content::Reset),
        Answer::Silence => Some(Content::Silence),
        Answer::Usual
        | Answer::Valid { .. }
        | Answer::NotRegistered
        | Answer::Error { .. }
        | Answer::Truncated => None,
    }
}

/// What the caller gets, and how long after its call.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) content: Content,
    pub(crate) delay: Duration,
}

impl Reply {
    pub(crate) fn now(content: impl Into<Content>) -> Self {
        Self::after(Duration::ZERO, content)
    }

    pub(crate) fn after(delay: Duration, content: impl Into<Content>) -> Self {
        Self { content: content.into(), delay }
    }

    /// Waits, closes the call in the log and hands the answer over. The call stops being in flight before the
    /// first byte leaves, so a caller that waits for an answer never meets its own earlier call.
    pub(crate) async fn deliver(self, mut call: OpenCall, connection: &Connection) -> Response {
        if !self.delay.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(self.delay) => {}
                () = connection.was_cut() => return unsendable(),
            }
        }
        match self.content {
            Content::Http(http) => {
                call.ends(Ending::Status(http.status), &http.says);
                http.into_response()
            }
            Content::Reset => {
                call.ends(Ending::Reset, "");
                connection.cut();
                unsendable()
            }
            Content::Silence => {
                call.ends(Ending::Silence, "");
                connection.was_cut().await;
                unsendable()
            }
        }
    }
}

/// A response for a connection that was cut: writing it is what fails.
fn unsendable() -> Response {
    Response::new(Body::empty())
}
