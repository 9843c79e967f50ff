//! The OpenAPI document, made from the handlers' own types. It is committed as `docs/openapi.json` and compared in
//! the tests.

mod headers;

use std::sync::LazyLock;

use axum::{http::header, response::IntoResponse};
use serde_json::json;
use utoipa::{
    OpenApi,
    openapi::{
        Array, ArrayBuilder, Object, ObjectBuilder,
        schema::{SchemaType, Type},
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};
use vat::{AdviceCode, MAX_CHARACTERS, Registry, ReverseCharge, Status, UnresolvedReason};

use super::{
    described,
    error_code::ErrorCode,
    v1::request::{MAX_AGE_SECONDS, MAX_NUMBERS},
};
use crate::registry_status::SliceState;

/// Codes of faults in a request.
const FAULT_CODES: [&str; 7] =
    ["required", "wrong_type", "too_few", "too_many", "too_long", "unknown_field", "invalid_value"];

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Crossvat",
        version = "1",
        description = "Verifies UK and EU VAT numbers at HMRC and VIES. An outage is never reported as an invalid number.",
        contact(),
        license(name = "Proprietary")
    ),
    servers((url = "/v1"))
)]
struct Skeleton;

/// The whole document as JSON text, indented.
#[must_use]
pub fn document() -> String {
    let mut openapi = Skeleton::openapi();
    openapi.merge(described().into_openapi());
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An API key: `Authorization: Bearer cv_live_…`"))
        .build();
    openapi.components.get_or_insert_default().add_security_scheme("bearer", SecurityScheme::Http(bearer));
    headers::describe(&mut openapi);
    // Writing a tree of strings and numbers cannot fail.
    openapi.to_pretty_json().unwrap_or_default()
}

/// `GET /v1/openapi.json`. No key is needed.
pub(super) async fn serve() -> impl IntoResponse {
    static DOCUMENT: LazyLock<String> = LazyLock::new(document);
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}

/// A field with few values, and what it means.
fn one_of(words: impl IntoIterator<Item = &'static str>, about: &str) -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).description(Some(about)).build()
}

/// Strings of a bounded length, `least` to `most` of them.
fn strings(least: Option<usize>, most: usize) -> Array {
    let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(MAX_CHARACTERS));
    ArrayBuilder::new().items(text).min_items(least).max_items(Some(most)).build()
}

pub(super) fn vat_numbers_schema() -> Array {
    let mut numbers = strings(Some(1), MAX_NUMBERS);
    numbers.description = Some(
        "Each a two-letter country code followed by the number. Blanks, dots and dashes are allowed."
            .to_owned(),
    );
    numbers.examples = vec![json!(["GB980780684", "DE136695976"])];
    numbers
}

pub(super) fn requesters_schema() -> Array {
    let mut numbers = strings(None, 2);
    numbers.description = Some(
        "Your own numbers, at most one GB and one EU or XI: the registry then gives a consultation number as proof."
            .to_owned(),
    );
    numbers
}

pub(super) fn max_age_schema() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(0))
        .maximum(Some(MAX_AGE_SECONDS))
        .description(Some(
            "How old an answer may be. 0 asks the registry now and gives a new consultation number. A negative answer is \
             never used again after 300 s, an outage never. Unless given: your account's setting, at first 3600. \
             Written without a fraction: 60.0 is refused.",
        ))
        .build()
}

pub(super) fn error_code_schema() -> Object {
    one_of(
        ErrorCode::ALL.iter().map(|code| code.as_str()),
        "What went wrong, for programs: it never changes.",
    )
}

pub(super) fn fault_code_schema() -> Object {
    one_of(FAULT_CODES, "What, for programs.")
}

pub(super) fn status_schema() -> Object {
    one_of(
        Status::ALL.iter().map(|status| status.as_str()),
        "What is known: `valid` and `not_registered` are the registry's word, the others say why there is none.",
    )
}

pub(super) fn routing_schema() -> Object {
    one_of(
        [Registry::Hmrc.routing(), Registry::Vies.routing(), "none"],
        "Who was asked; `none` when nobody was.",
    )
}

pub(super) fn source_schema() -> Object {
    one_of(
        ["live", "cache", "none"],
        "Where the registry's answer came from: asked for this call, or for an earlier one (`timestamp` says when); `none` \
         when no registry answered.",
    )
}

pub(super) fn reverse_charge_reason_schema() -> Object {
    one_of(
        ReverseCharge::ALL.iter().map(|reason| reason.as_str()),
        "Why `reverseChargeEligible` is what it is.",
    )
}

pub(super) fn unresolved_reason_schema() -> Object {
    one_of(UnresolvedReason::ALL.iter().map(|reason| reason.as_str()), "Why there is no answer.")
}

pub(super) fn unresolved_reason_or_null_schema() -> Object {
    let words = UnresolvedReason::ALL.iter().map(|reason| Some(reason.as_str()));
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(words.chain([None])))
        .description(Some("Why there is no answer; `null` when there is one, or the reason is not known."))
        .build()
}

pub(super) fn registry_state_schema() -> Object {
    one_of(
        SliceState::ALL.map(SliceState::code),
        "`answering`; `slow`, when an answer usually takes more than 3 seconds; `refusing`, when it does not answer, \
         or is not asked at all, which `note` tells; `not_measured`, when nobody asked or nothing that came of it tells.",
    )
}

pub(super) fn advice_code_schema() -> Object {
    one_of(AdviceCode::ALL.iter().map(|code| code.as_str()), "What, for programs.")
}
