//! `Pager`: what part of a list is shown, and the way to the rest.

use leptos::prelude::*;

/// The part and its neighbours.
#[component]
pub(crate) fn Pager(
    /// Which rows of how many.
    part: String,
    /// The address of the part before.
    newer: Option<String>,
    /// The address of the part after.
    older: Option<String>,
) -> impl IntoView {
    let link = |address: Option<String>, rel: &'static str, words: &'static str| {
        address.map(|address| {
            view! {
                <li>
                    <a href=address rel=rel>
                        {words}
                    </a>
                </li>
            }
        })
    };
    view! {
        <nav class="pager" aria-label="Pages">
            <span>{part}</span>
            <ul role="list">
                {link(newer, "external prev", "← Newer")} {link(older, "external next", "Older →")}
            </ul>
        </nav>
    }
    .into_any()
}
