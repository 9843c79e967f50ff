//! An authenticated call that was counted against its account's rate limit, before its body is read.

use axum::{extract::FromRequestParts, http::request::Parts};

use super::{
    caller::authenticate,
    load::{Place, take_place},
};
use crate::{
    api::{ApiState, error_code::ErrorCode, finish::CountedCall, problem::ApiError},
    verify_vat::{Admission, Asker},
};

/// Proof that the caller may call now.
pub(in crate::api) struct Admitted {
    pub(in crate::api) admission: Admission,
    pub(in crate::api) place: Place,
}

impl FromRequestParts<ApiState> for Admitted {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let place = take_place(state)?;
        let caller = authenticate(&state.api_keys, &parts.headers).await?;
        let asker = Asker::from(caller.as_ref());
        let admission = state.verify_vat.admit(asker.clone()).await;
        let rate = admission.as_ref().map_or_else(|rate| *rate, Admission::rate);
        if let Some(counted) = parts.extensions.get::<CountedCall>() {
            counted.tell(rate, asker);
        }
        admission.map(|admission| Self { admission, place }).map_err(|rate| {
            let detail = format!("Your plan serves {} requests in any 60 seconds.", rate.limit);
            ApiError::new(ErrorCode::RateLimited, detail).retry_after(rate.resets_in)
        })
    }
}
