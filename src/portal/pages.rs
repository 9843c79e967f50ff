//! The pages of `app`, with what only the server knows: the reader's theme, the API's error codes and the content
//! security policy.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
    routing::get,
};
use crossvat_app::{App, ErrorEntry, SiteAssets, shell};
use leptos::{nonce::use_nonce, prelude::use_context};
use leptos_axum::{ResponseOptions, generate_route_list, render_app_async_with_context};

use super::theme::chosen_theme;

/// Adds a route for every page of `app`, and its own page for what is not found.
pub(super) fn mount(mut router: Router, assets: &SiteAssets, errors: &Arc<[ErrorEntry]>) -> Router {
    for page in generate_route_list(App) {
        let (assets, errors) = (assets.clone(), Arc::clone(errors));
        router = router.route(page.path(), get(move |request: Request| render(assets, errors, request)));
    }
    let (assets, errors) = (assets.clone(), Arc::clone(errors));
    router.fallback(get(move |request: Request| async move {
        let mut response = render(assets, errors, request).await;
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    }))
}

async fn render(assets: SiteAssets, errors: Arc<[ErrorEntry]>, request: Request) -> Response {
    let theme = chosen_theme(request.headers());
    let render = render_app_async_with_context(set_content_security_policy, move || {
        shell(assets.clone(), theme, Arc::clone(&errors))
    });
    let mut response = render(request).await.into_response();
    // The page holds the reader's theme and a nonce.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Only our own files, and of inline scripts only the one that bears the page's nonce.
fn set_content_security_policy() {
    // Routes are listed outside any request; then there is nothing to set.
    let (Some(nonce), Some(response), Some(_)) =
        (use_nonce(), use_context::<ResponseOptions>(), use_context::<Parts>())
    else {
        return;
    };
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::try_from(policy) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}
