//! `RecoveryCodeList`: a person's recovery codes, once.

use leptos::prelude::*;

/// The codes. Shown once: the page that holds them warns before it is left.
#[component]
pub(crate) fn RecoveryCodeList(
    /// The codes, as they are read.
    codes: Vec<String>,
) -> impl IntoView {
    let all = codes.join("\n");

    view! {
        <div class="recovery-codes" data-shown-once>
            <ol role="list" aria-label="Recovery codes">
                {codes
                    .into_iter()
                    .map(|code| {
                        view! {
                            <li>
                                <code>{code}</code>
                            </li>
                        }
                    })
                    .collect_view()}
            </ol>
            <p class="button-row">
                <button class="button" data-kind="primary" data-needs="script" type="button" data-copies="codes">
                    "Copy the codes"
                </button>
                <button class="button" data-needs="script" type="button" data-prints>
                    "Print them"
                </button>
            </p>
            <pre id="codes" hidden>
                {all}
            </pre>
        </div>
    }
    .into_any()
}
