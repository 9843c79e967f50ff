//! `DocsLayout`: contents on the left, one column of text.

use leptos::prelude::*;

use super::API_DESCRIPTION;
use crate::docs::{Entry, Part};

/// A page of documentation; its children are what stands in the `article`.
#[component]
pub(crate) fn DocsLayout(
    /// The page's path.
    current: &'static str,
    /// The text.
    children: Children,
) -> impl IntoView {
    let link = move |entry: &Entry| {
        let mark = (entry.path == current).then_some("page");
        view! {
            <li>
                <a href=entry.path rel="external" aria-current=mark>
                    {entry.name}
                </a>
            </li>
        }
    };
    let part = |part: Part| {
        let description = (part == Part::Reference).then(|| {
            view! {
                <li>
                    <a href=API_DESCRIPTION rel="external">
                        "openapi.json"
                    </a>
                </li>
            }
        });
        view! {
            // No heading: those of the page begin with its own.
            <p id=part.anchor()>{part.name()}</p>
            <ul aria-labelledby=part.anchor()>{part.entries().map(link).collect_view()} {description}</ul>
        }
    };

    view! {
        <div class="docs-layout">
            // Unfolded by the style sheet where it stands beside the text.
            <nav aria-label="Documentation">
                <details>
                    <summary>"All pages of the documentation"</summary>
                    <div>{Part::ALL.map(part).into_iter().collect_view()}</div>
                </details>
            </nav>
            <article>{children()}</article>
        </div>
    }
    .into_any()
}
