//! `ApiKey` and `ApiKeySecret`: a key by what may be shown of it, and the whole key, once.

use leptos::prelude::*;

/// A key by its prefix and its last characters.
#[component]
pub(crate) fn ApiKey(
    /// Such as `cv_live_`.
    prefix: &'static str,
    /// The last four characters.
    last_four: String,
) -> impl IntoView {
    view! {
        <code class="api-key">{prefix} <i>"…"</i> <b>{last_four}</b></code>
    }
}

/// Where the parts of a secret begin: after the prefix groups of four, which people compare.
const GROUP: usize = 4;

/// The whole key. Shown once: the page that holds it warns before it is left.
#[component]
pub(crate) fn ApiKeySecret(
    /// The key.
    mut secret: String,
) -> impl IntoView {
    let at = secret.match_indices('_').nth(1).map_or(0, |(at, _)| at + 1);
    let rest: Vec<char> = secret.split_off(at).chars().collect();
    let parts: Vec<String> =
        std::iter::once(secret).chain(rest.chunks(GROUP).map(|part| part.iter().collect())).collect();

    view! {
        <div class="api-key-secret" data-shown-once>
            <output id="secret" aria-label="API key">
                {parts.into_iter().map(|part| view! { <span>{part}</span> }).collect_view()}
            </output>
            <p class="button-row">
                <button class="button" data-kind="primary" data-needs="script" type="button" data-copies="secret">
                    "Copy the key"
                </button>
                <small>"Or click the key once to select all of it."</small>
            </p>
        </div>
    }
    .into_any()
}
