//! The pages of the support staff.

mod account;
mod account_changes;
mod accounts;
mod audit;
mod claim_links;
mod deeds;
mod issue;
mod limits;
mod requests;
mod waiting;

use axum::{
    Router,
    routing::{get, post},
};

use super::state::Portal;

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
        .route("/staff/audit", get(audit::page))
        .route("/staff/audit.csv", get(audit::file))
}
