//! The browser's side: mounts the pages of `app`, the files they load and the small forms around them.

mod access;
mod address;
mod check;
mod claim;
mod codes;
mod csv_file;
mod docs;
mod door;
mod evidence;
mod fault;
mod history;
mod home;
mod key_request;
mod keys;
mod large_forms;
mod links;
mod listing;
mod members;
mod moments;
mod own_numbers;
mod own_second_factor;
mod own_security;
mod pages;
mod programs;
mod qr_code;
mod registries_now;
mod settings;
mod settings_second_factor;
mod sign_in;
mod sign_in_code;
mod sign_up;
mod site;
mod staff;
mod state;
mod status;
mod theme;
mod typed;
mod unsent;
mod usage;
mod visit;

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::StatusCode,
    middleware::{from_fn, from_fn_with_state, map_request},
    routing::{get, post},
};
use tower_http::timeout::TimeoutLayer;
use tower_sessions::{SessionManagerLayer, cookie::SameSite};

pub use self::{
    docs::{DocsParts, UnreadableDescription, reference_of},
    site::{Site, SiteError},
    state::PortalParts,
    visit::SESSION_LIFETIMES,
};
use self::{
    site::ICONS,
    state::Portal,
    unsent::{BROWSER_COOKIE, BROWSER_LIFETIME},
};
use crate::{
    middleware::{catch_panics, same_origin_only},
    sessions::SeaOrmSessionStore,
};

/// Largest form that is read.
const MAX_FORM_BYTES: usize = 64 * 1024;
/// Time for a request and its page, the arrival of a form included.
const PAGE_LIMIT: Duration = Duration::from_secs(10);
/// The same where files are taken: a slow line sends a large one all the same.
const UPLOAD_LIMIT: Duration = Duration::from_mins(1);
/// Browsers accept a cookie of this name only with `Secure`, for the whole site and without a domain.
const SESSION_COOKIE: &str = "__Host-session";

/// Every page, and the files they load.
pub fn router(parts: PortalParts) -> Router {
    let site = parts.site.clone();
    let people = sessions(SESSION_COOKIE, parts.session_store.clone());
    let browsers = sessions(BROWSER_COOKIE, parts.session_store.clone().lasting(BROWSER_LIFETIME));
    let portal: Portal = Arc::new(parts);
    let pages = ways_in()
        .merge(members_pages())
        .merge(staff::pages())
        .merge(docs::pages())
        .route("/status", get(status::page))
        .merge(pages::not_found())
        .layer(time_limit(PAGE_LIMIT))
        .merge(check::form_page().layer(time_limit(UPLOAD_LIMIT)))
        .layer(from_fn_with_state(Arc::clone(&portal), unsent::keep_unsent))
        .layer(from_fn_with_state(Arc::clone(&portal), large_forms::refuse_large))
        .layer(people)
        .layer(map_request(unsent::know_browser))
        .layer(browsers)
        .with_state(Arc::clone(&portal))
        .route("/theme", post(theme::choose).layer(time_limit(PAGE_LIMIT)))
        .route_service("/pkg/{file}", site.service());
    ICONS
        .into_iter()
        .fold(pages, |pages, icon| pages.route_service(icon, site.service()))
        .layer(from_fn(same_origin_only))
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES))
        .layer(time_limit(UPLOAD_LIMIT))
        .layer(catch_panics())
        .layer(from_fn_with_state(portal, fault::show))
}

/// Sessions under a cookie that only this site gets, and no script.
fn sessions(cookie: &'static str, store: SeaOrmSessionStore) -> SessionManagerLayer<SeaOrmSessionStore> {
    SessionManagerLayer::new(store)
        .with_name(cookie)
        .with_secure(true)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
}

fn time_limit(limit: Duration) -> TimeoutLayer {
    TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limit)
}

fn ways_in() -> Router<Portal> {
    Router::new()
        .route("/sign-in", get(sign_in::form).post(sign_in::sign_in))
        .route("/sign-in/code", get(sign_in_code::form).post(sign_in_code::sign_in))
        .route("/sign-out", post(sign_in::sign_out))
        .route("/sign-up", get(sign_up::form).post(sign_up::sign_up))
        .route("/forgot-password", get(links::forgot_form).post(links::forgot))
        .route("/reset-password/{secret}", get(links::reset_form).post(links::reset))
        .route("/confirm-email/{secret}", get(links::confirm_form).post(links::confirm))
        .route("/claim/{secret}", get(claim::form).post(claim::claim))
}

fn members_pages() -> Router<Portal> {
    Router::new()
        .route("/portal", get(home::home))
        .route("/portal/history", get(history::page))
        .route("/portal/history.csv", get(history::file))
        .route("/portal/history/{id}", get(evidence::sheet))
        .route("/portal/usage", get(usage::page))
        .route("/portal/usage.csv", get(usage::file))
        .merge(check::pages())
        .route("/portal/keys", get(keys::list))
        .route("/portal/keys/request", get(key_request::show).post(key_request::change))
        .route("/portal/keys/new", get(keys::new_form).post(keys::make))
        .route("/portal/keys/{id}/rotate", get(keys::rotate_form).post(keys::rotate))
        .route("/portal/keys/{id}/revoke", get(keys::revoke_form).post(keys::revoke))
        .route("/portal/keys/{id}/rename", get(keys::rename_form).post(keys::rename))
        .route("/portal/settings", get(settings::show).post(settings::change))
        .route(
            "/portal/settings/second-factor",
            get(settings_second_factor::form).post(settings_second_factor::set_up),
        )
        .route("/portal/settings/members", get(members::list).post(members::invite))
        .route("/portal/settings/members/{id}", get(members::change_form).post(members::change))
        .route("/portal/settings/members/{id}/remove", get(members::remove_form).post(members::remove))
}
