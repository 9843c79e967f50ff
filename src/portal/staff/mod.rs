//! The pages of the support staff.

mod join;
mod second_factor;
mod security;
mod team;

use axum::{Router, routing::get};

use super::{sign_in, sign_in_code, state::Portal};

/// Every one.
pub(super) fn pages() -> Router<Portal> {
    Router::new()
        .route("/staff/sign-in", get(sign_in::staff_form).post(sign_in::staff_sign_in))
        .route("/staff/sign-in/code", get(sign_in_code::staff_form).post(sign_in_code::staff_sign_in))
        .route("/staff/second-factor", get(second_factor::form).post(second_factor::set_up))
        .route("/staff/join/{secret}", get(join::form).post(join::join))
        .route("/staff/security", get(security::show).post(security::change))
        .route("/staff/team", get(team::list).post(team::invite))
        .route("/staff/team/{id}", get(team::show).post(team::change))
        .route("/staff/team/{id}/disable", get(team::disable_form).post(team::disable))
}
