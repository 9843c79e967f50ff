//! The one table of error codes. A code is stable; its documentation, made from this table, stands on the page
//! `/docs/errors` at the anchor of the same name.

use axum::http::StatusCode;

macro_rules! error_codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $status:ident, $title:literal,
        $meaning:literal, $remedy:literal;)*) => {
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

            /// What it means, for the documentation: a sentence or two, words of code between backticks.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }

            /// What the caller can do about it, written as [`meaning`](Self::meaning) is.
            #[must_use]
            pub const fn remedy(self) -> &'static str {
                match self { $(Self::$variant => $remedy,)* }
            }
        }
    };
}

error_codes! {
    /// The body is not JSON.
    MalformedJson = "malformed_json", BAD_REQUEST, "The body is not JSON",
        "It stops being JSON somewhere, or it broke off on its way. Nothing was checked.",
        "Look at the place that `detail` names by line and column. Write the body with a JSON library \
         rather than by joining strings.";
    /// No key was sent in the `Authorization` header.
    MissingCredentials = "missing_credentials", UNAUTHORIZED, "An API key is needed",
        "There is no API key in the header `Authorization`. A key in the address or under a scheme other \
         than Bearer is not read.",
        "Send the header `Authorization: Bearer <key>` with every call, once.";
    /// The key is mistyped or was never issued.
    InvalidKey = "invalid_key", UNAUTHORIZED, "The API key is not known",
        "It is mistyped, incomplete or was never issued. The end of a key is a checksum, so a copy \
         that lost or swapped a character is refused at once.",
        "Copy the whole key again from where you keep it. A key is shown only once: if yours is lost, use \
         another.";
    /// The key was revoked.
    KeyRevoked = "key_revoked", UNAUTHORIZED, "The API key was revoked",
        "It opens nothing any more, and that cannot be undone. Nothing was checked.",
        "Use another key of your account, and look for places that still send this one.";
    /// The key's time is over.
    KeyExpired = "key_expired", UNAUTHORIZED, "The API key has expired",
        "The time for which it was issued is over, or another key took its place. Nothing was checked.",
        "Use another key of your account.";
    /// The account is not served.
    AccountSuspended = "account_suspended", FORBIDDEN, "The account is suspended",
        "The key is right, but its account is not served at present. Nothing was checked.",
        "Ask support: they can tell you why, and what ends it. Another key of the account does not help.";
    /// Nothing is at the path.
    NotFound = "not_found", NOT_FOUND, "There is nothing here",
        "The service knows no such path.",
        "Compare it with the description of the API. Numbers are checked at `/v1/verify-vat`.";
    /// The path takes other methods.
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "The method is not allowed here",
        "The path exists, but takes another method.",
        "Use a method that the header `Allow` names.";
    /// The body did not arrive in time.
    RequestTimeout = "request_timeout", REQUEST_TIMEOUT, "The body took too long to arrive",
        "It was not there within 10 seconds. Nothing was checked.",
        "Send the call again. If it happens often, look at the network between you and us: a call with \
         100 numbers is only a few kilobytes.";
    /// The body is over the limit.
    BodyTooLarge = "body_too_large", PAYLOAD_TOO_LARGE, "The body is too large",
        "It is over 64 KiB, more than any call needs. Nothing was checked.",
        "Send up to 100 numbers a call and nothing but the fields of the API; split longer lists into \
         several calls.";
    /// The content type is not JSON.
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "The body must be JSON",
        "The header `Content-Type` is missing or does not say JSON. Nothing was checked.",
        "Send `Content-Type: application/json`.";
    /// The JSON does not say what the call needs.
    ValidationFailed = "validation_failed", UNPROCESSABLE_ENTITY, "The request is not complete or not right",
        "The body is JSON, but not what the call takes. `errors` lists every fault, each with a JSON \
         pointer to its place and a code. Nothing was checked. A number that merely looks wrong is no \
         fault: it is answered as `malformed`.",
        "Mend each fault that `errors` names, then send the call again. Unchanged, it will be refused \
         again.";
    /// Over the plan's requests a minute.
    RateLimited = "rate_limited", TOO_MANY_REQUESTS, "Too many requests in a minute",
        "In the last 60 seconds your account was served as many requests as its plan allows, over all its \
         live keys together and its members' checks in the portal; test keys have a count of their own. Nothing was checked.",
        "Wait the seconds that `Retry-After` names; one request is then served. Put more numbers into \
         each call: 100 numbers cost one request.";
    /// Over the plan's numbers a month.
    QuotaExceeded = "quota_exceeded", TOO_MANY_REQUESTS, "The month's allowance does not suffice",
        "The numbers that would have to be asked at a registry do not all fit into what is left of your plan's \
         allowance for this month. None of them was asked. Malformed and unsupported numbers, answers from an earlier \
         check and numbers that nobody could answer are not counted.",
        "Send fewer numbers, or wait until the month is over (`Retry-After`, in UTC), or ask support for a larger plan. \
         A larger `maxAgeSeconds` makes more use of answers you have already.";
    /// A defect of ours.
    InternalError = "internal_error", INTERNAL_SERVER_ERROR, "Something is wrong on our side",
        "A defect of ours. It says nothing about the numbers.",
        "Send the call again. If it fails again, tell support the `requestId`.";
    /// A registry did not answer for at least one number.
    RegistryUnavailable = "registry_unavailable", SERVICE_UNAVAILABLE, "A registry did not answer",
        "HMRC, VIES or a member state did not answer for at least one number. That says nothing about \
         these numbers: `unresolved` names each with its reason, `results` holds the others.",
        "Wait the seconds that `Retry-After` names, then repeat the call, or ask only about the numbers \
         in `unresolved`. With `\"partial\": true` such a call is answered with 200, and these numbers have \
         the status `unavailable`.";
    /// Too much is going on.
    Overloaded = "overloaded", SERVICE_UNAVAILABLE, "We cannot take this call at present",
        "More calls are being worked on than we take at once, or our database does not take what has to be \
         recorded. Nothing is said about the numbers.",
        "Wait the seconds that `Retry-After` names, then repeat the call.";
}

impl ErrorCode {
    /// Whether a call with this answer is counted as refused. What use case and recorder answer themselves is counted
    /// there; what could not be recorded in time is counted as answered once it is.
    #[must_use]
    pub const fn is_refusal(self) -> bool {
        !matches!(self, Self::RegistryUnavailable | Self::Overloaded)
    }
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

    #[test]
    fn every_code_is_explained_in_whole_sentences() {
        for code in ErrorCode::ALL {
            for text in [code.meaning(), code.remedy()] {
                assert!(
                    text.starts_with(|first: char| first.is_uppercase() || first == '`'),
                    "{code:?}: {text}"
                );
                assert!(text.ends_with('.'), "{code:?}: {text}");
                assert_eq!(text.matches('`').count() % 2, 0, "{code:?}: {text}");
                assert!(!text.contains("  ") && !text.contains('\n'), "{code:?}: {text}");
            }
            assert_ne!(code.meaning(), code.remedy(), "{code:?}");
        }
    }

    #[test]
    fn an_error_that_names_when_to_come_back_says_so() {
        for code in [
            ErrorCode::RateLimited,
            ErrorCode::QuotaExceeded,
            ErrorCode::RegistryUnavailable,
            ErrorCode::Overloaded,
        ] {
            assert!(code.remedy().contains("`Retry-After`"), "{code:?}");
        }
    }
}
