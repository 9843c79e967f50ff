//! The user interface: the document, the pages and their components, rendered on the server and hydrated in the
//! browser. The same components run on both sides; what only the server can say comes in through [`shell`].
//!
//! Not here: anything that asks a registry, reads a database or keeps a secret. A number typed on a page is only
//! read, by the crate `vat`.
//!
//! Pages and larger components end in `into_any()`: it keeps the type of a whole page, which the compiler of the server
//! has to lay out, from growing with every element in it.

#[cfg(all(feature = "hydrate", feature = "ssr"))]
compile_error!("`hydrate` and `ssr` exclude each other: one is the browser's half, the other the server's");

mod app;
mod browser;
mod components;
#[cfg(feature = "ssr")]
pub mod docs;
mod figures;
#[cfg(feature = "ssr")]
mod head;
mod line_readings;
mod live_page;
mod live_readings;
mod markup;
mod pages;
#[cfg(feature = "ssr")]
pub mod portal;
#[cfg(feature = "ssr")]
mod reader;
mod reading_words;
mod server_page;
#[cfg(feature = "ssr")]
mod shell;
mod theme;

#[cfg(feature = "hydrate")]
use leptos::wasm_bindgen;

pub use self::app::App;
#[cfg(feature = "ssr")]
pub use self::components::SlipText;
#[cfg(feature = "ssr")]
pub use self::head::Place;
#[cfg(feature = "ssr")]
pub use self::reader::{Reader, Standing};
#[cfg(feature = "ssr")]
pub use self::server_page::ServerText;
#[cfg(feature = "ssr")]
pub use self::shell::{Document, OperatorPages, SiteAssets, shell};
pub use self::theme::Theme;

/// The name of the header with which a page is asked for by itself, and not by its reader.
pub const LOOKS_BY_ITSELF: &str = "x-looks-by-itself";

/// Brings the server's page to life; called once by the script that the shell prints.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(App);
}
