//! The one table of error codes. A code is stable; its documentation stands at the anchor of the same name.

use axum::http::StatusCode;

macro_rules! error_codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $status:ident, $title:literal;)*) => {
        /// What went wrong, for programs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorCode { $($(#[$doc])* $variant,)* }

        impl ErrorCode {
            /// Every code, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The code as it stands in a body.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// The HTTP status it always comes with.
            #[must_use]
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)* }
            }

            /// What went wrong, for people; the same for every case of the code.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

error_codes! {
    /// The body is not JSON.
    MalformedJson = "malformed_json", BAD_REQUEST, "The body is not JSON";
    /// No key was sent in the `Authorization` header.
    MissingCredentials = "missing_credentials", UNAUTHORIZED, "An API key is needed";
    /// The key is mistyped or was never issued.
    InvalidKey = "invalid_key", UNAUTHORIZED, "The API key is not known";
    /// The key was revoked.
    KeyRevoked = "key_revoked", UNAUTHORIZED, "The API key was revoked";
    /// The key's time is over.
    KeyExpired = "key_expired", UNAUTHORIZED, "The API key has expired";
    /// The account is not served.
    AccountSuspended = "account_suspended", FORBIDDEN, "The account is suspended";
    /// Nothing is at the path.
    NotFound = "not_found", NOT_FOUND, "There is nothing here";
    /// The path takes other methods.
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "The method is not allowed here";
    /// The body did not arrive in time.
    RequestTimeout = "request_timeout", REQUEST_TIMEOUT, "The body took too long to arrive";
    /// The body is over the limit.
    BodyTooLarge = "body_too_large", PAYLOAD_TOO_LARGE, "The body is too large";
    /// The content type is not JSON.
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "The body must be JSON";
    /// The JSON does not say what the call needs.
    ValidationFailed = "validation_failed", UNPROCESSABLE_ENTITY, "The request is not complete or not right";
    /// Over the plan's requests a minute.
    RateLimited = "rate_limited", TOO_MANY_REQUESTS, "Too many requests in a minute";
    /// A defect of ours.
    InternalError = "internal_error", INTERNAL_SERVER_ERROR, "Something is wrong on our side";
    /// A registry did not answer for at least one number.
    RegistryUnavailable = "registry_unavailable", SERVICE_UNAVAILABLE, "A registry did not answer";
    /// Too much is going on.
    Overloaded = "overloaded", SERVICE_UNAVAILABLE, "We cannot take this call at present";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::ErrorCode;

    #[test]
    fn codes_are_distinct_and_all_are_errors() {
        let codes: HashSet<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(codes.len(), ErrorCode::ALL.len());
        assert!(
            ErrorCode::ALL
                .iter()
                .all(|code| code.status().is_client_error() || code.status().is_server_error())
        );
    }
}
