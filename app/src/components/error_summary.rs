//! `ErrorSummary`: what in a form needs changing, first on the page, with links to the fields. The words beside each field
//! are the same.

use leptos::prelude::*;

use crate::portal::Fault;

/// Numbers as words, as far as a form can have faults.
const COUNTS: [&str; 9] = [
    "",
    "One thing needs",
    "Two things need",
    "Three things need",
    "Four things need",
    "Five things need",
    "Six things need",
    "Seven things need",
    "Eight things need",
];

/// The summary; nothing when there is no fault. Without a script `autofocus` moves the focus here.
#[component]
pub(crate) fn ErrorSummary(
    /// What needs changing, in the order of the fields.
    faults: Vec<Fault>,
) -> impl IntoView {
    if faults.is_empty() {
        return ().into_any();
    }
    let count = COUNTS.get(faults.len()).copied().unwrap_or("Several things need");

    view! {
        <div class="error-summary" tabindex="-1" autofocus>
            <div role="alert">
                <h2>{count} " changing"</h2>
                <ul role="list">
                    {faults
                        .into_iter()
                        .map(|fault| {
                            view! {
                                <li>
                                    <a href=format!("#{}", fault.field) rel="external">{fault.message}</a>
                                </li>
                            }
                        })
                        .collect_view()}
                </ul>
            </div>
        </div>
    }
    .into_any()
}
