//! `ButtonRow`: how a form ends: with the button that sends it and the link that leaves it.

use leptos::prelude::*;

/// The button, and the way out beside it.
#[component]
pub(crate) fn ButtonRow(
    /// `primary` or `danger`.
    kind: &'static str,
    /// What the button does.
    words: &'static str,
    /// Where one gets without it.
    #[prop(into)]
    out_to: String,
    /// The words for that.
    out: &'static str,
) -> impl IntoView {
    view! {
        <p class="button-row">
            <button class="button" data-kind=kind type="submit">
                {words}
            </button>
            <a href=out_to rel="external">
                {out}
            </a>
        </p>
    }
    .into_any()
}
