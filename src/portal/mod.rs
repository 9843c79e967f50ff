//! The browser's side: mounts the pages of `app`, the files they load and the small forms around them.

mod assets;
mod pages;
mod theme;

use std::path::Path;

use axum::{
    Router,
    http::{HeaderValue, header},
    middleware::from_fn,
    routing::post,
};
use tower::ServiceBuilder;
use tower_http::{services::ServeDir, set_header::SetResponseHeaderLayer};

pub use self::assets::{AssetsError, load_assets};
use crate::middleware::same_origin_only;

/// Every page, and the files under `site_directory`.
pub fn router(assets: &crossvat_app::SiteAssets, site_directory: &Path) -> Router {
    // Names hold a hash of the content, so what was fetched once is right for ever.
    let hashed_files = ServiceBuilder::new()
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=31536000, immutable"),
        ))
        .service(files(&site_directory.join("pkg")));
    let icon = SetResponseHeaderLayer::if_not_present(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=86400"),
    );
    let favicon = ServiceBuilder::new()
        .layer(icon)
        .service(tower_http::services::ServeFile::new(site_directory.join("favicon.svg")));
    pages::mount(Router::new(), assets)
        .route("/theme", post(theme::choose))
        .nest_service("/pkg", hashed_files)
        .route_service("/favicon.svg", favicon)
        .layer(from_fn(same_origin_only))
}

fn files(directory: &Path) -> ServeDir {
    ServeDir::new(directory).append_index_html_on_directories(false).precompressed_br().precompressed_gzip()
}
