//! Every request has an id: the caller's own when it is usable, else a new one. It stands in the answer, in error
//! bodies and in the log.

use std::sync::Arc;

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue},
    response::Response,
};

use uuid::{Uuid, fmt::Simple};

use super::Around;
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
#[derive(Clone)]
pub struct RequestIds(pub SharedClock);

impl Around for RequestIds {
    type Noted = RequestId;

    fn before(&self, request: &mut Request) -> RequestId {
        let given = request.headers().get(HEADER).and_then(RequestId::accept);
        let id = given.unwrap_or_else(|| RequestId::of(new_id(self.0.as_ref())));
        request.extensions_mut().insert(id.clone());
        id
    }

    fn after(&self, id: RequestId, response: &mut Response) {
        if let Ok(value) = HeaderValue::from_str(&id.0) {
            response.headers_mut().insert(HEADER, value);
        }
    }
}
