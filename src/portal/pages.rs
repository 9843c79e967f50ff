//! Writes the document around every page, with what only the server knows: the reader's theme and the content security
//! policy; and the page for what is not found.

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use crossvat_app::{App, Document, SiteAssets, shell};
use leptos::{nonce::use_nonce, prelude::use_context};
use leptos_axum::{ResponseOptions, generate_route_list, render_app_async_with_context};

use super::{state::Portal, visit::Visit};

/// The page for what is not found.
pub(super) fn not_found() -> Router<Portal> {
    // Listing the pages prepares this runtime for writing any of them.
    drop(generate_route_list(App));
    Router::new().fallback(show_not_found)
}

async fn show_not_found(State(portal): State<Portal>, method: Method, visit: Visit) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let mut response = write(portal.site.assets.clone(), visit.document(None), &visit.address).await;
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// The document at an address.
pub(super) async fn write(assets: SiteAssets, document: Document, address: &str) -> Response {
    let Ok(request) = Request::builder().uri(address).body(Body::empty()) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let render = render_app_async_with_context(set_content_security_policy, move || {
        shell(assets.clone(), document.clone())
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
