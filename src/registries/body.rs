//! Reading a registry's answer: bounded in size, and JSON or nothing.

use std::time::Duration;

use reqwest::{Response, StatusCode, header::RETRY_AFTER};
use serde::de::DeserializeOwned;

use crate::verification::registry::{RawAnswer, RegistryError, Trouble, TroubleKind};

/// No real answer comes near this; a larger body is a fault or an attack.
const MAX_BYTES: usize = 256 * 1024;

/// Status and bytes of an answer.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) status: StatusCode,
    pub(super) retry_after: Option<Duration>,
    bytes: Vec<u8>,
}

impl Body {
    /// Sends `request` and reads what comes back.
    pub(super) async fn fetch(request: reqwest::RequestBuilder) -> Result<Self, Trouble> {
        let mut response = request.send().await.map_err(|error| exchange_failed(&error))?;
        let status = response.status();
        let retry_after = wanted_pause(&response);
        let mut body = Self { status, retry_after, bytes: Vec::new() };
        loop {
            match response.chunk().await {
                Ok(None) => return Ok(body),
                Ok(Some(chunk)) if body.bytes.len() + chunk.len() <= MAX_BYTES => {
                    body.bytes.extend_from_slice(&chunk);
                }
                Ok(Some(_)) => {
                    let too_large = Trouble::new(TroubleKind::Unreadable, "the answer is too large");
                    return Err(too_large.with_raw(Some(body.raw())));
                }
                Err(error) => return Err(exchange_failed(&error).with_raw(Some(body.raw()))),
            }
        }
    }

    /// Trouble that came of this, with what was sent. Not for an answer with a secret in it.
    pub(super) fn shown_in(&self, error: RegistryError) -> RegistryError {
        match error {
            RegistryError::Trouble(trouble) => trouble.with_raw(Some(self.raw())).into(),
            other => other,
        }
    }

    fn raw(&self) -> RawAnswer {
        RawAnswer::new(&format!("HTTP {}", self.status.as_u16()), &self.bytes)
    }

    /// The body as `T`, when it is a JSON object of that shape. A byte order mark is tolerated, as VIES has been seen to
    /// send one (zapadi/vies-dotnet).
    pub(super) fn json<T: DeserializeOwned>(&self) -> Option<T> {
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes).trim_ascii_start();
        // serde would read an array into a struct by position.
        if bytes.starts_with(b"{") { serde_json::from_slice(bytes).ok() } else { None }
    }

    /// What cannot be read. Only its size is told: pages and traders' data have no place in a log.
    pub(super) fn unreadable(&self) -> Trouble {
        Trouble::new(
            TroubleKind::Unreadable,
            format!("HTTP {} with {} bytes that cannot be read", self.status.as_u16(), self.bytes.len()),
        )
        .with_retry_after(self.retry_after)
    }

    /// A body as a registry would have sent it.
    #[cfg(test)]
    pub(super) fn recorded(status: u16, bytes: Vec<u8>) -> Self {
        Self { status: StatusCode::from_u16(status).expect("a status"), retry_after: None, bytes }
    }
}

/// A registry's code for a log: anything else that stands in its place is the sender's text and stays out.
pub(super) fn as_code(text: &str) -> &str {
    let text = text.trim();
    let of_a_code = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    // Letters and digits alone could be a VAT number.
    let has_a_joint = text.contains(['_', '-']) || !text.bytes().any(|byte| byte.is_ascii_digit());
    let looks_like_a_code = (1..=40).contains(&text.len()) && text.bytes().all(of_a_code) && has_a_joint;
    if looks_like_a_code { text } else { "no known code" }
}

/// Whole seconds only: no registry has been seen to send a date.
fn wanted_pause(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(Duration::from_hours(1)))
}

/// Connection refused or reset, name not found, TLS fault, cut off, or too slow.
fn exchange_failed(error: &reqwest::Error) -> Trouble {
    if error.is_timeout() && !error.is_connect() {
        Trouble::new(TroubleKind::TimedOut, "the HTTP client's time limit")
    } else if error.is_body() || error.is_decode() {
        Trouble::new(TroubleKind::Unreadable, "the answer was cut off")
    } else {
        Trouble::new(TroubleKind::RegistryUnavailable, "the connection failed")
    }
}
