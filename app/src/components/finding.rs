//! `Finding`: a number and what was found of it, large.

use leptos::prelude::*;

/// The head of a slip: first the number, then its status.
#[component]
pub(crate) fn Finding(
    /// The number and its status.
    children: Children,
) -> impl IntoView {
    view! { <div class="finding">{children()}</div> }
}
