//! More calls at once than the server was told to work on are refused at once, before anything else is done.

use std::time::Duration;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::api::{ApiState, error_code::ErrorCode, problem::ApiError};

pub(in crate::api) async fn shed_load(
    State(state): State<ApiState>,
    request: Request,
    next: Next,
) -> Response {
    let Ok(_place) = state.places.try_acquire() else {
        return ApiError::new(
            ErrorCode::Overloaded,
            "Too many calls are being worked on. Nothing was checked.",
        )
        .retry_after(Duration::from_secs(1))
        .into_response();
    };
    next.run(request).await
}
