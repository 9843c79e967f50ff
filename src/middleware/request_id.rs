//! Every request has an id: the caller's own when it is usable, else a new one. It stands in the answer, in error
//! bodies and in the log.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};

use uuid::{Uuid, fmt::Simple};

use crate::{api_keys::holds_key, clock::SharedClock, db::new_id};

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request: 1 to 64 of `[A-Za-z0-9._-]`, and no API key.
#[derive(Clone, Debug)]
pub struct RequestId(Arc<str>);

impl RequestId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn of(id: Uuid) -> Self {
        Self((&*id.simple().encode_lower(&mut [0; Simple::LENGTH])).into())
    }

    fn accept(given: &HeaderValue) -> Option<Self> {
        let text = given.to_str().ok()?;
        let usable = (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        // The id is logged, so a key that was put here by mistake must not become one.
        (usable && !holds_key(text)).then(|| Self(text.into()))
    }
}

/// Gives the request its id and the answer the header.
pub async fn set_request_id(State(clock): State<SharedClock>, mut request: Request, next: Next) -> Response {
    let id = request
        .headers()
        .get(HEADER)
        .and_then(RequestId::accept)
        .unwrap_or_else(|| RequestId::of(new_id(clock.as_ref())));
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    if let Ok(value) = HeaderValue::from_str(&id.0) {
        response.headers_mut().insert(HEADER, value);
    }
    response
}
