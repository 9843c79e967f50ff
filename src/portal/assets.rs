//! The names of the built files, from the manifest the build leaves beside them.

use std::path::Path;

use crossvat_app::SiteAssets;
use serde::Deserialize;
use thiserror::Error;

/// The pages' files are not there.
#[derive(Debug, Error)]
#[error(
    "{manifest}: {reason}. Build the pages first (`make site`) or set http.site_directory to where they are"
)]
pub struct AssetsError {
    manifest: String,
    reason: String,
}

#[derive(Deserialize)]
struct Manifest {
    stylesheet: String,
    script: String,
    wasm: String,
}

/// Reads `manifest.json` in the site's folder.
///
/// # Errors
/// It is not there or not readable.
pub fn load_assets(site_directory: &Path) -> Result<SiteAssets, AssetsError> {
    let path = site_directory.join("manifest.json");
    let refused = |reason: String| AssetsError { manifest: path.display().to_string(), reason };
    let text = std::fs::read_to_string(&path).map_err(|error| refused(error.to_string()))?;
    let manifest: Manifest = serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
    Ok(SiteAssets { stylesheet: manifest.stylesheet, script: manifest.script, wasm: manifest.wasm })
}
