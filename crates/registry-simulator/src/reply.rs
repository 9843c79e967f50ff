//! An answer on its way to the caller: what goes over the wire, when, and its end in the log.

use std::{io, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use futures_util::stream;
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
    /// The connection is reset when half of the body is sent.
    pub(crate) is_cut_off: bool,
}

impl Http {
    pub(crate) fn json(status: u16, body: &impl Serialize, says: impl Into<String>) -> Self {
        Self {
            status,
            content_type: "application/json".to_owned(),
            challenge: None,
            body: serde_json::to_vec(body).unwrap_or_default(),
            says: says.into(),
            is_cut_off: false,
        }
    }

    /// The same answer with its body cut off in the middle.
    pub(crate) fn truncated(mut self) -> Self {
        self.body.truncate(self.body.len() / 2);
        "truncated".clone_into(&mut self.says);
        self
    }

    /// The same answer, reset in the middle of its body.
    pub(crate) fn cut_off(mut self) -> Self {
        self.is_cut_off = true;
        "cut off".clone_into(&mut self.says);
        self
    }

    fn into_response(self, body: Body) -> Response {
        let mut response = Response::new(body);
        if self.is_cut_off {
            response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(self.body.len()));
        }
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
            is_cut_off: false,
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
        | Answer::Truncated
        | Answer::CutOff => None,
    }
}

/// What the caller gets, how long after its call, and over how long.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) content: Content,
    pub(crate) delay: Duration,
    body: Duration,
}

/// A body that takes its time comes in so many pieces.
const PIECES: u32 = 8;

impl Reply {
    pub(crate) fn now(content: impl Into<Content>) -> Self {
        Self::after(Duration::ZERO, content)
    }

    pub(crate) fn after(delay: Duration, content: impl Into<Content>) -> Self {
        Self { content: content.into(), delay, body: Duration::ZERO }
    }

    /// The same, its body in pieces over so long.
    pub(crate) fn over(self, body: Duration) -> Self {
        Self { body, ..self }
    }

    /// Waits, closes the call in the log and hands the answer over. The call stops being in flight before the
    /// first byte leaves, or of a body in pieces the last, so a caller that waits for an answer never meets its own earlier call.
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
                let body = if http.is_cut_off {
                    half(&http.body, connection.clone())
                } else if self.body.is_zero() {
                    Body::from(http.body.clone())
                } else {
                    in_pieces(&http.body, self.body, call)
                };
                http.into_response(body)
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

/// Half of it, and then the connection is reset.
fn half(body: &[u8], connection: Connection) -> Body {
    let half = Bytes::copy_from_slice(&body[..body.len() / 2]);
    Body::from_stream(stream::unfold(Some(half), move |half| {
        let connection = connection.clone();
        async move {
            if let Some(half) = half {
                return Some((Ok(half), None));
            }
            // The half is under way before that, and not in the same breath.
            tokio::time::sleep(Duration::from_millis(10)).await;
            connection.cut();
            Some((Err(io::Error::from(io::ErrorKind::ConnectionReset)), None))
        }
    }))
}

/// All of it, piece by piece. The call is over when the last one leaves.
fn in_pieces(body: &[u8], over: Duration, call: OpenCall) -> Body {
    let size = body.len().div_ceil(PIECES as usize).max(1);
    let mut pieces: Vec<Bytes> = body.chunks(size).map(Bytes::copy_from_slice).collect();
    pieces.reverse();
    Body::from_stream(stream::unfold((pieces, Some(call)), move |(mut pieces, mut call)| async move {
        let piece = pieces.pop()?;
        tokio::time::sleep(over / PIECES).await;
        if pieces.is_empty() {
            drop(call.take());
        }
        Some((Ok::<_, io::Error>(piece), (pieces, call)))
    }))
}

/// A response for a connection that was cut: writing it is what fails.
fn unsendable() -> Response {
    Response::new(Body::empty())
}
