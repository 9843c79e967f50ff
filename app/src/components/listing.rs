//! `Listing`: a code block of a page that only the server writes. Its look is that of `CodeBlock`.

use leptos::prelude::*;

/// A listing that is meant to be copied as it stands.
#[component]
pub(crate) fn Listing(
    /// Its anchor: one of its own on the page.
    id: String,
    /// What the listing is.
    #[prop(into)]
    title: String,
    /// The listing, as markup: names in `b`, remarks in `i`.
    code: String,
) -> impl IntoView {
    let title_id = format!("{id}-title");

    view! {
        <figure class="code-block">
            <figcaption>
                <span id=title_id.clone()>{title}</span>
                <button
                    class="button"
                    data-kind="plain"
                    data-needs="script"
                    type="button"
                    data-copies=id.clone()
                    aria-describedby=title_id
                    aria-live="polite"
                >
                    "Copy"
                </button>
            </figcaption>
            <pre>
                <code id=id inner_html=code></code>
            </pre>
        </figure>
    }
    .into_any()
}
