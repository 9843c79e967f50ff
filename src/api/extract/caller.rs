//! Who calls: the account behind the key in the `Authorization` header.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};

use super::load::{Place, take_place};
use crate::{
    api::{ApiState, error_code::ErrorCode, problem::ApiError},
    api_keys::{ApiKeys, AuthenticationError, Caller, PresentedKey},
};

/// An authenticated call that is not counted against the rate limit.
pub(in crate::api) struct Authenticated {
    pub(in crate::api) caller: Arc<Caller>,
    _place: Place,
}

impl FromRequestParts<ApiState> for Authenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let place = take_place(state)?;
        let caller = authenticate(&state.api_keys, &parts.headers).await?;
        Ok(Self { caller, _place: place })
    }
}

/// RFC 6750, section 3: without `error` when no token was sent.
const CHALLENGE: &str = r#"Bearer realm="verify-vat""#;
const CHALLENGE_INVALID: &str = r#"Bearer realm="verify-vat", error="invalid_token""#;

/// The caller, proved by the key in `headers`.
pub(super) async fn authenticate(api_keys: &ApiKeys, headers: &HeaderMap) -> Result<Arc<Caller>, ApiError> {
    let invalid = |code, detail| ApiError::unauthorized(code, detail, CHALLENGE_INVALID);
    let unknown =
        || invalid(ErrorCode::InvalidKey, "This is not a key of ours. Check that it was copied whole.");
    let token = bearer_token(headers).ok_or_else(|| {
        if is_placeholder(headers) {
            let detail = "The key has characters that no key has: put your own in place of the example's.";
            return invalid(ErrorCode::InvalidKey, detail);
        }
        ApiError::unauthorized(
            ErrorCode::MissingCredentials,
            "Send your key in the header `Authorization: Bearer <key>`. Keys elsewhere are not read.",
            CHALLENGE,
        )
    })?;
    let key = PresentedKey::parse(token).ok_or_else(unknown)?;
    api_keys.authenticate(&key).await.map_err(|error| match error {
        AuthenticationError::UnknownKey => unknown(),
        AuthenticationError::Revoked => invalid(ErrorCode::KeyRevoked, "This key was revoked. Use another."),
        AuthenticationError::Expired => {
            invalid(ErrorCode::KeyExpired, "This key's time is over. Use another.")
        }
        AuthenticationError::AccountSuspended => {
            ApiError::new(ErrorCode::AccountSuspended, "This account is suspended. Support can tell you why.")
        }
        AuthenticationError::Database(error) => {
            tracing::error!(%error, "cannot authenticate");
            ApiError::new(ErrorCode::Overloaded, "Keys cannot be checked at present. Nothing was checked.")
                .retry_after(Duration::from_secs(5))
        }
    })
}

/// Whether what was sent cannot be a token, as `cv_test_…` of an example is none.
fn is_placeholder(headers: &HeaderMap) -> bool {
    headers.get(header::AUTHORIZATION).is_some_and(|value| value.to_str().is_err())
}

/// The token of the one `Authorization` header, if its scheme is Bearer.
fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
