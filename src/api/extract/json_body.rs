//! A JSON body: right media type, small enough, here in time, JSON, and then what the call makes of it.

use std::time::Duration;

use axum::{
    body::Body,
    extract::{FromRequest, Request},
    http::{HeaderMap, header},
};
use futures_util::StreamExt;
use tokio::time::timeout;

use crate::api::{
    ApiState,
    error_code::ErrorCode,
    json::Json,
    problem::{ApiError, Fault},
};

/// Largest body that is read, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Time in which the whole body must arrive.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(10);

/// A type that can be read from JSON, with every fault found at once.
pub(in crate::api) trait ReadJson: Sized {
    /// # Errors
    /// All faults, each with its pointer.
    fn read(json: Json) -> Result<Self, Vec<Fault>>;
}

/// A body that was read and found right.
pub(in crate::api) struct ApiJson<T>(pub(in crate::api) T);

impl<T: ReadJson> FromRequest<ApiState> for ApiJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &ApiState) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        if !is_json(&parts.headers) {
            return Err(ApiError::new(
                ErrorCode::UnsupportedMediaType,
                "Send the header `Content-Type: application/json`.",
            ));
        }
        if announced_length(&parts.headers).is_some_and(|length| length > MAX_BYTES as u64) {
            return Err(too_large());
        }
        let bytes = timeout(ARRIVAL_LIMIT, collect(body)).await.map_err(|_| {
            ApiError::new(ErrorCode::RequestTimeout, "The body did not arrive within 10 seconds.")
        })??;
        let json = serde_json::from_slice(&bytes).map_err(|error| no_json(&bytes, &error))?;
        T::read(json).map(Self).map_err(ApiError::invalid)
    }
}

/// `serde_json`'s own text may quote what was sent, so this tells the place, and the commonest slips by name.
fn no_json(bytes: &[u8], error: &serde_json::Error) -> ApiError {
    let detail = if bytes.trim_ascii().is_empty() {
        r#"The body is empty. Send an object such as {"vatNumbers": ["GB999910095"]}."#.to_owned()
    } else if error.is_eof() {
        "The body ends before its JSON does: a bracket or a quotation mark is not closed.".to_owned()
    } else {
        let (line, column) = (error.line(), error.column());
        let slip = slip_at(bytes, line, column).unwrap_or_default();
        format!("The body stops being JSON at line {line}, column {column}.{slip}")
    };
    ApiError::new(ErrorCode::MalformedJson, detail)
}

/// What people type there who mean JSON.
fn slip_at(bytes: &[u8], line: usize, column: usize) -> Option<&'static str> {
    let line = bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?)?;
    let (before, from) = line.split_at_checked(column.checked_sub(1)?)?;
    match from.first()? {
        b'\'' => Some(" Strings and names stand in double quotes."),
        b']' | b'}' if before.trim_ascii_end().ends_with(b",") => {
            Some(" No comma may stand before a closing bracket.")
        }
        _ => None,
    }
}

async fn collect(body: Body) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk
            .map_err(|_| ApiError::new(ErrorCode::MalformedJson, "The body broke off while being sent."))?;
        if bytes.len() + chunk.len() > MAX_BYTES {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn too_large() -> ApiError {
    ApiError::new(ErrorCode::BodyTooLarge, "A body may have up to 64 KiB. Send the numbers in several calls.")
}

fn announced_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// `application/json` and its relatives such as `application/merge-patch+json`, with any parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let content_type =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}
