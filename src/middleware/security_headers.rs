//! What browsers are told about every answer. The content security policy of pages is the portal's, since it holds a
//! nonce.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    response::Response,
};

use super::Around;

/// For answers that bring no policy of their own: nothing may be loaded, run, sent or framed. What falls back to nothing is
/// named.
const NO_CONTENT: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const ALWAYS: [(HeaderName, HeaderValue); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// For two years browsers ask for this site by TLS alone. Its neighbours are not ours to decide about.
const TLS_ALONE: HeaderValue = HeaderValue::from_static("max-age=63072000");

/// Adds the headers.
#[derive(Clone, Copy, Debug)]
pub struct SecurityHeaders {
    /// Whether callers reach this service by TLS.
    pub behind_tls: bool,
}

impl Around for SecurityHeaders {
    type Noted = ();

    fn before(&self, _request: &mut Request) {}

    fn after(&self, (): (), response: &mut Response) {
        let headers = response.headers_mut();
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(NO_CONTENT);
        headers.extend(ALWAYS);
        if self.behind_tls {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, TLS_ALONE);
        }
    }
}
