//! `POST /v1/verify-vat`.

use std::time::Duration;

use axum::{Extension, Json, extract::State};

use super::{
    request::VerifyVatRequest,
    response::{UnresolvedNumber, VerificationResult, VerifyVatResponse},
};
use crate::{
    api::{
        ApiState,
        error_code::ErrorCode,
        extract::{Admitted, ApiJson},
        problem::{Answered, ApiError, Problem},
    },
    middleware::RequestId,
    verification::checked_number::CheckedNumber,
    verify_vat::{Question, Refusal, Verified},
};

/// A database that is away comes back within seconds, or somebody has to see to it.
const WAIT_FOR_RECORDING: Duration = Duration::from_secs(5);

/// Verify VAT numbers
///
/// Asks for each number the registry that knows it: HMRC for the United Kingdom, VIES for the EU and Northern
/// Ireland. The results come in the order submitted, duplicates included.
#[utoipa::path(
    post,
    path = "/verify-vat",
    operation_id = "verifyVat",
    tag = "verification",
    security(("bearer" = [])),
    request_body(content = VerifyVatRequest, content_type = "application/json"),
    responses(
        (status = 200, description = "Every number was answered, or `partial` was asked for.", body = VerifyVatResponse),
        (status = 400, description = "`malformed_json`", body = Problem, content_type = "application/problem+json"),
        (status = 401, description = "`missing_credentials`, `invalid_key`, `key_revoked`, `key_expired`", body = Problem, content_type = "application/problem+json",
            headers(("WWW-Authenticate" = String, description = "RFC 6750"))),
        (status = 403, description = "`account_suspended`", body = Problem, content_type = "application/problem+json"),
        (status = 408, description = "`request_timeout`", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "`body_too_large`", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported_media_type`", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "`rate_limited`, `quota_exceeded`", body = Problem, content_type = "application/problem+json",
            headers(("Retry-After" = u64, description = "Seconds after which one request is served"))),
        (status = 500, description = "`internal_error`", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "`registry_unavailable`, with `results` and `unresolved`; or `overloaded`", body = Problem, content_type = "application/problem+json",
            headers(("Retry-After" = u64, description = "Seconds after which asking again makes sense"))),
    ),
)]
pub(in crate::api) async fn verify_vat(
    State(state): State<ApiState>,
    Admitted { admission, place: _place }: Admitted,
    Extension(request_id): Extension<RequestId>,
    ApiJson(request): ApiJson<VerifyVatRequest>,
) -> Result<Json<VerifyVatResponse>, ApiError> {
    let asks_anew = request.max_age.is_some_and(|age| age.is_zero());
    let question = Question {
        numbers: request.vat_numbers,
        requesters: request.requesters,
        supplier_country: request.supplier_country,
        max_age: request.max_age,
        partial: request.partial,
        request_id: request_id.as_str().to_owned(),
    };
    let Verified { numbers: checked, supplier_country } =
        state.verify_vat.verify(admission, question).await.map_err(refused)?;
    let unresolved: Vec<UnresolvedNumber> = checked
        .iter()
        .enumerate()
        .filter_map(|(index, number)| UnresolvedNumber::of(index, number))
        .collect();
    let render = |number: CheckedNumber| VerificationResult::new(number, supplier_country);
    if unresolved.is_empty() || request.partial {
        return Ok(Json(VerifyVatResponse { results: checked.into_iter().map(render).collect() }));
    }
    let results = checked.into_iter().filter(|number| number.unresolved().is_none()).map(render).collect();
    Err(registry_unavailable(results, unresolved, asks_anew))
}

/// The body of the answer to a call that was ready to be told of outages among its results, as indented JSON.
#[must_use]
pub fn answer_text(Verified { numbers, supplier_country }: Verified) -> String {
    let render = |number: CheckedNumber| VerificationResult::new(number, supplier_country);
    let answer = VerifyVatResponse { results: numbers.into_iter().map(render).collect() };
    // Writing strings and numbers cannot fail.
    serde_json::to_string_pretty(&answer).unwrap_or_default()
}

fn registry_unavailable(
    results: Vec<VerificationResult>,
    unresolved: Vec<UnresolvedNumber>,
    asks_anew: bool,
) -> ApiError {
    let detail = what_to_do((unresolved.len(), results.len()), out_of_time(&unresolved), asks_anew);
    // The earliest moment at which asking again can bring something new.
    let wait = unresolved.iter().map(UnresolvedNumber::retry_after_seconds).min().unwrap_or(1);
    ApiError::registry_unavailable(detail, Answered { results, unresolved })
        .retry_after(Duration::from_secs(wait))
}

/// Whether nothing but the time of the call was short.
fn out_of_time(unresolved: &[UnresolvedNumber]) -> bool {
    unresolved.iter().all(UnresolvedNumber::is_out_of_time)
}

fn what_to_do((open, answered): (usize, usize), out_of_time: bool, asks_anew: bool) -> String {
    let (which, it, were) = match (open, answered) {
        (1, 0) => ("The number".to_owned(), "it", "was"),
        (1, _) => (format!("1 of {} numbers", answered + 1), "it", "was"),
        _ => (format!("{open} of {} numbers", open + answered), "them", "were"),
    };
    let rest = if answered == 0 {
        "`unresolved` names each."
    } else {
        "`unresolved` names each; `results` holds the others."
    };
    if !out_of_time {
        return format!(
            "{which} could not be checked, since a registry did not answer. That says nothing about {it}: ask again. {rest}"
        );
    }
    // Zero would begin with the first number again, and run out of time at the same one.
    let how = if asks_anew { " without `maxAgeSeconds`" } else { "" };
    format!(
        "{which} {were} not answered in the time that one call has. That says nothing about {it}: send the same call \
         again{how}, and what was found out meanwhile is in its answer. {rest}"
    )
}

fn refused(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::OverAllowance { needed, left, allowance, resets_in } => {
            let detail = format!(
                "{needed} numbers would have to be asked at a registry, and {left} are left of this month's {allowance}. None \
                 was asked."
            );
            ApiError::new(ErrorCode::QuotaExceeded, detail).retry_after(resets_in)
        }
        Refusal::NotRecorded => ApiError::new(
            ErrorCode::Overloaded,
            "What registries answer cannot be recorded at present, so nothing is answered. Nothing is said about the numbers.",
        )
        .retry_after(WAIT_FOR_RECORDING),
    }
}

#[cfg(test)]
mod tests {
    use super::what_to_do;

    #[test]
    fn an_answer_that_is_not_whole_says_what_to_do() {
        let outage = what_to_do((1, 0), false, false);
        assert!(
            outage.starts_with("The number could not be checked, since a registry did not answer."),
            "{outage}"
        );
        let outage = what_to_do((2, 3), false, true);
        assert!(
            outage.starts_with("2 of 5 numbers could not be checked") && outage.contains("about them"),
            "{outage}"
        );
        let late = what_to_do((26, 74), true, false);
        assert!(late.starts_with("26 of 100 numbers were not answered in the time"), "{late}");
        assert!(late.contains("send the same call again, and") && !late.contains("did not answer"), "{late}");
        let late = what_to_do((26, 74), true, true);
        assert!(late.contains("send the same call again without `maxAgeSeconds`, and"), "{late}");
    }
}
