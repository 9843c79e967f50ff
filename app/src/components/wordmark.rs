//! `Wordmark`: the name, its v a tick.

use leptos::prelude::*;

/// Where the sprite draws the name. Named outside the markup, because the framework prints an element without any
/// expression as it is written, and `use_` is not SVG.
const SYMBOL: &str = "#wordmark";

/// The name at the head of a document.
#[component]
pub(crate) fn SheetWordmark() -> impl IntoView {
    view! {
        <span class="wordmark">
            <svg role="img" aria-label="Crossvat">
                <use_ href=SYMBOL />
            </svg>
        </span>
    }
}

/// The name as a link to the start page.
#[component]
pub(crate) fn Wordmark() -> impl IntoView {
    view! {
        <a class="wordmark" href="/" rel="external" aria-label="Crossvat, home">
            <svg aria-hidden="true">
                <use_ href=SYMBOL />
            </svg>
        </a>
    }
}
