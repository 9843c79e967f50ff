//! The pages of the support staff.

use axum::Router;

use super::state::Portal;

/// Every one.
pub(super) fn pages() -> Router<Portal> {
    Router::new()
}
