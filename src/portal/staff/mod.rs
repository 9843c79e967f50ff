//! The pages of the support staff.

mod account;
mod account_changes;
mod accounts;
mod audit;
mod claim_links;
mod deeds;
mod issue;
mod join;
mod limits;
mod member_sign_out;
mod registries;
mod requests;
mod second_factor;
mod security;
mod team;
mod waiting;

use axum::{
    Router,
    routing::{get, post},
};

use super::{sign_in, sign_in_code, state::Portal};

/// Every one.
pub(super) fn pages() -> Router<Portal> {
    Router::new()
        .route("/staff", get(requests::queue))
        .route("/staff/requests/{id}", get(requests::show).post(requests::decide))
        .route("/staff/issue", get(issue::form).post(issue::issue))
        .route("/staff/links/{id}", post(claim_links::change))
        .route("/staff/accounts/{id}/issue", get(issue::form_for_account).post(issue::issue_to_account))
        .route("/staff/accounts", get(accounts::list).post(accounts::find))
        .route("/staff/accounts/{id}", get(account::page))
        .route(
            "/staff/accounts/{id}/plan",
            get(account_changes::plan_form).post(account_changes::change_plan),
        )
        .route(
            "/staff/accounts/{id}/suspend",
            get(account_changes::suspend_form).post(account_changes::suspend),
        )
        .route(
            "/staff/accounts/{id}/restore",
            get(account_changes::restore_form).post(account_changes::restore),
        )
        .route(
            "/staff/accounts/{id}/keys/{key}/revoke",
            get(account_changes::revoke_form).post(account_changes::revoke),
        )
        .route(
            "/staff/accounts/{id}/members/{member}/sign-out",
            get(member_sign_out::form).post(member_sign_out::sign_out),
        )
        .route("/staff/registries", get(registries::page))
        .route("/staff/registries/{code}/open", get(registries::open_form).post(registries::open))
        .route("/staff/registries/{code}/close", get(registries::close_form).post(registries::close))
        .route("/staff/audit", get(audit::page))
        .route("/staff/audit.csv", get(audit::file))
        .route("/staff/sign-in", get(sign_in::staff_form).post(sign_in::staff_sign_in))
        .route("/staff/sign-in/code", get(sign_in_code::staff_form).post(sign_in_code::staff_sign_in))
        .route("/staff/second-factor", get(second_factor::form).post(second_factor::set_up))
        .route("/staff/join/{secret}", get(join::form).post(join::join))
        .route("/staff/security", get(security::show).post(security::change))
        .route("/staff/team", get(team::list).post(team::invite))
        .route("/staff/team/{id}", get(team::show).post(team::change))
        .route("/staff/team/{id}/disable", get(team::disable_form).post(team::disable))
}
