//! `SecretText`: a secret that is typed by hand, in groups that a reader keeps in mind.

use leptos::prelude::*;

/// The secret.
#[component]
pub(crate) fn SecretText(
    /// Its groups.
    groups: Vec<String>,
) -> impl IntoView {
    view! {
        <code class="secret-text">
            {groups.into_iter().map(|group| view! { <span>{group} " "</span> }).collect_view()}
        </code>
    }
    .into_any()
}
