//! The browser's side: mounts the pages of `app`, the files they load and the small forms around them.

mod assets;
mod pages;
mod theme;

use std::{path::Path, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{HeaderValue, Response, StatusCode, header},
    middleware::from_fn,
    routing::post,
};
use crossvat_app::{ErrorEntry, SiteAssets};
use tower::ServiceBuilder;
use tower_http::{
    services::{ServeDir, ServeFile},
    set_header::SetResponseHeaderLayer,
    timeout::TimeoutLayer,
};

pub use self::assets::{AssetsError, load_assets};
use crate::middleware::same_origin_only;

/// Largest form that is read.
const MAX_FORM_BYTES: usize = 64 * 1024;
/// Time for a request and its page, the arrival of a form included.
const PAGE_LIMIT: Duration = Duration::from_secs(10);

/// Every page, with `errors` as the entries of the one about error codes, and the files under `site_directory`.
pub fn router(assets: &SiteAssets, errors: &Arc<[ErrorEntry]>, site_directory: &Path) -> Router {
    // Names hold a hash of the content, so what was fetched once is right for ever.
    let hashed_files = ServiceBuilder::new()
        .layer(keep("public, max-age=31536000, immutable"))
        .service(files(&site_directory.join("pkg")));
    let favicon = ServiceBuilder::new()
        .layer(keep("public, max-age=86400"))
        .service(ServeFile::new(site_directory.join("favicon.svg")));
    pages::mount(Router::new(), assets, errors)
        .route("/theme", post(theme::choose))
        .nest_service("/pkg", hashed_files)
        .route_service("/favicon.svg", favicon)
        .layer(from_fn(same_origin_only))
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, PAGE_LIMIT))
}

fn files(directory: &Path) -> ServeDir {
    ServeDir::new(directory).append_index_html_on_directories(false).precompressed_br().precompressed_gzip()
}

/// Tells browsers how long to keep a file that was found; what was not found may be there the next time.
fn keep<B>(
    how: &'static str,
) -> SetResponseHeaderLayer<impl Fn(&Response<B>) -> Option<HeaderValue> + Clone> {
    SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, move |response: &Response<B>| {
        response.status().is_success().then(|| HeaderValue::from_static(how))
    })
}
