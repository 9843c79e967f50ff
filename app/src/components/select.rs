//! `Field` with a list to choose from: label, hint and control.

use leptos::prelude::*;

/// One of many, by its words.
#[component]
pub(crate) fn Select(
    /// Name and anchor.
    name: &'static str,
    /// What is asked.
    label: &'static str,
    /// What helps to answer.
    hint: &'static str,
    /// What is sent for each choice, and its words.
    options: Vec<(String, String)>,
    /// What is sent for the one that is chosen.
    chosen: String,
) -> impl IntoView {
    let hint_id = format!("{name}-hint");

    view! {
        <div class="field">
            <label for=name>{label}</label>
            <p class="hint" id=hint_id.clone()>
                {hint}
            </p>
            <select id=name name=name aria-describedby=hint_id data-width="content">
                {options
                    .into_iter()
                    .map(move |(value, words)| {
                        let selected = value == chosen;
                        view! {
                            <option value=value selected=selected>
                                {words}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
        </div>
    }
    .into_any()
}
