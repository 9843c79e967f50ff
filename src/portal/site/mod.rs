//! The files that pages load: style sheet, script, WebAssembly, icon. A released program has them inside; any other reads
//! them from a folder when it starts. Either way they are served from memory, and nothing else of a folder is.

mod file;

use std::{collections::HashMap, io, path::Path, sync::Arc};

use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};
use crossvat_app::SiteAssets;
use serde::Deserialize;
use thiserror::Error;

use self::file::File;

/// Path and content of every file that was built into the program: none, unless it is a release.
static BUILT_IN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/built_in.rs"));
/// Where `make site` puts them.
const BUILT_FOLDER: &str = "target/site";

const MANIFEST: &str = "/manifest.json";
/// What browsers show beside the title, and those that know no SVG ask for by themselves.
pub(super) const ICONS: [&str; 3] = ["/favicon.svg", "/favicon.ico", "/apple-touch-icon.png"];
/// Names hold a hash of the content, so what was fetched once is right for ever.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
const FOR_A_DAY: &str = "public, max-age=86400";

/// The pages' files are not there.
#[derive(Debug, Error)]
#[error("{file}: {reason}. Build the pages first (`make site`) or set http.site_directory to where they are")]
pub struct SiteError {
    file: String,
    reason: String,
}

/// What the build says of its files: where each of them is.
#[derive(Deserialize)]
struct Manifest {
    stylesheet: String,
    script: String,
    wasm: String,
}

/// Whether an address is that of a file that pages load, of which nobody is shown a page.
pub(super) fn is_file(path: &str) -> bool {
    path.starts_with("/pkg/") || ICONS.contains(&path)
}

/// The files that pages load.
#[derive(Clone)]
pub struct Site {
    /// Where pages find them.
    pub(super) assets: SiteAssets,
    files: Arc<HashMap<String, File>>,
}

impl Site {
    /// Those in `folder`; without one those that are built in, or else those that `make site` has built.
    ///
    /// # Errors
    /// One of them is not there or not readable.
    pub fn load(folder: Option<&Path>) -> Result<Self, SiteError> {
        match folder {
            None if !BUILT_IN.is_empty() => Self::gather("", built_in),
            folder => {
                let folder = folder.unwrap_or(Path::new(BUILT_FOLDER));
                let read =
                    |path: &str| std::fs::read(folder.join(path.trim_start_matches('/'))).map(Bytes::from);
                Self::gather(&folder.display().to_string(), read)
            }
        }
    }

    /// `read` gives what is at a path of the site in `place`.
    fn gather(place: &str, read: impl Fn(&str) -> io::Result<Bytes>) -> Result<Self, SiteError> {
        let refused = |path: &str, reason: String| SiteError { file: format!("{place}{path}"), reason };
        let manifest = read(MANIFEST).map_err(|error| refused(MANIFEST, error.to_string()))?;
        let Manifest { stylesheet, script, wasm } =
            serde_json::from_slice(&manifest).map_err(|error| refused(MANIFEST, error.to_string()))?;
        let mut files = HashMap::new();
        let package = [&*stylesheet, &*script, &*wasm].map(|path| (path, FOR_EVER));
        for (path, keep) in package.into_iter().chain(ICONS.map(|path| (path, FOR_A_DAY))) {
            let file = File::gather(path, keep, &read).map_err(|error| refused(path, error.to_string()))?;
            files.insert(path.to_owned(), file);
        }
        Ok(Self { assets: SiteAssets { stylesheet, script, wasm }, files: Arc::new(files) })
    }

    /// Answers for the file that an address names.
    pub(super) fn service(&self) -> MethodRouter {
        get(serve).with_state(Arc::clone(&self.files))
    }
}

async fn serve(
    State(files): State<Arc<HashMap<String, File>>>,
    address: Uri,
    headers: HeaderMap,
) -> Response {
    match files.get(address.path()) {
        Some(file) => file.answer(&headers),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn built_in(path: &str) -> io::Result<Bytes> {
    BUILT_IN
        .iter()
        .find(|(name, _)| path.strip_prefix('/') == Some(name))
        .map(|(_, content)| Bytes::from_static(content))
        .ok_or_else(|| io::ErrorKind::NotFound.into())
}
