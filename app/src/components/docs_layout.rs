//! `DocsLayout`: contents on the left, one column of text.

use leptos::html::Div;
use leptos::prelude::*;

use crate::browser;

/// A page of documentation, which only the server writes: the browser keeps what it was sent, so that the text is
/// neither in the WebAssembly nor sent twice. Links to such a page carry `rel="external"`; a browser that comes to one
/// by itself, going back for instance, asks the server for it.
///
/// Nothing in the text is brought to life, so it holds no buttons that need a script, and its links are the browser's
/// (`rel="external"`).
#[component]
pub(crate) fn DocsLayout<Text: FnOnce() -> AnyView>(
    /// Writes a `nav` and an `article`. A function rather than children: boxed, it would be part of the WebAssembly.
    text: Text,
) -> impl IntoView {
    let html = if cfg!(feature = "ssr") { text().to_html() } else { String::new() };
    let layout = NodeRef::<Div>::new();
    Effect::new(move || {
        if layout.get().is_some_and(|layout| layout.child_element_count() == 0) {
            browser::reload();
        }
    });

    view! { <div class="docs-layout" node_ref=layout inner_html=html></div> }.into_any()
}
