//! `CodeBlock`: a listing with its title and a copy button.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser;

/// A listing that is meant to be copied as it stands.
#[component]
pub(crate) fn CodeBlock(
    /// What the listing does.
    title: &'static str,
    /// The listing.
    code: &'static str,
) -> impl IntoView {
    let word = RwSignal::new("Copy");
    let copy = move |_| {
        spawn_local(async move {
            word.set(if browser::copy(code).await { "Copied" } else { "Not copied: select the text" });
        });
    };

    view! {
        <figure class="code-block">
            <figcaption>
                <span>{title}</span>
                <button class="button" data-kind="plain" data-needs="script" type="button" on:click=copy>
                    <span aria-live="polite">{word}</span>
                </button>
            </figcaption>
            <pre>
                <code>{code}</code>
            </pre>
        </figure>
    }
    .into_any()
}
