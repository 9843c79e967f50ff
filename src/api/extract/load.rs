//! More calls at once than the server was told to work on are refused at once, before anything else is done.

use std::{sync::Arc, time::Duration};

use tokio::sync::OwnedSemaphorePermit;

use crate::api::{ApiState, error_code::ErrorCode, problem::ApiError};

/// A place among the calls that are worked on at once, held until the call is answered.
pub(super) type Place = OwnedSemaphorePermit;

#[expect(clippy::result_large_err, reason = "the error leaves as it is, once a refused call")]
pub(super) fn take_place(state: &ApiState) -> Result<Place, ApiError> {
    Arc::clone(&state.places).try_acquire_owned().map_err(|_| {
        ApiError::new(ErrorCode::Overloaded, "Too many calls are being worked on. Nothing was checked.")
            .retry_after(Duration::from_secs(1))
    })
}
