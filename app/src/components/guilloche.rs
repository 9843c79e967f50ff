//! `Guilloche`: the crossing lines of a certificate, under the hero. Decoration.

use leptos::prelude::*;

/// Where the sprite draws the lines; outside the markup for the reason given at the wordmark.
const LINES: &str = "#guilloche";

/// A band of lines as wide as the window.
#[component]
pub(crate) fn Guilloche() -> impl IntoView {
    view! {
        <svg class="guilloche" viewBox="0 0 1200 80" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
            <use_ href=LINES />
        </svg>
    }
}
