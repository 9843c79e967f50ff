//! What the page asks of the browser itself: the stored theme, the clipboard, the page anew. Called from event handlers
//! and effects only, which never run on the server.

use leptos::prelude::{document, location, request_animation_frame};
use leptos::wasm_bindgen::prelude::wasm_bindgen;
use leptos::wasm_bindgen::{self, JsCast, JsValue};

use crate::Theme;

/// How long the choice of a theme is remembered, in seconds: a year.
const THEME_MAX_AGE: u32 = 31_536_000;

#[wasm_bindgen(wasm_bindgen = wasm_bindgen, wasm_bindgen_futures = leptos::__reexports::wasm_bindgen_futures)]
extern "C" {
    /// A document with its cookies, a part of the type that the framework's own bindings leave out.
    type CookieDocument;

    #[wasm_bindgen(method, setter)]
    fn set_cookie(this: &CookieDocument, cookie: &str);

    #[wasm_bindgen(catch, js_namespace = ["navigator", "clipboard"], js_name = writeText)]
    async fn write_text(text: &str) -> Result<(), JsValue>;
}

/// Shows the page in `theme` and remembers it for the pages to come.
pub(crate) fn keep_theme(theme: Theme) {
    let document = document();
    document
        .unchecked_ref::<CookieDocument>()
        .set_cookie(&format!("theme={}; Path=/; Max-Age={THEME_MAX_AGE}; SameSite=Lax", theme.as_str()));

    if let Some(root) = document.document_element() {
        // Neither call can fail: the attribute's name is a fixed, valid one.
        let _ = match theme.data_theme() {
            Some(value) => root.set_attribute("data-theme", value),
            None => root.remove_attribute("data-theme"),
        };
    }
}

/// Puts `text` on the clipboard; false where the browser refuses, as it does on a page without TLS.
pub(crate) async fn copy(text: &str) -> bool {
    write_text(text).await.is_ok()
}

/// Has the server send the page of the current address.
pub(crate) fn reload() {
    // A frame later the router has put the new page's address into place.
    request_animation_frame(|| {
        // Fails only in a sandboxed frame, and the security policy lets no page be framed.
        let _ = location().reload();
    });
}
